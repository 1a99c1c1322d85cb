/** Reads the compiled code of a module: its lines, and the instructions of each with their references. */
import { ByteReader, OutOfBytes } from '../../../../formats/byte-reader.ts';
import { type Dialect, type Operation, operationOf } from './instructions.ts';
import { KEYWORDS } from './keywords.ts';

/** The most instructions of one module. Stops lines that all refer to the same bytes. */
const MAX_INSTRUCTIONS = 200_000;

export interface Instruction {
  readonly name: string;
  /** The upper bits of the number, which give the kind of the operation. */
  readonly kind: number;
  /** The name that it refers to; empty for none, and `?` for one that no table has. */
  readonly id: string;
  /** Its numbers: a count of arguments, or the words of a literal. */
  readonly words: readonly number[];
  /** The bytes of a text or a comment, one character for each. */
  readonly text: string;
}

export interface ModuleCode {
  readonly lines: readonly (readonly Instruction[])[];
  /** False when an instruction or a line could not be read to its end. */
  readonly isWhole: boolean;
}

/** The tables of a module to which instructions refer, and where its lines begin. */
interface Layout {
  readonly declarations: Uint8Array;
  readonly indirect: Uint8Array;
  /** The place where the offset of the lines is written. */
  readonly linesAt: number;
}

/** Returns the code of a module, or null when there is none of a known form. `cache` is the stream in front of the source. */
export function readModuleCode(cache: Uint8Array, names: readonly string[], dialect: Dialect): ModuleCode | null {
  try {
    const layout = dialect.version === 5 ? layoutOf5(cache) : layoutOf6(cache, dialect.is64);
    return linesOf(cache, layout, names, dialect);
  } catch (error) {
    if (error instanceof OutOfBytes) return null;
    throw error;
  }
}

/** Returns the bytes with a length of four bytes in front of them, as far as there are any. */
function tableAt(cache: Uint8Array, at: number): Uint8Array {
  const reader = new ByteReader(cache, at);
  const length = reader.long();
  return cache.subarray(reader.at, reader.at + length);
}

function layoutOf6(cache: Uint8Array, is64: boolean): Layout {
  const indirectAt = new ByteReader(cache, 0x11).long() + (is64 ? 12 : 10);
  return { declarations: tableAt(cache, is64 ? 0x43 : 0x3f), indirect: tableAt(cache, indirectAt), linesAt: 0x19 };
}

function layoutOf5(cache: Uint8Array): Layout {
  const reader = new ByteReader(cache, 11);
  const declarations = tableAt(cache, 11);
  reader.skip(reader.long());
  reader.skip(64);
  reader.skipList(16);
  reader.skip(reader.long());
  reader.skip(6);
  reader.skip(reader.long());
  const indirectAt = new ByteReader(cache, reader.at + 8).long() + 10;
  return { declarations, indirect: tableAt(cache, indirectAt), linesAt: reader.at + 77 };
}

const LINES_MARK = 0xcafe;

function linesOf(cache: Uint8Array, layout: Layout, names: readonly string[], dialect: Dialect): ModuleCode | null {
  const reader = new ByteReader(cache, new ByteReader(cache, layout.linesAt).long() + 0x3c);
  if (reader.word() !== LINES_MARK) return null;
  reader.skip(2);
  const count = reader.word();
  const codeAt = reader.at + count * 12 + 10;
  const nameOf = (id: number) => names[indexOfName(id, dialect)] ?? '';
  const decoder: Decoder = {
    layout,
    dialect,
    nameOf: (id) => (id >> 1 >= 0x100 ? nameOf(id) : keywordOf(id, dialect)),
  };
  const lines: Instruction[][] = [];
  let isWhole = true;
  let left = MAX_INSTRUCTIONS;
  for (let line = 0; line < count && left > 0; line++) {
    reader.skip(4);
    const length = reader.word();
    reader.skip(2);
    const from = codeAt + reader.long();
    if (length === 0 || length === 0xffff) continue;
    const instructions: Instruction[] = [];
    isWhole = readLine(cache.subarray(from, from + length), decoder, instructions) && isWhole;
    left -= instructions.length + 1;
    lines.push(instructions);
  }
  return { lines, isWhole: isWhole && left > 0 };
}

