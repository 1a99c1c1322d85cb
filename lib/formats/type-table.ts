/**
 * The one table of file types. A row has the name of a type for people, its group for policy, the module that disarms it, and the
 * reader that inspects it a second time. All types are lower case, so that they can be compared with `===`. `file-types.ts` answers
 * questions about the table.
 */
import type { FileGroup } from './file-groups.ts';

/** The modules that disarm, by the names under which disarm/disarm.ts loads them. */
export type DisarmName =
  | (
      | 'text'
      | 'source'
      | 'html'
      | 'xhtml'
      | 'svg'
      | 'csv'
      | 'calendar'
      | 'xml'
      | 'spreadsheet-xml'
      | 'image'
      | 'pdf'
      | 'rtf'
    )
  | (
      | 'office'
      | 'encrypted'
      | 'odf'
      | 'doc'
      | 'xls'
      | 'ppt'
      | 'eml'
      | 'mht'
      | 'msg'
      | 'tnef'
      | 'zip'
      | 'archive'
      | 'gzip'
      | 'media'
      | 'kml'
      | 'kmz'
      | 'flat-package'
      | 'word-xml'
      | 'binary-workbook'
      | 'epub'
      | 'iwork'
      | 'xps'
      | 'metafile'
    );

/** The readers of the second look, by their names in inspect/second-look.ts. */
export type SecondLookName =
  | ('text' | 'page' | 'svg' | 'table' | 'calendar' | 'xml' | 'picture' | 'pdf' | 'rich-text')
  | ('office' | 'legacy-office' | 'open-document' | 'mail' | 'archived-pages' | 'archive' | 'media')
  | ('map' | 'packed-map' | 'book' | 'fixed-pages' | 'packed-file' | 'flat-package' | 'binary-workbook')
  | ('spreadsheet-xml' | 'word-xml' | 'metafile' | 'outlook-message');

/** The way in which files of a type become safe. */
export interface Treatment {
  /** Absent when no module disarms them. */
  readonly disarm?: DisarmName;
  /** Absent when no reader checks their content. */
  readonly secondLook?: SecondLookName;
  /** Whether a disarm writes files of the type. A type that is only read becomes another type (disarm/conversions.ts). */
  readonly isWritten?: true;
  /** Whether a message may carry a disarmed file of the type. */
  readonly isDelivered?: true;
}

const writes = <const D extends DisarmName, const L extends SecondLookName>(disarm: D, secondLook: L) =>
  ({ disarm, secondLook, isWritten: true, isDelivered: true }) as const satisfies Treatment;
/** Types that only the command line and archives return. No message carries them. */
const writesInside = <const D extends DisarmName, const L extends SecondLookName>(disarm: D, secondLook: L) =>
  ({ disarm, secondLook, isWritten: true }) as const satisfies Treatment;
const reads = (disarm: DisarmName, secondLook?: SecondLookName): Pick<Treatment, 'disarm' | 'secondLook'> =>
  secondLook === undefined ? { disarm } : { disarm, secondLook };

/** Code becomes a text under a name that starts no program. */
const SOURCE = reads('source', 'text');
const PACKAGE = writes('office', 'office');
const MACROS = reads('office', 'office');
/** Our disarm writes xlsx instead. Another service may keep the type. */
const XLSB = { ...reads('binary-workbook', 'binary-workbook'), isDelivered: true } as const satisfies Treatment;

const OOXML = 'application/vnd.openxmlformats-officedocument';
const ODF = 'application/vnd.oasis.opendocument';

