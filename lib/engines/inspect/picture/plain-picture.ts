/**
 * Whether a picture may be delivered as it came: every byte of the file was read, and nothing but the picture and plain data about it is in it. The
 * disarm says so first of the picture; this is the reader that doubts it, and the only one that reads the data about it.
 */
import { isPlainGif } from './plain-gif.ts';
import { isPlainJpeg } from './plain-jpeg.ts';
import { isPlainPng } from './plain-png.ts';

/** True only for PNG, JPEG and GIF that hold nothing else: no unknown block, no byte behind the picture, and of data about it only what `plain-notes.ts` lists. Never throws. */
export function isPlainPicture(bytes: Uint8Array): boolean {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (view.length < 14) return false;
  if (view[0] === 0x89) return isPlainPng(view);
  return view[0] === 0xff ? isPlainJpeg(view) : isPlainGif(view);
}
