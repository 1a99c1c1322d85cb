/** Unpacks the containers in which macros are stored ([MS-OVBA] 2.4.1). */

/** Unpacks a container, up to `maxBytes`. A damaged container gives the part before the damage. Returns null when it is not a container. */
export function decompressVba(bytes: Uint8Array, maxBytes: number): Uint8Array | null {
  if (bytes[0] !== 1) return null;
  const chunks: Uint8Array[] = [];
  let total = 0;
  for (let at = 1; at + 2 <= bytes.length && total < maxBytes; ) {
    const header = (bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8);
    const end = Math.min(bytes.length, at + (header & 0x0fff) + 3);
    const isCompressed = (header & 0x8000) !== 0;
    const chunk = isCompressed ? decompressChunk(bytes.subarray(at + 2, end)) : bytes.subarray(at + 2, end);
    chunks.push(chunk);
    total += chunk.length;
    at = end;
  }
  return Buffer.concat(chunks).subarray(0, maxBytes);
}

const CHUNK_BYTES = 4_096;

function decompressChunk(packed: Uint8Array): Uint8Array {
  const out = new Uint8Array(CHUNK_BYTES);
  let length = 0;
  for (let at = 0; at < packed.length; ) {
    const flags = packed[at++] ?? 0;
    for (let bit = 0; bit < 8 && at < packed.length && length < CHUNK_BYTES; bit++) {
      if (((flags >> bit) & 1) === 0) {
        out[length++] = packed[at++] ?? 0;
        continue;
      }
      const token = (packed[at] ?? 0) | ((packed[at + 1] ?? 0) << 8);
      at += 2;
      length = copyToken(out, length, token);
    }
  }
  return out.subarray(0, length);
}

/** Reads one copy token. The more bytes are already unpacked, the more bits the distance has ([MS-OVBA] 2.4.1.3.19). */
function copyToken(out: Uint8Array, length: number, token: number): number {
  const distanceBits = Math.max(4, Math.ceil(Math.log2(Math.max(1, length))));
  const lengthBits = 16 - distanceBits;
  const count = (token & ((1 << lengthBits) - 1)) + 3;
  const distance = (token >> lengthBits) + 1;
  if (distance > length) return length;
  let end = length;
  for (let index = 0; index < count && end < CHUNK_BYTES; index++) {
    out[end] = out[end - distance] ?? 0;
    end++;
  }
  return end;
}
