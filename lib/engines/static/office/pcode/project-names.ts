/** Reads the table of names in the stream `_VBA_PROJECT`, to which compiled code refers by number. */
import { ByteReader, OutOfBytes } from '../../../../formats/byte-reader.ts';
import type { Dialect } from './instructions.ts';

const MARK = 0x61cc;
const FIRST_OF_VBA6 = 0x6b;
const FIRST_OF_VBA7 = 0x97;
/** The most entries of any list. Stops counts that lie. */
const MAX_ENTRIES = 65_536;
/** Versions that write names in other ways than their number says. */
const NARROW_NAMES = new Set([0x60, 0x62, 0x63]);
const WIDE_NAMES = 0x4e;
/** Bytes between the lists and the modules in every version. */
const MODULES_AFTER = 0x64;

export interface ProjectNames {
  readonly version: Dialect['version'];
  readonly names: readonly string[];
  /** The references to libraries and other projects, which Office takes from here and not from the list that is shown. */
  readonly references: readonly string[];
}

/** Returns the names and the version, or null when the stream is not of a known form, of VBA 3, or of a Macintosh. */
export function readProjectNames(project: Uint8Array): ProjectNames | null {
  try {
    const reader = new ByteReader(project);
    if (reader.word() !== MARK) return null;
    const number = reader.word();
    const isWide = (from: number) => (number >= from && !NARROW_NAMES.has(number)) || number === WIDE_NAMES;
    reader.skip(0x1e - reader.at);
    const references = readReferences(reader, isWide(0x5b));
    skipLists(reader);
    skipModules(reader, number, isWide(0x59));
    const version = number >= FIRST_OF_VBA7 ? 7 : number >= FIRST_OF_VBA6 ? 6 : 5;
    return { version, names: namesAt(reader), references };
  } catch (error) {
    if (error instanceof OutOfBytes) return null;
    throw error;
  }
}

function readReferences(reader: ByteReader, isWide: boolean): string[] {
  const references: string[] = [];
  const count = reader.word();
  reader.skip(2);
  for (let index = 0; index < Math.min(count, MAX_ENTRIES); index++) {
    const length = reader.word();
    if (length === 0) reader.skip(6);
    else {
      const text = Buffer.from(reader.take(length)).toString(isWide ? 'utf16le' : 'latin1');
      references.push(text);
      if (/^..[CD]/s.test(text)) reader.skipList(1);
    }
    reader.skip(10);
    if (reader.word() === 0) continue;
    reader.skipList(1);
    const more = reader.word();
    reader.skip((more === 0 ? 0 : 2) + more + 30);
  }
  return references;
}

function skipLists(reader: ByteReader): void {
  reader.skipList(2);
  reader.skipList(4);
  reader.skip(2);
  for (let index = 0; index < 3; index++) reader.skipList(1, 0xffff);
  reader.skip(MODULES_AFTER);
}

function skipModules(reader: ByteReader, number: number, isWide: boolean): void {
  const isNarrow = number <= 0x59 && number !== WIDE_NAMES;
  for (let left = reader.word(); left > 0; left--) {
    let length = reader.word();
    if (isWide) reader.skip(length);
    if (isNarrow) {
      if (length !== 0) length = reader.word();
      reader.skip(length);
    }
    reader.skipList(1);
    reader.skipList(1, 0xffff);
    reader.skip(2);
    if (number >= FIRST_OF_VBA6) reader.skipList(1, 0xffff);
    reader.skipList(1, 0xffff);
    reader.skip(number === 0x51 ? 2 : 6);
    reader.skipList(8);
    reader.skip(11);
  }
}

/** Set in the type of a name with six more bytes in front of its letters. */
const HAS_MORE = 0x80;

function namesAt(reader: ByteReader): string[] {
  reader.skip(6);
  reader.skip(reader.long());
  reader.skip(6);
  const [last, all, first] = [reader.word(), reader.word(), reader.word()];
  reader.skip(4);
  for (let left = all + first - last; left > 0; left--) {
    reader.skip(4);
    const [length, type] = [reader.byte(), reader.byte()];
    reader.skip((type >= HAS_MORE ? 6 : 0) + length);
  }
  const names: string[] = [];
  for (let left = last - first; left > 0; left--) names.push(nameAt(reader));
  return names;
}

/** Returns an empty text for a name that was removed from the table. It keeps its number, so that the numbers behind it stay the same. */
function nameAt(reader: ByteReader): string {
  let [length, type] = [reader.byte(), reader.byte()];
  const isKeyword = length === 0 && type === 0;
  if (isKeyword) {
    reader.skip(2);
    [length, type] = [reader.byte(), reader.byte()];
  }
  if ((type & HAS_MORE) !== 0) reader.skip(6);
  const name = Buffer.from(reader.take(length)).toString('latin1');
  if (!isKeyword) reader.skip(4);
  return name;
}
