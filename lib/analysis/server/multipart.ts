/**
 * multipart/form-data (RFC 7578) over bytes that are in memory already and bounded. Our own, because the platform's parser
 * buffers without a limit and is not made for hostile forms. What is ambiguous is refused: a repeated field could be read
 * one way here and another way by whoever looks at the log.
 */
import type { UploadedFile } from '../contract/common.ts';
import { ServiceError } from './service-error.ts';

export interface FormLimits {
  readonly formParts: number;
  readonly formHeaderBytes: number;
  readonly formFieldBytes: number;
}

export type Form = Readonly<Record<string, string | UploadedFile>>;

const CRLF = '\r\n';
const BOUNDARY = /^multipart\/form-data\s*;(?:.*;)?\s*boundary=(?:"([^"\r\n]{1,70})"|([^\s;"]{1,70}))/i;

const invalid = (message: string) => new ServiceError('INVALID_BODY', { message });

/** The fields of a form by name, in any order. Throws ServiceError INVALID_BODY. */
export function parseMultipart(contentType: string | null, body: Uint8Array, limits: FormLimits): Form {
  const match = BOUNDARY.exec((contentType ?? '').slice(0, 1_000));
  const boundary = match?.[1] ?? match?.[2];
  if (boundary === undefined) throw invalid('expected multipart/form-data with a boundary');
  const form: Record<string, string | UploadedFile> = Object.create(null);
  for (const part of partsOf(Buffer.from(body.buffer, body.byteOffset, body.byteLength), boundary, limits)) {
    const { name, untrustedFilename } = dispositionOf(part.header);
    if (name in form) throw invalid('a field is given twice');
    if (untrustedFilename !== null) form[name] = { untrustedName: untrustedFilename, bytes: part.body };
    else form[name] = textOf(part.body, limits.formFieldBytes);
  }
  return form;
}

interface RawPart {
  readonly header: string;
  readonly body: Uint8Array;
}

function* partsOf(body: Buffer, boundary: string, limits: FormLimits): Generator<RawPart> {
  const delimiter = `${CRLF}--${boundary}`;
  let at = startOf(body, boundary);
  for (let parts = 0; ; parts += 1) {
    if (body.toString('latin1', at, at + 2) === '--') return;
    if (parts === limits.formParts) throw invalid(`more than ${limits.formParts} fields`);
    const lineEnd = body.indexOf(CRLF, at);
    // RFC 2046 §5.1.1 allows white space after the boundary; nothing else may stand there.
    if (lineEnd < 0 || !/^[ \t]{0,100}$/.test(body.toString('latin1', at, Math.min(lineEnd, at + 101)))) {
      throw invalid('a boundary line is malformed');
    }
    const headerEnd = body.indexOf(CRLF + CRLF, lineEnd);
    if (headerEnd < 0 || headerEnd - lineEnd > limits.formHeaderBytes)
      throw invalid('the header of a field is malformed');
    const bodyStart = headerEnd + 4;
    // An empty body shares its line break with the header's blank line.
    const end = body.indexOf(delimiter, headerEnd + 2);
    if (end < 0) throw invalid('the form ends before its closing boundary');
    yield {
      header: body.toString('utf8', lineEnd + 2, headerEnd),
      body: body.subarray(bodyStart, Math.max(end, bodyStart)),
    };
    at = end + delimiter.length;
  }
}

function startOf(body: Buffer, boundary: string): number {
  const opening = `--${boundary}`;
  if (body.toString('latin1', 0, opening.length) === opening) return opening.length;
  const at = body.indexOf(CRLF + opening);
  if (at < 0) throw invalid('the form does not contain its boundary');
  return at + CRLF.length + opening.length;
}

function dispositionOf(header: string): { readonly name: string; readonly untrustedFilename: string | null } {
  const lines = header.split(CRLF).filter((line) => /^content-disposition[ \t]*:/i.test(line));
  const parameters = lines.length === 1 ? parametersOf(lines[0] ?? '') : undefined;
  const name = parameters?.get('name');
  if (!parameters || name === undefined) throw invalid('a field has no name');
  return { name, untrustedFilename: extendedValue(parameters.get('filename*')) ?? parameters.get('filename') ?? null };
}

/** name, filename, filename* and room for what a client may add; thousands of them make matching quadratic. */
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

function textOf(bytes: Uint8Array, maxBytes: number): string {
  if (bytes.byteLength > maxBytes) throw invalid(`a text field is longer than ${maxBytes} bytes`);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw invalid('a text field is not UTF-8');
  }
}
