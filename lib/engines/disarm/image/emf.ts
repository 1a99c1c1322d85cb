/** Enhanced metafiles ([MS-EMF]), written anew record by record. */
import { EMF_RECORDS } from './emf-records.ts';

/** The most records of a drawing. Readers need minutes for longer ones. */
const MAX_RECORDS = 500_000;
/** The most states that are saved and not restored. The reader keeps all of them in memory. */
const MAX_SAVED = 1_000;

const HEADER_BYTES = 88;
const LONG_HEADER_BYTES = 108;
const END = 14;
/**
 * Records that are left out: palettes, comments (EMF+ among them), OpenGL, escapes of drivers, print jobs, links of fonts, and profiles
 * and colour spaces, which name files.
 */
const LEFT_OUT = new Set([
  48, 49, 50, 51, 52, 70, 98, 99, 100, 101, 102, 103, 105, 106, 109, 110, 111, 112, 113, 119, 121, 122,
]);
/** Records that draw lines, areas, text or bitmaps. A file without any of them shows nothing. */
const DRAWING = new Set(
  '2 3 4 5 6 7 8 15 41 42 43 44 45 46 47 53 54 55 62 63 64 71 72 73 74 76 77 80 81 83 84 85 86 87 88 89 90 91 108 114 116 118'
    .split(' ')
    .map(Number),
);
const SAVE = 33;
const RESTORE = 34;
const SELECT = 37;
const DELETE = 40;
const MAKING = new Set([38, 39, 82, 93, 94, 95]);
/** Regions that are filled or framed with a brush. */
const BRUSHING = new Set([71, 72]);
const STOCK = 0x8000_0000;
const LAST_STOCK = 0x8000_0013;

interface Drawing {
  /** The slots that are taken in the reader's table of pens, brushes and fonts. */
  readonly objects: Set<number>;
  readonly slots: number;
  mostSlots: number;
  saved: number;
}

/** Returns the drawing, written anew; null when it cannot be read with certainty. Throws RangeError when it is cut short. */
export function rebuildEmf(untrusted: Buffer): Buffer | null {
  const headerBytes = untrusted.readUInt32LE(4);
  if (headerBytes < HEADER_BYTES || headerBytes % 4 !== 0 || headerBytes > untrusted.length) return null;
  if (untrusted.readUInt32LE(0) !== 1 || untrusted.toString('latin1', 40, 44) !== ' EMF') return null;
  const drawing: Drawing = { objects: new Set(), slots: untrusted.readUInt16LE(56), mostSlots: 1, saved: 0 };
  const kept: Buffer[] = [];
  let at = headerBytes;
  for (let count = 0; count < MAX_RECORDS; count++) {
    const type = untrusted.readUInt32LE(at);
    const size = untrusted.readUInt32LE(at + 4);
    if (size < 8 || size % 4 !== 0 || at + size > untrusted.length) return null;
    if (type === END) return write(untrusted, headerBytes, kept, drawing);
    const record = LEFT_OUT.has(type) ? 'left out' : rewritten(untrusted.subarray(at, at + size), type, drawing);
    if (record === null) return null;
    if (record !== 'left out') kept.push(record);
    at += size;
  }
  return null;
}

/** The content of a drawing besides the part that can be written anew. */
export interface Beside {
  /** Records that are left out. */
  readonly leftOut: number;
  /** Whether the header names a program and a title. */
  readonly hasDescription: boolean;
  /** The end of the last record. */
  readonly end: number;
}

/** Describes a drawing that `rebuildEmf` took. */
export function describeEmf(untrusted: Buffer): Beside {
  let leftOut = 0;
  for (let at = untrusted.readUInt32LE(4); ; at += untrusted.readUInt32LE(at + 4)) {
    const type = untrusted.readUInt32LE(at);
    if (LEFT_OUT.has(type)) leftOut++;
    if (type === END) {
      const end = at + untrusted.readUInt32LE(at + 4);
      return { leftOut, hasDescription: untrusted.readUInt32LE(60) > 0, end };
    }
  }
}

const COMMENT = 70;

