/**
 * Counts the drawing records of a metafile and the words of its texts, in an original and in a result. Other code checks whether its
 * records are sound.
 */
import { tallyText, type WordTally } from '../word-tally.ts';

/** A limit against records of no length. */
const MAX_RECORDS = 1_000_000;

const numbers = (list: string, base: number) => new Set(list.split(' ').map((each) => Number.parseInt(each, base)));

/** Records of an enhanced metafile that leave a mark ([MS-EMF] 2.3): lines, areas, bitmaps, texts. */
const EMF_MARKS = numbers(
  '2 3 4 5 6 7 8 15 41 42 43 44 45 46 47 53 54 55 56 62 63 64 71 72 73 74 76 77 78 79 80 81 83 84 85 86 87 88 89 90 91 92 96 97 108 114 116 118',
  10,
);
/** The same records of a Windows metafile ([MS-WMF] 2.3). */
const WMF_MARKS = numbers(
  '213 41b 418 324 325 538 521 a32 61c 817 81a 830 940 b41 d33 f43 61d 41f 548 419 922 b23 12a 12b 228 429',
  16,
);

/** Returns the number of records that draw, or null when the file is no metafile. */
export function countMarks(bytes: Uint8Array, tally: WordTally): number | null {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const isEnhanced = view.toString('latin1', 40, 44) === ' EMF';
  try {
    return isEnhanced ? emfMarks(view, tally) : wmfMarks(view, tally);
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

function emfMarks(view: Buffer, tally: WordTally): number {
  let marks = 0;
  for (let at = view.readUInt32LE(4), records = 0; records < MAX_RECORDS; records++) {
    const [type, size] = [view.readUInt32LE(at), view.readUInt32LE(at + 4)];
    if (type === 14) return marks;
    if (size < 8) throw new RangeError('a record of no length');
    if (EMF_MARKS.has(type)) marks++;
    const record = view.subarray(at, at + size);
    if (type === 83 || type === 84) tallyText(tally, `${textOf(record, 44, record.readUInt32LE(48), type === 84)} `);
    if (type === 108) tallyText(tally, `${smallTextOf(record)} `);
    at += size;
  }
  throw new RangeError('too many records');
}

function textOf(record: Buffer, countAt: number, from: number, isWide: boolean): string {
  const count = record.readUInt32LE(countAt);
  return record.toString(isWide ? 'utf16le' : 'latin1', from, from + count * (isWide ? 2 : 1));
}

/** Reads a text. It follows a rectangle, unless the options say otherwise. Its letters have one byte when the options say so. */
function smallTextOf(record: Buffer): string {
  const options = record.readUInt32LE(20);
  return textOf(record, 16, (options & 0x100) === 0 ? 52 : 36, (options & 0x200) === 0);
}

function wmfMarks(view: Buffer, tally: WordTally): number {
  const start = view.readUInt32LE(0) === 0x9ac6cdd7 ? 22 : 0;
  let marks = 0;
  for (let at = start + 18, records = 0; records < MAX_RECORDS; records++) {
    const [size, type] = [view.readUInt32LE(at) * 2, view.readUInt16LE(at + 4)];
    if (type === 0) return marks;
    if (size < 6) throw new RangeError('a record of no length');
    if (WMF_MARKS.has(type)) marks++;
    if (type === 0x521) tallyText(tally, `${view.toString('latin1', at + 8, at + 8 + view.readUInt16LE(at + 6))} `);
    if (type === 0xa32) {
      const from = at + 14 + ((view.readUInt16LE(at + 12) & 6) === 0 ? 0 : 8);
      tallyText(tally, `${view.toString('latin1', from, from + view.readUInt16LE(at + 10))} `);
    }
    at += size;
  }
  throw new RangeError('too many records');
}
