/** UTF-32 (Unicode Standard, 3.10). Browsers do not know it, but databases and some Unix programs export it. */

/** Without a mark, a text of fewer letters allows no decision. */
const LEAST_LETTERS = 2;
const LAST = 0x10ffff;
const CONTROLS = new Set([0x09, 0x0a, 0x0b, 0x0c, 0x0d]);
/** Code points are joined in pieces, because a call takes only this many arguments. */
const PIECE = 8_192;

/** Returns the order of the bytes when all of them are UTF-32 text, with a mark or without; null for everything else. */
export function utf32Order(bytes: Uint8Array): 'le' | 'be' | null {
  if (bytes.length < LEAST_LETTERS * 4 || bytes.length % 4 !== 0) return null;
  const order = bytes[2] === 0 && bytes[3] === 0 ? 'le' : bytes[0] === 0 && bytes[1] === 0 ? 'be' : null;
  if (order === null) return null;
  for (let at = 0; at < bytes.length; at += 4) if (!isLetter(letterAt(bytes, at, order))) return null;
  return order;
}

/** Returns the text without its mark. Units that are no letter become U+FFFD, and bytes behind the last whole unit are left out. */
export function decodeUtf32(bytes: Uint8Array, order: 'le' | 'be'): string {
  const start = bytes.length >= 4 && letterAt(bytes, 0, order) === 0xfeff ? 4 : 0;
  const parts: string[] = [];
  for (let from = start; from + 4 <= bytes.length; from += PIECE * 4) {
    const letters: number[] = [];
    for (let at = from; at + 4 <= bytes.length && at < from + PIECE * 4; at += 4) {
      const letter = letterAt(bytes, at, order);
      letters.push(letter > LAST || (letter >= 0xd800 && letter <= 0xdfff) ? 0xfffd : letter);
    }
    parts.push(String.fromCodePoint(...letters));
  }
  return parts.join('');
}

function letterAt(bytes: Uint8Array, at: number, order: 'le' | 'be'): number {
  const [a, b, c, d] = [bytes[at] ?? 0, bytes[at + 1] ?? 0, bytes[at + 2] ?? 0, bytes[at + 3] ?? 0];
  return order === 'le' ? a + b * 0x100 + c * 0x10000 + d * 0x1000000 : d + c * 0x100 + b * 0x10000 + a * 0x1000000;
}

/** Returns whether text can hold a code point. */
function isLetter(point: number): boolean {
  if (point < 0x20) return CONTROLS.has(point);
  if (point === 0x7f || point > LAST || (point >= 0xd800 && point <= 0xdfff)) return false;
  return (point & 0xfffe) !== 0xfffe;
}
