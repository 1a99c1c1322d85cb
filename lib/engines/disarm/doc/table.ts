/** The table stream of a Word 97 to 2003 document, rebuilt from the structures on the list. All of them keep their places. */
import { EngineError } from '../../engine.ts';
import { type Fib, KEPT_PAIRS, PAIR, pairAt, type Range, setPairLength } from './fib.ts';

const LIST_BYTES = 28;
const LEVEL_BYTES = 28;
/** The number of strings that name the document's template, its author and its sender. Each of them may be empty. */
const ASSOCIATIONS = 18;
/** The places of the times of creation, change and printing, of the revision number and of the minutes of editing. */
const TIMES: Range = { from: 20, length: 18 };

/**
 * Returns a stream of the same length with only the ranges of the kept pairs. Unless metadata is kept, it has no times and no names of
 * persons, and `outputFib` gets the new length of the strings. Throws EngineError `unreadable`.
 */
export function rebuildTable(fib: Fib, outputFib: Buffer, table: Buffer, keepMetadata: boolean): Buffer {
  const out = Buffer.alloc(table.length);
  for (const index of KEPT_PAIRS) {
    const range = pairAt(fib, index, table);
    if (range === null) continue;
    const end = index === PAIR.lists ? endOfLists(table, range) : range.from + range.length;
    table.copy(out, range.from, range.from, end);
  }
  if (!keepMetadata) blankMetadata(fib, outputFib, table, out);
  return out;
}

/** Returns the end of the levels after the list formats. The length of the formats does not include them ([MS-DOC] 2.9.131). */
function endOfLists(table: Buffer, { from, length }: Range): number {
  const lists = Math.min(table.readUInt16LE(from), Math.floor((length - 2) / LIST_BYTES));
  let at = from + length;
  for (let list = 0; list < lists; list++) {
    const isSimple = ((table[from + 2 + list * LIST_BYTES + 26] ?? 0) & 0x01) !== 0;
    for (let level = isSimple ? 8 : 0; level < 9; level++) {
      if (at + LEVEL_BYTES > table.length) throw new EngineError('unreadable', 'the lists of the document are damaged');
      at += LEVEL_BYTES + (table[at + 24] ?? 0) + (table[at + 25] ?? 0);
      if (at + 2 > table.length) throw new EngineError('unreadable', 'the lists of the document are damaged');
      at += 2 + table.readUInt16LE(at) * 2;
    }
  }
  if (at > table.length) throw new EngineError('unreadable', 'the lists of the document are damaged');
  return at;
}

function blankMetadata(fib: Fib, outputFib: Buffer, table: Buffer, out: Buffer): void {
  const properties = pairAt(fib, PAIR.properties, table);
  if (properties !== null && properties.length >= TIMES.from + TIMES.length) {
    const at = properties.from + TIMES.from;
    out.fill(0, at, at + TIMES.length);
  }
  const associations = pairAt(fib, PAIR.associations, table);
  if (associations === null) return;
  const empty = Buffer.alloc(6 + ASSOCIATIONS * 2);
  empty.writeUInt16LE(0xffff, 0);
  empty.writeUInt16LE(ASSOCIATIONS, 2);
  const fits = associations.length >= empty.length;
  out.fill(0, associations.from, associations.from + associations.length);
  if (fits) empty.copy(out, associations.from);
  setPairLength(outputFib, PAIR.associations, fits ? empty.length : 0);
}
