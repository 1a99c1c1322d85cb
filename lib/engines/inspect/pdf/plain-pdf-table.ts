/** Reads the trailer of a PDF and the only table of the places of its objects (ISO 32000-2, 7.5.4 and 7.5.8). */
import { type PackedEntries, readPackedTable } from './plain-pdf-packed.ts';
import { type PdfDictEntries, readValue, take } from './plain-pdf-values.ts';

const SPACE = /[\t\n\r ]*/y;
export const OBJECT = /(\d{1,7}) 0 obj(?=[\s<[(/])/y;
export const STREAM = /stream(?:\r\n|\n)/y;
const TABLE = /xref[ ]?(?:\r\n|\n|\r)/y;
const SECTION = /(\d{1,7}) \d{1,7}[ ]?(?:\r\n|\n|\r)/y;
const ENTRY = /(\d{10}) (\d{5}) ([nf])(?: \r| \n|\r\n)/y;
const TRAILER = /trailer/y;
const END_OF_FILE = /startxref[\t\n\r ]+(\d{1,10})[\t\n\r ]+%%EOF(?:\r\n|\n|\r)?$/y;
/** Keys of a program that wrote the file. Other keys are of encryption and of further revisions. */
const TRAILER_KEYS = ['Size', 'Root', 'Info', 'ID', 'DocChecksum'];
const KEYS = new Set(TRAILER_KEYS);
const KEYS_OF_STREAM = new Set([...TRAILER_KEYS, 'Type', 'W', 'Index', 'Filter', 'DecodeParms', 'Length']);
const MAX_OBJECTS = 200_000;

export interface PdfTable extends PackedEntries {
  /** The end of the objects, which follow one another. */
  readonly end: number;
  readonly trailer: PdfDictEntries;
  /** The object that is the table, or null. */
  readonly number: number | null;
}

type Cursor = Parameters<typeof take>[0];

/** Returns the only table, which the last lines of the file name. Returns null when there is another table, or other content in it. */
export function readTable(bytes: Buffer, text: string): PdfTable | null {
  const end = text.lastIndexOf('startxref');
  const at = Number(take({ text, at: Math.max(0, end) }, END_OF_FILE)?.group ?? Number.NaN);
  if (!Number.isInteger(at) || at > end) return null;
  return text.startsWith('xref', at) ? readPlainTable({ text, at }, end) : readStreamTable(bytes, { text, at }, end);
}

function readPlainTable(cursor: Cursor, end: number): PdfTable | null {
  const from = cursor.at;
  if (take(cursor, TABLE) === null) return null;
  const offsets = new Map<number, number>();
  let next = 0;
  for (let section = take(cursor, SECTION); section !== null; section = take(cursor, SECTION)) {
    const [first, count = MAX_OBJECTS] = section.all.trim().split(' ').map(Number);
    if (first !== next || next + count > MAX_OBJECTS || !readEntries(cursor, { first, count, offsets })) return null;
    next += count;
  }
  if (take(cursor, TRAILER) === null) return null;
  const trailer = readValue(cursor);
  take(cursor, SPACE);
  return trailer?.kind === 'dict' && cursor.at === end && sizeIn(trailer.entries, KEYS) === next
    ? { offsets, packed: new Map(), end: from, trailer: trailer.entries, number: null }
    : null;
}

interface Section {
  readonly first: number;
  readonly count: number;
  readonly offsets: Map<number, number>;
}

/** Checks the generation. A replaced object has another one than zero. */
function readEntries(cursor: Cursor, { first, count, offsets }: Section): boolean {
  for (let number = first; number < first + count; number++) {
    const [offset = '', generation, use] = take(cursor, ENTRY)?.all.split(/[ \r\n]/) ?? [];
    if (use === 'n' && generation === '00000') offsets.set(number, Number(offset));
    else if (use !== 'f') return false;
  }
  return true;
}

/** Reads a table in a stream, which is the last object of the file. It is read again among the objects, to its end. */
function readStreamTable(bytes: Buffer, cursor: Cursor, end: number): PdfTable | null {
  const number = Number(take(cursor, OBJECT)?.group ?? Number.NaN);
  const value = readValue(cursor);
  take(cursor, SPACE);
  if (value?.kind !== 'dict' || take(cursor, STREAM) === null) return null;
  const { entries } = value;
  const [type, length] = [entries.get('Type'), entries.get('Length')];
  const size = sizeIn(entries, KEYS_OF_STREAM);
  if (type?.kind !== 'name' || type.text !== 'XRef' || length?.kind !== 'number' || size === null) return null;
  const found = readPackedTable(entries, bytes.subarray(cursor.at, cursor.at + length.value), size);
  return found && { ...found, end, trailer: entries, number };
}

/** Returns the number of objects in the trailer. Returns null when the trailer has unknown content. */
function sizeIn(entries: PdfDictEntries, known: ReadonlySet<string>): number | null {
  const size = entries.get('Size');
  const isKnown = [...entries.keys()].every((key) => known.has(key));
  return size?.kind === 'number' && size.value <= MAX_OBJECTS && isKnown ? size.value : null;
}
