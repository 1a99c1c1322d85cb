/** Types of containers by what is in them: Office documents, archives, and the compound files of older programs. */
import { inflateRawSync } from 'node:zlib';
import { groupOf, isFileType } from '../file-types.ts';
import { latin1 } from '../signatures.ts';
import { type FileType, fileTypeOf } from './file-magic.ts';

const OOXML = 'application/vnd.openxmlformats-officedocument';
const ZIP = fileTypeOf('application/zip');
const JAR = fileTypeOf('application/java-archive');
const APK = fileTypeOf('application/vnd.android.package-archive');
const XLSB = fileTypeOf('application/vnd.ms-excel.sheet.binary.macroenabled.12');
/** Databases, master documents, formulas: for a program, and nothing that is disarmed. */
const OTHER_DOCUMENT: FileType = { ...ZIP, typeGroup: 'other' };

/** Office documents by the folder of their main part: without and with macros. */
const OFFICE_FOLDERS = [
  ['word/', `${OOXML}.wordprocessingml.document`, 'application/vnd.ms-word.document.macroenabled.12'],
  ['xl/', `${OOXML}.spreadsheetml.sheet`, 'application/vnd.ms-excel.sheet.macroenabled.12'],
  ['ppt/', `${OOXML}.presentationml.presentation`, 'application/vnd.ms-powerpoint.presentation.macroenabled.12'],
] as const;

/** Templates and slide shows: the same parts under another main type, and no program opens them by the wrong extension. */
const OFFICE_KINDS = [
  'wordprocessingml.template',
  'spreadsheetml.template',
  'presentationml.slideshow',
  'presentationml.template',
] as const;

/** A list of parts that inflates for ever: real ones are a few kilobytes. */
const LIST_BYTES = 1_048_576;
/** Central directories of a million entries: names are read up to here. */
const ENTRIES = 20_000;
/** A zip's end record is within its last 64 KiB of comment (APPNOTE 4.3.16). */
const END_SEARCH = 65_557;

/** Where the end record of a zip stands, or -1. */
export function zipEnd(bytes: Uint8Array): number {
  const from = Math.max(0, bytes.length - END_SEARCH);
  const at = latin1(bytes, from, bytes.length).lastIndexOf('PK\x05\x06');
  return at === -1 ? -1 : from + at;
}

interface ZipEntry {
  /** Lower case. */
  readonly name: string;
  readonly method: number;
  readonly packedSize: number;
  /** Of the local header. */
  readonly offset: number;
}

/** The entries that the central directory of a zip names. Empty when it cannot be followed. */
function zipEntries(bytes: Uint8Array): ZipEntry[] {
  const end = zipEnd(bytes);
  if (end === -1 || end + 20 > bytes.length) return [];
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  // What stands before the archive moves it: the directory ends where the end record begins.
  let at = Math.max(0, end - view.getUint32(end + 12, true));
  const shift = at - view.getUint32(end + 16, true);
  const entries: ZipEntry[] = [];
  while (entries.length < ENTRIES && at + 46 <= end && latin1(bytes, at, at + 4) === 'PK\x01\x02') {
    const length = view.getUint16(at + 28, true);
    entries.push({
      name: latin1(bytes, at + 46, at + 46 + length).toLowerCase(),
      method: view.getUint16(at + 10, true),
      packedSize: view.getUint32(at + 20, true),
      offset: view.getUint32(at + 42, true) + shift,
    });
    at += 46 + length + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
  }
  return entries;
}

/** The content of a small entry as latin1; empty when it is not to be had. */
function contentOf(bytes: Uint8Array, entry: ZipEntry | undefined): string {
  if (entry === undefined || entry.offset < 0 || entry.offset + 30 > bytes.length) return '';
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const start = entry.offset + 30 + view.getUint16(entry.offset + 26, true) + view.getUint16(entry.offset + 28, true);
  const packed = bytes.subarray(start, start + Math.min(entry.packedSize, LIST_BYTES));
  if (entry.method === 0) return latin1(packed, 0, packed.length);
  if (entry.method !== 8) return '';
  try {
    return inflateRawSync(packed, { maxOutputLength: LIST_BYTES }).toString('latin1');
  } catch {
    return '';
  }
}

