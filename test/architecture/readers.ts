/** Who reads which format: one module for all of lib, and one more for the second look, which shares nothing with it. */
import { filesBelow, isIn, read } from './imports.ts';

export interface FormatReaders {
  readonly format: string;
  /** What stands in the source of whatever knows this format from inside: a magic number, or the library that reads it. */
  readonly sign: RegExp;
  readonly reader: string;
  /** Of the second look; null where none looks at this format. */
  readonly secondLook: string | null;
  /** Modules that write the format, or only tell it from others by its first bytes. */
  readonly others: readonly string[];
  /** Modules that read it a second time. Each goes when `reader` serves them, too. */
  readonly still: readonly string[];
}

const office = (file: string) => `lib/engines/disarm/office/package/${file}`;

export const READERS: readonly FormatReaders[] = [
  {
    format: 'zip',
    sign: /0x0?2014b50|PK\\x01\\x02/,
    reader: 'lib/formats/archives/zip-records.ts',
    secondLook: 'lib/engines/inspect/zip-scan.ts',
    others: [office('zip-write.ts'), 'lib/service/server/v1/stored-zip.ts'],
    still: [],
  },
  {
    format: '7-Zip and what it opens',
    sign: /'7z-wasm'/,
    reader: 'lib/formats/archives/seven-zip-host.ts',
    secondLook: null,
    others: [],
    still: [],
  },
  {
    format: 'compound file',
    sign: /d0cf11e0/i,
    reader: 'lib/formats/compound/compound-file.ts',
    secondLook: 'lib/engines/inspect/office/compound.ts',
    others: [
      'lib/engines/disarm/compound/write.ts',
      'lib/engines/static/office/rich-text.ts',
      'lib/message/containers/outlook-message.ts',
      'lib/message/urls/sources/source-compound.ts',
    ],
    still: [],
  },
  {
    format: 'compressed rich text',
    sign: /0x75465a4c|LZFu/,
    reader: 'lib/formats/mapi/compressed-rtf.ts',
    secondLook: 'lib/engines/inspect/outlook-message.ts',
    others: [],
    still: [],
  },
  {
    format: 'Outlook message (.msg)',
    sign: /__attach_version1/,
    reader: 'lib/formats/mapi/message-storage.ts',
    secondLook: null,
    others: [],
    still: ['lib/engines/static/office/compound.ts'],
  },
  {
    format: 'TNEF (winmail.dat)',
    sign: /0x223e9f78/,
    reader: 'lib/formats/mapi/tnef.ts',
    secondLook: null,
    others: [],
    still: [],
  },
  {
    format: 'records of old workbooks',
    sign: /0x0809/,
    reader: 'lib/formats/office/biff-records.ts',
    secondLook: 'lib/engines/inspect/office/legacy-workbook.ts',
    others: [],
    still: [],
  },
  {
    format: 'old Word documents',
    sign: /0xa5ec/,
    reader: 'lib/engines/disarm/doc/fib.ts',
    secondLook: 'lib/engines/inspect/office/legacy-word.ts',
    others: [],
    still: [],
  },
  {
    format: 'Windows metafile',
    sign: /0x9ac6cdd7/,
    reader: 'lib/engines/disarm/image/wmf.ts',
    secondLook: 'lib/engines/inspect/picture/metafile.ts',
    // The second of them looks for bitmaps, and writes each as a file for the reader of bitmaps.
    others: [
      'lib/engines/disarm/compound/picture.ts',
      'lib/formats/pictures/metafile-bitmaps.ts',
      'lib/engines/static/pictures/image-end.ts',
      'lib/engines/inspect/picture/metafile-marks.ts',
    ],
    still: [],
  },
  {
    format: 'bitmap (BMP)',
    sign: /'BM'|0x4d42/,
    reader: 'lib/formats/pictures/bmp.ts',
    secondLook: 'lib/engines/inspect/picture/picture.ts',
    others: [
      'lib/engines/disarm/image/format.ts',
      'lib/engines/static/scripts/notebook.ts',
      'lib/formats/pictures/icon.ts',
      'lib/formats/pictures/metafile-bitmaps.ts',
      'lib/message/urls/drawn/drawing.ts',
      'lib/formats/signatures.ts',
    ],
    still: [],
  },
  {
    format: 'HEIC',
    sign: /'libheif-js/,
    reader: 'lib/formats/pictures/heif-host.ts',
    secondLook: null,
    others: [],
    still: [],
  },
  {
    format: 'JPEG XL',
    sign: /'jxl-oxide-wasm/,
    reader: 'lib/formats/pictures/jxl-host.ts',
    secondLook: null,
    others: [],
    still: [],
  },
  {
    format: 'codes in pictures',
    sign: /'zxing-wasm/,
    reader: 'lib/formats/codes/read-codes.ts',
    secondLook: null,
    others: [],
    still: [],
  },
  {
    format: 'pages of a PDF, drawn',
    sign: /'@embedpdf\/pdfium'/,
    reader: 'lib/formats/pdf/pdfium.ts',
    secondLook: null,
    // It copies the package.
    others: ['lib/infra/bundling/second-look-worker.ts'],
    still: [],
  },
  {
    format: 'first bytes of files',
    sign: /'wasmagic'/,
    reader: 'lib/formats/detection/detect.ts',
    secondLook: null,
    // It copies the package.
    others: ['lib/infra/bundling/second-look-worker.ts'],
    still: [],
  },
];

const texts = filesBelow('lib').map((path) => [path, read(path)] as const);

/** The modules of lib in whose source the sign of a format stands. */
export function modulesWith(sign: RegExp): string[] {
  return texts.filter(([, text]) => sign.test(text)).map(([path]) => path);
}

/** Modules that know a format from inside and are not in its row. */
export function unlistedReaders({ sign, reader, secondLook, others, still }: FormatReaders): string[] {
  const listed = [reader, secondLook, ...others, ...still];
  return modulesWith(sign).filter((path) => !listed.includes(path));
}

/** Modules that still read a format a second time. */
export function stillReading({ sign, still }: FormatReaders): string[] {
  const found = modulesWith(sign);
  return still.filter((path) => found.includes(path));
}

export const isSecondLook = (path: string): boolean => isIn(path, 'lib/engines/inspect');
