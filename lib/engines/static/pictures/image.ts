/** Pictures: finds content behind, before or inside of them besides pixels, and judges the codes that they show. */

import { readZipDirectory } from '../../../formats/archives/zip-directory.ts';
import { asBuffer } from '../../../formats/byte-scan.ts';
import { bitmapsIn } from '../../../formats/pictures/metafile-bitmaps.ts';
import { EngineError, type Finding } from '../../engine.ts';
import { finding } from '../findings/findings.ts';
import type { Piece, StaticModule } from '../findings/module.ts';
import { codesInPictures, NO_CODES, type Picture } from './codes.ts';
import { readImageShape } from './image-end.ts';

const PICTURES = new Set([
  'image/png',
  'image/jpeg',
  'image/gif',
  'image/webp',
  'image/bmp',
  'image/avif',
  'image/heic',
  'image/jp2',
  'image/jxl',
  'image/vnd.adobe.photoshop',
  'image/tiff',
  'image/vnd.microsoft.icon',
  'image/emf',
  'image/wmf',
]);
/** Markup of other formats, which fit into or behind a picture. The data of cameras (XMP) is XML without any of these. */
const MARKUP = /^<(?:(?:script|html|iframe|body|svg)\b|!doctype html|\?php\b)/i;
/** The first bytes of archives, programs and documents that other programs find behind a picture. */
const BEHIND = ['PK\x03\x04', 'Rar!\x1a', '7z\xbc\xaf', 'MZ', '%PDF-', '\x7fELF', '\xd0\xcf\x11\xe0'];
/** A header whose length field opens a comment, so that the rest of the file can be a script. */
const SCRIPT_HEADER = /^(?:\xff\xd8\xff[\s\S]\/[*/]|GIF8[79]a(?:\/[*/]|=)|BM\/\*)/;

export const imageModule: StaticModule = {
  name: 'image',
  accepts: (type) => PICTURES.has(type),
  run: async ({ bytes, type, limits }) => {
    const shape = readImageShape(bytes, type.type);
    if (shape !== null && shape.pixels > limits.pixels) {
      throw new EngineError(
        'oversize',
        `the picture claims ${shape.pixels} pixels, at most ${limits.pixels} are allowed`,
      );
    }
    const file = asBuffer(bytes);
    const others = shape?.end == null ? [] : (FURTHER[type.type]?.(bytes, shape.end) ?? []);
    const end = others.at(-1)?.end ?? shape?.end ?? bytes.length;
    const trailing = file.subarray(end).toString('latin1');
    const findings = [...judgeTrailing(trailing), ...judgePolyglot(file, trailing)];
    if (shape === null && findings.length === 0) throw new EngineError('unreadable', 'the picture is damaged');
    const codes = shape === null ? NO_CODES : await codesInPictures(shownIn(bytes, type.type));
    const behind = trailing === '' ? [] : [{ where: 'behind the picture', bytes: bytes.subarray(end) }];
    const start = beginningOf(trailing);
    const appended = start === -1 ? [] : [piece(bytes.subarray(end + start), end + start, 'appended')];
    const pictures = others.map((other) => piece(bytes.subarray(other.start, other.end), other.start, 'picture'));
    return {
      findings: [...findings, ...codes.findings],
      views: [...behind, ...codes.views],
      pieces: [...pictures, ...appended],
      understood: shape !== null,
    };
  },
};

/** Returns the bitmaps of a drawing, and every other picture itself. */
function shownIn(bytes: Uint8Array, type: string): readonly Picture[] {
  if (type !== 'image/emf' && type !== 'image/wmf') return [{ where: 'picture', bytes }];
  return [...bitmapsIn(bytes)].map((bitmap) => ({ where: 'picture in the drawing', bytes: bitmap }));
}

/** Returns where another file begins behind a picture. */
function beginningOf(trailing: string): number {
  const places = BEHIND.map((magic) => trailing.indexOf(magic)).filter((at) => at !== -1);
  return places.length === 0 ? -1 : Math.min(...places);
}

/** The most pictures behind a JPEG that are read. Cameras append a few: a second exposure, a preview, a map of brightness. */
const MAX_FURTHER = 8;

interface Further {
  readonly start: number;
  readonly end: number;
}

