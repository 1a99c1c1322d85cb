/** The formatting pages of a Word 97 to 2003 document ([MS-DOC] 2.9.32, 2.9.179), and the data to which they point. */
import { EngineError } from '../../engine.ts';
import type { Range } from './fib.ts';

const PAGE_BYTES = 512;
/** Properties whose value is an offset in the data stream. */
const PICTURE_LOCATION = 0x6a03;
const HUGE_PARAGRAPH = new Set([0x6645, 0x6646]);
const IS_DATA = 0x0806;
const TABLE_DEFINITION = 0xd608;
const TABS = 0xc615;

export interface FormattingPages {
  /** The places of the pages in the document stream. */
  readonly ranges: readonly Range[];
  /** The kind of data at an offset of the data stream: a picture, the content of a field, or long paragraph properties. */
  readonly dataAt: ReadonlyMap<number, 'picture' | 'field' | 'paragraph'>;
}

/** Follows the tables of character and paragraph pages. Throws EngineError `unreadable` when they lead out of the stream. */
export function readFormatting(stream: Buffer, characters: Buffer | null, paragraphs: Buffer | null): FormattingPages {
  const ranges = new Map<number, Range>();
  const dataAt = new Map<number, 'picture' | 'field' | 'paragraph'>();
  for (const page of pagesOf(characters, stream, ranges)) readCharacterPage(page, dataAt);
  for (const page of pagesOf(paragraphs, stream, ranges)) readParagraphPage(page, dataAt);
  return { ranges: [...ranges.values()], dataAt };
}

function pagesOf(table: Buffer | null, stream: Buffer, ranges: Map<number, Range>): Buffer[] {
  if (table === null) return [];
  const count = Math.max(0, Math.floor((table.length - 4) / 8));
  const pages: Buffer[] = [];
  for (let index = 0; index < count; index++) {
    const from = (table.readUInt32LE((count + 1) * 4 + index * 4) & 0x3fffff) * PAGE_BYTES;
    if (ranges.has(from)) continue;
    if (from + PAGE_BYTES > stream.length)
      throw new EngineError('unreadable', 'the formatting of the document is damaged');
    ranges.set(from, { from, length: PAGE_BYTES });
    pages.push(stream.subarray(from, from + PAGE_BYTES));
  }
  return pages;
}

function readCharacterPage(page: Buffer, dataAt: Map<number, 'picture' | 'field' | 'paragraph'>): void {
  const runs = page[PAGE_BYTES - 1] ?? 0;
  for (let run = 0; run < runs; run++) {
    const at = (page[(runs + 1) * 4 + run] ?? 0) * 2;
    if (at === 0) continue;
    const properties = readProperties(page.subarray(at + 1, at + 1 + (page[at] ?? 0)));
    const location = properties.get(PICTURE_LOCATION);
    if (location !== undefined) dataAt.set(location, (properties.get(IS_DATA) ?? 0) & 0xff ? 'field' : 'picture');
  }
}

function readParagraphPage(page: Buffer, dataAt: Map<number, 'picture' | 'field' | 'paragraph'>): void {
  const runs = page[PAGE_BYTES - 1] ?? 0;
  for (let run = 0; run < runs; run++) {
    const at = (page[(runs + 1) * 4 + run * 13] ?? 0) * 2;
    if (at === 0) continue;
    const isLong = page[at] === 0;
    const from = at + (isLong ? 2 : 1);
    const length = isLong ? (page[at + 1] ?? 0) * 2 : (page[at] ?? 0) * 2 - 1;
    const properties = readProperties(page.subarray(from + 2, from + Math.max(2, length)));
    for (const id of HUGE_PARAGRAPH) {
      const location = properties.get(id);
      if (location !== undefined) dataAt.set(location, 'paragraph');
    }
  }
}

/** Reads values of up to four bytes, by property ([MS-DOC] 2.2.5.1). Reading stops where the list is damaged. */
function readProperties(list: Buffer): Map<number, number> {
  const found = new Map<number, number>();
  let at = 0;
  while (at + 3 <= list.length) {
    const id = list.readUInt16LE(at);
    const size = operandBytes(list, at + 2, id);
    if (size === null || at + 2 + size > list.length) break;
    if (size <= 4) found.set(id, list.readUIntLE(at + 2, size));
    at += 2 + size;
  }
  return found;
}

function operandBytes(list: Buffer, at: number, id: number): number | null {
  const bySize = [1, 1, 2, 4, 2, 2, null, 3][id >> 13] ?? null;
  if (bySize !== null) return bySize;
  if (id === TABLE_DEFINITION) return at + 2 <= list.length ? list.readUInt16LE(at) + 1 : null;
  // 255 tabs or more store their length elsewhere. Such a paragraph points at nothing.
  if (id === TABS && list[at] === 255) return null;
  return 1 + (list[at] ?? 0);
}