/** The type of a zip by its entries; a plain archive when nothing says more. */
export function typeOfZip(bytes: Uint8Array): FileType {
  const entries = zipEntries(bytes);
  const names = entries.map(({ name }) => name);
  if (names.includes('androidmanifest.xml')) return APK;
  const found = openPackage(bytes, entries, names) ?? openDocument(bytes, entries);
  if (found !== null) return found;
  return names.includes('meta-inf/manifest.mf') || names.some((name) => name.endsWith('.class')) ? JAR : ZIP;
}

function openPackage(bytes: Uint8Array, entries: readonly ZipEntry[], names: readonly string[]): FileType | null {
  const list = entries.find(({ name }) => name === '[content_types].xml');
  const folder = OFFICE_FOLDERS.find(([prefix]) => names.some((name) => name.startsWith(prefix)));
  if (list === undefined || folder === undefined) return null;
  if (names.includes('xl/workbook.bin')) return XLSB;
  const [, plain, withMacros] = folder;
  if (names.some((name) => name.endsWith('vbaproject.bin') || name.includes('macrosheets/')))
    return fileTypeOf(withMacros);
  const content = contentOf(bytes, list).toLowerCase();
  const kind = OFFICE_KINDS.find((each) => content.includes(`${each}.main+xml`));
  return fileTypeOf(kind === undefined ? plain : `${OOXML}.${kind}`);
}

/** OpenDocument says its type in an entry of its own (OASIS OpenDocument 1.3, part 2, §3.3). */
function openDocument(bytes: Uint8Array, entries: readonly ZipEntry[]): FileType | null {
  const said = contentOf(
    bytes,
    entries.find(({ name }) => name === 'mimetype'),
  ).trim();
  if (!said.startsWith('application/vnd.oasis.opendocument.')) return null;
  // A flat document is no package.
  const isDocument = isFileType(said) && groupOf(said) === 'office' && !said.endsWith('-flat-xml');
  return isDocument ? fileTypeOf(said) : OTHER_DOCUMENT;
}

const DOC = fileTypeOf('application/msword');
const XLS = fileTypeOf('application/vnd.ms-excel');
const PPT = fileTypeOf('application/vnd.ms-powerpoint');
const MSG = fileTypeOf('application/vnd.ms-outlook');
const COMPOUND: FileType = { ...fileTypeOf('application/x-ole-storage'), extension: 'bin' };

export const COMPOUND_MAGIC = '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1';

/** First four bytes of the class id of a compound file's root, as they stand there, and what opens such a file. */
const ROOT_CLASSES: ReadonlyMap<string, FileType> = new Map([
  ['06090200', DOC],
  ['10080200', XLS],
  ['20080200', XLS],
  ['108d8164', PPT],
  ['0b0d0200', MSG],
  // Installers: packages, patches, transforms.
  ['84100c00', COMPOUND],
  ['86100c00', COMPOUND],
  ['82100c00', COMPOUND],
]);

/** Without a class id: streams, whose names stand in the file as UTF-16. The first that is there counts. */
const STREAMS: readonly (readonly [string, FileType])[] = [
  ['EncryptedPackage', fileTypeOf('application/encrypted')],
  ['WordDocument', DOC],
  ['PowerPoint Document', PPT],
  ['Workbook', XLS],
  ['Book', XLS],
  ['__properties_version1.0', MSG],
];

/** Offset of the class id in a directory entry, which starts with its name (MS-CFB 2.6.1). */
const CLASS_ID_OFFSET = 80;

/** The type of a compound file by its root's class, else by the streams it names; installers and unknown ones are `other`. */
export function typeOfCompoundFile(bytes: Uint8Array): FileType {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const root = buffer.indexOf(Buffer.from('Root Entry\0', 'utf16le'));
  const classId = root === -1 ? '' : buffer.toString('hex', root + CLASS_ID_OFFSET, root + CLASS_ID_OFFSET + 4);
  const byClass = ROOT_CLASSES.get(classId);
  if (byClass !== undefined) return byClass;
  return STREAMS.find(([name]) => buffer.includes(Buffer.from(`${name}\0`, 'utf16le')))?.[1] ?? COMPOUND;
}
