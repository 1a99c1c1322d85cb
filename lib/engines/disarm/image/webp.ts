/** Reads the packing of the pictures in a WebP file (RFC 9649). */

const HEADER_BYTES = 12;
const CHUNK_BYTES = 8;
/** A frame of an animation begins with its place and its duration. */
const FRAME_BYTES = 16;

/** Returns true when every picture of the file is packed without loss, so each pixel must stay exact. */
export function isLossless(webp: Uint8Array): boolean {
  const bytes = Buffer.from(webp.buffer, webp.byteOffset, webp.length);
  const kinds: string[] = [];
  for (const { kind, data } of chunksIn(bytes, HEADER_BYTES)) {
    // Frames hold no frames.
    const inner = kind === 'ANMF' ? [...chunksIn(data, FRAME_BYTES)].map((chunk) => chunk.kind) : [kind];
    for (const each of inner) if (each === 'VP8 ' || each === 'VP8L') kinds.push(each);
  }
  return kinds.length > 0 && kinds.every((kind) => kind === 'VP8L');
}

function* chunksIn(bytes: Buffer, from: number): Generator<{ readonly kind: string; readonly data: Buffer }> {
  for (let at = from; at + CHUNK_BYTES <= bytes.length; ) {
    const length = bytes.readUInt32LE(at + 4);
    const data = at + CHUNK_BYTES;
    yield { kind: bytes.toString('latin1', at, at + 4), data: bytes.subarray(data, data + length) };
    at = data + length + (length % 2);
  }
}
