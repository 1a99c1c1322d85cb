/** Detects the type of a container, for policy: of Office documents, archives, and compound files of older programs. */
import { readAllDirectories, readZipMember, type ZipDirectory, type ZipMember } from '../archives/zip-directory.ts';
import type { FileGroup } from '../file-groups.ts';
import { groupOf, isFileType } from '../file-types.ts';
import { latin1 } from '../signatures.ts';
import { appleDocument, detectCfb, holdsMap } from './detect-container.ts';
import { saysNothing } from './file-declared.ts';
import { type FileHints, type FileType, fileTypeOf } from './file-magic.ts';
import { areAllCalled } from './file-names.ts';

const OOXML = 'application/vnd.openxmlformats-officedocument';
const ZIP = fileTypeOf('application/zip');
const KMZ = fileTypeOf('application/vnd.google-earth.kmz');
const EPUB = fileTypeOf('application/epub+zip');
const XPS = fileTypeOf('application/vnd.ms-xpsdocument');
const JAR = fileTypeOf('application/java-archive');
const APK = fileTypeOf('application/vnd.android.package-archive');
const XLSB = fileTypeOf('application/vnd.ms-excel.sheet.binary.macroenabled.12');
/** Databases, master documents and formulas. They are opened by a program and not disarmed. */
const OTHER_DOCUMENT: FileType = { ...ZIP, typeGroup: 'other' };

/** Office documents by the folder of their main part, without and with macros. */
const OFFICE_FOLDERS = [
  ['word/', `${OOXML}.wordprocessingml.document`, 'application/vnd.ms-word.document.macroenabled.12'],
  ['xl/', `${OOXML}.spreadsheetml.sheet`, 'application/vnd.ms-excel.sheet.macroenabled.12'],
  ['visio/', 'application/vnd.ms-visio.drawing', 'application/vnd.ms-visio.drawing.macroenabled.12'],
  ['ppt/', `${OOXML}.presentationml.presentation`, 'application/vnd.ms-powerpoint.presentation.macroenabled.12'],
] as const;

/** Templates and slide shows have the same parts under another main type. No program opens them by the wrong extension. */
const OFFICE_KINDS = [
  `${OOXML}.wordprocessingml.template`,
  `${OOXML}.spreadsheetml.template`,
  `${OOXML}.presentationml.slideshow`,
  `${OOXML}.presentationml.template`,
  'application/vnd.ms-visio.template',
] as const;

/** Bytes of a list of parts. Ordinary ones have a few kilobytes. */
const LIST_BYTES = 1_048_576;
/** Entries that are read of one directory. A directory may have a million. */
const ENTRIES = 20_000;

/** Groups that count when two directories differ, the most dangerous first. */
const WORST: readonly FileGroup[] = ['executable', 'other'];

/** Returns the type of a zip by its entries. It is a plain archive unless they say more. */
export function typeOfZip(bytes: Uint8Array, hints: FileHints): FileType {
  const directories = readAllDirectories(bytes, ENTRIES);
  if (isCalledMap(hints) && directories.every(({ members, complete }) => complete && holdsMap(namesOf(members))))
    return KMZ;
  const types = directories.map((directory) => typeOfDirectory(bytes, directory));
  const worst = WORST.map((group) => types.find(({ typeGroup }) => typeGroup === group)).find((type) => type);
  return worst ?? types[0] ?? ZIP;
}

const namesOf = (members: readonly ZipMember[]) => members.map(({ untrustedName }) => untrustedName.toLowerCase());

/** Returns whether the zip is a map with its pictures. Only names and the declared type distinguish it from any other zip. */
function isCalledMap({ untrustedNames, declaredType }: FileHints): boolean {
  const isDeclared = declaredType === KMZ.detectedType;
  const isCalled = areAllCalled(untrustedNames, /^kmz$/) && (untrustedNames.length > 0 || isDeclared);
  return isCalled && (isDeclared || declaredType === 'application/zip' || saysNothing(declaredType));
}

/**
 * Returns the type by one directory. If an entry is cut off, some programs may read others after it, so the file does not count as
 * harmless.
 */
function typeOfDirectory(bytes: Uint8Array, { members, complete }: ZipDirectory): FileType {
  const type = typeOfMembers(bytes, members);
  return complete || type.typeGroup === 'executable' ? type : { ...type, typeGroup: 'other' };
}

function typeOfMembers(bytes: Uint8Array, members: readonly ZipMember[]): FileType {
  const names = namesOf(members);
  if (names.includes('androidmanifest.xml')) return APK;
  const found = openPackage(bytes, members, names) ?? openDocument(bytes, members, names);
  if (found !== null) return found;
  const apple = appleDocument(names);
  if (apple !== null) return fileTypeOf(apple);
  return names.includes('meta-inf/manifest.mf') || names.some((name) => name.endsWith('.class')) ? JAR : ZIP;
}

/**
 * Returns the content of a small member as latin1. Returns null when it cannot be read. The flag of encryption in the directory is ignored,
 * because some programs ignore it.
 */
function contentOf(bytes: Uint8Array, member: ZipMember): string | null {
  const content = readZipMember(bytes, { ...member, encrypted: false }, LIST_BYTES);
  return content === null ? null : latin1(content, 0, content.length);
}

function openPackage(bytes: Uint8Array, members: readonly ZipMember[], names: readonly string[]): FileType | null {
  const list = members[names.indexOf('[content_types].xml')];
  const folder = OFFICE_FOLDERS.find(([prefix]) => names.some((name) => name.startsWith(prefix)));
  if (list === undefined) return null;
  if (folder === undefined)
    return /ms-package\.xps-fixeddocumentsequence\+xml/i.test(contentOf(bytes, list) ?? '') ? XPS : null;
  if (names.includes('xl/workbook.bin')) return XLSB;
  const [, plain, withMacros] = folder;
  if (names.some((name) => name.endsWith('vbaproject.bin') || name.includes('macrosheets/')))
    return fileTypeOf(withMacros);
  const content = contentOf(bytes, list)?.toLowerCase() ?? '';
  const kind = OFFICE_KINDS.find((each) => content.includes(`${each}.main+xml`));
  return fileTypeOf(kind ?? plain);
}

/** Returns the type in the separate entry of an OpenDocument file (OASIS OpenDocument 1.3, part 2, §3.3). */
function openDocument(bytes: Uint8Array, members: readonly ZipMember[], names: readonly string[]): FileType | null {
  const entry = members[names.indexOf('mimetype')];
  if (entry === undefined) return null;
  const said = contentOf(bytes, entry)?.trim();
  // A program that repairs files may read an entry that is damaged here.
  if (said === undefined) return OTHER_DOCUMENT;
  if (said === EPUB.detectedType) return EPUB;
  if (!said.startsWith('application/vnd.oasis.opendocument.')) return null;
  // A flat document is no package.
  const isDocument = isFileType(said) && groupOf(said) === 'office' && !said.endsWith('-flat-xml');
  return isDocument ? fileTypeOf(said) : OTHER_DOCUMENT;
}

/** The type of a compound file of an unknown program, or with an unreadable directory. */
const COMPOUND: FileType = { ...fileTypeOf('application/x-ole-storage'), extension: 'bin' };

export const COMPOUND_MAGIC = '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1';

/** Returns the type of a compound file: by the class of its root for installers, otherwise by the streams at its root. */
export function typeOfCompoundFile(bytes: Uint8Array): FileType {
  const type = detectCfb(bytes);
  return type === null || type === 'application/x-ole-storage' ? COMPOUND : fileTypeOf(type);
}
