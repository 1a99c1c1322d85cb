/** Finds the JavaScript of a PDF: texts and streams behind /JS, anywhere in the file (ISO 32000-1, 12.6.4.16). */
import { EngineError, type EngineLimits } from '../engine.ts';
import { decryptPdf } from '../static/pdf/encryption.ts';
import { type PdfStream, splitPdf } from '../static/pdf/streams.ts';
import { SCRIPTS_PER_FILE } from './limits.ts';
import type { PageScript } from './page-scripts.ts';

export interface PdfScripts {
  readonly text: string;
  readonly scripts: readonly PageScript[];
  readonly info: Readonly<Record<string, string>>;
  readonly attachments: readonly string[];
}

/** The longest text in the syntax that is read. */
const TEXT_CHARS = 4 * 1024 * 1024;

/** Returns the scripts, in the order of the file. Throws EngineError `encrypted` when a password is needed. */
export async function readPdfScripts(bytes: Uint8Array, limits: EngineLimits): Promise<PdfScripts> {
  const first = splitPdf(bytes, limits);
  if (!/\/Encrypt\b/.test(first.syntax)) return scriptsOf(bytes, first);
  const decrypted = await decryptPdf(bytes, limits);
  if (decrypted === null) throw new EngineError('encrypted', 'the document needs a password');
  return scriptsOf(decrypted, splitPdf(decrypted, limits));
}

function scriptsOf(bytes: Uint8Array, { syntax, streams }: ReturnType<typeof splitPdf>): PdfScripts {
  const inner = streams.filter(({ dictionary }) => /\/ObjStm\b/.test(names(dictionary))).map(contentOf);
  const text = names([syntax, ...inner].join('\n'));
  const byNumber = numbered(bytes, streams);
  const codes: string[] = [];
  for (const match of text.matchAll(
    /\/JS\s{0,40}(?:(\()|<([0-9A-Fa-f\s]{2,2000000})>|(\d{1,10})\s{1,9}\d{1,5}\s{1,9}R)/g,
  )) {
    if (codes.length >= SCRIPTS_PER_FILE) break;
    if (match[1] !== undefined) codes.push(textAt(text, match.index + match[0].length));
    else if (match[2] !== undefined)
      codes.push(decoded(Buffer.from(match[2].replace(/\s/g, ''), 'hex').toString('latin1')));
    else codes.push(referenced(text, match[3] ?? '', byNumber));
  }
  const scripts = [...new Set(codes)].filter((code) => code.trim() !== '').map((code) => ({ code, src: '' }));
  const info: Record<string, string> = {};
  for (const key of ['Title', 'Subject', 'Author', 'Creator', 'Producer', 'Keywords']) {
    const at = new RegExp(`/${key}\\s{0,20}\\(`).exec(text);
    if (at) info[key] = textAt(text, at.index + at[0].length);
  }
  const attachments = [...text.matchAll(/\/UF?\s{0,20}\(/g)]
    .slice(0, 20)
    .map((at) => textAt(text, at.index + at[0].length));
  return { text: scripts.map(({ code }) => code).join('\n'), scripts, info, attachments };
}

const contentOf = ({ content }: PdfStream) => Buffer.from(content ?? []).toString('latin1');

/** Returns the syntax with the escapes of names decoded: `/J#53` is `/JS`. */
const names = (text: string) =>
  text.replace(/#([0-9a-fA-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));

function numbered(bytes: Uint8Array, streams: readonly PdfStream[]): Map<string, PdfStream> {
  const found = new Map<string, PdfStream>();
  for (const stream of streams) {
    const from = Math.max(0, stream.offset - stream.dictionary.length - 80);
    const before = Buffer.from(bytes.subarray(from, stream.offset)).toString('latin1');
    const number = [...before.matchAll(/(\d{1,10})\s{1,9}\d{1,5}\s{1,9}obj\b/g)].at(-1)?.[1];
    if (number !== undefined) found.set(number, stream);
  }
  return found;
}

/** Returns the script of an object, which is a text itself or a stream. */
function referenced(text: string, number: string, streams: Map<string, PdfStream>): string {
  const stream = streams.get(number);
  if (stream) return decoded(contentOf(stream));
  const object = new RegExp(`(?:^|[^\\d])${number}\\s{1,9}\\d{1,5}\\s{1,9}obj\\s{0,40}\\(`).exec(text);
  return object ? textAt(text, object.index + object[0].length) : '';
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f', '\n': '' };

/** Returns the literal string whose first character is at `from` (ISO 32000-1, 7.3.4.2). */
function textAt(text: string, from: number): string {
  const out: string[] = [];
  let depth = 1;
  for (let at = from; at < text.length && out.length < TEXT_CHARS; at++) {
    const char = text.charAt(at);
    if (char === '\\') {
      const octal = /^[0-7]{1,3}/.exec(text.slice(at + 1, at + 4))?.[0];
      if (octal !== undefined) out.push(String.fromCharCode(Number.parseInt(octal, 8) & 255));
      else out.push(ESCAPES[text.charAt(at + 1)] ?? text.charAt(at + 1));
      at += octal?.length ?? 1;
      continue;
    }
    if (char === '(') depth++;
    if (char === ')' && --depth === 0) break;
    out.push(char);
  }
  return decoded(out.join(''));
}

/** Decodes a text string, which is UTF-16 with a byte order mark, or has one byte per character. */
function decoded(text: string): string {
  if (!text.startsWith('\xfe\xff')) return text;
  return new TextDecoder('utf-16be').decode(Buffer.from(text.slice(2), 'latin1'));
}
