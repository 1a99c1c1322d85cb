/**
 * The types of files by their first bytes. Policy and the engines use this one table, so they agree. A file with the first bytes of an
 * archive counts as one only when its structure can be read (archive-structure.ts). Otherwise it is judged as if it had no signature.
 */
import {
  type ArchiveBytes,
  archiveBytes,
  is7z,
  isAce,
  isArj,
  isBzip2,
  isCab,
  isGzip,
  isIso,
  isRar,
  isTar,
  isTnef,
  isXz,
  isZip,
  isZstd,
} from './archives/archive-structure.ts';
import { asBuffer } from './byte-scan.ts';
import type { FileType } from './file-types.ts';
import { amrKind } from './media/amr-start.ts';
import { type Brand, brandOf } from './media/brands.ts';
import { flacStart } from './media/flac-start.ts';
import { matroskaKind } from './media/matroska-start.ts';
import { isMp3 } from './media/mpeg-frames.ts';
import { isOggSound } from './media/ogg-start.ts';
import { isIcon } from './pictures/icon-start.ts';
import { isJpeg2000 } from './pictures/jpeg2000-start.ts';
import { isJxl } from './pictures/jxl-start.ts';
import { isEmf, isWmf } from './pictures/metafile-bitmaps.ts';
import { isPhotoshop } from './pictures/photoshop-start.ts';

interface Signature {
  readonly at: number;
  /** Bytes, written as latin1. */
  readonly magic: string;
  readonly type: FileType;
  /** @default the signature is enough: such files are never delivered unchanged */
  readonly isSound?: (file: ArchiveBytes, at: number) => boolean;
}

const zip = (magic: string): Signature => ({ at: 0, magic, type: 'application/zip', isSound: isZip });
const disk = (at: number): Signature => ({ at, magic: 'CD001', type: 'application/x-iso9660-image', isSound: isIso });
const start = (magic: string, type: FileType, isSound?: Signature['isSound']): Signature =>
  isSound === undefined ? { at: 0, magic, type } : { at: 0, magic, type, isSound };

const BRANDED = {
  audio: 'audio/mp4',
  quicktime: 'video/quicktime',
  video: 'video/mp4',
  avif: 'image/avif',
  heic: 'image/heic',
} as const;
const branded = (brand: Brand): Signature => ({
  at: 4,
  magic: 'ftyp',
  type: BRANDED[brand],
  isSound: ({ bytes }) => brandOf(bytes) === brand && bytes.includes(0),
});

