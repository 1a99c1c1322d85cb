/** Shannon entropy: how random bytes look. Encrypted and compressed bytes have a high entropy. */

/** Returns the entropy in bits per byte, from 0 to 8; 0 for no bytes. */
export function entropyOf(bytes: Uint8Array): number {
  if (bytes.length === 0) return 0;
  const counts = new Uint32Array(256);
  for (const byte of bytes) counts[byte] = (counts[byte] ?? 0) + 1;
  let entropy = 0;
  for (const count of counts) {
    if (count === 0) continue;
    const share = count / bytes.length;
    entropy -= share * Math.log2(share);
  }
  return Math.round(entropy * 100) / 100;
}
