/** Windows metafiles ([MS-WMF]), written anew record by record. */
import type { Beside } from './emf.ts';
import { WMF_RECORDS } from './wmf-records.ts';

/** The most records of a drawing. Readers need minutes for longer ones. */
const MAX_RECORDS = 500_000;
/** The most states that are saved and not restored. The reader keeps all of them in memory. */
const MAX_SAVED = 1_000;

const PLACEABLE = 0x9ac6cdd7;
const PLACEABLE_BYTES = 22;
const HEADER_BYTES = 18;
const END = 0;
/** Records that are left out: escapes to drivers, and all that use palettes. */
const LEFT_OUT = new Set([0x0626, 0x0035, 0x0037, 0x0105, 0x0139, 0x0234, 0x0436]);
const SAVE = 0x001e;
const RESTORE = 0x0127;
const SELECT = 0x012d;
const DELETE = 0x01f0;
const MAKING = new Set([0x02fa, 0x02fb, 0x02fc, 0x0142]);
/** A palette takes a slot of the table of objects. A brush that paints nothing replaces it. */
const CREATE_PALETTE = 0x00f7;
const NO_BRUSH = Buffer.from([7, 0, 0, 0, 0xfc, 2, 1, 0, 0, 0, 0, 0, 0, 0]);
/** Records that draw lines, areas, text or bitmaps. */
const DRAWING = new Set(
  '0213 041b 0418 0324 0325 0538 0521 0a32 061c 0817 081a 0830 0940 0b41 0d33 0f43 061d 041f 0548 0419'
    .split(' ')
    .map((code) => Number.parseInt(code, 16)),
);

interface Drawing {
  /** The used slots in the reader's table of pens, brushes and fonts. A new object takes the first free one. */
  readonly slots: boolean[];
  saved: number;
}

/** Returns the drawing, written anew; null when it cannot be read with certainty. Throws RangeError when it is cut short. */
export function rebuildWmf(untrusted: Buffer): Buffer | null {
  const start = untrusted.readUInt32LE(0) === PLACEABLE ? PLACEABLE_BYTES : 0;
  const kept: Buffer[] = [];
  const drawing: Drawing = { slots: [], saved: 0 };
  const declaredSlots = untrusted.readUInt16LE(start + 10);
  let at = start + HEADER_BYTES;
  for (let count = 0; count < MAX_RECORDS; count++) {
    const size = untrusted.readUInt32LE(at) * 2;
    const type = untrusted.readUInt16LE(at + 4);
    if (type === END) return write(untrusted, start, kept, drawing);
    if (size < 6 || at + size > untrusted.length) return null;
    const record = LEFT_OUT.has(type) ? 'left out' : rewritten(untrusted.subarray(at, at + size), type, drawing);
    if (record === null || drawing.slots.length > declaredSlots) return null;
    if (record !== 'left out') kept.push(record);
    at += size;
  }
  return null;
}

/** Describes a drawing that `rebuildWmf` took. */
export function describeWmf(untrusted: Buffer): Beside {
  let leftOut = 0;
  const start = untrusted.readUInt32LE(0) === PLACEABLE ? PLACEABLE_BYTES : 0;
  for (let at = start + HEADER_BYTES; ; at += untrusted.readUInt32LE(at) * 2) {
    const type = untrusted.readUInt16LE(at + 4);
    if (LEFT_OUT.has(type)) leftOut++;
    if (type === END) return { leftOut, hasDescription: false, end: at + Math.max(6, untrusted.readUInt32LE(at) * 2) };
  }
}

/** Returns the record in its written form; null when it is unknown or not sound. */
function rewritten(untrusted: Buffer, type: number, drawing: Drawing): Buffer | 'left out' | null {
  const record = type === CREATE_PALETTE ? NO_BRUSH : (WMF_RECORDS.get(type)?.(untrusted) ?? null);
  const use = record === null ? 'unsound' : useOf(record, record.readUInt16LE(4), drawing);
  if (use === 'unsound') return null;
  return use === 'kept' ? record : 'left out';
}

/** Follows the table of objects and the stack of states, so that a record only selects, deletes or restores what exists. */
function useOf(record: Buffer, type: number, drawing: Drawing): 'kept' | 'left out' | 'unsound' {
  const { slots } = drawing;
  if (type === SAVE) return ++drawing.saved > MAX_SAVED ? 'unsound' : 'kept';
  if (type === RESTORE) return restore(-record.readInt16LE(6), drawing);
  if (MAKING.has(type)) {
    const free = slots.indexOf(false);
    slots[free === -1 ? slots.length : free] = true;
    return 'kept';
  }
  if (type !== SELECT && type !== DELETE) return 'kept';
  const slot = record.readUInt16LE(6);
  if (slots[slot] !== true) return 'left out';
  if (type === DELETE) slots[slot] = false;
  return 'kept';
}

function restore(levels: number, drawing: Drawing): 'kept' | 'left out' {
  if (levels < 1 || levels > drawing.saved) return 'left out';
  drawing.saved -= levels;
  return 'kept';
}

function write(untrusted: Buffer, start: number, kept: readonly Buffer[], { slots }: Drawing): Buffer | null {
  if (!kept.some((record) => DRAWING.has(record.readUInt16LE(4)))) return null;
  const end = Buffer.from([3, 0, 0, 0, 0, 0]);
  const header = Buffer.alloc(HEADER_BYTES);
  const total = kept.reduce((sum, { length }) => sum + length, HEADER_BYTES + end.length);
  header.writeUInt16LE(1, 0);
  header.writeUInt16LE(HEADER_BYTES / 2, 2);
  header.writeUInt16LE(0x0300, 4);
  header.writeUInt32LE(total / 2, 6);
  header.writeUInt16LE(slots.length, 10);
  header.writeUInt32LE(
    kept.reduce((most, { length }) => Math.max(most, length / 2), 3),
    12,
  );
  return Buffer.concat([placeable(untrusted, start), header, ...kept, end]);
}

/** Writes the frame and its scale, with a handle of zero and a new checksum. */
function placeable(untrusted: Buffer, start: number): Buffer {
  const out = Buffer.from(untrusted.subarray(0, start));
  if (start === 0) return out;
  out.fill(0, 4, 6);
  out.fill(0, 16, 20);
  // Readers divide by this number.
  if (out.readUInt16LE(14) === 0) out.writeUInt16LE(1440, 14);
  let sum = 0;
  for (let at = 0; at < 20; at += 2) sum ^= out.readUInt16LE(at);
  out.writeUInt16LE(sum, 20);
  return out;
}
