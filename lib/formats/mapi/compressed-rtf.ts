/** Unpacks the compressed RTF of Outlook (MS-OXRTFCP): LZ77 over a 4 KiB dictionary that begins with common RTF. */

const PRESET =
  '{\\rtf1\\ansi\\mac\\deff0\\deftab720{\\fonttbl;}{\\f0\\fnil \\froman \\fswiss \\fmodern \\fscript \\fdecor ' +
  'MS Sans SerifSymbolArialTimes New RomanCourier{\\colortbl\\red0\\green0\\blue0\r\n\\par \\pard\\plain\\f0\\fs20\\b\\i\\u\\tab\\tx';
const HEADER_BYTES = 16;
const COMPRESSED = 0x75465a4c;
const UNCOMPRESSED = 0x414c454d;
const WINDOW = 4_096;

/** The possible faults: the input ends within its header, is neither compressed nor stored, or claims more bytes than are wanted. */
export type RtfFault = 'cut-off' | 'unknown-kind' | 'too-long';

/**
 * Returns the RTF, at most `maxBytes` long. Returns null when the bytes are no compressed RTF. Input that ends early gives the readable
 * part. Throws only the errors of `onFault`.
 */
export function decompressRtf(
  input: Uint8Array,
  maxBytes: number,
  onFault: (fault: RtfFault) => void = () => undefined,
): Uint8Array | null {
  const bytes = Buffer.from(input.buffer, input.byteOffset, input.byteLength);
  if (bytes.length < HEADER_BYTES) {
    onFault('cut-off');
    return null;
  }
  const kind = bytes.readUInt32LE(8);
  const claimed = bytes.readUInt32LE(4);
  if (claimed > maxBytes) onFault('too-long');
  const size = Math.min(claimed, maxBytes);
  if (kind === UNCOMPRESSED) return bytes.subarray(HEADER_BYTES, HEADER_BYTES + size);
  if (kind === COMPRESSED) return decompress(bytes, size);
  onFault('unknown-kind');
  return null;
}

function decompress(bytes: Buffer, size: number): Uint8Array {
  const window = Buffer.alloc(WINDOW, 0x20);
  let position = window.write(PRESET, 'latin1');
  // Each code of two bytes makes at most 17 bytes. A greater claimed size is a lie and is not allocated.
  const out = Buffer.allocUnsafe(Math.min(size, bytes.length * 17));
  let written = 0;
  const put = (byte: number) => {
    if (written < out.length) out[written++] = byte;
    window[position] = byte;
    position = (position + 1) % WINDOW;
  };
  for (let at = HEADER_BYTES; at < bytes.length && written < out.length; ) {
    const control = bytes[at++] as number;
    for (let bit = 0; bit < 8 && at < bytes.length; bit++) {
      if ((control & (1 << bit)) === 0) {
        put(bytes[at++] as number);
        continue;
      }
      const code = ((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0);
      at += 2;
      const from = code >> 4;
      // A reference to the next place to write is the end mark.
      if (from === position) return out.subarray(0, written);
      for (let index = 0; index < (code & 0x0f) + 2; index++) put(window[(from + index) % WINDOW] as number);
    }
  }
  return out.subarray(0, written);
}
