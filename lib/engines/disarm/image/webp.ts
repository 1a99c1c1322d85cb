/** Reads how the pictures of a WebP file are packed (RFC 9649). */

const HEADER_BYTES = 12;
const CHUNK_BYTES = 8;
/** A frame of an animation has its place and its duration first. */
const FRAME_BYTES = 16;

/** True when every picture of the file is packed without loss, so that each pixel is to stay as it is. */
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
