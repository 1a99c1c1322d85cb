/** Binary workbooks (.xlsb), record by record. All inert. */
import { zipOf } from '../../engines/zip-fixture.ts';

const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

/** One record: number and length in seven bits a byte, then the data. */
export function record(type: number, data: Uint8Array = Buffer.alloc(0)): Buffer {
  return Buffer.concat([number7(type), number7(data.length), data]);
}

function number7(value: number): Buffer {
  const bytes: number[] = [];
  let left = value;
  do {
    bytes.push((left & 0x7f) | (left > 0x7f ? 0x80 : 0));
    left >>>= 7;
  } while (left > 0);
  return Buffer.from(bytes);
}

const number32 = (value: number) => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
};

/** A text with its length in front. */
export const wide = (text: string) => Buffer.concat([number32(text.length), Buffer.from(text, 'utf16le')]);

/** Tokens of a formula. */
export const textToken = (text: string) =>
  Buffer.concat([Buffer.from([0x17, text.length & 0xff, text.length >> 8]), Buffer.from(text, 'utf16le')]);
export const callToken = (number: number, count: number) => Buffer.from([0x42, count, number & 0xff, number >> 8]);
const sumOfArea = Buffer.concat([Buffer.from([0x25]), Buffer.alloc(12), Buffer.from([0x22, 1, 4, 0])]);

/** A cell with a formula whose value is a number. */
export function formulaCell(...tokens: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat(tokens);
  return record(9, Buffer.concat([Buffer.alloc(16), Buffer.alloc(2), number32(body.length), body, number32(0)]));
}

/** A defined name. */
export function nameRecord(name: string): Buffer {
  return record(39, Buffer.concat([Buffer.alloc(9), wide(name), number32(0), number32(0)]));
}

export interface BinaryFixture {
  readonly names?: readonly string[];
  readonly isHidden?: boolean;
  /** Cells of the sheet; a sum when there are none. */
  readonly cells?: readonly Uint8Array[];
  readonly isMacroSheet?: boolean;
  /** Records of a link to another book. */
  readonly link?: Uint8Array;
  /** A project of macros. */
  readonly macros?: Uint8Array;
}

/** A workbook of one sheet. */
export function binaryWorkbook({
  names = [],
  isHidden = false,
  cells,
  isMacroSheet = false,
  link,
  macros,
}: BinaryFixture): Buffer {
  const folder = isMacroSheet ? 'macrosheets' : 'worksheets';
  const kind = isMacroSheet
    ? 'http://schemas.microsoft.com/office/2006/relationships/xlMacrosheet'
    : `${OFFICE}/worksheet`;
  const sheet = Buffer.concat([number32(isHidden ? 2 : 0), number32(1), wide('r1'), wide('Sheet1')]);
  const book = Buffer.concat([
    record(131),
    record(143),
    record(156, sheet),
    record(144),
    ...names.map(nameRecord),
    record(132),
  ]);
  const rows = cells ?? [formulaCell(sumOfArea)];
  return zipOf({
    '[Content_Types].xml':
      '<Types><Override PartName="/xl/workbook.bin" ContentType="application/vnd.ms-excel.sheet.binary.macroEnabled.main"/></Types>',
    '_rels/.rels': `<Relationships><Relationship Id="r" Type="${OFFICE}/officeDocument" Target="xl/workbook.bin"/></Relationships>`,
    'xl/workbook.bin': { content: book },
    'xl/_rels/workbook.bin.rels': `<Relationships><Relationship Id="r1" Type="${kind}" Target="${folder}/sheet1.bin"/>${link === undefined ? '' : `<Relationship Id="r2" Type="${OFFICE}/externalLink" Target="externalLinks/externalLink1.bin"/>`}</Relationships>`,
    [`xl/${folder}/sheet1.bin`]: {
      content: Buffer.concat([
        record(129),
        record(145),
        record(0, Buffer.alloc(25)),
        ...rows,
        record(146),
        record(130),
      ]),
    },
    ...(macros !== undefined && { 'xl/vbaProject.bin': { content: macros } }),
    ...(link !== undefined && { 'xl/externalLinks/externalLink1.bin': { content: link } }),
  });
}
