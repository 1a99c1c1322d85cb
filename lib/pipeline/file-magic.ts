/** What bytes say by their signature. A closed table without dependencies: this runs in the parse lambda. */
import type { TypeGroup } from './model.ts';

export interface FileType {
  readonly detectedType: string;
  /** One to eight of [a-z0-9]. */
  readonly extension: string;
  readonly typeGroup: TypeGroup;
}

export interface FileHints {
  /** Every name claimed for the file. */
  readonly untrustedNames: readonly string[];
  /** Lower-case `type/subtype` as declared; empty when nothing was. */
  readonly declaredType: string;
  readonly role: 'body' | 'attachment' | 'file';
  /** The header of the part, when it stands in a message. */
  readonly untrustedHeader?: string;
}

const type = (detectedType: string, extension: string, typeGroup: TypeGroup): FileType => ({
  detectedType,
  extension,
  typeGroup,
});

export const UNKNOWN: FileType = type('application/octet-stream', 'bin', 'other');
export const PDF: FileType = type('application/pdf', 'pdf', 'pdf');

interface Signature {
  readonly at: number;
  readonly magic: string;
  readonly type: FileType;
}

/** Offset and signature, bytes written as latin1. The first that fits is the type. */
const SIGNATURES: readonly Signature[] = [
  { at: 0, magic: '\x89PNG\r\n\x1a\n', type: type('image/png', 'png', 'image') },
  { at: 0, magic: '\xff\xd8\xff', type: type('image/jpeg', 'jpg', 'image') },
  { at: 0, magic: 'GIF87a', type: type('image/gif', 'gif', 'image') },
  { at: 0, magic: 'GIF89a', type: type('image/gif', 'gif', 'image') },
  { at: 0, magic: 'II*\0', type: type('image/tiff', 'tif', 'image') },
  { at: 0, magic: 'MM\0*', type: type('image/tiff', 'tif', 'image') },
  { at: 0, magic: '\0\0\x01\0', type: type('image/vnd.microsoft.icon', 'ico', 'other') },
  { at: 0, magic: '7z\xbc\xaf\x27\x1c', type: type('application/x-7z-compressed', '7z', 'archive') },
  { at: 0, magic: 'Rar!\x1a\x07', type: type('application/vnd.rar', 'rar', 'archive') },
  { at: 0, magic: '\x1f\x8b', type: type('application/gzip', 'gz', 'archive') },
  { at: 0, magic: 'BZh', type: type('application/x-bzip2', 'bz2', 'archive') },
  { at: 0, magic: '\xfd7zXZ\0', type: type('application/x-xz', 'xz', 'archive') },
  { at: 0, magic: '(\xb5/\xfd', type: type('application/zstd', 'zst', 'archive') },
  { at: 0, magic: 'MSCF', type: type('application/vnd.ms-cab-compressed', 'cab', 'archive') },
  { at: 7, magic: '**ACE**', type: type('application/x-ace-compressed', 'ace', 'archive') },
  { at: 0, magic: '`\xea', type: type('application/x-arj', 'arj', 'archive') },
  { at: 257, magic: 'ustar', type: type('application/x-tar', 'tar', 'archive') },
  { at: 32_769, magic: 'CD001', type: type('application/x-iso9660-image', 'iso', 'archive') },
  { at: 34_817, magic: 'CD001', type: type('application/x-iso9660-image', 'iso', 'archive') },
  { at: 0, magic: 'MZ', type: type('application/x-dosexec', 'exe', 'executable') },
  { at: 0, magic: '\x7fELF', type: type('application/x-executable', 'elf', 'executable') },
  { at: 0, magic: '\xfe\xed\xfa\xce', type: type('application/x-mach-binary', 'macho', 'executable') },
  { at: 0, magic: '\xfe\xed\xfa\xcf', type: type('application/x-mach-binary', 'macho', 'executable') },
  { at: 0, magic: '\xce\xfa\xed\xfe', type: type('application/x-mach-binary', 'macho', 'executable') },
  { at: 0, magic: '\xcf\xfa\xed\xfe', type: type('application/x-mach-binary', 'macho', 'executable') },
  // Also the magic of a fat Mach-O file.
  { at: 0, magic: '\xca\xfe\xba\xbe', type: type('application/java-vm', 'class', 'executable') },
  { at: 0, magic: 'dex\n', type: type('application/vnd.android.dex', 'dex', 'executable') },
  { at: 0, magic: '\0asm', type: type('application/wasm', 'wasm', 'executable') },
  { at: 0, magic: 'L\0\0\0\x01\x14\x02\0', type: type('application/x-ms-shortcut', 'lnk', 'other') },
  { at: 0, magic: '\xe4\x52\x5c\x7b\x8c\xd8\xa7\x4d', type: type('application/onenote', 'one', 'other') },
  // What macOS puts beside the files of an archive: resource forks and folder settings, which no program opens.
  { at: 0, magic: '\0\x05\x16\x07', type: type('application/applefile', 'bin', 'data') },
  { at: 0, magic: '\0\0\0\x01Bud1', type: type('application/x-apple-folder-settings', 'bin', 'data') },
  { at: 0, magic: 'ITSF', type: type('application/vnd.ms-htmlhelp', 'chm', 'other') },
  { at: 0, magic: 'conectix', type: type('application/x-vhd', 'vhd', 'other') },
  { at: 0, magic: 'vhdxfile', type: type('application/x-vhdx', 'vhdx', 'other') },
  { at: 0, magic: '\x78\x9f\x3e\x22', type: type('application/vnd.ms-tnef', 'dat', 'email') },
  { at: 0, magic: '{\\rt', type: type('application/rtf', 'rtf', 'office') },
];

/** Bytes [start, end) as latin1, one character per byte. */
export function latin1(bytes: Uint8Array, start: number, end: number): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1', start, end);
}

/** The type by signature, or null. Containers that need a look inside (zip, compound file) and PDF are not among them. */
export function typeBySignature(bytes: Uint8Array): FileType | null {
  const found = SIGNATURES.find(({ at, magic }) => latin1(bytes, at, at + magic.length) === magic);
  if (found !== undefined) return found.type;
  if (latin1(bytes, 0, 4) === 'RIFF' && latin1(bytes, 8, 12) === 'WEBP') return type('image/webp', 'webp', 'image');
  return isBmp(bytes) ? type('image/bmp', 'bmp', 'image') : null;
}

/** `BM` alone is the start of many texts: the header size that follows is one of the few that exist. */
function isBmp(bytes: Uint8Array): boolean {
  if (latin1(bytes, 0, 2) !== 'BM' || bytes.length < 18) return false;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return [12, 16, 40, 52, 56, 64, 108, 124].includes(view.getUint32(14, true));
}
