/** Pictures of an RTF document. They are read as hexadecimal digits or raw bytes, and encoded anew as PNG or JPEG. */
import type { Removal } from '../../engine.ts';
import type { Nested } from '../disarm-module.ts';
import { documentPicture } from '../document-picture.ts';
import { pictureFormat } from '../image/format.ts';
import type { RemovalLog } from '../removals.ts';
import { PICTURE_WORDS } from './words.ts';
import type { RtfWriter } from './writer.ts';

/** The largest size, in twips, pixels or percent. Readers store sizes in 16 or 32 bits. */
const MAX_MEASURE = 1_000_000;
const HEX_PER_LINE = 128;

/** One \pict as it was read. */
export interface PictureData {
  readonly words: Map<string, number>;
  readonly hex: string[];
  readonly binary: Uint8Array[];
}

/** A picture to be encoded anew. */
export interface FoundPicture {
  readonly bytes: Uint8Array;
  readonly data: PictureData;
  /** Called with the markup of the new picture. */
  readonly put: (markup: string) => void;
}

/** Reserves a place for a picture that has just been read; null when it is left out. */
export function placePicture(data: PictureData, writer: RtfWriter, log: RemovalLog): FoundPicture | null {
  const bytes = pictureBytes(data);
  const kind = pictureKind(bytes);
  if (kind === 'png' || kind === 'jpeg') return { bytes, data, put: writer.reserve() };
  if (kind !== null) log.note(kind, 'pict');
  return null;
}

export function pictureData(): PictureData {
  return { words: new Map(), hex: [], binary: [] };
}

/** Returns the bytes of the picture. Raw bytes come before digits, as in readers. */
function pictureBytes({ hex, binary }: PictureData): Uint8Array {
  if (binary.length > 0) return Buffer.concat(binary);
  return Buffer.from(hex.join('').replace(/[^0-9a-f]/gi, ''), 'hex');
}

/** Returns the kind of the bytes of a \pict; null when there are none. Metafiles and bitmaps are not read. */
function pictureKind(bytes: Uint8Array): 'png' | 'jpeg' | 'metafile picture' | 'disguised content' | null {
  if (bytes.length === 0) return null;
  const format = pictureFormat(bytes);
  if (format === 'png' || format === 'jpeg') return format;
  if (format !== null && format !== 'emf' && format !== 'wmf') return 'disguised content';
  // In RTF, a metafile of 16 bits and a bitmap have no signature, so they cannot be distinguished from other bytes.
  return format === null && isProgram(bytes) ? 'disguised content' : 'metafile picture';
}

function isProgram(bytes: Uint8Array): boolean {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(8, bytes.length)).toString('latin1');
  return /^(MZ|PK|%PDF|[^ -~]ELF|\xd0\xcf[^ -~]\xe0|<|\{\\rt)/.test(head);
}

/** Markup of the picture, re-encoded. Throws EngineError when the budget of the upload is spent. */
export async function writePicture(
  bytes: Uint8Array,
  { words }: PictureData,
  nested: Nested,
): Promise<{ readonly markup: string; readonly details: readonly Pick<Removal, 'kind' | 'action'>[] }> {
  const picture = await documentPicture(bytes, nested, /^image\/(?:png|jpeg)$/);
  const blip = picture.type === 'image/jpeg' ? '\\jpegblip' : '\\pngblip';
  const sizes = [...PICTURE_WORDS].map((word) => {
    const value = words.get(word);
    return value === undefined || Math.abs(value) > MAX_MEASURE ? '' : `\\${word}${value}`;
  });
  const hex = Buffer.from(picture.bytes).toString('hex');
  const lines: string[] = [];
  for (let at = 0; at < hex.length; at += HEX_PER_LINE) lines.push(hex.slice(at, at + HEX_PER_LINE));
  return { markup: `{\\pict${blip}${sizes.join('')}\n${lines.join('\n')}}`, details: picture.details };
}
