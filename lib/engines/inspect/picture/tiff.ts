/** Reads the structure of TIFF files (TIFF 6.0 §2): the directories of the pages, and every byte that belongs to them. */

import { openReadBudget } from '../read-budget.ts';

const MAX_PAGES = 1_000;
/** At most this many bytes may fill up a word. */
const PADDING = 1;

/** Bytes of one value, by its type. */
const SIZES: readonly number[] = [0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4];
/** Fields that say how to read the pixels and how large they are on paper. All others are about people and their programs. */
const TAGS = new Set([
  254, 255, 256, 257, 258, 259, 262, 263, 266, 273, 274, 277, 278, 279, 280, 281, 282, 283, 284, 292, 293, 296, 297,
  317, 318, 319, 320, 321, 322, 323, 324, 325, 332, 338, 339, 340, 341, 347, 529, 530, 531, 532, 34675,
]);
/** The places of the pixels and the length of each piece: in strips, or in tiles. */
const PIECES: readonly (readonly [offsets: number, lengths: number])[] = [
  [273, 279],
  [324, 325],
];

interface Entry {
  readonly type: number;
  readonly count: number;
  /** The offset of its values. */
  readonly at: number;
}

/**
 * Returns the largest width and height of all pages. Reports `picture-metadata` for a field that no picture needs, and
 * `picture-trailing-data` for bytes behind the data of all pages. Throws RangeError for a file that ends too early, and for directories that
 * overlap.
 */
export function walkTiff(view: DataView, fault: (id: string) => void): { width: number; height: number } {
  const isLittle = view.getUint16(0, false) === 0x4949;
  const size = { width: 0, height: 0 };
  const spend = openReadBudget(view.byteLength);
  const seen = new Set<number>();
  let end = 8;
  let start = view.getUint32(4, isLittle);
  for (let page = 0; page < MAX_PAGES && start !== 0 && start + 2 <= view.byteLength; page++) {
    // Pages that are a ring are the same pages again.
    if (seen.has(start)) break;
    seen.add(start);
    const count = view.getUint16(start, isLittle);
    spend(2 + count * 12);
    const entries = new Map<number, Entry>();
    for (let at = start + 2, row = 0; row < count && at + 12 <= view.byteLength; row++, at += 12) {
      const tag = view.getUint16(at, isLittle);
      if (!TAGS.has(tag)) fault('picture-metadata');
      const entry = entryAt(view, at, isLittle);
      entries.set(tag, entry);
      end = Math.max(end, entry.at + entry.count * (SIZES[entry.type] ?? 1));
    }
    const valuesOf = (tag: number) => numbersOf(view, entries.get(tag), isLittle, spend);
    for (const [offsets, lengths] of PIECES) {
      const sizes = valuesOf(lengths);
      valuesOf(offsets).forEach((offset, index) => {
        end = Math.max(end, offset + (sizes[index] ?? 0));
      });
    }
    size.width = Math.max(size.width, valuesOf(256)[0] ?? 0);
    size.height = Math.max(size.height, valuesOf(257)[0] ?? 0);
    const next = start + 2 + count * 12;
    end = Math.max(end, next + 4);
    start = next + 4 <= view.byteLength ? view.getUint32(next, isLittle) : 0;
  }
  if (end + PADDING < view.byteLength) fault('picture-trailing-data');
  return size;
}

/**
 * Reads an entry of the directory: its type, its count, and the place of its value. A value of four bytes or less is in the entry itself.
 */
function entryAt(view: DataView, at: number, isLittle: boolean): Entry {
  const type = view.getUint16(at + 2, isLittle);
  const count = view.getUint32(at + 4, isLittle);
  const isInside = count * (SIZES[type] ?? 1) <= 4;
  return { type, count, at: isInside ? at + 8 : view.getUint32(at + 8, isLittle) };
}

function numbersOf(
  view: DataView,
  entry: Entry | undefined,
  isLittle: boolean,
  spend: (bytes: number) => void,
): readonly number[] {
  if (entry === undefined || (entry.type !== 3 && entry.type !== 4)) return [];
  const { type, count, at } = entry;
  const step = type === 3 ? 2 : 4;
  const fits = Math.min(count, Math.max(0, Math.floor((view.byteLength - at) / step)));
  spend(fits * step);
  return Array.from({ length: fits }, (_, index) =>
    type === 3 ? view.getUint16(at + index * 2, isLittle) : view.getUint32(at + index * 4, isLittle),
  );
}
