/**
 * Reads multipart/form-data (RFC 7578) as it arrives: it holds text fields and passes files on piece by piece. The parser of the
 * platform buffers without a limit and is not made for hostile forms. Ambiguous forms are refused: another program could read
 * a repeated field in another way.
 */
import type { UploadedFile } from '../../contract/common.ts';
import { ServiceError } from '../service-error.ts';
import { type BodyReader, tooLarge } from './body.ts';
import { createFormScanner, type FormScanner } from './form-scanner.ts';

export interface FormLimits {
  readonly formParts: number;
  readonly formHeaderBytes: number;
  readonly formFieldBytes: number;
  readonly uploadBytes: number;
}

export type Form = Readonly<Record<string, string | UploadedFile>>;

/** Takes the bytes of one file and returns their facts. */
export type FileSink = (untrustedName: string, pieces: AsyncIterable<Uint8Array>) => Promise<UploadedFile>;

const CRLF = Buffer.from('\r\n');
const HEADER_END = Buffer.from('\r\n\r\n');
const BOUNDARY = /^multipart\/form-data\s*;(?:.*;)?\s*boundary=(?:"([^"\r\n]{1,70})"|([^\s;"]{1,70}))/i;
/** A part whose bytes are not the file: packed, or in a transfer encoding that forms do not have (RFC 7578 §4.7). */
const ENCODED_PART =
  /^content-(?:encoding[ \t]*:(?![ \t]*identity[ \t]*$)|transfer-encoding[ \t]*:(?![ \t]*(?:7bit|8bit|binary)[ \t]*$))/im;
/** White space that RFC 2046 §5.1.1 allows after a boundary. */
const MAX_PADDING = 100;

const invalid = (message: string) => new ServiceError('INVALID_BODY', { message });

/**
 * Returns the fields of a form by name; fields in `repeated` are joined by commas. Throws ServiceError INVALID_BODY,
 * PAYLOAD_TOO_LARGE and UNSUPPORTED_ENCODING.
 */
export async function readForm(
  contentType: string | null,
  body: BodyReader,
  limits: FormLimits,
  sink: FileSink,
  repeated: readonly string[] = [],
): Promise<Form> {
  const match = BOUNDARY.exec((contentType ?? '').slice(0, 1_000));
  const boundary = match?.[1] ?? match?.[2];
  if (boundary === undefined) throw invalid('expected multipart/form-data with a boundary');
  const scanner = createFormScanner(body);
  const delimiter = Buffer.from(`\r\n--${boundary}`);
  // The first boundary may be at the very start, without the line break before it that the others have.
  scanner.unread(CRLF);
  await skipPreamble(scanner, delimiter);
  const form: Record<string, string | UploadedFile> = Object.create(null);
  for (let parts = 0; await hasPart(scanner); parts += 1) {
    if (parts === limits.formParts) throw invalid(`more than ${limits.formParts} fields`);
    const { name, untrustedFilename } = dispositionOf(await headerOf(scanner, limits.formHeaderBytes));
    const before = form[name];
    const isOneMore = untrustedFilename === null && typeof before === 'string' && repeated.includes(name);
    if (before !== undefined && !isOneMore) throw invalid('a field is given twice');
    const pieces = contentOf(scanner, delimiter);
    const value =
      untrustedFilename === null
        ? textOf(await heldBytes(pieces, limits.formFieldBytes))
        : await sink(untrustedFilename, bounded(pieces, limits.uploadBytes));
    form[name] = isOneMore ? `${before},${value}` : value;
  }
  await body.drain();
  return form;
}

async function skipPreamble(scanner: FormScanner, delimiter: Buffer): Promise<void> {
  const preamble = scanner.streamUntil(delimiter);
  let step = await preamble.next();
  while (!step.done) step = await preamble.next();
  if (!step.value) throw invalid('the form does not contain its boundary');
}

/** Skips the rest of a boundary line. Returns false after the closing boundary. */
async function hasPart(scanner: FormScanner): Promise<boolean> {
  const start = await scanner.take(2);
  if (start.toString('latin1') === '--') return false;
  scanner.unread(start);
  const padding = await scanner.takeUntil(CRLF, MAX_PADDING);
  if (padding === null || !/^[ \t]*$/.test(padding.toString('latin1'))) throw invalid('a boundary line is malformed');
  return true;
}