/** Returns whether a sound drawing consists only of EMF+ records ([MS-EMFPLUS]), which are inside comments and are not written anew. */
export function isPlusAlone(untrusted: Buffer): boolean {
  let hasPlus = false;
  for (let at = untrusted.readUInt32LE(4); at + 8 <= untrusted.length; at += untrusted.readUInt32LE(at + 4)) {
    const [type, size] = [untrusted.readUInt32LE(at), untrusted.readUInt32LE(at + 4)];
    if (type === END) return hasPlus;
    if (size < 8 || DRAWING.has(type)) return false;
    hasPlus ||= type === COMMENT && untrusted.toString('latin1', at + 12, at + 16) === 'EMF+';
  }
  return false;
}

/** Returns the record in its written form; null when it is unknown or not sound. */
function rewritten(untrusted: Buffer, type: number, drawing: Drawing): Buffer | 'left out' | null {
  const record = EMF_RECORDS.get(type)?.(untrusted) ?? null;
  const use = record === null ? 'unsound' : useOf(record, type, drawing);
  if (use === 'unsound') return null;
  return use === 'kept' ? record : 'left out';
}

/** Follows the table of objects and the stack of states, so that a record only selects, deletes, paints with or restores what exists. */
function useOf(record: Buffer, type: number, drawing: Drawing): 'kept' | 'left out' | 'unsound' {
  const slot = () => record.readUInt32LE(BRUSHING.has(type) ? 28 : 8);
  if (type === SAVE) return ++drawing.saved > MAX_SAVED ? 'unsound' : 'kept';
  if (type === RESTORE) return restore(-record.readInt32LE(8), drawing);
  if (MAKING.has(type)) {
    if (slot() < 1 || slot() >= drawing.slots) return 'unsound';
    drawing.objects.add(slot());
    drawing.mostSlots = Math.max(drawing.mostSlots, slot() + 1);
    return 'kept';
  }
  if (BRUSHING.has(type)) return drawing.objects.has(slot()) ? 'kept' : 'unsound';
  if (type !== SELECT && type !== DELETE) return 'kept';
  if (slot() >= STOCK) return type === SELECT && slot() <= LAST_STOCK ? 'kept' : 'unsound';
  if (slot() >= drawing.slots) return 'unsound';
  // Palettes are not kept, so a record that uses one is left out.
  const isThere = type === DELETE ? drawing.objects.delete(slot()) : drawing.objects.has(slot());
  return isThere ? 'kept' : 'left out';
}

function restore(levels: number, drawing: Drawing): 'kept' | 'left out' {
  if (levels < 1 || levels > drawing.saved) return 'left out';
  drawing.saved -= levels;
  return 'kept';
}

function write(untrusted: Buffer, headerBytes: number, kept: readonly Buffer[], { mostSlots }: Drawing): Buffer | null {
  if (!kept.some((record) => DRAWING.has(record.readUInt32LE(0)))) return null;
  const size = headerBytes >= LONG_HEADER_BYTES ? LONG_HEADER_BYTES : HEADER_BYTES;
  const header = Buffer.from(untrusted.subarray(0, size));
  const end = endRecord();
  // Readers divide by the size of the device.
  if ([72, 76, 80, 84].some((at) => header.readInt32LE(at) <= 0)) return null;
  header.writeUInt32LE(size, 4);
  header.writeUInt32LE(0x10000, 44);
  header.writeUInt32LE(
    kept.reduce((sum, { length }) => sum + length, size + end.length),
    48,
  );
  header.writeUInt32LE(kept.length + 2, 52);
  header.writeUInt16LE(mostSlots, 56);
  // These fields describe the description and the palette. The pixel format and OpenGL follow the first form of the header.
  header.fill(0, 58, 72);
  if (size > HEADER_BYTES) header.fill(0, 88, 100);
  return Buffer.concat([header, ...kept, end]);
}

function endRecord(): Buffer {
  const end = Buffer.alloc(20);
  [END, 20, 0, 16, 20].forEach((value, index) => void end.writeUInt32LE(value, index * 4));
  return end;
}
