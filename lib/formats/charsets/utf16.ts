/** Reads mail in UTF-16. No mail program writes it, but some read it. To all others it is noise between NULs. */

/** The share of NULs on one side of the pairs that decides the order of the bytes. */
const NUL_SHARE = 0.8;
const LOOK_BYTES = 2_000;

/** Returns the bytes as UTF-8 (or latin1) when their mark or their NULs show that they are UTF-16. Returns null when they are not. */
export function fromUtf16(bytes: Buffer): Buffer | null {
  const order = byteOrderOf(bytes);
  if (order === null) return null;
  const pairs = bytes.subarray(0, bytes.length & ~1);
  const text = (order === 'le' ? pairs : Buffer.from(pairs).swap16()).toString('utf16le');
  const bare = text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
  // latin1 is used where possible. Bytes that were widened one by one thus become the original bytes again.
  return Buffer.from(bare, /^[\0-\xff]*$/.test(bare) ? 'latin1' : 'utf8');
}

function byteOrderOf(bytes: Buffer): 'le' | 'be' | null {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'be';
  const look = bytes.subarray(0, LOOK_BYTES);
  const nuls = [0, 0];
  for (let at = 0; at < look.length; at++) if (look[at] === 0) nuls[at % 2] = (nuls[at % 2] ?? 0) + 1;
  const enough = (look.length / 2) * NUL_SHARE;
  if (look.length < 20) return null;
  if ((nuls[1] ?? 0) > enough && nuls[0] === 0) return 'le';
  return (nuls[0] ?? 0) > enough && nuls[1] === 0 ? 'be' : null;
}
