/**
 * Counts the pictures of a file of Word, Excel or PowerPoint 97-2003. It counts the pictures in the store of its drawings ([MS-ODRAW]
 * 2.2.20). It also counts the pictures that the text of a document points to ([MS-DOC] 2.9.192). A picture whose bytes are all zeros does
 * not count.
 */

import { openReadBudget } from '../read-budget.ts';

const HEADER_BYTES = 8;
const STORE_ENTRY = 0xf007;
/** Without the name. The byte at 33 says how much longer it is with the name. */
const STORE_ENTRY_BYTES = 36;
/** Groups in groups; programs write fewer than ten. */
const MAX_DEPTH = 32;

/**
 * Returns the number of pictures of a store: in the tree of records, and in the other stream to which it points. Throws RangeError when they
 * overlap too much.
 */
export function picturesOfStore(tree: Uint8Array, delayed: Uint8Array | null): number {
  const reading = openReading(delayed);
  readTree(Buffer.from(tree.buffer, tree.byteOffset, tree.byteLength), reading, 0);
  return reading.inside;
}

/** Returns the number of pictures of the entries of a store, each given without its header. */
export function picturesInStores(entries: readonly Uint8Array[], delayed: Uint8Array | null): number {
  const reading = openReading(delayed);
  for (const entry of entries) readEntry(Buffer.from(entry.buffer, entry.byteOffset, entry.byteLength), reading);
  return reading.inside;
}

interface Reading {
  /** The places in the other stream that were looked at. */
  readonly places: Set<number>;
  inside: number;
  readonly delayed: Buffer | null;
  readonly spend: (bytes: number) => void;
}

function openReading(delayed: Uint8Array | null): Reading {
  const stream = delayed === null ? null : Buffer.from(delayed.buffer, delayed.byteOffset, delayed.byteLength);
  return { places: new Set(), inside: 0, delayed: stream, spend: openReadBudget(stream?.length ?? 0) };
}

function readTree(tree: Buffer, reading: Reading, depth: number): void {
  for (let at = 0; at + HEADER_BYTES <= tree.length; ) {
    const end = Math.min(tree.length, at + HEADER_BYTES + tree.readUInt32LE(at + 4));
    const body = tree.subarray(at + HEADER_BYTES, end);
    const isGroup = (tree.readUInt16LE(at) & 0x0f) === 0x0f;
    if (tree.readUInt16LE(at + 2) === STORE_ENTRY) readEntry(body, reading);
    else if (isPicture(tree, at, end)) reading.inside += 1;
    else if (isGroup && depth < MAX_DEPTH) readTree(body, reading, depth + 1);
    at = end;
  }
}

function readEntry(entry: Buffer, reading: Reading): void {
  if (entry.length < STORE_ENTRY_BYTES) return;
  const inside = STORE_ENTRY_BYTES + (entry[33] ?? 0);
  const place = entry.readUInt32LE(28);
  const { delayed } = reading;
  if (isPicture(entry, inside, entry.length)) reading.inside += 1;
  else if (delayed !== null && place + HEADER_BYTES <= delayed.length && !reading.places.has(place)) {
    reading.places.add(place);
    reading.spend(Math.min(delayed.length - place, delayed.readUInt32LE(place + 4)));
    if (isPicture(delayed, place, delayed.length)) reading.inside += 1;
  }
}

/** Returns whether a record of a picture is complete and has a picture in it. Only the length of an emptied record is left. */
function isPicture(view: Buffer, at: number, limit: number): boolean {
  if (at + HEADER_BYTES > limit) return false;
  const kind = view.readUInt16LE(at + 2);
  const end = at + HEADER_BYTES + view.readUInt32LE(at + 4);
  const isOfPictures = (kind >= 0xf01a && kind <= 0xf01f) || kind === 0xf029 || kind === 0xf02a;
  return isOfPictures && end <= limit && view.subarray(at + HEADER_BYTES, end).some((byte) => byte !== 0);
}

/** Character properties: the place of the picture of a character, and whether it is data of a field instead. */
const PICTURE_PLACE = 0x6a03;
const IS_FIELD_DATA = 0x0806;
const PAGE_BYTES = 512;
/**
 * The size of the header of a picture in the data stream, and the values that say how its content is written ([MS-DOC] 2.9.192, mfpf.mm).
 */
const PICTURE_HEADER_BYTES = 68;
const DRAWN = 0x64;
const DRAWN_WITH_NAME = 0x66;

/** Returns the number of pictures to which characters of a document point. `pages` is the table of the pages of character properties. */
export function picturesInText(document: Uint8Array, pages: Uint8Array, data: Uint8Array | null): number {
  if (data === null || pages.length < 12) return 0;
  const view = Buffer.from(document.buffer, document.byteOffset, document.byteLength);
  const table = Buffer.from(pages.buffer, pages.byteOffset, pages.byteLength);
  const count = Math.floor((table.length - 4) / 8);
  const seen = new Set<number>();
  const places = new Set<number>();
  for (let index = 0; index < count; index++) {
    const from = (table.readUInt32LE((count + 1 + index) * 4) & 0x3fffff) * PAGE_BYTES;
    if (seen.has(from)) continue;
    seen.add(from);
    if (from + PAGE_BYTES <= view.length) readPage(view.subarray(from, from + PAGE_BYTES), places);
  }
  const stream = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
  const spend = openReadBudget(stream.length);
  return [...places].filter((place) => isPictureAt(stream, place, spend)).length;
}

function readPage(page: Buffer, places: Set<number>): void {
  const runs = page[PAGE_BYTES - 1] ?? 0;
  for (let run = 0; run < runs; run++) {
    const at = (page[(runs + 1) * 4 + run] ?? 0) * 2;
    const end = Math.min(PAGE_BYTES, at + 1 + (page[at] ?? 0));
    if (at === 0) continue;
    let place: number | null = null;
    let isData = false;
    for (let next = at + 1; next + 2 < end; ) {
      const property = page.readUInt16LE(next);
      if (property === PICTURE_PLACE && next + 6 <= end) place = page.readUInt32LE(next + 2);
      if (property === IS_FIELD_DATA) isData = page[next + 2] !== 0;
      next += 2 + valueBytes(property, page[next + 2] ?? 0);
    }
    if (place !== null && !isData) places.add(place);
  }
}

/** Returns the length of the value of a property, by its three upper bits ([MS-DOC] 2.2.5.1). */
const valueBytes = (property: number, first: number): number => [1, 1, 2, 4, 2, 2, 1 + first, 3][property >> 13] ?? 1;

function isPictureAt(stream: Buffer, at: number, spend: (bytes: number) => void): boolean {
  if (at + PICTURE_HEADER_BYTES > stream.length) return false;
  const end = at + stream.readUInt32LE(at);
  const from = at + stream.readUInt16LE(at + 4);
  if (end > stream.length || from < at + PICTURE_HEADER_BYTES || from > end) return false;
  const kind = stream.readUInt16LE(at + 6);
  if (kind === 0) return false;
  spend(end - from);
  const content = stream.subarray(from, end);
  // Before Word 97, pictures were metafiles and bitmaps without a frame.
  if (kind !== DRAWN && kind !== DRAWN_WITH_NAME) return content.some((byte) => byte !== 0);
  const behindName = kind === DRAWN_WITH_NAME ? 1 + (content[0] ?? 0) : 0;
  return picturesOfStore(content.subarray(behindName), null) > 0;
}
