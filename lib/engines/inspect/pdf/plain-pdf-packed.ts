/** Reads the packed table and the packed objects of a PDF (ISO 32000-2, 7.5.7 and 7.5.8) to their last byte. */
import { inflateSync } from 'node:zlib';
import { type PdfDictEntries, type PdfValue, type PlainObject, readValue, take } from './plain-pdf-values.ts';

/** A table, or all object streams of one file, unpacked. */
const MAX_BYTES = 32 * 1024 * 1024;
const SPACE = /[\t\n\f\r ]*/y;
const NUMBERS = /^[\t\n\r ]*(?:\d{1,10}[\t\n\r ]+)*(?:\d{1,10})?$/;
const OBJECTS_KEYS = new Set(['Type', 'N', 'First', 'Filter', 'Length']);
const PREDICTOR_KEYS = new Set(['Columns', 'Predictor']);
/** PNG predictors. Each row names one: none, or the row above. */
const PREDICTED = 12;
const ROW_FILTERS = [0, 2];

/** Where an object is packed. */
export interface PackedPlace {
  readonly stream: number;
  readonly index: number;
}

export interface PackedEntries {
  readonly offsets: Map<number, number>;
  readonly packed: Map<number, PackedPlace>;
}

/** Returns the entries of a packed table with this number of objects, or null when it has other content. */
export function readPackedTable(entries: PdfDictEntries, data: Buffer, size: number): PackedEntries | null {
  const widths = numbersOf(entries.get('W'));
  const index = entries.has('Index') ? numbersOf(entries.get('Index')) : [0, size];
  if (widths?.length !== 3 || widths.some((each) => each > 8) || index?.length !== 2) return null;
  if (index[0] !== 0 || index[1] !== size) return null;
  const width = widths.reduce((sum, each) => sum + each, 0);
  const rows = rowsOf(entries, data, width);
  if (rows === null || rows.length !== width * size) return null;
  const found: PackedEntries = { offsets: new Map(), packed: new Map() };
  for (let number = 0; number < size; number++)
    if (!takeRow(found, number, fieldsOf(rows.subarray(number * width, (number + 1) * width), widths))) return null;
  return found;
}

/**
 * Takes an entry: free, in the file, or in an object stream. Returns false for others; a replaced object has another generation than zero.
 */
function takeRow({ offsets, packed }: PackedEntries, number: number, [type, second, third]: Fields): boolean {
  if (type === 1 && third === 0) offsets.set(number, second);
  else if (type === 2) packed.set(number, { stream: second, index: third });
  return type === 0 || type === 2 || (type === 1 && third === 0);
}

type Fields = readonly [number, number, number];

/** Returns the three fields of an entry; the first one is its kind. An entry without a first field is in the file. */
function fieldsOf(row: Buffer, widths: readonly number[]): Fields {
  let at = 0;
  const [type = 0, second = 0, third = 0] = widths.map((width) => {
    const field = row.subarray(at, at + width);
    at += width;
    return field.reduce((sum, byte) => sum * 256 + byte, 0);
  });
  return [widths[0] === 0 ? 1 : type, second, third];
}

function rowsOf(entries: PdfDictEntries, data: Buffer, width: number): Buffer | null {
  const content = unpacked(entries, data, MAX_BYTES);
  const parameters = entries.get('DecodeParms');
  if (content === null || parameters === undefined) return content;
  if (parameters.kind !== 'dict' || ![...parameters.entries.keys()].every((key) => PREDICTOR_KEYS.has(key)))
    return null;
  const isKnown =
    numberAt(parameters.entries, 'Predictor') === PREDICTED && numberAt(parameters.entries, 'Columns') === width;
  if (!isKnown || width === 0 || content.length % (width + 1) !== 0) return null;
  const rows = Buffer.alloc((content.length / (width + 1)) * width);
  for (let from = 0, to = 0; from < content.length; from += width + 1, to += width) {
    const filter = content[from] as number;
    if (!ROW_FILTERS.includes(filter)) return null;
    for (let at = 0; at < width; at++) {
      const above = filter === 2 && to > 0 ? (rows[to + at - width] as number) : 0;
      rows[to + at] = ((content[from + 1 + at] as number) + above) & 0xff;
    }
  }
  return rows;
}