export const TYPE_TABLE = {
  // Office Open XML
  [`${OOXML}.wordprocessingml.document`]: ['docx', 'Word document', 'office', PACKAGE],
  [`${OOXML}.wordprocessingml.template`]: ['dotx', 'Word template', 'office', PACKAGE],
  'application/vnd.ms-word.document.macroenabled.12': ['docm', 'Word document with macros', 'office', MACROS],
  'application/vnd.ms-word.template.macroenabled.12': ['dotm', 'Word template with macros', 'office', MACROS],
  [`${OOXML}.spreadsheetml.sheet`]: ['xlsx', 'Excel workbook', 'office', PACKAGE],
  [`${OOXML}.spreadsheetml.template`]: ['xltx', 'Excel template', 'office', PACKAGE],
  'application/vnd.ms-excel.sheet.macroenabled.12': ['xlsm', 'Excel workbook with macros', 'office', MACROS],
  'application/vnd.ms-excel.template.macroenabled.12': ['xltm', 'Excel template with macros', 'office', MACROS],
  'application/vnd.ms-excel.sheet.binary.macroenabled.12': ['xlsb', 'Excel binary workbook', 'office', XLSB],
  'application/vnd.ms-excel.addin.macroenabled.12': ['xlam', 'Excel add-in', 'executable'],
  [`${OOXML}.presentationml.presentation`]: ['pptx', 'PowerPoint presentation', 'office', PACKAGE],
  [`${OOXML}.presentationml.slideshow`]: ['ppsx', 'PowerPoint slide show', 'office', PACKAGE],
  [`${OOXML}.presentationml.template`]: ['potx', 'PowerPoint template', 'office', PACKAGE],
  'application/vnd.ms-powerpoint.presentation.macroenabled.12': [
    'pptm',
    'PowerPoint presentation with macros',
    'office',
    MACROS,
  ],
  'application/vnd.ms-powerpoint.slideshow.macroenabled.12': [
    'ppsm',
    'PowerPoint slide show with macros',
    'office',
    MACROS,
  ],
  'application/vnd.ms-powerpoint.template.macroenabled.12': [
    'potm',
    'PowerPoint template with macros',
    'office',
    MACROS,
  ],
  'application/vnd.ms-powerpoint.addin.macroenabled.12': ['ppam', 'PowerPoint add-in', 'executable'],
  'application/vnd.ms-visio.drawing': ['vsdx', 'Visio drawing', 'office', PACKAGE],
  'application/vnd.ms-visio.template': ['vstx', 'Visio template', 'office', PACKAGE],
  'application/vnd.ms-visio.drawing.macroenabled.12': ['vsdm', 'Visio drawing with macros', 'office', MACROS],
  'application/vnd.ms-visio.template.macroenabled.12': ['vstm', 'Visio template with macros', 'office', MACROS],
  'application/vnd.ms-xpsdocument': ['xps oxps', 'XPS document', 'office', writes('xps', 'fixed-pages')],
  // OpenDocument
  [`${ODF}.text`]: ['odt', 'OpenDocument text', 'office', writes('odf', 'open-document')],
  [`${ODF}.text-template`]: ['ott', 'OpenDocument text template', 'office', writes('odf', 'open-document')],
  [`${ODF}.spreadsheet`]: ['ods', 'OpenDocument spreadsheet', 'office', writes('odf', 'open-document')],
  [`${ODF}.spreadsheet-template`]: [
    'ots',
    'OpenDocument spreadsheet template',
    'office',
    writes('odf', 'open-document'),
  ],
  [`${ODF}.presentation`]: ['odp', 'OpenDocument presentation', 'office', writes('odf', 'open-document')],
  [`${ODF}.presentation-template`]: [
    'otp',
    'OpenDocument presentation template',
    'office',
    writes('odf', 'open-document'),
  ],
  [`${ODF}.graphics`]: ['odg', 'OpenDocument drawing', 'office', writes('odf', 'open-document')],
  [`${ODF}.graphics-template`]: ['otg', 'OpenDocument drawing template', 'office', writes('odf', 'open-document')],
  [`${ODF}.text-master`]: ['odm', 'OpenDocument master document', 'other', writesInside('odf', 'open-document')],
  [`${ODF}.text-flat-xml`]: ['fodt', 'flat OpenDocument text', 'office', writes('odf', 'open-document')],
  [`${ODF}.spreadsheet-flat-xml`]: ['fods', 'flat OpenDocument spreadsheet', 'office', writes('odf', 'open-document')],
  [`${ODF}.presentation-flat-xml`]: [
    'fodp',
    'flat OpenDocument presentation',
    'office',
    writes('odf', 'open-document'),
  ],
  [`${ODF}.graphics-flat-xml`]: ['fodg', 'flat OpenDocument drawing', 'office', writes('odf', 'open-document')],
  [`${ODF}.formula`]: ['odf', 'OpenDocument formula', 'other'],
  [`${ODF}.chart`]: ['odc', 'OpenDocument chart', 'other'],
  [`${ODF}.base`]: ['odb', 'OpenDocument database', 'other'],
  'application/epub+zip': ['epub', 'EPUB book', 'office', writes('epub', 'book')],
  // Documents of Apple's programs, by the preview in them
  'application/vnd.apple.iwork.pdf': ['pages numbers key', 'Pages, Numbers or Keynote document', 'pdf', reads('iwork')],
  'application/vnd.apple.iwork.picture': [
    'pages numbers key',
    'Pages, Numbers or Keynote document',
    'image',
    reads('iwork'),
  ],
  'application/vnd.apple.iwork': ['pages numbers key', 'Pages, Numbers or Keynote document without a preview', 'other'],
  // Compound files
  'application/msword': ['doc', 'Word 97-2003 document', 'office', writes('doc', 'legacy-office')],
  'application/vnd.ms-excel': ['xls', 'Excel 97-2003 workbook', 'office', writes('xls', 'legacy-office')],
  'application/vnd.ms-powerpoint': ['ppt', 'PowerPoint 97-2003 presentation', 'office', writes('ppt', 'legacy-office')],
  'application/vnd.ms-outlook': ['msg', 'Outlook message', 'email', reads('msg', 'outlook-message')],
  'application/vnd.visio': ['vsd', 'Visio 2003-2010 drawing', 'other'],
  'application/x-msi': ['msi', 'Windows installer package', 'executable'],
  'application/encrypted': ['bin', 'Office document encrypted with a password', 'office', reads('encrypted')],
  'application/x-ole-storage': ['ole', 'compound file', 'other'],
  // Documents
  'application/pdf': ['pdf', 'PDF document', 'pdf', writes('pdf', 'pdf')],
  'application/rtf': ['rtf', 'rich text document', 'office', writes('rtf', 'rich-text')],
  'application/postscript': ['ps', 'PostScript document', 'other'],
  'application/onenote': ['one', 'OneNote section', 'other'],
  'application/x-sylk': ['slk', 'SYLK spreadsheet', 'other'],
  'application/vnd.ms-htmlhelp': ['chm', 'compiled HTML help', 'other'],
  // Text and markup
  'text/plain': ['txt text log md asc ini cfg conf yml yaml', 'plain text', 'text', writes('text', 'text')],
  'text/html': ['html htm', 'HTML page', 'html', writes('html', 'page')],
  'application/xhtml+xml': ['xhtml', 'XHTML page', 'html', writesInside('xhtml', 'page')],
  'image/svg+xml': ['svg', 'SVG drawing', 'image', writes('svg', 'svg')],
  'text/xml': ['xml', 'XML document', 'data', writes('xml', 'xml')],
  'application/x-flat-opc': ['xml', 'Office document in one XML file', 'office', reads('flat-package', 'flat-package')],
  'application/x-wordml': ['xml', 'Word 2003 document in XML', 'office', reads('word-xml', 'word-xml')],
  'application/x-spreadsheetml': [
    'xml',
    'Excel 2003 workbook in XML',
    'office',
    reads('spreadsheet-xml', 'spreadsheet-xml'),
  ],
  'application/vnd.google-earth.kml+xml': ['kml', 'KML map', 'data', writes('kml', 'map')],
  'application/vnd.google-earth.kmz': ['kmz', 'KMZ map with pictures', 'data', writes('kmz', 'packed-map')],
  'application/json': ['json', 'JSON data', 'text', writesInside('text', 'text')],
  'text/csv': ['csv tsv', 'comma-separated values', 'data', writes('csv', 'table')],
  'text/calendar': ['ics', 'calendar entry', 'data', writes('calendar', 'calendar')],
  'text/vcard': ['vcf', 'contact card', 'data', writes('calendar', 'calendar')],
  'text/css': ['css', 'style sheet', 'text', writesInside('text', 'text')],
  // Mail
  'message/rfc822': ['eml', 'email message', 'email', writes('eml', 'mail')],
  'multipart/related': ['mht', 'web archive', 'email', reads('mht', 'archived-pages')],
  'application/mbox': ['mbox', 'mailbox', 'email'],
  'application/vnd.ms-tnef': ['dat', 'Outlook TNEF attachment container', 'email', reads('tnef')],
  // Scripts, shortcuts and other text that Windows runs or follows
  'text/javascript': ['js', 'JavaScript', 'script', SOURCE],
  'text/vbscript': ['vbs', 'VBScript', 'script', SOURCE],
  'application/x-powershell': ['ps1', 'PowerShell script', 'script', SOURCE],
  'text/x-msdos-batch': ['bat', 'Windows batch file', 'script', SOURCE],
  'application/hta': ['hta', 'HTML application', 'script'],
  'application/x-wsf': ['wsf', 'Windows script file', 'script'],
  'text/scriptlet': ['sct', 'Windows scriptlet', 'script'],
  'text/x-shellscript': ['sh', 'shell script', 'script', SOURCE],
  'text/x-python': ['py', 'Python script', 'script', SOURCE],
  'text/x-script': ['script', 'script', 'script', SOURCE],
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
  'application/zip': ['zip', 'zip archive', 'archive', writes('zip', 'archive')],
  'application/x-7z-compressed': ['7z', '7-Zip archive', 'archive', reads('archive')],
  'application/vnd.rar': ['rar', 'RAR archive', 'archive', reads('archive')],
  'application/gzip': ['gz', 'gzip archive', 'archive', writes('gzip', 'packed-file')],
  'application/x-bzip2': ['bz2', 'bzip2 archive', 'archive', reads('archive')],
  'application/x-xz': ['xz', 'xz archive', 'archive', reads('archive')],
  'application/zstd': ['zst', 'Zstandard archive', 'archive'],
  'application/x-tar': ['tar', 'tar archive', 'archive', reads('archive')],
  'application/vnd.ms-cab-compressed': ['cab', 'cabinet archive', 'archive'],
  'application/x-ace-compressed': ['ace', 'ACE archive', 'archive'],
  'application/x-arj': ['arj', 'ARJ archive', 'archive'],
  'application/x-lzh-compressed': ['lzh', 'LZH archive', 'archive'],
  'application/x-iso9660-image': ['iso', 'CD or DVD image', 'archive'],
  'application/x-vhd': ['vhd', 'virtual disk image', 'other'],
  'application/x-vhdx': ['vhdx', 'virtual disk image', 'other'],
  'application/x-apple-diskimage': ['dmg', 'Apple disk image', 'other'],
  // Pictures
  'image/jpeg': ['jpg jpeg', 'JPEG picture', 'image', writes('image', 'picture')],
  'image/png': ['png apng', 'PNG picture', 'image', writes('image', 'picture')],
  'image/gif': ['gif', 'GIF picture', 'image', writes('image', 'picture')],
  'image/webp': ['webp', 'WebP picture', 'image', writes('image', 'picture')],
  'image/tiff': ['tif tiff', 'TIFF picture', 'image', writes('image', 'picture')],
  'image/bmp': ['bmp', 'BMP picture', 'image', writes('image', 'picture')],
  'image/vnd.microsoft.icon': ['ico', 'Windows icon', 'image', reads('image', 'picture')],
  'image/heic': ['heic heif hif', 'HEIC picture', 'image', reads('image', 'picture')],
  'image/avif': ['avif', 'AVIF picture', 'image', reads('image', 'picture')],
  'image/jxl': ['jxl', 'JPEG XL picture', 'image', reads('image', 'picture')],
  'image/jp2': ['jp2 j2k jpf jpx jpc j2c', 'JPEG 2000 picture', 'image', reads('image', 'picture')],
  'image/emf': ['emf', 'Windows enhanced metafile', 'image', writes('metafile', 'metafile')],
  'image/wmf': ['wmf', 'Windows metafile', 'image', writes('metafile', 'metafile')],
  'image/vnd.adobe.photoshop': ['psd', 'Photoshop picture', 'image', reads('image', 'picture')],
  // Films and recordings
  'audio/mpeg': ['mp3', 'MP3 recording', 'media', writes('media', 'media')],
  'audio/wav': ['wav', 'WAV recording', 'media', writes('media', 'media')],
  'audio/flac': ['flac', 'FLAC recording', 'media', writes('media', 'media')],
  'audio/ogg': ['ogg oga opus', 'Ogg recording', 'media', writes('media', 'media')],
  'audio/mp4': ['m4a', 'MPEG-4 recording', 'media', writes('media', 'media')],
  'video/mp4': ['mp4 m4v 3gp', 'MPEG-4 film', 'media', writes('media', 'media')],
  'audio/amr': ['amr awb', 'AMR recording', 'media', writes('media', 'media')],
  'audio/aiff': ['aiff aif aifc', 'AIFF recording', 'media', writes('media', 'media')],
  'video/x-msvideo': ['avi', 'AVI film', 'media', writes('media', 'media')],
  'video/webm': ['webm', 'WebM film', 'media', writes('media', 'media')],
  'video/x-matroska': ['mkv mka', 'Matroska film', 'media', writes('media', 'media')],
  'video/quicktime': ['mov', 'QuickTime film', 'media', writes('media', 'media')],
  // Files that macOS puts beside others
  'application/applefile': ['bin', 'macOS resource fork', 'data'],
  'application/x-apple-folder-settings': ['bin', 'macOS folder settings', 'data'],
  'application/octet-stream': ['bin', 'data of an unknown type', 'other'],
} as const satisfies Record<string, TypeRow>;

/** Extensions are separated by blanks, the customary one first: lower case, no dot, at most 8 of [a-z0-9]. */
export type TypeRow = readonly [extensions: string, description: string, group: FileGroup, treatment?: Treatment];