async function headerOf(scanner: FormScanner, maxBytes: number): Promise<string> {
  const header = await scanner.takeUntil(HEADER_END, maxBytes);
  if (header === null) throw invalid('the header of a field is malformed');
  const text = header.toString('utf8');
  if (ENCODED_PART.test(text)) throw new ServiceError('UNSUPPORTED_ENCODING');
  return text;
}

/** Returns the content of a part. An empty part shares its line break with the blank line after the header, so it is read again. */
async function* contentOf(scanner: FormScanner, delimiter: Buffer): AsyncGenerator<Uint8Array> {
  scanner.unread(CRLF);
  const pieces = scanner.streamUntil(delimiter);
  let skipped = 0;
  let step = await pieces.next();
  for (; !step.done; step = await pieces.next()) {
    const part = step.value.subarray(Math.min(CRLF.byteLength - skipped, step.value.byteLength));
    skipped += step.value.byteLength - part.byteLength;
    if (part.byteLength > 0) yield part;
  }
  if (!step.value) throw invalid('the form ends before its closing boundary');
}

async function* bounded(pieces: AsyncIterable<Uint8Array>, maxBytes: number): AsyncGenerator<Uint8Array> {
  let size = 0;
  for await (const piece of pieces) {
    size += piece.byteLength;
    if (size > maxBytes) throw tooLarge(maxBytes);
    yield piece;
  }
}

async function heldBytes(pieces: AsyncIterable<Uint8Array>, maxBytes: number): Promise<Buffer> {
  const held: Uint8Array[] = [];
  let size = 0;
  for await (const piece of pieces) {
    size += piece.byteLength;
    if (size > maxBytes) throw invalid(`a text field is longer than ${maxBytes} bytes`);
    // This is a copy, because a view of a small part would keep its whole piece in memory.
    held.push(new Uint8Array(piece));
  }
  return Buffer.concat(held, size);
}

function dispositionOf(header: string): { readonly name: string; readonly untrustedFilename: string | null } {
  const lines = header.split('\r\n').filter((line) => /^content-disposition[ \t]*:/i.test(line));
  const parameters = lines.length === 1 ? parametersOf(lines[0] ?? '') : undefined;
  const name = parameters?.get('name');
  if (!parameters || name === undefined) throw invalid('a field has no name');
  return { name, untrustedFilename: extendedValue(parameters.get('filename*')) ?? parameters.get('filename') ?? null };
}

/** name, filename, filename* and a few that clients add. Thousands of parameters would make the matching quadratic. */
const MAX_PARAMETERS = 8;
const PARAMETER = /;[ \t]*([a-z*]+)[ \t]*=[ \t]*(?:"((?:[^"\\]|\\.)*)"|([^;\s"]*))/gi;

function parametersOf(line: string): Map<string, string> | undefined {
  if (!/^content-disposition[ \t]*:[ \t]*form-data[ \t]*;/i.test(line)) return undefined;
  const found = new Map<string, string>();
  for (const [, key = '', quoted, token = ''] of line.matchAll(PARAMETER)) {
    if (found.has(key.toLowerCase()) || found.size === MAX_PARAMETERS) return undefined;
    found.set(key.toLowerCase(), quoted === undefined ? token : unescaped(quoted));
  }
  return found;
}

/** Browsers and WHATWG clients escape three characters with `%`, others use RFC 2616 backslashes. */
function unescaped(quoted: string): string {
  return quoted
    .replace(/\\(["\\])/g, '$1')
    .replace(/%(22|0d|0a)/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}

/** RFC 8187: some clients send a non-ASCII name as filename*=utf-8''…, against RFC 7578 §4.2. */
function extendedValue(value: string | undefined): string | null {
  const encoded = /^utf-8'[^']*'(.*)$/i.exec(value ?? '')?.[1];
  if (encoded === undefined) return null;
  try {
    return decodeURIComponent(encoded);
  } catch {
    return null;
  }
}

function textOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw invalid('a text field is not UTF-8');
  }
}
