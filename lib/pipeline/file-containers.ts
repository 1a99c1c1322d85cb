/** Types of containers by what is in them: Office documents, archives, and the compound files of older programs. */
import { type FileType, latin1 } from './file-magic.ts';

const OOXML = 'application/vnd.openxmlformats-officedocument';
const office = (detectedType: string, extension: string): FileType => ({
  detectedType,
  extension,
  typeGroup: 'office',
});
const ZIP: FileType = { detectedType: 'application/zip', extension: 'zip', typeGroup: 'archive' };
const JAR: FileType = { detectedType: 'application/java-archive', extension: 'jar', typeGroup: 'executable' };
const APK: FileType = {
  detectedType: 'application/vnd.android.package-archive',
  extension: 'apk',
  typeGroup: 'executable',
};

/** Office documents by the folder of their main part: without and with macros. */
const OFFICE_FOLDERS: readonly (readonly [string, FileType, FileType])[] = [
  [
    'word/',
    office(`${OOXML}.wordprocessingml.document`, 'docx'),
    office('application/vnd.ms-word.document.macroenabled.12', 'docm'),
  ],
  [
    'xl/',
    office(`${OOXML}.spreadsheetml.sheet`, 'xlsx'),
    office('application/vnd.ms-excel.sheet.macroenabled.12', 'xlsm'),
  ],
  [
    'ppt/',
    office(`${OOXML}.presentationml.presentation`, 'pptx'),
    office('application/vnd.ms-powerpoint.presentation.macroenabled.12', 'pptm'),
  ],
];

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

/** Names in the central directory of a zip. Empty when it cannot be followed. */
function zipNames(bytes: Uint8Array): string[] {
  const end = zipEnd(bytes);
  if (end === -1 || end + 20 > bytes.length) return [];
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  // What stands before the archive moves it: the directory ends where the end record begins.
  let at = Math.max(0, end - view.getUint32(end + 12, true));
  const names: string[] = [];
  while (names.length < ENTRIES && at + 46 <= end && latin1(bytes, at, at + 4) === 'PK\x01\x02') {
    const length = view.getUint16(at + 28, true);
    names.push(latin1(bytes, at + 46, at + 46 + length));
    at += 46 + length + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
  }
  return names;
}

/** The type of a zip by its entries; a plain archive when nothing says more. */
export function typeOfZip(bytes: Uint8Array): FileType {
  const names = zipNames(bytes).map((name) => name.toLowerCase());
  if (names.includes('androidmanifest.xml')) return APK;
  if (names.includes('[content_types].xml')) {
    const hasMacro = names.some((name) => name.endsWith('vbaproject.bin') || name.includes('macrosheets/'));
    const folder = OFFICE_FOLDERS.find(([prefix]) => names.some((name) => name.startsWith(prefix)));
    if (folder !== undefined) return hasMacro ? folder[2] : folder[1];
  }
  return names.includes('meta-inf/manifest.mf') || names.some((name) => name.endsWith('.class')) ? JAR : ZIP;
}

const DOC = office('application/msword', 'doc');
const XLS = office('application/vnd.ms-excel', 'xls');
const PPT = office('application/vnd.ms-powerpoint', 'ppt');
const MSG: FileType = { detectedType: 'application/vnd.ms-outlook', extension: 'msg', typeGroup: 'email' };
const COMPOUND: FileType = { detectedType: 'application/x-ole-storage', extension: 'bin', typeGroup: 'other' };

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
  ['EncryptedPackage', office('application/encrypted', 'bin')],
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
