/**
 * The notes that a plain picture may hold besides its pixels: a closed list of blocks. Each block holds data in a grammar without room for
 * anything else. Their readers are siblings of this file.
 */
import { inflateSync } from 'node:zlib';
import { isPlainExif } from './plain-exif.ts';
import { isPlainPacket } from './plain-packet.ts';
import { isPlainProfile } from './plain-profile.ts';

/** The longest comment of an editor. Attackers hide programs in long ones. */
const MAX_TEXT = 256;
/** Marks at which other programs begin to read: a tag of a page, a PDF, and the parts of a PDF. */
const OF_OTHERS = /<|%PDF|%!PS|\bobj\b/i;
/**
 * Names of texts (ISO/IEC 15948, 11.3.4.2). Programs read files, and packed data about the picture, from texts under names of their own.
 */
const TEXT_NAME =
  /^(?:Title|Author|Description|Copyright|Creation Time|Software|Disclaimer|Warning|Source|Comment|date:(?:create|modify|timestamp))$/;
const MAX_PROFILE = 64 * 1024;

const PROFILE = 'ICC_PROFILE\0\x01\x01';
const EXIF = 'Exif\0\0';
const PACKET = 'http://ns.adobe.com/xap/1.0/\0';
const PACKET_OF_PNG = 'XML:com.adobe.xmp\0\0\0\0\0';
/** The quality setting of Photoshop. */
const [QUALITY, QUALITY_BYTES] = ['Ducky\0\x01\0\x04\0\0\0', 15];

/** Returns whether a text is words for people: letters, signs and line ends. */
export function isPlainText(text: Buffer): boolean {
  const isLetter = (byte: number) => byte === 9 || byte === 10 || byte === 13 || (byte >= 0x20 && byte !== 0x7f);
  const end = text.at(-1) === 0 ? -1 : undefined;
  return text.length <= MAX_TEXT && text.subarray(0, end).every(isLetter) && !OF_OTHERS.test(text.toString('latin1'));
}

/** Returns the kind of a segment of a JPEG (marker and data) that is on the list, else null. Each kind may occur once. */
export function plainSegment(marker: number, data: Buffer, isPlainJpeg: (bytes: Buffer) => boolean): string | null {
  const rest = (start: string) =>
    data.toString('latin1', 0, start.length) === start ? data.subarray(start.length) : null;
  const [exif, packet, profile] = [rest(EXIF), rest(PACKET), rest(PROFILE)];
  if (marker === 0xe1 && exif !== null) return isPlainExif(exif, isPlainJpeg) ? 'exif' : null;
  if (marker === 0xe1 && packet !== null) return isPlainPacket(packet) ? 'packet' : null;
  if (marker === 0xe2 && profile !== null) return isPlainProfile(profile) ? 'profile' : null;
  if (marker === 0xec) return rest(QUALITY) !== null && data.length === QUALITY_BYTES ? 'quality' : null;
  return marker === 0xfe && isPlainText(data) ? 'comment' : null;
}

/** Does the same for a chunk of a PNG. Several texts may occur, each under a different name. */
export function plainChunk(kind: string, data: Buffer, isPlainJpeg: (bytes: Buffer) => boolean): string | null {
  const text = data.toString('latin1');
  const name = /^[\x20-\x7e]{1,79}(?=\0)/.exec(text)?.[0] ?? '';
  if (kind === 'eXIf') return isPlainExif(data, isPlainJpeg) ? kind : null;
  if (kind === 'tIME') return isTime(data) ? kind : null;
  if (name === '') return null;
  if (kind === 'iCCP') return isPackedProfile(data.subarray(name.length + 1)) ? kind : null;
  if (kind === 'iTXt' && text.startsWith(PACKET_OF_PNG))
    return isPlainPacket(data.subarray(PACKET_OF_PNG.length)) ? kind : null;
  return kind === 'tEXt' && TEXT_NAME.test(name) && isPlainText(data.subarray(name.length + 1)) ? `text ${name}` : null;
}

function isTime(data: Buffer): boolean {
  const [, , month = 0, day = 0, hour = 24, minute = 60, second = 61] = data;
  return (
    data.length === 7 && month >= 1 && month <= 12 && day >= 1 && day <= 31 && hour < 24 && minute < 60 && second < 61
  );
}

function isPackedProfile(data: Buffer): boolean {
  if (data[0] !== 0) return false;
  try {
    const options = { maxOutputLength: MAX_PROFILE, info: true };
    const { buffer, engine } = inflateSync(data.subarray(1), options) as unknown as Inflated;
    return engine.bytesWritten === data.length - 1 && isPlainProfile(buffer);
  } catch {
    return false;
  }
}

/** The answer of zlib with the number of bytes it read. */
interface Inflated {
  readonly buffer: Buffer;
  readonly engine: { readonly bytesWritten: number };
}
