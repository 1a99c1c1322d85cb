/** FLAC (RFC 9639): the form of the sound and whole frames are written. Every other metadata block is removed. */
import { asBuffer } from '../../../formats/byte-scan.ts';
import { flacStart } from '../../../formats/media/flac-start.ts';
import { EngineError } from '../../engine.ts';
import type { RemovalLog } from '../removals.ts';
import { type FlacForm, type FlacFrame, flacFrame, laterFrame } from './flac-frame.ts';

/** Metadata blocks of one file. Each costs a step; programs write fewer than ten. */
const MAX_BLOCKS = 1_000;
const FORM_BYTES = 34;
/** The sum of the sound, at the end of the form. Zeros say that nobody calculated it. */
const SUM_AT = 18;

/** Returns the recording without tags, pictures, cue sheets and padding. Throws EngineError `unreadable` for one without a whole frame. */
export function rewriteFlac(untrusted: Uint8Array, log: RemovalLog): Uint8Array {
  const bytes = asBuffer(untrusted);
  const start = flacStart(bytes);
  if (start === null) throw noSound();
  if (start > 0) log.note('media metadata', 'in front of the sound');
  const block = Buffer.from(bytes.subarray(start + 8, start + 8 + FORM_BYTES));
  const sound = endOfMetadata(bytes, start + 4, log);
  const frames = framesOf(bytes, sound, formOf(block));
  if (frames.samples === 0) throw noSound();
  if (frames.end < bytes.length) log.note('data behind the end', 'sound');
  correct(block, frames);
  return Buffer.concat([Buffer.from('fLaC\x80\0\0\x22', 'latin1'), block, bytes.subarray(sound, frames.end)]);
}

/** Returns the place after the last metadata block. */
function endOfMetadata(bytes: Buffer, start: number, log: RemovalLog): number {
  let at = start;
  for (let count = 0; count < MAX_BLOCKS && at + 4 <= bytes.length; count++) {
    const head = bytes.readUInt32BE(at);
    at += 4 + (head & 0xff_ffff);
    if (count > 0) log.note('media metadata', 'block beside the sound');
    if (head >>> 31 === 1) return at;
  }
  throw noSound();
}

function formOf(block: Buffer): FlacForm {
  const shape = block.readUInt32BE(10);
  const form = {
    maxBlock: block.readUInt16BE(2),
    channels: ((shape >>> 9) & 7) + 1,
    sampleBits: ((shape >>> 4) & 31) + 1,
  };
  if (form.maxBlock < 16 || shape >>> 12 === 0 || form.sampleBits < 4) throw noSound();
  return form;
}

interface Frames {
  readonly end: number;
  readonly samples: number;
  readonly shortest: number;
  readonly longest: number;
}

/** Yields the frames that follow one another with rising numbers, up to the first gap. */
function framesOf(bytes: Buffer, start: number, form: FlacForm): Frames {
  let [at, samples, shortest, longest] = [start, 0, Number.POSITIVE_INFINITY, 0];
  let last: FlacFrame | null = null;
  for (let frame = flacFrame(bytes, at, form); frame !== null; frame = flacFrame(bytes, at, form)) {
    if (last !== null && !isNext(last, frame)) break;
    at += frame.length;
    samples += frame.samples;
    shortest = Math.min(shortest, frame.length);
    longest = Math.max(longest, frame.length);
    last = frame;
  }
  // Otherwise a recording without its middle would be delivered as complete.
  if (last !== null && laterFrame(bytes, at, form, last) !== null)
    throw new EngineError('unreadable', 'the recording is damaged in the middle or cut off');
  return { end: at, samples, shortest, longest };
}

function isNext(last: FlacFrame, frame: FlacFrame): boolean {
  const step = last.isVariable ? last.samples : 1;
  return frame.isVariable === last.isVariable && frame.number === last.number + step;
}

/** Writes the real sizes of the frames. A sum of other samples no longer fits them. */
function correct(block: Buffer, { samples, shortest, longest }: Frames): void {
  block.writeUIntBE(Math.min(shortest, 0xff_ffff), 4, 3);
  block.writeUIntBE(Math.min(longest, 0xff_ffff), 7, 3);
  const high = block.readUInt8(13);
  const told = (high & 15) * 2 ** 32 + block.readUInt32BE(14);
  if (told === samples) return;
  block.writeUInt8((high & 0xf0) | Math.min(15, Math.floor(samples / 2 ** 32)), 13);
  block.writeUInt32BE(samples % 2 ** 32, 14);
  block.fill(0, SUM_AT);
}

const noSound = () => new EngineError('unreadable', 'the recording holds no sound');
