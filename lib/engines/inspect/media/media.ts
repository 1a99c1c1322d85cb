/** A second look at films and recordings: it reads the file from its first byte to its last, and nothing may be left over. */
import type { Findings } from '../fact.ts';
import { inspectAiff } from './aiff.ts';
import { inspectAmr } from './amr.ts';
import { inspectAvi } from './avi.ts';
import { inspectFlac } from './flac.ts';
import { inspectMovie } from './movie.ts';
import { inspectOgg } from './ogg.ts';
import { inspectWebm } from './webm.ts';

/** Searches a recording or a film. Adds a finding for a file of any kind that is not written. */
export function inspectMedia(bytes: Uint8Array, findings: Findings): void {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const start = view.toString('latin1', 0, 12);
  if (start.startsWith('RIFF') && start.endsWith('WAVE')) inspectWave(view, findings);
  else if (start.slice(4, 8) === 'ftyp') inspectMovie(view, findings);
  else if (start.startsWith('fLaC')) inspectFlac(view, findings);
  else if (start.startsWith('OggS')) inspectOgg(view, findings);
  else if (start.startsWith('#!AMR')) inspectAmr(view, findings);
  else if (start.startsWith('FORM')) inspectAiff(view, findings);
  else if (start.startsWith('RIFF') && start.endsWith('AVI ')) inspectAvi(view, findings);
  else if (start.startsWith('\x1a\x45\xdf\xa3')) inspectWebm(view, findings);
  else inspectFrames(view, findings);
}

/** Checks the chunks of a WAV file, in the one order in which they are written. */
function inspectWave(view: Buffer, findings: Findings): void {
  if (view.readUInt32LE(4) + 8 !== view.length) findings.add('media-size', 'RIFF');
  const ids: string[] = [];
  let at = 12;
  while (at + 8 <= view.length && ids.length < 4) {
    const size = view.readUInt32LE(at + 4);
    ids.push(view.toString('latin1', at, at + 4));
    if (ids.at(-1) === 'fmt ' && size > 128) findings.add('media-size', 'fmt');
    at += 8 + size + (size & 1);
  }
  if (at !== view.length) findings.add('media-left-over', `byte ${at}`);
  if (!/^fmt (?:fact)?data$/.test(ids.join(''))) findings.add('media-chunk', ids.join(' '));
}

/** Kilobits a second of layer III, by the four bits of the header; version 1, then the others. */
const KILOBITS = [
  [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
];
/** Samples a second, by version (2.5, none, 2, 1) and index. */
const HERTZ = [[11_025, 12_000, 8_000], [], [22_050, 24_000, 16_000], [44_100, 48_000, 32_000]];

/** Checks that every byte of an MP3 file belongs to a frame, and that all frames are of one kind. */
function inspectFrames(view: Buffer, findings: Findings): void {
  const first = view.length < 4 ? 0 : view.readUInt32BE(0);
  let at = 0;
  while (at < view.length) {
    const header = at + 4 <= view.length ? view.readUInt32BE(at) : 0;
    const length = ((header ^ first) & SAME_BITS) === 0 ? bytesOfFrame(header >>> 0) : 0;
    if (length === 0 || at + length > view.length) {
      findings.add('media-left-over', `byte ${at}`);
      return;
    }
    at += length;
  }
  if (at === 0) findings.add('media-empty', 'file');
}

/** Sync, version, layer and sample rate. */
const SAME_BITS = 0xff_fe_0c_00;

/** Returns the length of the layer III frame with this header, and 0 for any other header. */
export function bytesOfFrame(header: number): number {
  if (header >>> 21 !== 0x7ff || ((header >>> 17) & 3) !== 1) return 0;
  const version = (header >>> 19) & 3;
  const kilobits = KILOBITS[version === 3 ? 0 : 1]?.[((header >>> 12) & 15) - 1];
  const hertz = HERTZ[version]?.[(header >>> 10) & 3];
  if (kilobits === undefined || hertz === undefined) return 0;
  return Math.floor(((version === 3 ? 144_000 : 72_000) * kilobits) / hertz) + ((header >>> 9) & 1);
}
