/** MAPI properties that matter here (MS-OXPROPS), and what a message made of them holds. */
import { decodeCharset } from '../../unpacking/decode-charset.ts';

export const PROPERTY = {
  subject: 0x0037,
  body: 0x1000,
  compressedRtf: 0x1009,
  html: 0x1013,
  attachData: 0x3701,
  attachExtension: 0x3703,
  attachFilename: 0x3704,
  attachLongFilename: 0x3707,
  attachMimeTag: 0x370e,
  displayName: 0x3001,
} as const;

/** PtypString, PtypString8, PtypBinary, PtypObject. */
export const TYPE = { unicode: 0x001f, string8: 0x001e, binary: 0x0102, object: 0x000d } as const;

/** Text of a property: UTF-16 or an 8-bit charset, without the NUL at its end. */
export function textOf(bytes: Uint8Array, type: number): string {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const text = type === TYPE.unicode ? buffer.toString('utf16le') : decodeCharset(buffer, 'windows-1252');
  return text.replace(/\0[\s\S]*$/, '').slice(0, MOST_CHARACTERS);
}

/** Names and subjects of megabytes. */
const MOST_CHARACTERS = 1_000;
