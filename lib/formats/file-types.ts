/**
 * The closed table of types of files: MIME type, customary extension, words for a person, and the group that policy has a rule for.
 * All types are lower case, so comparing two of them is plain equality.
 */
import type { FileGroup } from './file-groups.ts';

const OOXML = 'application/vnd.openxmlformats-officedocument';

const TABLE = {
  // Office Open XML
  [`${OOXML}.wordprocessingml.document`]: ['docx', 'Word document', 'office'],
  [`${OOXML}.wordprocessingml.template`]: ['dotx', 'Word template', 'office'],
  'application/vnd.ms-word.document.macroenabled.12': ['docm', 'Word document with macros', 'office'],
  'application/vnd.ms-word.template.macroenabled.12': ['dotm', 'Word template with macros', 'office'],
  [`${OOXML}.spreadsheetml.sheet`]: ['xlsx', 'Excel workbook', 'office'],
  [`${OOXML}.spreadsheetml.template`]: ['xltx', 'Excel template', 'office'],
  'application/vnd.ms-excel.sheet.macroenabled.12': ['xlsm', 'Excel workbook with macros', 'office'],
  'application/vnd.ms-excel.template.macroenabled.12': ['xltm', 'Excel template with macros', 'office'],
  'application/vnd.ms-excel.sheet.binary.macroenabled.12': ['xlsb', 'Excel binary workbook', 'office'],
  'application/vnd.ms-excel.addin.macroenabled.12': ['xlam', 'Excel add-in', 'executable'],
  [`${OOXML}.presentationml.presentation`]: ['pptx', 'PowerPoint presentation', 'office'],
  [`${OOXML}.presentationml.slideshow`]: ['ppsx', 'PowerPoint slide show', 'office'],
  [`${OOXML}.presentationml.template`]: ['potx', 'PowerPoint template', 'office'],
  'application/vnd.ms-powerpoint.presentation.macroenabled.12': [
    'pptm',
    'PowerPoint presentation with macros',
    'office',
  ],
  'application/vnd.ms-powerpoint.slideshow.macroenabled.12': ['ppsm', 'PowerPoint slide show with macros', 'office'],
  'application/vnd.ms-powerpoint.template.macroenabled.12': ['potm', 'PowerPoint template with macros', 'office'],
  'application/vnd.ms-powerpoint.addin.macroenabled.12': ['ppam', 'PowerPoint add-in', 'executable'],
  'application/vnd.ms-xpsdocument': ['xps', 'XPS document', 'other'],
  // OpenDocument
  'application/vnd.oasis.opendocument.text': ['odt', 'OpenDocument text', 'office'],
  'application/vnd.oasis.opendocument.text-template': ['ott', 'OpenDocument text template', 'office'],
  'application/vnd.oasis.opendocument.spreadsheet': ['ods', 'OpenDocument spreadsheet', 'office'],
  'application/vnd.oasis.opendocument.spreadsheet-template': ['ots', 'OpenDocument spreadsheet template', 'office'],
  'application/vnd.oasis.opendocument.presentation': ['odp', 'OpenDocument presentation', 'office'],
  'application/vnd.oasis.opendocument.presentation-template': ['otp', 'OpenDocument presentation template', 'office'],
  'application/vnd.oasis.opendocument.graphics': ['odg', 'OpenDocument drawing', 'office'],
  'application/vnd.oasis.opendocument.graphics-template': ['otg', 'OpenDocument drawing template', 'office'],
  'application/vnd.oasis.opendocument.text-master': ['odm', 'OpenDocument master document', 'other'],
  'application/vnd.oasis.opendocument.text-flat-xml': ['fodt', 'flat OpenDocument text', 'office'],
  'application/vnd.oasis.opendocument.spreadsheet-flat-xml': ['fods', 'flat OpenDocument spreadsheet', 'office'],
  'application/vnd.oasis.opendocument.presentation-flat-xml': ['fodp', 'flat OpenDocument presentation', 'office'],
  'application/vnd.oasis.opendocument.graphics-flat-xml': ['fodg', 'flat OpenDocument drawing', 'office'],
  'application/vnd.oasis.opendocument.formula': ['odf', 'OpenDocument formula', 'other'],
  'application/vnd.oasis.opendocument.chart': ['odc', 'OpenDocument chart', 'other'],
  'application/vnd.oasis.opendocument.base': ['odb', 'OpenDocument database', 'other'],
  'application/epub+zip': ['epub', 'EPUB book', 'other'],
  // Compound files
  'application/msword': ['doc', 'Word 97-2003 document', 'office'],
  'application/vnd.ms-excel': ['xls', 'Excel 97-2003 workbook', 'office'],
  'application/vnd.ms-powerpoint': ['ppt', 'PowerPoint 97-2003 presentation', 'office'],
  'application/vnd.ms-outlook': ['msg', 'Outlook message', 'email'],
  'application/vnd.visio': ['vsd', 'Visio drawing', 'other'],
  'application/x-msi': ['msi', 'Windows installer package', 'executable'],
  'application/encrypted': ['bin', 'Office document encrypted with a password', 'office'],
  'application/x-ole-storage': ['ole', 'compound file', 'other'],
  // Documents
  'application/pdf': ['pdf', 'PDF document', 'pdf'],
  'application/rtf': ['rtf', 'rich text document', 'office'],
  'application/postscript': ['ps', 'PostScript document', 'other'],
  'application/onenote': ['one', 'OneNote section', 'other'],
  'application/x-sylk': ['slk', 'SYLK spreadsheet', 'other'],
  'application/vnd.ms-htmlhelp': ['chm', 'compiled HTML help', 'other'],
  // Text and markup
  'text/plain': ['txt', 'plain text', 'text'],
  'text/html': ['html', 'HTML page', 'html'],
  'application/xhtml+xml': ['xhtml', 'XHTML page', 'html'],
  'image/svg+xml': ['svg', 'SVG drawing', 'image'],
  'text/xml': ['xml', 'XML document', 'data'],
  'application/x-spreadsheetml': ['xml', 'Excel 2003 workbook in XML', 'data'],
  'application/json': ['json', 'JSON data', 'text'],
  'text/csv': ['csv', 'comma-separated values', 'data'],
  'text/calendar': ['ics', 'calendar entry', 'data'],
  'text/vcard': ['vcf', 'contact card', 'data'],
  'text/css': ['css', 'style sheet', 'other'],
  // Mail
  'message/rfc822': ['eml', 'email message', 'email'],
  'multipart/related': ['mht', 'web archive', 'email'],
  'application/mbox': ['mbox', 'mailbox', 'email'],
  'application/vnd.ms-tnef': ['dat', 'Outlook TNEF attachment container', 'email'],
  // Scripts, shortcuts and other text that Windows runs or follows
  'text/javascript': ['js', 'JavaScript', 'script'],
  'text/vbscript': ['vbs', 'VBScript', 'script'],
  'application/x-powershell': ['ps1', 'PowerShell script', 'script'],
  'text/x-msdos-batch': ['bat', 'Windows batch file', 'script'],
  'application/hta': ['hta', 'HTML application', 'script'],
  'application/x-wsf': ['wsf', 'Windows script file', 'script'],
  'text/scriptlet': ['sct', 'Windows scriptlet', 'script'],
  'text/x-shellscript': ['sh', 'shell script', 'script'],
  'text/x-python': ['py', 'Python script', 'script'],
  'text/x-script': ['script', 'script', 'script'],
  'application/x-mswinurl': ['url', 'Internet shortcut', 'other'],
  'application/x-ms-shortcut': ['lnk', 'Windows shortcut', 'other'],
  'text/x-ms-iqy': ['iqy', 'Excel web query', 'other'],
  'text/x-ms-regedit': ['reg', 'Windows registry file', 'script'],
  'application/x-ms-link-file': ['xml', 'Windows file that opens a remote place', 'other'],
  'application/x-acting-settings': ['cfg', 'settings that a program acts on', 'other'],
  // Executables
  'application/vnd.microsoft.portable-executable': ['exe', 'Windows program', 'executable'],
  'application/x-dosexec': ['exe', 'DOS program', 'executable'],
  'application/x-executable': ['elf', 'ELF program', 'executable'],
  'application/x-mach-binary': ['macho', 'Mach-O program', 'executable'],
  'application/java-archive': ['jar', 'Java archive', 'executable'],
  'application/java-vm': ['class', 'Java class', 'executable'],
  'application/vnd.android.package-archive': ['apk', 'Android package', 'executable'],
  'application/vnd.android.dex': ['dex', 'Android program', 'executable'],
  'application/wasm': ['wasm', 'WebAssembly module', 'executable'],
  // Archives and disk images
  'application/zip': ['zip', 'zip archive', 'archive'],
  'application/x-7z-compressed': ['7z', '7-Zip archive', 'archive'],
  'application/vnd.rar': ['rar', 'RAR archive', 'archive'],
  'application/gzip': ['gz', 'gzip archive', 'archive'],
  'application/x-bzip2': ['bz2', 'bzip2 archive', 'archive'],
  'application/x-xz': ['xz', 'xz archive', 'archive'],
  'application/zstd': ['zst', 'Zstandard archive', 'archive'],
  'application/x-tar': ['tar', 'tar archive', 'archive'],
  'application/vnd.ms-cab-compressed': ['cab', 'cabinet archive', 'archive'],
  'application/x-ace-compressed': ['ace', 'ACE archive', 'archive'],
  'application/x-arj': ['arj', 'ARJ archive', 'archive'],
  'application/x-lzh-compressed': ['lzh', 'LZH archive', 'archive'],
  'application/x-iso9660-image': ['iso', 'CD or DVD image', 'archive'],
  'application/x-vhd': ['vhd', 'virtual disk image', 'other'],
  'application/x-vhdx': ['vhdx', 'virtual disk image', 'other'],
  'application/x-apple-diskimage': ['dmg', 'Apple disk image', 'other'],
  // Pictures
  'image/jpeg': ['jpg', 'JPEG picture', 'image'],
  'image/png': ['png', 'PNG picture', 'image'],
  'image/gif': ['gif', 'GIF picture', 'image'],
  'image/webp': ['webp', 'WebP picture', 'image'],
  'image/tiff': ['tif', 'TIFF picture', 'image'],
  'image/bmp': ['bmp', 'BMP picture', 'image'],
  'image/vnd.microsoft.icon': ['ico', 'Windows icon', 'other'],
  'image/heic': ['heic', 'HEIC picture', 'other'],
  'image/avif': ['avif', 'AVIF picture', 'other'],
  'image/jxl': ['jxl', 'JPEG XL picture', 'other'],
  'image/jp2': ['jp2', 'JPEG 2000 picture', 'other'],
  'image/emf': ['emf', 'Windows enhanced metafile', 'other'],
  'image/wmf': ['wmf', 'Windows metafile', 'other'],
  'image/vnd.adobe.photoshop': ['psd', 'Photoshop picture', 'other'],
  // What macOS keeps beside files
  'application/applefile': ['bin', 'macOS resource fork', 'data'],
  'application/x-apple-folder-settings': ['bin', 'macOS folder settings', 'data'],
  'application/octet-stream': ['bin', 'data of an unknown type', 'other'],
} as const satisfies Record<string, readonly [extension: string, description: string, group: FileGroup]>;

export type FileType = keyof typeof TABLE;

/** One row of the table. */
export interface FileTypeRow {
  readonly type: FileType;
  /** Customary extension, lower case, no dot, at most 8 of [a-z0-9]. */
  readonly extension: string;
  readonly description: string;
}

/** All types of the table. */
export const FILE_TYPES = Object.keys(TABLE) as readonly FileType[];

/** The table's row for a type. */
export function describeType(type: FileType): FileTypeRow {
  const [extension, description] = TABLE[type];
  return { type, extension, description };
}

/** Whether a type named by somebody else is in the table. */
export function isFileType(type: string): type is FileType {
  return Object.hasOwn(TABLE, type);
}

/** The group of a type. A type that is not in the table is for a program that nobody here knows: `other`. */
export function groupOf(type: string): FileGroup {
  return isFileType(type) ? TABLE[type][2] : 'other';
}
