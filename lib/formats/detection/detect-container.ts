/** Detects the type of a container: Office Open XML, OpenDocument and Java by zip members, Office 97 and Outlook by streams. */
import { readZipDirectory, readZipMember, type ZipMember } from '../archives/zip-directory.ts';
import { decodeMarked } from '../charsets/text-encoding.ts';
import { openCompoundFile } from '../compound/compound-file.ts';
import type { FileType } from '../file-types.ts';
import { isFileType } from '../file-types.ts';

/** Members that are read to detect a type. The deciding ones are among the first, and reading 20,000 costs nothing. */
const MAX_MEMBERS = 20_000;
/** Bytes of a list of content types. Ordinary lists are smaller than 100 KB. */
const MAX_CONTENT_TYPES_BYTES = 4 * 1024 * 1024;
const MAX_MIMETYPE_BYTES = 256;

/** Main content types, the most dangerous first. A package that claims two is judged by the more dangerous one. */
const MAIN_CONTENT_TYPES: readonly (readonly [string, FileType])[] = [
  ['application/vnd.ms-word.document.macroenabled.main+xml', 'application/vnd.ms-word.document.macroenabled.12'],
  [
    'application/vnd.ms-word.template.macroenabledtemplate.main+xml',
    'application/vnd.ms-word.template.macroenabled.12',
  ],
  ['application/vnd.ms-excel.sheet.macroenabled.main+xml', 'application/vnd.ms-excel.sheet.macroenabled.12'],
  ['application/vnd.ms-excel.template.macroenabled.main+xml', 'application/vnd.ms-excel.template.macroenabled.12'],
  ['application/vnd.ms-excel.addin.macroenabled.main+xml', 'application/vnd.ms-excel.addin.macroenabled.12'],
  ['application/vnd.ms-excel.sheet.binary.macroenabled.main', 'application/vnd.ms-excel.sheet.binary.macroenabled.12'],
  [
    'application/vnd.ms-powerpoint.presentation.macroenabled.main+xml',
    'application/vnd.ms-powerpoint.presentation.macroenabled.12',
  ],
  [
    'application/vnd.ms-powerpoint.slideshow.macroenabled.main+xml',
    'application/vnd.ms-powerpoint.slideshow.macroenabled.12',
  ],
  [
    'application/vnd.ms-powerpoint.template.macroenabled.main+xml',
    'application/vnd.ms-powerpoint.template.macroenabled.12',
  ],
  ['application/vnd.ms-powerpoint.addin.macroenabled.main+xml', 'application/vnd.ms-powerpoint.addin.macroenabled.12'],
  ['application/vnd.ms-visio.drawing.macroenabled.main+xml', 'application/vnd.ms-visio.drawing.macroenabled.12'],
  ['application/vnd.ms-visio.template.macroenabled.main+xml', 'application/vnd.ms-visio.template.macroenabled.12'],
  ['application/vnd.ms-visio.drawing.main+xml', 'application/vnd.ms-visio.drawing'],
  ['application/vnd.ms-visio.template.main+xml', 'application/vnd.ms-visio.template'],
  ...(
    [
      'wordprocessingml.document',
      'wordprocessingml.template',
      'spreadsheetml.sheet',
      'spreadsheetml.template',
      'presentationml.presentation',
      'presentationml.slideshow',
      'presentationml.template',
    ] as const
  ).map((name): [string, FileType] => [
    `application/vnd.openxmlformats-officedocument.${name}.main+xml`,
    `application/vnd.openxmlformats-officedocument.${name}`,
  ]),
  ['application/vnd.ms-package.xps-fixeddocumentsequence+xml', 'application/vnd.ms-xpsdocument'],
];

/** Parts that only Pages, Numbers and Keynote write, by lower-case name: of 2013 and later, and before. */
const APPLE_PARTS = ['index/document.iwa', 'index.zip', 'index.apxl', 'index.xml.gz', 'buildversionhistory.plist'];

/** Returns the type of a document of Apple's programs with these names (in lower case), by its preview. Returns null for any other zip. */
export function appleDocument(names: readonly string[]): FileType | null {
  const has = (...wanted: readonly string[]) => wanted.some((name) => names.includes(name));
  const isDocument =
    has(...APPLE_PARTS) && (has('index/document.iwa', 'index.zip', 'index.apxl') || has('quicklook/preview.pdf'));
  if (!isDocument) return null;
  if (has('quicklook/preview.pdf', 'preview.pdf')) return 'application/vnd.apple.iwork.pdf';
  const hasPicture = has('preview.jpg', 'quicklook/preview.jpg', 'preview-web.jpg');
  return hasPicture ? 'application/vnd.apple.iwork.picture' : 'application/vnd.apple.iwork';
}

/**
 * Returns whether a zip with these names (in lower case) has a map outside of all folders. Only its name shows that a program for maps
 * opens it.
 */
export function holdsMap(names: readonly string[]): boolean {
  return names.some((name) => /^[^/\\]+\.kml$/.test(name));
}

