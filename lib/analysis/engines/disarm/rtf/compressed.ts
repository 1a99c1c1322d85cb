/** Outlook's compressed rich text (MS-OXRTFCP): LZ77 over a window that starts filled with common words of RTF. */
import { EngineError } from '../../engine.ts';

const WINDOW = 4_096;
const PRELOADED = Buffer.from(
  '{\\rtf1\\ansi\\mac\\deff0\\deftab720{\\fonttbl;}{\\f0\\fnil \\froman \\fswiss \\fmodern \\fscript \\fdecor MS Sans SerifSymbolArialTimes New RomanCourier{\\colortbl\\red0\\green0\\blue0\r\n\\par \\pard\\plain\\f0\\fs20\\b\\i\\u\\tab\\tx',
  'latin1',
);
const COMPRESSED = 0x75465a4c;
const STORED = 0x414c454d;
const HEADER_BYTES = 16;

/** The rich text. Throws EngineError `unreadable` when it is damaged, `oversize` above `maxBytes`. */
export function inflateRtf(bytes: Uint8Array, maxBytes: number): Uint8Array {
  if (bytes.length < HEADER_BYTES) throw new EngineError('unreadable', 'the formatted text of the message is cut off');
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const size = view.getUint32(4, true);
  const kind = view.getUint32(8, true);
  if (size > maxBytes) throw new EngineError('oversize', 'the formatted text of the message is too long');
  if (kind === STORED) return bytes.subarray(HEADER_BYTES, HEADER_BYTES + size);
  if (kind !== COMPRESSED) throw new EngineError('unreadable', 'the formatted text of the message is damaged');
  return inflate(bytes, size);
}

function inflate(bytes: Uint8Array, size: number): Uint8Array {
  const window = new Uint8Array(WINDOW);
  window.set(PRELOADED);
  let write = PRELOADED.length;
  const out = new Uint8Array(size);
  let length = 0;
  const put = (byte: number) => {
    window[write] = byte;
    write = (write + 1) % WINDOW;
    if (length < size) out[length++] = byte;
  };
  let at = HEADER_BYTES;
  while (at < bytes.length && length < size) {
    const control = bytes[at++] ?? 0;
    for (let bit = 0; bit < 8 && at < bytes.length; bit++) {
      if ((control & (1 << bit)) === 0) {
        put(bytes[at++] ?? 0);
        continue;
      }
      const token = ((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0);
      at += 2;
      const offset = token >> 4;
      // A reference to the place that is written next is the end mark.
      if (offset === write) return out.subarray(0, length);
      for (let step = 0; step < (token & 15) + 2; step++) put(window[(offset + step) % WINDOW] ?? 0);
    }
  }
  return out.subarray(0, length);
}
