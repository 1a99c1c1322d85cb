/**
 * Decides whether a picture may be delivered unchanged. Every byte of the file was read, and it holds nothing but the picture and plain
 * data about it. The disarm judges the picture first. This reader doubts that judgement, and is the only one that reads the data about the
 * picture.
 */
import { isPlainGif } from './plain-gif.ts';
import { isPlainJpeg } from './plain-jpeg.ts';
import { isPlainPng } from './plain-png.ts';

/**
 * Returns true only for PNG, JPEG and GIF that hold nothing else: no unknown block, no byte behind the picture, and only data on the list
 * of `plain-notes.ts`. Never throws.
 */
export function isPlainPicture(bytes: Uint8Array): boolean {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (view.length < 14) return false;
  if (view[0] === 0x89) return isPlainPng(view);
  return view[0] === 0xff ? isPlainJpeg(view) : isPlainGif(view);
}
