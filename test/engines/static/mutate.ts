/** Changes of files that break parsers. The same seed makes the same changes. */

/** Values that a length or an offset of two or four bytes is set to. */
const EXTREMES = [0, 1, 0x7f, 0x80, 0xff, 0x7fff, 0xffff, 0x7fff_ffff, 0x8000_0000, 0xffff_fffe, 0xffff_ffff];

type Below = (limit: number) => number;

function numbers(seed: number): Below {
  let state = (seed * 2_654_435_761) >>> 0 || 1;
  return (limit) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % Math.max(1, limit);
  };
}

/**
 * The bytes with bits flipped, lengths set to extremes, parts doubled or taken out, or cut off. Half of the changes are made in the
 * first `headBytes`, where most formats keep what they count with.
 */
export function mutated(bytes: Uint8Array, seed: number, headBytes = 2_048): Buffer {
  const below = numbers(seed);
  let copy: Buffer = Buffer.from(bytes);
  for (let change = below(4); change >= 0 && copy.length > 8; change--) copy = changed(copy, below, headBytes);
  return copy;
}

function changed(bytes: Buffer, below: Below, headBytes: number): Buffer {
  const at = below(2) === 0 ? below(Math.min(headBytes, bytes.length)) : below(bytes.length);
  const length = 1 + below(64);
  switch (below(6)) {
    case 0:
      bytes.writeUInt8((bytes[at] ?? 0) ^ (1 << below(8)), at);
      return bytes;
    case 1:
      bytes.writeUInt32LE(EXTREMES[below(EXTREMES.length)] ?? 0, Math.min(at, bytes.length - 4));
      return bytes;
    case 2:
      bytes.writeUInt16BE((EXTREMES[below(EXTREMES.length)] ?? 0) & 0xffff, Math.min(at, bytes.length - 2));
      return bytes;
    case 3:
      return Buffer.concat([bytes.subarray(0, at + length), bytes.subarray(at)]);
    case 4:
      return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + length)]);
    default:
      return Buffer.from(bytes.subarray(0, Math.max(9, at)));
  }
}
