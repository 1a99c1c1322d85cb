/** UTF-32 as the second look reads it: by its mark, or by the NULs of its first letters. */

/** Returns the text of bytes in UTF-32, and null for all other bytes. */
export function wideText(bytes: Uint8Array): string | null {
  if (bytes.length < 8 || bytes.length % 4 !== 0) return null;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  // The first two letters are below U+10000 in every text that people write, so half of their bytes are NULs.
  const halves = [0, 2, 4, 6].map((at) => view.getUint16(at));
  const isLittle = halves[1] === 0 && halves[3] === 0;
  if (!isLittle && (halves[0] !== 0 || halves[2] !== 0)) return null;
  let out = '';
  for (let at = 0; at < bytes.length; at += 4) {
    const letter = view.getUint32(at, isLittle);
    if (letter === 0 || letter > 0x10ffff) return null;
    out += String.fromCodePoint(letter);
  }
  return out.replace(/^\ufeff/, '');
}