/** Returns the name of a number, which is twice its place behind the words of the language. VBA 7 has a few more words. */
function indexOfName(id: number, { version, is64 }: Dialect): number {
  const index = (id >> 1) - 0x100 - (version === 7 ? (is64 ? 7 : 4) : 0);
  return version === 7 && index > 0xbe ? index - 1 : index;
}

function keywordOf(id: number, { version }: Dialect): string {
  const index = id >> 1;
  return KEYWORDS[version === 7 && index >= 0xc3 ? index - 1 : index] ?? '';
}

interface Decoder {
  readonly layout: Layout;
  readonly dialect: Dialect;
  nameOf(id: number): string;
}

/** Adds the instructions of a line. Returns false when it could not be read to its end; the instructions in front of the fault count. */
function readLine(bytes: Uint8Array, decoder: Decoder, out: Instruction[]): boolean {
  const reader = new ByteReader(bytes);
  try {
    while (reader.at < bytes.length) {
      const word = reader.word();
      const operation = operationOf(word & 0x3ff, decoder.dialect);
      if (operation === undefined) return false;
      out.push(readInstruction(reader, operation, word >> 10, decoder));
    }
    return true;
  } catch (error) {
    if (error instanceof OutOfBytes) return false;
    throw error;
  }
}

function readInstruction(
  reader: ByteReader,
  { name, operands }: Operation,
  kind: number,
  decoder: Decoder,
): Instruction {
  const words: number[] = [];
  let [id, text] = ['', ''];
  for (const operand of operands) {
    if (operand === 'n') id = decoder.nameOf(reader.word()) || UNKNOWN_NAME;
    else if (operand === 'w' || operand === 'i') words.push(reader.word());
    else if (operand === '*') text = textAt(reader);
    else {
      const at = reader.long();
      if (operand === 'c' && decoder.dialect.is64) reader.skip(4);
      if (name === 'VarDefn' && (kind & 0x10) !== 0) reader.skip(2);
      ({ id, text } = definedBy(name, at, decoder));
    }
  }
  return { name, kind, id, words, text };
}

/** No name of the language is written like this. */
export const UNKNOWN_NAME = '?';

function textAt(reader: ByteReader): string {
  const length = reader.word();
  const bytes = reader.take(length);
  if (length % 2 === 1 && reader.at < reader.bytes.length) reader.skip(1);
  return Buffer.from(bytes).toString('latin1');
}

/** Reads the definition of a function or a variable. */
const definedBy = (operation: string, at: number, decoder: Decoder) => ({
  id: operation.includes('Defn') ? definedName(decoder, at) : '',
  text: operation.startsWith('FuncDefn') ? libraryOf(decoder, at) : '',
});

/** Returns the name of a function or variable. Its description is in a table. */
function definedName({ layout, nameOf }: Decoder, at: number): string {
  return at + 4 > layout.indirect.length ? '' : nameOf(new ByteReader(layout.indirect, at + 2).word());
}

/** The offset in a description of the library of a procedure, and of its kind, by the version. */
const PLACES = { old: [44, 54], narrow: [48, 58], wide: [64, 80] } as const;
/** Set for a procedure whose code is in the project. */
const HAS_CODE = 0x80;

/**
 * Returns the library of a procedure that is declared in one, `?` where its name cannot be read, or an empty text for a procedure of the
 * project.
 */
function libraryOf({ layout, dialect, nameOf }: Decoder, at: number): string {
  const { indirect, declarations } = layout;
  const [library, kind] = PLACES[dialect.version === 5 ? 'old' : dialect.is64 ? 'wide' : 'narrow'];
  if (((indirect[at + kind] ?? 0) & HAS_CODE) !== 0) return '';
  if (at + library + 2 > indirect.length) return UNKNOWN_NAME;
  const declared = new ByteReader(indirect, at + library).word();
  return declared + 4 > declarations.length
    ? UNKNOWN_NAME
    : nameOf(new ByteReader(declarations, declared + 2).word()) || UNKNOWN_NAME;
}
