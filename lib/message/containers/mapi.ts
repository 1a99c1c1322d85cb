/** Texts of MAPI properties, such as names and subjects. */
import { decodeCharset } from '../../formats/charsets/decode-charset.ts';
import { TYPE } from '../../formats/mapi/properties.ts';

/** Text of a property: UTF-16 or an 8-bit charset, without the NUL at its end. */
export function textOf(bytes: Uint8Array, type: number): string {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const text = type === TYPE.unicode ? buffer.toString('utf16le') : decodeCharset(buffer, 'windows-1252');
  return text.replace(/\0[\s\S]*$/, '').slice(0, MAX_CHARACTERS);
}

/** The most bytes of one text, against names and subjects of megabytes. */
const MAX_CHARACTERS = 1_000;
