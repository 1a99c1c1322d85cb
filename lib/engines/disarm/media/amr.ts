/** AMR and AMR-WB, which telephones record (RFC 4867, 5): the first letters and whole frames are copied, and nothing else. */
import { asBuffer } from '../../../formats/byte-scan.ts';
import { AMR_KINDS, amrKind } from '../../../formats/media/amr-start.ts';
import { EngineError } from '../../engine.ts';
import type { RemovalLog } from '../removals.ts';

/** Bits of the first byte of a frame that are zero. */
const ZEROS = 0x83;

/** Returns the frames up to the first byte that begins no frame. Throws EngineError `unreadable` when there is no frame. */
export function rewriteAmr(untrusted: Uint8Array, log: RemovalLog): Uint8Array {
  const bytes = asBuffer(untrusted);
  const kind = amrKind(bytes);
  if (kind === null) throw new EngineError('unreadable', 'the recording holds no sound');
  const { magic, frameBytes } = AMR_KINDS[kind];
  let at = magic.length;
  for (let length = frameAt(bytes, at, frameBytes); length > 0; length = frameAt(bytes, at, frameBytes)) at += length;
  if (at === magic.length) throw new EngineError('unreadable', 'the recording holds no sound');
  if (at < bytes.length) log.note('data behind the end', 'sound');
  return bytes.subarray(0, at);
}

/** Returns the length of the frame at this place; 0 when there is no whole one. */
function frameAt(bytes: Buffer, at: number, frameBytes: readonly (number | null)[]): number {
  const first = bytes[at] ?? ZEROS;
  const data = (first & ZEROS) === 0 ? (frameBytes[first >> 3] ?? null) : null;
  return data === null || at + 1 + data > bytes.length ? 0 : 1 + data;
}
