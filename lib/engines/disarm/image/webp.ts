/** Reads how the pictures of a WebP file are packed (RFC 9649). */

const HEADER_BYTES = 12;
const CHUNK_BYTES = 8;
/** A frame of an animation has its place and its duration first. */
const FRAME_BYTES = 16;

/** True when every picture of the file is packed without loss, so that each pixel is to stay as it is. */
export function isLossless(webp: Uint8Array): boolean {
  const kinds = [...picturesIn(Buffer.from(webp.buffer, webp.byteOffset, webp.length), HEADER_BYTES)];
  return kinds.length > 0 && kinds.every((kind) => kind === 'VP8L');
}

/** The kinds of the chunks with pixels: `VP8 ` or `VP8L`. */
function* picturesIn(bytes: Buffer, from: number): Generator<string> {
  for (let at = from; at + CHUNK_BYTES <= bytes.length; ) {
    const kind = bytes.toString('latin1', at, at + 4);
    const length = bytes.readUInt32LE(at + 4);
    const data = at + CHUNK_BYTES;
    if (kind === 'VP8 ' || kind === 'VP8L') yield kind;
    if (kind === 'ANMF') yield* picturesIn(bytes.subarray(data, data + length), FRAME_BYTES);
    at = data + length + (length % 2);
  }
}
