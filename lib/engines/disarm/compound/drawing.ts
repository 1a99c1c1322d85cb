/**
 * Filters Office drawings ([MS-ODRAW]) of Word, Excel and PowerPoint 97 to 2003 in place. Other streams point into them by offset, so every
 * record keeps its length, and removed data becomes zeros.
 */
import { EngineError } from '../../engine.ts';
import { isSafeHyperlink } from './hyperlink.ts';
import { isPictureRecord, scrubPicture } from './picture.ts';

export type Note = (kind: string, action?: 'removed' | 'sanitized') => void;

const HEADER_BYTES = 8;
/** A limit for nested groups. Real drawings have fewer than ten levels. */
const MAX_DEPTH = 64;
const STORE_ENTRY = 0xf007;
const STORE_ENTRY_BYTES = 36;
const PROPERTY_TABLES = new Set([0xf00b, 0xf121, 0xf122]);
const FIRST_TYPE = 0xf000;
const LAST_TYPE = 0xf122;

/** Properties with data that only describe a shape. Every other property with data (file names, scripts, packages) becomes zeros. */
const PLAIN_PROPERTIES = new Set([
  0x0a0, 0x0c0, 0x0c5, 0x145, 0x146, 0x151, 0x152, 0x155, 0x156, 0x157, 0x158, 0x197, 0x1cf, 0x380, 0x381, 0x383, 0x38d,
  0x3a0, 0x14f, 0x150, 0x159, 0x54f, 0x58f, 0x5cf, 0x60f,
]);
const ARRAYS = new Set([0x145, 0x146, 0x151, 0x152, 0x155, 0x156, 0x157, 0x158, 0x197, 0x1cf, 0x383, 0x3a0]);
const HYPERLINK = 0x382;
/** The meaning of a picture's name: a file or address to load. There is one for each kind of picture. */
const PICTURE_FLAGS = new Set([0x106, 0x188, 0x1c7]);

/** Filters the records in `bytes`. Throws EngineError `unreadable` when they do not follow one another to the end. */
export function filterDrawing(bytes: Buffer, note: Note): void {
  walk(bytes, note, 0);
}

function walk(bytes: Buffer, note: Note, depth: number): void {
  if (depth > MAX_DEPTH) throw new EngineError('oversize', `a drawing is nested more than ${MAX_DEPTH} deep`);
  let at = 0;
  while (at + HEADER_BYTES <= bytes.length) {
    const version = bytes.readUInt16LE(at);
    const type = bytes.readUInt16LE(at + 2);
    const end = at + HEADER_BYTES + bytes.readUInt32LE(at + 4);
    if (end > bytes.length) throw new EngineError('unreadable', 'a drawing is damaged');
    const payload = bytes.subarray(at + HEADER_BYTES, end);
    if ((version & 0x0f) === 0x0f && type >= FIRST_TYPE && type <= LAST_TYPE) walk(payload, note, depth + 1);
    else filterAtom(type, version >> 4, payload, note, depth);
    at = end;
  }
  // Fewer bytes than a header are padding.
  bytes.fill(0, at);
}

/** Filters the payload of one record that holds no others. */
export function filterAtom(type: number, instance: number, payload: Buffer, note: Note, depth = 0): void {
  if (PROPERTY_TABLES.has(type)) filterProperties(payload, instance, note);
  else if (type === STORE_ENTRY) filterStoreEntry(payload, note, depth);
  else if (isPictureRecord(type)) {
    const found = scrubPicture(type, instance, payload);
    if (found !== null) note(found, found === 'picture data' ? 'sanitized' : 'removed');
  } else if (type < FIRST_TYPE || type > LAST_TYPE) blank(payload, note, 'unknown drawing record');
}

function blank(bytes: Buffer, note: Note, kind: string): void {
  if (bytes.every((byte) => byte === 0)) return;
  bytes.fill(0);
  note(kind);
}

/** Filters a picture of the document's store, with the name of its original file ([MS-ODRAW] 2.2.32). */
function filterStoreEntry(payload: Buffer, note: Note, depth: number): void {
  if (payload.length < STORE_ENTRY_BYTES) {
    blank(payload, note, 'unknown drawing record');
    return;
  }
  const nameEnd = STORE_ENTRY_BYTES + (payload[33] ?? 0);
  blank(payload.subarray(STORE_ENTRY_BYTES, nameEnd), note, 'file path');
  walk(payload.subarray(Math.min(nameEnd, payload.length)), note, depth + 1);
}

/** Filters properties ([MS-ODRAW] 2.3.1): entries of six bytes, then the data of those that have some. */
function filterProperties(payload: Buffer, count: number, note: Note): void {
  if (count * 6 > payload.length) throw new EngineError('unreadable', 'a drawing is damaged');
  let data = count * 6;
  for (let index = 0; index < count; index++) {
    const id = payload.readUInt16LE(index * 6);
    const value = payload.readUInt32LE(index * 6 + 2);
    const name = id & 0x3fff;
    if (id & 0x8000) {
      data = filterData(name, payload, data, value, note);
    } else if (PICTURE_FLAGS.has(name) && value !== 0) {
      payload.writeUInt32LE(0, index * 6 + 2);
      if (value & 0x0b) note('linked picture');
    }
  }
  blank(payload.subarray(data), note, 'unknown drawing record');
}

/**
 * Returns the length of the data. Arrays may leave their six bytes of header out of the count: then their data is that much longer
 * ([MS-ODRAW] 2.3.1.2).
 */
function filterData(name: number, payload: Buffer, at: number, size: number, note: Note): number {
  const end = at + size + (ARRAYS.has(name) && countsNoHeader(payload, at, size) ? 6 : 0);
  if (end > payload.length) throw new EngineError('unreadable', 'a drawing is damaged');
  const data = payload.subarray(at, end);
  if (name === HYPERLINK) {
    if (data.some((byte) => byte !== 0) && !isSafeHyperlink(data)) blank(data, note, 'unsafe hyperlink');
  } else if (!PLAIN_PROPERTIES.has(name)) {
    blank(data, note, 'drawing data');
  }
  return end;
}

function countsNoHeader(payload: Buffer, at: number, size: number): boolean {
  if (size === 0 || at + 6 > payload.length) return false;
  const width = payload.readUInt16LE(at + 4);
  return payload.readUInt16LE(at) * (width === 0xfff0 ? 4 : width) === size;
}
