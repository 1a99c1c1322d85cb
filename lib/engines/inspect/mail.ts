/** Inspects messages: splits the MIME parts itself, and searches each part by its type. */

import { decodeCharset } from './decode-charset.ts';
import type { Findings } from './fact.ts';
import { readPage } from './html.ts';
import { tallyText, type WordTally } from './word-tally.ts';

/** How deep messages may be nested. */
const MAX_DEPTH = 30;
/** Parts that refer to other content, or are programs by name. */
const LIVE_TYPES =
  /^(?:message\/(?:external-body|partial|http)|application\/(?:x-msdownload|hta|javascript|x-mso|x-ms-shortcut|vnd\.ms-cab-compressed)|text\/(?:javascript|vbscript))$/;

export interface MailFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** Counts the texts of the email; with findings it also searches them. Returns the attached files. */
export function readMessage(bytes: Uint8Array, tally: WordTally, findings: Findings | null): readonly MailFile[] {
  const files: MailFile[] = [];
  readPart(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1'), {
    tally,
    findings,
    files,
    depth: 0,
    isArchive: false,
  });
  return files;
}

/** Counts the words of the pages of a web archive (RFC 2557). Readers do not see its other texts, such as style sheets. */
export function countArchivedPages(bytes: Uint8Array, tally: WordTally): void {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  readPart(text, { tally, findings: null, files: [], depth: 0, isArchive: true });
}

interface Reading {
  readonly isArchive: boolean;
  readonly tally: WordTally;
  readonly findings: Findings | null;
  readonly files: MailFile[];
  readonly depth: number;
}

function readPart(part: string, reading: Reading): void {
  const { findings, depth } = reading;
  if (depth > MAX_DEPTH) {
    findings?.add('mail-nesting', `depth ${depth}`);
    return;
  }
  const blank = /(?:^|\r?\n)\r?\n/.exec(part);
  const head = blank === null ? part : part.slice(0, blank.index);
  const body = blank === null ? '' : part.slice(blank.index + blank[0].length);
  const field = headerReader(head);
  const type = (/^[\w.+-]+\/[\w.+-]+/.exec(field('content-type').trim())?.[0] ?? 'text/plain').toLowerCase();
  if (LIVE_TYPES.test(type)) findings?.add('mail-live-part', type);
  const boundary = /boundary\s*=\s*(?:"([^"]{1,200})"|([^\s;]{1,200}))/i.exec(field('content-type'));
  if (type.startsWith('multipart/') && boundary !== null) {
    for (const inner of splitParts(body, boundary[1] ?? boundary[2] ?? ''))
      readPart(inner, { ...reading, depth: depth + 1 });
    return;
  }
  if (type === 'message/rfc822') {
    readPart(body, { ...reading, depth: depth + 1 });
    return;
  }
  readLeaf(reading, { type, field, content: decoded(body, field('content-transfer-encoding')) });
}

type Field = (name: string) => string;

function headerReader(head: string): Field {
  const unfolded = head.replace(/\r?\n[ \t]+/g, ' ');
  return (name) => new RegExp(`^${name}[ \\t]*:([^\\r\\n]*)`, 'im').exec(unfolded)?.[1] ?? '';
}

function splitParts(body: string, boundary: string): readonly string[] {
  const parts: string[] = [];
  const mark = `--${boundary}`;
  let from = -1;
  for (let at = body.indexOf(mark); at !== -1; at = body.indexOf(mark, at + mark.length)) {
    if (at > 0 && body[at - 1] !== '\n') continue;
    if (from !== -1) parts.push(body.slice(from, at).replace(/\r?\n$/, ''));
    const line = body.indexOf('\n', at);
    from = body.startsWith('--', at + mark.length) || line === -1 ? -1 : line + 1;
  }
  if (from !== -1) parts.push(body.slice(from));
  return parts;
}

function decoded(body: string, encoding: string): Uint8Array {
  if (/base64/i.test(encoding)) return Buffer.from(body, 'base64');
  if (!/quoted-printable/i.test(encoding)) return Buffer.from(body, 'latin1');
  const text = body
    .replace(/[ \t]*=\r?\n/g, '')
    .replace(/=([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(text, 'latin1');
}

interface Leaf {
  readonly type: string;
  readonly field: Field;
  readonly content: Uint8Array;
}

function readLeaf({ tally, findings, files, isArchive }: Reading, { type, field, content }: Leaf): void {
  if (isArchive && type !== 'text/html') return;
  const disposition = field('content-disposition');
  const name = /name\*?\s*=\s*"?([^";]*)/i.exec(`${disposition};${field('content-type')}`)?.[1];
  if (/attachment/i.test(disposition) || name !== undefined || !/^text\//.test(type)) {
    files.push({ name: name ?? `part.${type.split('/')[1] ?? 'bin'}`, bytes: content });
    return;
  }
  const text = textOf(content, field('content-type'));
  if (type !== 'text/html') tallyText(tally, text);
  else readPage(text, tally, findings);
}

function textOf(content: Uint8Array, contentType: string): string {
  const charset = /charset\s*=\s*"?([\w.:-]{1,40})/i.exec(contentType)?.[1] ?? 'utf-8';
  try {
    return decodeCharset(content, charset);
  } catch {
    // Mail programs show a text in an unknown charset byte by byte.
    return new TextDecoder('latin1').decode(content);
  }
}
