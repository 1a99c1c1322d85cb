/**
 * Finds texts and names in the compiled form of macros, without reading all its instructions. Office runs that form when the same version
 * of Office has made it. [MS-OVBA] does not describe it (2.3.4.1, 2.3.4.3). The layout here is that of Office 97 to 365.
 */

/** The most bytes of one compiled module. Real ones are smaller than a megabyte. */
const MAX_CACHE_BYTES = 4 * 1024 * 1024;
const MAX_FOUND = 2_000;
const SHORTEST_TEXT = 4;
const SHORTEST_NAME = 3;

/** The instruction for a text. Its number differs in Office 95, 97, 2000 to 2007 with later ones of 32 bits, and those of 64 bits. */
const TEXT_INSTRUCTIONS = new Set([0xad, 0xae, 0xb6, 0xb9]);

/** Returns the texts in the compiled code of a module. Each is an instruction, a length in two bytes, and one byte per character. */
export function textsInCache(cache: Uint8Array): string[] {
  const bytes = cache.subarray(0, MAX_CACHE_BYTES);
  const found: string[] = [];
  for (let at = 0; at + 4 < bytes.length && found.length < MAX_FOUND; at++) {
    if (!TEXT_INSTRUCTIONS.has(bytes[at] ?? 0) || bytes[at + 1] !== 0) continue;
    const length = (bytes[at + 2] ?? 0) | ((bytes[at + 3] ?? 0) << 8);
    const end = at + 4 + length;
    if (length < SHORTEST_TEXT || end > bytes.length || !isPlain(bytes, at + 4, end)) continue;
    found.push(textOf(bytes, at + 4, end));
    at = end - 1;
  }
  return found;
}

/** The first bytes of the stream `_VBA_PROJECT`. */
const PROJECT_MARK = 0x61cc;
/** Set in the type of a name with six more bytes in front of its letters. */
const HAS_MORE = 0x80;
const MORE_BYTES = 6;

/**
 * Returns the names that the compiled code of a project uses, from the table in `_VBA_PROJECT`. The bytes in front of the table differ
 * between versions. So an entry is recognised by its form: length, type, sometimes six bytes, and the letters.
 */
export function namesInProject(project: Uint8Array): string[] {
  const bytes = project.subarray(0, MAX_CACHE_BYTES);
  if (bytes.length < 4 || ((bytes[0] ?? 0) | ((bytes[1] ?? 0) << 8)) !== PROJECT_MARK) return [];
  const found = new Set<string>();
  for (let at = 4; at < bytes.length && found.size < MAX_FOUND; at++) {
    const length = lengthOfName(bytes, at);
    if (length === 0) continue;
    found.add(textOf(bytes, at, at + length));
    at += length - 1;
  }
  return [...found];
}

/** Returns the length of the name whose letters start at `at`; 0 when none starts there. */
function lengthOfName(bytes: Uint8Array, at: number): number {
  const hasMore = ((bytes[at - MORE_BYTES - 1] ?? 0) & HAS_MORE) !== 0;
  const stated = [bytes[at - 2] ?? 0, ...(hasMore ? [bytes[at - MORE_BYTES - 2] ?? 0] : [])];
  return stated.find((length) => length >= SHORTEST_NAME && isName(bytes, at, at + length)) ?? 0;
}

function isName(bytes: Uint8Array, from: number, end: number): boolean {
  if (end > bytes.length || !isLetter(bytes[from] ?? 0)) return false;
  for (let at = from; at < end; at++) {
    const byte = bytes[at] ?? 0;
    if (!isLetter(byte) && !(byte >= 0x30 && byte <= 0x39)) return false;
  }
  return true;
}

function isLetter(byte: number): boolean {
  const lower = byte | 0x20;
  return (lower >= 0x61 && lower <= 0x7a) || byte === 0x5f;
}

function isPlain(bytes: Uint8Array, from: number, end: number): boolean {
  for (let at = from; at < end; at++) {
    const byte = bytes[at] ?? 0;
    if ((byte < 0x20 && byte !== 0x09) || byte > 0x7e) return false;
  }
  return true;
}

function textOf(bytes: Uint8Array, from: number, end: number): string {
  return Buffer.from(bytes.subarray(from, end)).toString('latin1');
}
