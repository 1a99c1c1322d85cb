/**
 * Writes MIME parts: ASCII only, with lines within the limits of SMTP. Boundaries follow from the content, so equal mail gives equal bytes.
 */
import { createHash } from 'node:crypto';

/** A part ready to be put into a message. */
export interface WrittenPart {
  /** Header lines without their ends. */
  readonly headers: readonly string[];
  /** ASCII, lines ended by CRLF, except the last one. */
  readonly body: string;
}

/** Returns a text for people to read, in UTF-8. */
export function writeText(subtype: 'plain' | 'html', text: string): WrittenPart {
  // An email needs no control characters, and programs treat them differently.
  const lines = text
    .replace(/^\ufeff/, '')
    .replace(/\r\n?|\n/g, '\r\n')
    .replace(/[^\P{Cc}\t\r\n]/gu, '');
  const isPlain = /^\p{ASCII}*$/u.test(lines) && !/[^\n]{990}/.test(lines);
  if (isPlain) {
    return {
      headers: [`Content-Type: text/${subtype}; charset=us-ascii`, 'Content-Transfer-Encoding: 7bit'],
      body: lines,
    };
  }
  return {
    headers: [`Content-Type: text/${subtype}; charset=utf-8`, 'Content-Transfer-Encoding: base64'],
    body: base64Lines(Buffer.from(lines, 'utf8')),
  };
}

export interface FileFacts {
  readonly type: string;
  readonly name: string;
  readonly contentId: string | null;
  readonly isInline: boolean;
  /** The method of a calendar part; empty otherwise. */
  readonly method: string;
}

/** Returns a file as an attachment, or inline with its content id. */
export function writeFile(bytes: Uint8Array, facts: FileFacts): WrittenPart {
  const method = facts.method === '' ? '' : `; method=${facts.method}; charset=utf-8`;
  const headers = [
    `Content-Type: ${facts.type}${method}`,
    'Content-Transfer-Encoding: base64',
    `Content-Disposition: ${facts.isInline ? 'inline' : 'attachment'};\r\n ${nameParameter(facts.name)}`,
    ...(facts.contentId === null ? [] : [`Content-ID: <${facts.contentId}>`]),
  ];
  return { headers, body: base64Lines(bytes) };
}

/** Returns a message that is already disarmed. It is ASCII, so it needs no encoding (RFC 2046 §5.2.1). */
export function writeMessage(bytes: Uint8Array, name: string): WrittenPart {
  const headers = [
    'Content-Type: message/rfc822',
    'Content-Transfer-Encoding: 7bit',
    `Content-Disposition: attachment;\r\n ${nameParameter(name)}`,
  ];
  return { headers, body: Buffer.from(bytes).toString('latin1') };
}

/** Parts under one boundary. */
export function writeGroup(subtype: string, parts: readonly WrittenPart[]): WrittenPart {
  const texts = parts.map(partText);
  const hash = createHash('sha256');
  for (const text of texts) hash.update(text);
  const boundary = `part-${hash.digest('hex').slice(0, 40)}`;
  const body = `${texts.map((text) => `--${boundary}\r\n${text}\r\n`).join('')}--${boundary}--\r\n`;
  return { headers: [`Content-Type: multipart/${subtype}; boundary="${boundary}"`], body };
}

/** Header lines, the empty line, the body. */
export function partText({ headers, body }: WrittenPart): string {
  return `${headers.join('\r\n')}\r\n\r\n${body}`;
}

function base64Lines(bytes: Uint8Array): string {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
  return (text.match(/.{1,76}/g) ?? []).join('\r\n');
}

/** Writes RFC 2231 when the name is not plain ASCII. */
function nameParameter(name: string): string {
  if (/^[\w .()+,@=-]+$/.test(name)) return `filename="${name}"`;
  const encoded = encodeURIComponent(name).replace(
    /['()*!~]/g,
    (found) => `%${found.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `filename*=utf-8''${encoded}`;
}