/** The first matching row gives the type. */
const SIGNATURES: readonly Signature[] = [
  start('\x89PNG\r\n\x1a\n', 'image/png'),
  start('\xff\xd8\xff', 'image/jpeg'),
  start('GIF87a', 'image/gif', isBinary),
  start('GIF89a', 'image/gif', isBinary),
  start('II*\0', 'image/tiff'),
  start('MM\0*', 'image/tiff'),
  { ...start('RIFF', 'image/webp'), isSound: ({ bytes }) => bytes.toString('latin1', 8, 12) === 'WEBP' },
  {
    ...start('RIFF', 'audio/wav'),
    isSound: ({ bytes }) => bytes.toString('latin1', 8, 12) === 'WAVE' && bytes.includes(0),
  },
  {
    ...start('RIFF', 'video/x-msvideo'),
    isSound: ({ bytes }) => bytes.toString('latin1', 8, 12) === 'AVI ' && bytes.includes(0),
  },
  {
    ...start('FORM', 'audio/aiff'),
    isSound: ({ bytes }) => /^AIF[FC]$/.test(bytes.toString('latin1', 8, 12)) && bytes.includes(0),
  },
  start('\x1a\x45\xdf\xa3', 'video/webm', ({ bytes }) => matroskaKind(bytes) === 'webm'),
  start('\x1a\x45\xdf\xa3', 'video/x-matroska', ({ bytes }) => matroskaKind(bytes) === 'matroska'),
  start('#!AMR', 'audio/amr', ({ bytes }) => amrKind(bytes) !== null),
  ...['\0\0\0\x0cjP  ', '\xff\x4f\xff\x51'].map((magic) => start(magic, 'image/jp2', ({ bytes }) => isJpeg2000(bytes))),
  ...['\0\0\0\x0cJXL ', '\xff\x0a'].map((magic) => start(magic, 'image/jxl', ({ bytes }) => isJxl(bytes))),
  ...(['audio', 'quicktime', 'video', 'avif', 'heic'] as const).map(branded),
  ...['ID3', '\xff'].map((magic) => start(magic, 'audio/mpeg', ({ bytes }) => isMp3(bytes))),
  ...['fLaC', 'ID3'].map((magic) => start(magic, 'audio/flac', ({ bytes }) => flacStart(bytes) !== null)),
  start('OggS', 'audio/ogg', ({ bytes }) => isOggSound(bytes)),
  start('8BPS', 'image/vnd.adobe.photoshop', ({ bytes }) => isPhotoshop(bytes)),
  { at: 40, magic: ' EMF', type: 'image/emf', isSound: ({ bytes }) => isEmf(bytes) },
  ...['\xd7\xcd\xc6\x9a', '\x01\0\x09\0', '\x02\0\x09\0'].map((magic) =>
    start(magic, 'image/wmf', ({ bytes }) => isWmf(bytes)),
  ),
  start('BM', 'image/bmp', isBmp),
  start('\0\0\x01\0', 'image/vnd.microsoft.icon', ({ bytes }) => isIcon(bytes)),
  // A local entry, the end record of an empty archive, and the mark of a split one (APPNOTE 4.3).
  ...['PK\x03\x04', 'PK\x05\x06', 'PK\x07\x08'].map(zip),
  start('7z\xbc\xaf\x27\x1c', 'application/x-7z-compressed', is7z),
  start('Rar!\x1a\x07', 'application/vnd.rar', isRar),
  start('\x1f\x8b', 'application/gzip', isGzip),
  start('BZh', 'application/x-bzip2', isBzip2),
  start('\xfd7zXZ\0', 'application/x-xz', isXz),
  start('(\xb5/\xfd', 'application/zstd', isZstd),
  start('MSCF', 'application/vnd.ms-cab-compressed', isCab),
  { at: 7, magic: '**ACE**', type: 'application/x-ace-compressed', isSound: isAce },
  start('`\xea', 'application/x-arj', isArj),
  { at: 257, magic: 'ustar', type: 'application/x-tar', isSound: isTar },
  disk(32_769),
  disk(34_817),
  start('MZ', 'application/x-dosexec'),
  start('\x7fELF', 'application/x-executable'),
  start('\xfe\xed\xfa\xce', 'application/x-mach-binary'),
  start('\xfe\xed\xfa\xcf', 'application/x-mach-binary'),
  start('\xce\xfa\xed\xfe', 'application/x-mach-binary'),
  start('\xcf\xfa\xed\xfe', 'application/x-mach-binary'),
  // Also the magic of a fat Mach-O file.
  start('\xca\xfe\xba\xbe', 'application/java-vm'),
  start('dex\n', 'application/vnd.android.dex'),
  start('\0asm', 'application/wasm'),
  start('L\0\0\0\x01\x14\x02\0', 'application/x-ms-shortcut'),
  start('\xe4\x52\x5c\x7b\x8c\xd8\xa7\x4d', 'application/onenote'),
  // Files that macOS adds to an archive: resource forks and folder settings, which no program opens.
  start('\0\x05\x16\x07', 'application/applefile'),
  start('\0\0\0\x01Bud1', 'application/x-apple-folder-settings'),
  start('ITSF', 'application/vnd.ms-htmlhelp'),
  start('conectix', 'application/x-vhd'),
  start('vhdxfile', 'application/x-vhdx'),
  start('\x78\x9f\x3e\x22', 'application/vnd.ms-tnef', isTnef),
  start('{\\rt', 'application/rtf'),
];

/** Readers accept a PDF header anywhere within this many bytes (PDF 1.7, implementation note 13). */
const PDF_HEADER_BYTES = 1_024;

/** Returns bytes [start, end) as latin1, one character per byte. */
export function latin1(bytes: Uint8Array, start: number, end: number): string {
  return asBuffer(bytes).toString('latin1', start, end);
}

/** Returns whether a PDF header is near the start. The bytes before it may make the file something else. */
export function hasPdfHeader(bytes: Uint8Array): boolean {
  return latin1(bytes, 0, PDF_HEADER_BYTES).includes('%PDF-');
}

/** Returns the type by the first bytes, or null. PDF and compound files need more than the first bytes. */
export function signedType(bytes: Uint8Array): FileType | null {
  const file = archiveBytes(bytes);
  const found = SIGNATURES.find(
    ({ at, magic, isSound }) =>
      file.bytes.toString('latin1', at, at + magic.length) === magic && (isSound?.(file, at) ?? true),
  );
  return found?.type ?? null;
}

/** Returns true for bytes that begin like a file of some type, whether or not they are a whole one. */
export function beginsLikeFile(bytes: Uint8Array): boolean {
  return SIGNATURES.some(({ at, magic }) => latin1(bytes, at, at + magic.length) === magic);
}

/** Returns whether the blocks fit. Blocks of a GIF end with a NUL, which no text has. */
function isBinary({ bytes }: ArchiveBytes): boolean {
  return bytes.includes(0);
}

/** Returns whether the header fits. Many texts start with `BM`, so the header size after it must be one of the few that exist. */
function isBmp({ bytes, u32 }: ArchiveBytes): boolean {
  return bytes.length >= 18 && [12, 16, 40, 52, 56, 64, 108, 124].includes(u32(14));
}
