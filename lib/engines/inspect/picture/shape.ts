/** Finds the size and number of frames of a raster picture, so that no picture loses pixels or frames. */

import { openAnimationCheck } from './animation.ts';
import { boxedPictureSize } from './boxes.ts';
import { ascii, endOfBlocks, type PictureSize, pictureSize, tableLength } from './picture.ts';
import { streamedPictureSize } from './streams.ts';

/** A limit against chains of pages that are rings. */
const MAX_PAGES = 1_000;

/** The shape of a picture, in numbers. */
export interface PictureShape extends PictureSize {
  /** Frames of an animation, or pages of one size. */
  readonly frames: number;
}

/** Returns the size and the frames that the file states. Returns null when it is no raster picture or is damaged. */
export function pictureShape(bytes: Uint8Array): PictureShape | null {
  const size = boxedPictureSize(bytes) ?? streamedPictureSize(bytes) ?? pictureSize(bytes);
  return size === null ? null : { ...size, frames: Math.max(1, framesOf(bytes)) };
}

function framesOf(bytes: Uint8Array): number {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const head = ascii(view, 0, 12);
  if (/^GIF8[79]a/.test(head)) return gifFrames(view);
  if (head.startsWith('RIFF')) return webpFrames(view);
  if (/^(?:II\*\0|MM\0\*)/.test(head)) return tiffPages(view);
  if (head.startsWith('\x89PNG')) return pngFrames(view);
  return 1;
}

/** Returns the number of frames. A still picture has one. An unsound animation also has one, because programs show one picture of it. */
function pngFrames(bytes: Buffer): number {
  const animation = openAnimationCheck(new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  for (let at = 8; at + 12 <= bytes.length; at += 12 + bytes.readUInt32BE(at))
    if (at + 12 + bytes.readUInt32BE(at) <= bytes.length)
      animation.chunk(ascii(bytes, at + 4, 4), at + 8, bytes.readUInt32BE(at));
  return animation.isSound() ? animation.frames() : 1;
}

function gifFrames(bytes: Buffer): number {
  let frames = 0;
  let at = 13 + tableLength(bytes[10] ?? 0);
  while (bytes[at] === 0x21 || bytes[at] === 0x2c) {
    const isFrame = bytes[at] === 0x2c;
    frames += Number(isFrame);
    at = endOfBlocks(bytes, isFrame ? at + 11 + tableLength(bytes[at + 9] ?? 0) : at + 2);
  }
  return frames;
}

function webpFrames(bytes: Buffer): number {
  let frames = 0;
  for (let at = 12; at + 8 <= bytes.length; ) {
    frames += Number(ascii(bytes, at, 4) === 'ANMF');
    const length = bytes.readUInt32LE(at + 4);
    at += 8 + length + (length % 2);
  }
  return frames;
}

function tiffPages(bytes: Buffer): number {
  const isLittle = bytes[0] === 0x49;
  const u16 = (at: number) => (isLittle ? bytes.readUInt16LE(at) : bytes.readUInt16BE(at));
  const u32 = (at: number) => (isLittle ? bytes.readUInt32LE(at) : bytes.readUInt32BE(at));
  let pages = 0;
  for (let at = u32(4); pages < MAX_PAGES && at !== 0 && at + 2 <= bytes.length; pages++) {
    const next = at + 2 + u16(at) * 12;
    at = next + 4 <= bytes.length ? u32(next) : 0;
  }
  return pages;
}
