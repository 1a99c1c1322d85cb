/**
 * Reads a PDF in which every byte belongs to one object of one revision (ISO 32000-2, 7.5): objects one after the other, a table with the
 * place of each, a trailer, and nothing else.
 */
import { readPackedObjects } from './plain-pdf-packed.ts';
import { OBJECT, type PdfTable, readTable, STREAM } from './plain-pdf-table.ts';
import { type PdfDictEntries, type PdfValue, type PlainObject, readValue, take } from './plain-pdf-values.ts';

const HEADER = /%PDF-1\.[0-7][ ]?(?:\r\n|\n|\r)(?:%[^\r\n<]{0,100}(?:\r\n|\n|\r))?/y;
const SPACE = /[\t\n\r ]*/y;
const LENGTH = /(?:\d{1,7}) 0 obj[\t\n\r ]+(\d{1,10})[\t\n\r ]+endobj/y;
const END_OF_STREAM = /(?:\r\n|\n|\r)?endstream/y;
const END_OF_OBJECT = /endobj/y;
/** Words for which programs look anywhere when they repair a file. */
const OWN_MARKS = ['endobj', 'endstream', 'startxref'];

export interface PlainPdf {
  readonly objects: ReadonlyMap<number, PlainObject>;
  readonly trailer: PdfDictEntries;
  /** Objects of the file and not of the document: lengths of streams, the table, and streams of packed objects. */
  readonly ofFile: ReadonlySet<number>;
}

/** Reads a file. Returns null for every PDF with other content, also for a PDF of several revisions. Never throws. */
export function readPlainPdf(bytes: Buffer): PlainPdf | null {
  const text = bytes.toString('latin1');
  const table = readTable(bytes, text);
  const cursor = { text, at: 0 };
  if (table === null || take(cursor, HEADER) === null) return null;
  const objects = new Map<number, PlainObject>();
  const ofFile = new Set<number>(table.number === null ? [] : [table.number]);
  for (take(cursor, SPACE); cursor.at < table.end; take(cursor, SPACE)) {
    const from = cursor.at;
    const number = Number(take(cursor, OBJECT)?.group ?? Number.NaN);
    if (table.offsets.get(number) !== from || objects.has(number)) return null;
    const value = readValue(cursor);
    take(cursor, SPACE);
    if (value === null) return null;
    const data = readStream(cursor, value, { bytes, table, ofFile });
    take(cursor, SPACE);
    if (data === undefined || take(cursor, END_OF_OBJECT) === null) return null;
    objects.set(number, { value, data });
  }
  if (cursor.at !== table.end || objects.size !== table.offsets.size) return null;
  const streams = readPackedObjects(objects, table);
  return streams && { objects, trailer: table.trailer, ofFile: new Set([...ofFile, ...streams]) };
}

type Cursor = Parameters<typeof take>[0];
interface Source {
  readonly bytes: Buffer;
  readonly table: PdfTable;
  readonly ofFile: Set<number>;
}

/** Returns the bytes of a stream. Returns null when the object has none, and undefined when its length is wrong. */
function readStream(cursor: Cursor, value: PdfValue, { bytes, table, ofFile }: Source): Buffer | null | undefined {
  if (take(cursor, STREAM) === null) return null;
  if (value.kind !== 'dict') return undefined;
  const length = value.entries.get('Length');
  if (length?.kind === 'ref') ofFile.add(length.number);
  const size = length?.kind === 'number' ? length.value : lengthAt(cursor.text, table, length);
  const from = cursor.at;
  if (!Number.isInteger(size) || size < 0 || from + size > table.end) return undefined;
  cursor.at += size;
  const data = bytes.subarray(from, from + size);
  return take(cursor, END_OF_STREAM) === null || OWN_MARKS.some((mark) => data.includes(mark)) ? undefined : data;
}

/** Returns the length of a stream in an object of the file. Packed lengths are not searched. */
function lengthAt(text: string, { offsets }: PdfTable, length: PdfValue | undefined): number {
  const at = length?.kind === 'ref' ? offsets.get(length.number) : undefined;
  return at === undefined ? Number.NaN : Number(take({ text, at }, LENGTH)?.group ?? Number.NaN);
}