/** Adds the objects of all object streams, and returns which objects these streams are. Returns null when one of them has other content. */
export function readPackedObjects(
  objects: Map<number, PlainObject>,
  { packed }: PackedEntries,
): ReadonlySet<number> | null {
  const streams = new Set([...packed.values()].map(({ stream }) => stream));
  let [found, left] = [0, MAX_BYTES];
  for (const number of streams) {
    const stream = objects.get(number);
    if (stream?.value.kind !== 'dict' || stream.data === null) return null;
    const content = unpacked(stream.value.entries, stream.data, left);
    const values = content && readObjectStream(stream.value.entries, content);
    if (values === null) return null;
    left -= content?.length ?? 0;
    for (const [index, { number: inner, value }] of values.entries()) {
      const place = packed.get(inner);
      if (place?.stream !== number || place.index !== index || objects.has(inner)) return null;
      objects.set(inner, { value, data: null });
    }
    found += values.length;
  }
  return found === packed.size ? streams : null;
}

interface PackedObject {
  readonly number: number;
  readonly value: PdfValue;
}

/** Reads numbers and places, and then the objects one after the other. */
function readObjectStream(entries: PdfDictEntries, content: Buffer): PackedObject[] | null {
  const [count, first] = [numberAt(entries, 'N'), numberAt(entries, 'First')];
  if (
    content === null ||
    count === null ||
    first === null ||
    ![...entries.keys()].every((key) => OBJECTS_KEYS.has(key))
  )
    return null;
  const text = content.toString('latin1');
  const head = text.slice(0, first);
  const list = NUMBERS.test(head) ? (head.match(/\d+/g) ?? []).map(Number) : [];
  if (nameAt(entries, 'Type') !== 'ObjStm' || first > text.length || list.length !== 2 * count) return null;
  const cursor = { text, at: first };
  const found: PackedObject[] = [];
  for (let at = 0; at < list.length; at += 2) {
    take(cursor, SPACE);
    const isPlaced = cursor.at === first + (list[at + 1] as number);
    const value = isPlaced ? readValue(cursor) : null;
    if (value === null) return null;
    found.push({ number: list[at] as number, value });
  }
  take(cursor, SPACE);
  return cursor.at === text.length ? found : null;
}

/** Returns the content of a stream that is packed by Flate alone, to its last byte. */
function unpacked(entries: PdfDictEntries, data: Buffer, most: number): Buffer | null {
  if (nameAt(entries, 'Filter') !== 'FlateDecode' || most < 1) return null;
  try {
    const { buffer, engine } = inflateSync(data, { maxOutputLength: most, info: true }) as unknown as {
      readonly buffer: Buffer;
      readonly engine: { readonly bytesWritten: number };
    };
    return engine.bytesWritten === data.length ? buffer : null;
  } catch {
    return null;
  }
}

function nameAt(entries: PdfDictEntries, key: string): string | null {
  const value = entries.get(key);
  return value?.kind === 'name' ? value.text : null;
}

/** Returns a whole number that is not negative. */
function numberAt(entries: PdfDictEntries, key: string): number | null {
  const value = entries.get(key);
  return value?.kind === 'number' && Number.isInteger(value.value) && value.value >= 0 ? value.value : null;
}

function numbersOf(value: PdfValue | undefined): number[] | null {
  if (value?.kind !== 'array') return null;
  const numbers = value.items.map((item) => (item.kind === 'number' && Number.isInteger(item.value) ? item.value : -1));
  return numbers.every((each) => each >= 0) ? numbers : null;
}
