/**
 * The closed table of types that `detectType` names by itself: MIME type, customary extension, words for a person. All types are
 * lower case, so comparing two of them is plain equality.
 */
import type { DetectedType } from './engine.ts';

const OOXML = 'application/vnd.openxmlformats-officedocument';

const TABLE = {
  // Office Open XML
  [`${OOXML}.wordprocessingml.document`]: ['docx', 'Word document'],
  [`${OOXML}.wordprocessingml.template`]: ['dotx', 'Word template'],
  'application/vnd.ms-word.document.macroenabled.12': ['docm', 'Word document with macros'],
  'application/vnd.ms-word.template.macroenabled.12': ['dotm', 'Word template with macros'],
  [`${OOXML}.spreadsheetml.sheet`]: ['xlsx', 'Excel workbook'],
  [`${OOXML}.spreadsheetml.template`]: ['xltx', 'Excel template'],
  'application/vnd.ms-excel.sheet.macroenabled.12': ['xlsm', 'Excel workbook with macros'],
  'application/vnd.ms-excel.template.macroenabled.12': ['xltm', 'Excel template with macros'],
  'application/vnd.ms-excel.sheet.binary.macroenabled.12': ['xlsb', 'Excel binary workbook'],
  'application/vnd.ms-excel.addin.macroenabled.12': ['xlam', 'Excel add-in'],
  [`${OOXML}.presentationml.presentation`]: ['pptx', 'PowerPoint presentation'],
  [`${OOXML}.presentationml.slideshow`]: ['ppsx', 'PowerPoint slide show'],
  [`${OOXML}.presentationml.template`]: ['potx', 'PowerPoint template'],
  'application/vnd.ms-powerpoint.presentation.macroenabled.12': ['pptm', 'PowerPoint presentation with macros'],
  'application/vnd.ms-powerpoint.slideshow.macroenabled.12': ['ppsm', 'PowerPoint slide show with macros'],
  'application/vnd.ms-powerpoint.template.macroenabled.12': ['potm', 'PowerPoint template with macros'],
  'application/vnd.ms-powerpoint.addin.macroenabled.12': ['ppam', 'PowerPoint add-in'],
  'application/vnd.ms-xpsdocument': ['xps', 'XPS document'],
  // OpenDocument
  'application/vnd.oasis.opendocument.text': ['odt', 'OpenDocument text'],
  'application/vnd.oasis.opendocument.text-template': ['ott', 'OpenDocument text template'],
  'application/vnd.oasis.opendocument.spreadsheet': ['ods', 'OpenDocument spreadsheet'],
  'application/vnd.oasis.opendocument.spreadsheet-template': ['ots', 'OpenDocument spreadsheet template'],
  'application/vnd.oasis.opendocument.presentation': ['odp', 'OpenDocument presentation'],
  'application/vnd.oasis.opendocument.presentation-template': ['otp', 'OpenDocument presentation template'],
  'application/vnd.oasis.opendocument.graphics': ['odg', 'OpenDocument drawing'],
  'application/vnd.oasis.opendocument.graphics-template': ['otg', 'OpenDocument drawing template'],
  'application/vnd.oasis.opendocument.text-master': ['odm', 'OpenDocument master document'],
  'application/vnd.oasis.opendocument.text-flat-xml': ['fodt', 'flat OpenDocument text'],
  'application/vnd.oasis.opendocument.spreadsheet-flat-xml': ['fods', 'flat OpenDocument spreadsheet'],
  'application/vnd.oasis.opendocument.presentation-flat-xml': ['fodp', 'flat OpenDocument presentation'],
  'application/vnd.oasis.opendocument.graphics-flat-xml': ['fodg', 'flat OpenDocument drawing'],
  'application/vnd.oasis.opendocument.formula': ['odf', 'OpenDocument formula'],
  'application/vnd.oasis.opendocument.chart': ['odc', 'OpenDocument chart'],
  'application/vnd.oasis.opendocument.base': ['odb', 'OpenDocument database'],
  'application/epub+zip': ['epub', 'EPUB book'],
  // Compound files
  'application/msword': ['doc', 'Word 97-2003 document'],
  'application/vnd.ms-excel': ['xls', 'Excel 97-2003 workbook'],
  'application/vnd.ms-powerpoint': ['ppt', 'PowerPoint 97-2003 presentation'],
  'application/vnd.ms-outlook': ['msg', 'Outlook message'],
  'application/vnd.visio': ['vsd', 'Visio drawing'],
  'application/x-msi': ['msi', 'Windows installer package'],
  'application/encrypted': ['bin', 'Office document encrypted with a password'],
  'application/x-ole-storage': ['ole', 'compound file'],
  // Documents
  'application/pdf': ['pdf', 'PDF document'],
  'application/rtf': ['rtf', 'rich text document'],
  'application/postscript': ['ps', 'PostScript document'],
  'application/onenote': ['one', 'OneNote section'],
  'application/x-sylk': ['slk', 'SYLK spreadsheet'],
  'application/vnd.ms-htmlhelp': ['chm', 'compiled HTML help'],
  // Text and markup
  'text/plain': ['txt', 'plain text'],
  'text/html': ['html', 'HTML page'],
  'application/xhtml+xml': ['xhtml', 'XHTML page'],
  'image/svg+xml': ['svg', 'SVG drawing'],
  'text/xml': ['xml', 'XML document'],
  'application/x-spreadsheetml': ['xml', 'Excel 2003 workbook in XML'],
  'application/json': ['json', 'JSON data'],
  'text/csv': ['csv', 'comma-separated values'],
  'text/calendar': ['ics', 'calendar entry'],
  'text/vcard': ['vcf', 'contact card'],
  'text/css': ['css', 'style sheet'],
  // Mail
  'message/rfc822': ['eml', 'email message'],
  'multipart/related': ['mht', 'web archive'],
  'application/mbox': ['mbox', 'mailbox'],
  'application/vnd.ms-tnef': ['dat', 'Outlook TNEF attachment container'],
  // Scripts, shortcuts and other text that Windows runs or follows
  'text/javascript': ['js', 'JavaScript'],
  'text/vbscript': ['vbs', 'VBScript'],
  'application/x-powershell': ['ps1', 'PowerShell script'],
  'text/x-msdos-batch': ['bat', 'Windows batch file'],
  'application/hta': ['hta', 'HTML application'],
  'application/x-wsf': ['wsf', 'Windows script file'],
  'text/scriptlet': ['sct', 'Windows scriptlet'],
  'text/x-shellscript': ['sh', 'shell script'],
  'text/x-python': ['py', 'Python script'],
  'text/x-script': ['script', 'script'],
  'application/x-mswinurl': ['url', 'Internet shortcut'],
  'application/x-ms-shortcut': ['lnk', 'Windows shortcut'],
  'text/x-ms-iqy': ['iqy', 'Excel web query'],
  'text/x-ms-regedit': ['reg', 'Windows registry file'],
  'application/x-ms-link-file': ['xml', 'Windows file that opens a remote place'],
  // Executables
  'application/vnd.microsoft.portable-executable': ['exe', 'Windows program'],
  'application/x-dosexec': ['exe', 'DOS program'],
  'application/x-executable': ['elf', 'ELF program'],
  'application/x-mach-binary': ['macho', 'Mach-O program'],
  'application/java-archive': ['jar', 'Java archive'],
  'application/java-vm': ['class', 'Java class'],
  'application/vnd.android.package-archive': ['apk', 'Android package'],
  'application/wasm': ['wasm', 'WebAssembly module'],
  // Archives and disk images
  'application/zip': ['zip', 'zip archive'],
  'application/x-7z-compressed': ['7z', '7-Zip archive'],
  'application/vnd.rar': ['rar', 'RAR archive'],
  'application/gzip': ['gz', 'gzip archive'],
  'application/x-bzip2': ['bz2', 'bzip2 archive'],
  'application/x-xz': ['xz', 'xz archive'],
  'application/zstd': ['zst', 'Zstandard archive'],
  'application/x-tar': ['tar', 'tar archive'],
  'application/vnd.ms-cab-compressed': ['cab', 'cabinet archive'],
  'application/x-ace-compressed': ['ace', 'ACE archive'],
  'application/x-arj': ['arj', 'ARJ archive'],
  'application/x-lzh-compressed': ['lzh', 'LZH archive'],
  'application/x-iso9660-image': ['iso', 'CD or DVD image'],
  'application/x-vhd': ['vhd', 'virtual disk image'],
  'application/x-vhdx': ['vhdx', 'virtual disk image'],
  'application/x-apple-diskimage': ['dmg', 'Apple disk image'],
  // Pictures
  'image/jpeg': ['jpg', 'JPEG picture'],
  'image/png': ['png', 'PNG picture'],
  'image/gif': ['gif', 'GIF picture'],
  'image/webp': ['webp', 'WebP picture'],
  'image/tiff': ['tif', 'TIFF picture'],
  'image/bmp': ['bmp', 'BMP picture'],
  'image/vnd.microsoft.icon': ['ico', 'Windows icon'],
  'image/heic': ['heic', 'HEIC picture'],
  'image/avif': ['avif', 'AVIF picture'],
  'image/jxl': ['jxl', 'JPEG XL picture'],
  'image/jp2': ['jp2', 'JPEG 2000 picture'],
  'image/emf': ['emf', 'Windows enhanced metafile'],
  'image/wmf': ['wmf', 'Windows metafile'],
  'image/vnd.adobe.photoshop': ['psd', 'Photoshop picture'],
  'application/octet-stream': ['bin', 'data of an unknown type'],
} as const satisfies Record<string, readonly [extension: string, description: string]>;

export type FileType = keyof typeof TABLE;

/** All types of the table. */
export const FILE_TYPES = Object.keys(TABLE) as readonly FileType[];

/** The table's row for a type. */
export function describeType(type: FileType): DetectedType {
  const [extension, description] = TABLE[type];
  return { type, extension, description };
}

/** Whether a type named by somebody else is in the table. */
export function isFileType(type: string): type is FileType {
  return Object.hasOwn(TABLE, type);
}
