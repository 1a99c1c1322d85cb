/** VBA projects whose compiled code can be disassembled: a table of names, and lines of instructions. Nothing of it runs. */
import { compoundFile, vbaCompress, wordDocument } from '../../engines/office-fixture.ts';

/** A version of Office, by its number in `_VBA_PROJECT`, and its bits. */
export interface Office {
  readonly number: number;
  readonly is64: boolean;
  /** What the project says of its bits. @default is64 */
  readonly claims64?: boolean;
  /** The procedure is one of a library. @default false */
  readonly isDeclared?: boolean;
  /** What the project refers to, as it is shown. @default nothing */
  readonly references?: readonly string[];
  /** The same as it is compiled. @default nothing */
  readonly compiledReferences?: readonly string[];
  /** Names that were taken out of the table, in front of that of the procedure. They keep their numbers. @default 0 */
  readonly emptyNames?: number;
}
export const OFFICES: Readonly<Record<string, Office>> = {
  'Office 2000': { number: 0x6d, is64: false },
  'Office 2007': { number: 0x88, is64: false },
  'Office 2016 of 32 bits': { number: 0xb2, is64: false },
  'Office 2016 of 64 bits': { number: 0xd7, is64: true },
};

/** An instruction: its number in 64 bits, and its operands: a name, a number of two bytes, or a text. */
export type Code = readonly [number: number, ...operands: (string | number | { readonly text: string })[]];

export const LD = 32;
export const ARGS_LD = 36;
export const ST = 39;
export const SET = 46;
export const ARGS_CALL = 65;
export const ARGS_MEM_CALL = 66;
export const CONCAT = 17;
export const LIT_STR = 185;
export const LIT_DI2 = 172;
export const SET_STMT = 240;
const FUNC_DEFN = 150;
const END_SUB = 111;

const word = (value: number) => Buffer.from([value & 0xff, value >> 8]);
const long = (value: number) => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
};

/** A document with one module: what is shown, and what is compiled into the procedure `name`. */
export function compiledDocument(...project: Parameters<typeof compiledProject>): Buffer {
  return wordDocument({ parts: { 'word/vbaProject.bin': compiledProject(...project) } });
}

/** The project of such a document. */
export function compiledProject(
  office: Office,
  source: string,
  name: string,
  lines: readonly (readonly Code[])[],
): Buffer {
  const empty = Array.from({ length: office.emptyNames ?? 0 }, () => '');
  const names = [
    'Word',
    'VBA',
    'Module1',
    ...empty,
    name,
    ...new Set(lines.flat(2).filter((part) => typeof part === 'string')),
  ];
  const cache = cacheOf(office, names, name, lines);
  const record = (id: number, data: Buffer) => Buffer.concat([word(id), long(data.length), data]);
  const dir = [
    record(1, long((office.claims64 ?? office.is64) ? 3 : 1)),
    ...(office.references ?? []).map((one) =>
      record(0x0d, Buffer.concat([long(one.length), Buffer.from(one), Buffer.alloc(6)])),
    ),
    record(0x1a, Buffer.from('Module1')),
    record(0x31, long(cache.length)),
  ];
  return compoundFile({
    'VBA/dir': vbaCompress(Buffer.concat(dir).toString('latin1')),
    'VBA/Module1': Buffer.concat([cache, vbaCompress(`Attribute VB_Name = "Module1"\r\n${source}`)]),
    'VBA/_VBA_PROJECT': namesOf(office, names),
  });
}

/** The table of names behind the list of references and empty lists of modules and the rest. */
function namesOf({ number, compiledReferences = [] }: Office, names: readonly string[]): Buffer {
  const none = word(0xffff);
  const references = compiledReferences.map((one) => {
    const text = Buffer.from(one, 'utf16le');
    // A reference to another project has one more list.
    const more = /^..[CD]/.test(one) ? word(0) : Buffer.alloc(0);
    return Buffer.concat([word(text.length), text, more, Buffer.alloc(10), word(0)]);
  });
  const lists = [
    word(references.length),
    word(0),
    ...references,
    word(0),
    word(0),
    word(0),
    none,
    none,
    none,
    Buffer.alloc(0x64),
    word(0),
  ];
  const counts = [Buffer.alloc(6), long(0), Buffer.alloc(6), word(names.length), word(names.length), word(0), long(0)];
  const entries = names.flatMap((name) => [Buffer.from([name.length, 0]), Buffer.from(name), long(0)]);
  return Buffer.concat([word(0x61cc), word(number), Buffer.alloc(0x1a), ...lists, ...counts, ...entries]);
}

const INDIRECT_AT = 0x200;
const LINES_AT = 0x400;

function cacheOf(office: Office, names: readonly string[], name: string, lines: readonly (readonly Code[])[]): Buffer {
  const idOf = (wanted: string) => {
    const index = names.indexOf(wanted);
    const more = office.number < 0x97 ? 0 : office.is64 ? 7 : 4;
    return word((0x100 + index + more) << 1);
  };
  const numberOf = (number: number) =>
    word(office.is64 || number < 174 ? number : number - (number < 177 ? 1 : number < 182 ? 2 : 3));
  const codeOf = ([number, ...operands]: Code) =>
    Buffer.concat([
      numberOf(number),
      ...operands.map((operand) => {
        if (typeof operand === 'string') return idOf(operand);
        if (typeof operand === 'number') return word(operand);
        const text = Buffer.from(operand.text, 'latin1');
        return Buffer.concat([word(text.length), text, Buffer.alloc(text.length % 2)]);
      }),
    ]);
  const written = [
    Buffer.concat([word(FUNC_DEFN), long(0)]),
    ...lines.map((line) => Buffer.concat(line.map(codeOf))),
    word(END_SUB),
  ];
  let at = 0;
  const table = written.map((line) => {
    const entry = Buffer.concat([Buffer.alloc(4), word(line.length), Buffer.alloc(2), long(at)]);
    at += line.length;
    return entry;
  });
  const head = Buffer.alloc(LINES_AT);
  head.writeUInt32LE(INDIRECT_AT - (office.is64 ? 12 : 10), 0x11);
  head.writeUInt32LE(LINES_AT - 0x3c, 0x19);
  head.writeUInt32LE(100, INDIRECT_AT);
  idOf(name).copy(head, INDIRECT_AT + 4 + 2);
  if (!office.isDeclared) {
    // The procedure stands in the project, and is declared in no library.
    head.writeUInt16LE(0xffff, INDIRECT_AT + 4 + (office.is64 ? 64 : 48));
    head.writeUInt16LE(0x84, INDIRECT_AT + 4 + (office.is64 ? 80 : 58));
  }
  return Buffer.concat([
    head,
    word(0xcafe),
    Buffer.alloc(2),
    word(table.length),
    ...table,
    Buffer.alloc(10),
    ...written,
  ]);
}
