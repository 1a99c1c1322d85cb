/**
 * Counts the content of a recording, in originals and in results: frames of MP3 and FLAC, packets of Ogg, and bytes of samples of the other
 * kinds.
 */

import { samplesOfAiff } from './aiff.ts';
import { framesIn } from './amr.ts';
import { samplesOfAvi } from './avi.ts';
import { framesOfFlac } from './flac.ts';
import { bytesOfFrame } from './media.ts';
import { packetsOfOgg } from './ogg.ts';
import { samplesOfWebm } from './webm.ts';

/** Counts tolerantly: an original may be damaged. */
export function countMedia(bytes: Uint8Array): number {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const start = view.toString('latin1', 0, 12);
  if (start.startsWith('RIFF')) return start.endsWith('AVI ') ? samplesOfAvi(view) : samplesOfWave(view);
  if (start.startsWith('#!AMR')) return framesIn(view).count;
  if (start.startsWith('FORM')) return samplesOfAiff(view);
  if (start.startsWith('\x1a\x45\xdf\xa3')) return samplesOfWebm(view);
  if (view.toString('latin1', 0, 4) === 'OggS') return packetsOfOgg(view);
  const stream = behindTags(view);
  if (view.toString('latin1', stream, stream + 4) === 'fLaC') return framesOfFlac(view, stream);
  return view.toString('latin1', 4, 8) === 'ftyp' ? samplesOfMovie(view) : framesOf(view);
}

function samplesOfWave(view: Buffer): number {
  for (let at = 12; at + 8 <= view.length; ) {
    const size = view.readUInt32LE(at + 4);
    const left = view.length - at - 8;
    if (view.toString('latin1', at, at + 4) === 'data') return size === 0 ? left : Math.min(size, left);
    at += 8 + size + (size & 1);
  }
  return 0;
}

function samplesOfMovie(view: Buffer): number {
  let count = 0;
  for (let at = 0; at + 8 <= view.length; ) {
    const short = view.readUInt32BE(at);
    const long = short === 1 && at + 16 <= view.length ? Number(view.readBigUInt64BE(at + 8)) : short;
    const end = short === 0 ? view.length : at + long;
    if (end < at + 8 || end > view.length) break;
    if (view.toString('latin1', at + 4, at + 8) === 'mdat') count += end - at;
    at = end;
  }
  return count;
}

/** The number of bytes behind damage in which the next frame is searched. */
const GAP_BYTES = 16 * 1024;

function framesOf(view: Buffer): number {
  let at = behindTags(view);
  const kind = headerAt(view, at) & SAME_BITS;
  const lengthAt = (place: number) => {
    const header = headerAt(view, place);
    const length = ((header & SAME_BITS) ^ kind) === 0 ? bytesOfFrame(header) : 0;
    return place + length <= view.length ? length : 0;
  };
  let count = 0;
  for (let gapAt = at; at < view.length && at - gapAt < GAP_BYTES; ) {
    const length = lengthAt(at);
    // Behind damage, a single frame may be chance.
    if (length > 0 && (at === gapAt || lengthAt(at + length) > 0)) {
      count++;
      at += length;
      gapAt = at;
    } else at++;
  }
  return count;
}

/** Returns the place behind tags and their padding. */
function behindTags(view: Buffer): number {
  let at = 0;
  while (view.toString('latin1', at, at + 3) === 'ID3' && at + 10 <= view.length) at += tagBytes(view, at);
  while (view[at] === 0) at++;
  return at;
}

const SAME_BITS = 0xff_fe_0c_00;
const headerAt = (view: Buffer, at: number) => (at + 4 <= view.length ? view.readUInt32BE(at) : 0);

function tagBytes(view: Buffer, at: number): number {
  const seven = (place: number) => (view[at + place] ?? 0) & 0x7f;
  const size = seven(6) * 0x20_0000 + seven(7) * 0x4000 + seven(8) * 0x80 + seven(9);
  return 10 + size + ((view[at + 5] ?? 0) & 0x10 ? 10 : 0);
}
