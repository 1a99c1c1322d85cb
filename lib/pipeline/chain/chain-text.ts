/**
 * The text form of a chain: a JSON list with one entry on each line. The signature covers the exact text of an entry, so every byte of a
 * chain counts. It belongs to an entry, to a signature, or to the separators between them, which have only one spelling.
 */
import { CorruptDataError } from '../errors.ts';
import { sha256Hex } from '../keys.ts';

/** An entry with its signature, on one line. */
export interface SignedLine {
  readonly line: string;
  /** The JSON of the entry, which is signed. */
  readonly json: string;
  readonly keyId: string;
  readonly signature: string;
}

const LINE = /^\{"entry":(\{.*\}),"keyId":"([0-9a-f]{32})","signature":"([0-9a-f]{128})"\}$/;
const [FIRST, BETWEEN, LAST] = ['[\n', ',\n', '\n]\n'];

/** Returns the line of an entry and its signature. */
export function signedLine(json: string, keyId: string, signature: string): SignedLine {
  return { line: `{"entry":${json},"keyId":"${keyId}","signature":"${signature}"}`, json, keyId, signature };
}

/** Returns the hash of an entry with its signature. The next entry refers to it. */
export function hashOfLine({ line }: SignedLine): string {
  return sha256Hex(line);
}

export function chainText(lines: readonly SignedLine[]): Uint8Array {
  return new TextEncoder().encode(`${FIRST}${lines.map(({ line }) => line).join(BETWEEN)}${LAST}`);
}

/** Takes a chain apart. Throws CorruptDataError unless it is spelt as `chainText` spells it. */
export function readChainText(bytes: Uint8Array, what: string): SignedLine[] {
  return linesOfChain(bytes, what).map((line, index) => readLine(line, `${what}: line ${index + 1}`));
}

/** Returns the lines of a chain without checking them. Throws CorruptDataError unless it begins and ends as a chain. */
export function linesOfChain(bytes: Uint8Array, what: string): string[] {
  const text = decoded(bytes, what);
  if (!text.startsWith(FIRST) || !text.endsWith(LAST) || text.length < FIRST.length + LAST.length)
    throw new CorruptDataError(`${what} does not begin and end as a chain`);
  // Our JSON contains no line feed, so entries end here.
  return text.slice(FIRST.length, -LAST.length).split(BETWEEN);
}

/** Takes a line apart. Throws CorruptDataError unless it is spelt as `signedLine` spells it. */
export function readLine(line: string, what: string): SignedLine {
  const found = LINE.exec(line);
  if (found === null) throw new CorruptDataError(`${what} is no signed entry`);
  const [, json = '', keyId = '', signature = ''] = found;
  return { line, json, keyId, signature };
}

const STRICT = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Decodes UTF-8 strictly. Otherwise invalid bytes would become replacement characters, and several spellings one text. */
function decoded(bytes: Uint8Array, what: string): string {
  try {
    return STRICT.decode(bytes);
  } catch {
    throw new CorruptDataError(`${what} is no text`);
  }
}