/** Returns the type of a zip file. Returns null when the bytes hold no zip directory. `extension`: of its name, in lower case. */
export function detectZip(bytes: Uint8Array, extension: string): FileType | null {
  const directory = readZipDirectory(bytes, MAX_MEMBERS);
  if (directory === null) return null;
  const members = new Map(directory.members.map((member) => [member.untrustedName.toLowerCase(), member]));
  return (
    openPackageType(bytes, members) ??
    mimetypeMember(bytes, members) ??
    manifestType(bytes, members) ??
    appleDocument([...members.keys()]) ??
    (members.has('androidmanifest.xml') ? 'application/vnd.android.package-archive' : null) ??
    (members.has('meta-inf/manifest.mf') ? 'application/java-archive' : null) ??
    (extension === 'kmz' && holdsMap([...members.keys()]) ? 'application/vnd.google-earth.kmz' : null) ??
    'application/zip'
  );
}

function openPackageType(bytes: Uint8Array, members: ReadonlyMap<string, ZipMember>): FileType | null {
  const list = members.get('[content_types].xml');
  if (list === undefined) return null;
  const content = readZipMember(bytes, list, MAX_CONTENT_TYPES_BYTES);
  if (content !== null) {
    const text = withoutUnusedDefaults(decodeMarked(content).toLowerCase(), members);
    const main = MAIN_CONTENT_TYPES.find(
      ([contentType]) => text.includes(`"${contentType}"`) || text.includes(`'${contentType}'`),
    );
    if (main !== undefined) return main[1];
  }
  // When the list is damaged or false, the folders still show which program opens the file.
  const has = (folder: string) => [...members.keys()].some((name) => name.startsWith(folder));
  if (has('word/')) return 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
  if (has('xl/')) return 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
  if (has('visio/')) return 'application/vnd.ms-visio.drawing';
  if (has('ppt/')) return 'application/vnd.openxmlformats-officedocument.presentationml.presentation';
  return null;
}

/**
 * Returns the list without types for extensions that no part of the package has. Some programs declare such types in plain workbooks, even
 * the type of binary workbooks.
 */
function withoutUnusedDefaults(list: string, members: ReadonlyMap<string, ZipMember>): string {
  const names = [...members.keys()];
  return list.replace(/<(?:[\w.-]+:)?default\s[^<>]*>/g, (row) => {
    const extension = /\sextension\s*=\s*["']([a-z0-9]{1,20})["']/.exec(row)?.[1];
    return extension === undefined || names.some((name) => name.endsWith(`.${extension}`)) ? row : '';
  });
}

function mimetypeMember(bytes: Uint8Array, members: ReadonlyMap<string, ZipMember>): FileType | null {
  const member = members.get('mimetype');
  if (member === undefined) return null;
  const content = readZipMember(bytes, member, MAX_MIMETYPE_BYTES);
  if (content === null) return null;
  const type = decodeMarked(content).trim().toLowerCase();
  const known = type.startsWith('application/vnd.oasis.opendocument.') || type === 'application/epub+zip';
  return known && isFileType(type) ? type : null;
}

/** Returns the type of an OpenDocument file without its first entry. Office programs then read the manifest, and last the content. */
function manifestType(bytes: Uint8Array, members: ReadonlyMap<string, ZipMember>): FileType | null {
  const manifest = members.get('meta-inf/manifest.xml');
  if (manifest === undefined || !members.has('content.xml')) return null;
  const content = readZipMember(bytes, manifest, MAX_CONTENT_TYPES_BYTES);
  const named = /"(application\/vnd\.oasis\.opendocument\.[a-z-]{1,40})"/.exec(
    content === null ? '' : decodeMarked(content),
  );
  const type = named?.[1] ?? '';
  return isFileType(type) ? type : 'application/vnd.oasis.opendocument.text';
}

/** Root class ids, in file order, of files for the Windows installer: packages, patches, transforms. */
const INSTALLER_CLSIDS = ['84', '86', '82'].map((first) => `${first}100c0000000000c000000000000046`);

/** Streams at the root that only one program writes. An encrypted document has only the first one. */
const CFB_STREAMS: readonly (readonly [RegExp, FileType])[] = [
  [/^EncryptedPackage$/i, 'application/encrypted'],
  [/^WordDocument$/i, 'application/msword'],
  [/^(Workbook|Book)$/i, 'application/vnd.ms-excel'],
  [/^PowerPoint Document$/i, 'application/vnd.ms-powerpoint'],
  [/^__properties_version1\.0$/i, 'application/vnd.ms-outlook'],
  [/^VisioDocument$/i, 'application/vnd.visio'],
];

/** Returns the type of a compound file. Returns null when the bytes are none. */
export function detectCfb(bytes: Uint8Array): FileType | null {
  // A sector that is cut short counts as missing, because half a directory does not show a type.
  const sectorBytes = bytes[0x1e] === 12 ? 4_096 : 512;
  const whole = bytes.subarray(0, bytes.length - (bytes.length % sectorBytes));
  const root = openCompoundFile(whole, { onFault: () => undefined })?.root;
  if (root === undefined) return null;
  if (INSTALLER_CLSIDS.includes(root.clsid)) return 'application/x-msi';
  for (const [name, type] of CFB_STREAMS) {
    if (root.children.some(({ untrustedName }) => name.test(untrustedName))) return type;
  }
  return 'application/x-ole-storage';
}