/** Returns the whole JPEGs behind a JPEG, one after the other (CIPA DC-007, Multi-Picture Format), with zeros between them. */
function furtherJpegs(bytes: Uint8Array, from: number): readonly Further[] {
  const found: Further[] = [];
  let at = from;
  while (at < bytes.length && found.length < MAX_FURTHER) {
    if (bytes[at] === 0) {
      at += 1;
      continue;
    }
    const isJpeg = bytes[at] === 0xff && bytes[at + 1] === 0xd8 && bytes[at + 2] === 0xff;
    const length = isJpeg ? readImageShape(bytes.subarray(at), 'image/jpeg')?.end : null;
    // A picture that is cut off could hold anything.
    const isWhole = length != null && bytes[at + length - 2] === 0xff && bytes[at + length - 1] === 0xd9;
    if (!isWhole) break;
    found.push({ start: at, end: at + length });
    at += length;
  }
  return found;
}

/** The sign of LibreOffice for the mask of a bitmap, and the form of the mask. The mask is a bitmap of its own. */
const MASK = Buffer.from('621909250102b2ac', 'hex');
const MASK_FORMS = new Set([1, 2]);

function maskOfBitmap(bytes: Uint8Array, from: number): readonly Further[] {
  const start = from + MASK.length + 1;
  const hasMask = MASK.equals(bytes.subarray(from, from + MASK.length)) && MASK_FORMS.has(bytes[start - 1] ?? 0);
  if (!hasMask || bytes[start] !== 0x42 || bytes[start + 1] !== 0x4d) return [];
  const length = lengthOfMask(asBuffer(bytes.subarray(start)));
  return length > 0 && start + length <= bytes.length ? [{ start, end: start + length }] : [];
}

/**
 * Reads the mask. LibreOffice packs it in runs, and does not update the size of the file. So the offset of the pixels and their number of
 * bytes count.
 */
function lengthOfMask(mask: Buffer): number {
  if (mask.length < 54) return 0;
  const isPacked = mask.readUInt32LE(30) !== 0;
  return isPacked ? mask.readUInt32LE(10) + mask.readUInt32LE(34) : mask.readUInt32LE(2);
}

/** The pictures that programs put behind another, by its type. */
const FURTHER: Readonly<Record<string, (bytes: Uint8Array, from: number) => readonly Further[]>> = {
  'image/jpeg': furtherJpegs,
  'image/bmp': maskOfBitmap,
};

function piece(bytes: Uint8Array, at: number, untrustedName: string): Piece {
  return {
    where: `behind the picture at ${at}`,
    bytes,
    kind: 'extracted_file',
    untrustedName,
    scope: 'file',
  };
}

/** The fewest bytes behind a picture that count. Padding is common and harmless, and no file or script fits into fewer bytes. */
const MIN_TRAILING = 16;

function judgeTrailing(trailing: string): Finding[] {
  const isPadding = trailing.length < MIN_TRAILING || !/[^\0\s\xff]/.test(trailing);
  return isPadding ? [] : [finding('image-trailing-data')];
}

function judgePolyglot(file: Buffer, trailing: string): Finding[] {
  const archive = readZipDirectory(file, 1);
  const head = file.subarray(0, HEAD).toString('latin1');
  const isPolyglot =
    (archive !== null && archive.members.length > 0) ||
    hasMarkup(file) ||
    BEHIND.some((magic) => trailing.startsWith(magic)) ||
    SCRIPT_HEADER.test(head) ||
    head.includes('%PDF-');
  return isPolyglot ? [finding('polyglot')] : [];
}

/** The bytes at the start of a file in which readers look for the header of another format. */
const HEAD = 1_024;
/** The longest beginning of markup, and a character that may end its name. */
const MAX_MARKUP = '<!doctype html'.length + 1;
const LESS_THAN = 0x3c;
const MARKUP_STARTS = Buffer.from('sShHiIbB!?');

/** Checks the places of one sign only. A picture is large, and a text of all its bytes takes more time than everything else here. */
function hasMarkup(file: Buffer): boolean {
  for (let at = file.indexOf(LESS_THAN); at !== -1; at = file.indexOf(LESS_THAN, at + 1)) {
    if (!MARKUP_STARTS.includes(file[at + 1] ?? 0)) continue;
    if (MARKUP.test(file.subarray(at, at + MAX_MARKUP).toString('latin1'))) return true;
  }
  return false;
}
