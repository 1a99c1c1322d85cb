/** MP3: only whole frames are copied. */
import { firstFrame, frameKind, frameLength } from '../../../formats/media/mpeg-frames.ts';
import { EngineError } from '../../engine.ts';
import type { RemovalLog } from '../removals.ts';

/**
 * The number of bytes in which the next frame is searched after damage, and the number of searches. A file of damage would cost quadratic
 * time.
 */
const GAP_BYTES = 16 * 1024;
const MAX_GAPS = 100;

/** Returns the frames of a recording, without tags and without anything between and after them. Throws EngineError `unreadable`. */
export function rewriteMp3(bytes: Uint8Array, log: RemovalLog): Uint8Array {
  const start = firstFrame(bytes);
  if (start > 0) log.note('media metadata', 'in front of the sound');
  const kind = frameKind(bytes, start);
  const isFrame = (at: number) => {
    const length = frameLength(bytes, at);
    return length > 0 && at + length <= bytes.length && frameKind(bytes, at) === kind ? length : 0;
  };
  const frames: Uint8Array[] = [];
  let gaps = 0;
  for (let at = start; at < bytes.length; ) {
    const from = at;
    for (let length = isFrame(at); length > 0; length = isFrame(at)) at += length;
    if (at > from) frames.push(bytes.subarray(from, at));
    if (at >= bytes.length) break;
    const next = gaps++ < MAX_GAPS ? nextFrame(bytes, at, isFrame) : null;
    log.note(next === null ? 'data behind the end' : 'data between frames', 'sound');
    if (next === null) break;
    at = next;
  }
  if (frames.length === 0) throw new EngineError('unreadable', 'the recording holds no sound');
  return Buffer.concat(frames);
}

/** Returns the place of the next two frames behind damage. */
function nextFrame(bytes: Uint8Array, from: number, isFrame: (at: number) => number): number | null {
  const end = Math.min(bytes.length, from + GAP_BYTES);
  for (let at = bytes.indexOf(0xff, from); at !== -1 && at < end; at = bytes.indexOf(0xff, at + 1)) {
    const length = isFrame(at);
    if (length > 0 && isFrame(at + length) > 0) return at;
  }
  return null;
}
