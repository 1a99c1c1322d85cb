/**
 * Inspects metafiles. They may hold only drawing records from a closed list, each exactly as long as its counts say. No bytes may be in
 * front of, between or behind them.
 */

/** The rule for one type of record. It takes the start and the length, and returns the length of the content, or -1. */
type Measure = (view: DataView, at: number, length: number) => number;

const u16 = (view: DataView, at: number) => view.getUint16(at, true);
const u32 = (view: DataView, at: number) => view.getUint32(at, true);
const i32 = (view: DataView, at: number) => view.getInt32(at, true);
const even = (length: number) => length + (length % 2);
const fours = (length: number) => Math.ceil(length / 4) * 4;

/** Returns the length of the header and colours of a plain bitmap, and of its lines. Returns null for any other bitmap. */
function bitmapLengths(view: DataView, at: number): readonly [number, number, number] | null {
  const [width, lines] = [i32(view, at + 4), Math.abs(i32(view, at + 8))];
  const [depth, packing, colours] = [u16(view, at + 14), u32(view, at + 16), u32(view, at + 32)];
  if (u32(view, at) !== 40 || u16(view, at + 12) !== 1 || ![1, 4, 8, 16, 24, 32].includes(depth)) return null;
  if (width < 1 || lines < 1 || width > 32_767 || lines > 32_767) return null;
  if (packing !== 0 && !(packing === 3 && depth % 16 === 0)) return null;
  if (depth > 8 ? colours !== 0 : colours < 1 || colours > 1 << depth) return null;
  return [40 + (packing === 3 ? 12 : colours * 4), (((width * depth + 31) >>> 5) << 2) * lines, lines];
}

const just =
  (length: number): Measure =>
  () =>
    length;

const each =
  (size: number): Measure =>
  (view, at) =>
    28 + u32(view, at + 24) * size;

const groups =
  (size: number): Measure =>
  (view, at, length) => {
    const [count, total] = [u32(view, at + 24), u32(view, at + 28)];
    let sum = 0;
    for (let index = 0; index < count && 32 + index * 4 < length; index++) sum += u32(view, at + 32 + index * 4);
    return sum === total ? 32 + count * 4 + total * size : -1;
  };

const region =
  (fixed: number, sizeAt: number): Measure =>
  (view, at, length) => {
    const size = u32(view, at + sizeAt);
    if (size === 0) return sizeAt === 8 ? fixed : -1;
    if (fixed + 32 > length || u32(view, at + fixed) !== 32 || u32(view, at + fixed + 4) !== 1) return -1;
    return size === 32 + u32(view, at + fixed + 8) * 16 ? fixed + size : -1;
  };

const bitmap =
  (fixed: number, places: number, usage: number, mayMiss = false): Measure =>
  (view, at) => {
    const [from, size, bits, bitsSize] = [0, 4, 8, 12].map((step) => u32(view, at + places + step));
    if (size === 0) return mayMiss && from === 0 && bits === 0 && bitsSize === 0 ? fixed : -1;
    if (from !== fixed || u32(view, at + usage) !== 0) return -1;
    const lengths = bitmapLengths(view, at + fixed);
    const isExact = lengths?.[0] === size && lengths?.[1] === bitsSize && bits === fixed + (size ?? 0);
    return isExact ? fixed + (size ?? 0) + (bitsSize ?? 0) : -1;
  };

const text =
  (size: number): Measure =>
  (view, at) => {
    const [count, string, options, distances] = [44, 48, 52, 72].map((step) => u32(view, at + step)) as number[];
    const after = 76 + fours((count ?? 0) * size);
    if (string !== 76 || (distances !== 0 && (distances !== after || count === 0))) return -1;
    return distances === 0 ? after : after + (count ?? 0) * (((options ?? 0) & 0x2000) === 0 ? 4 : 8);
  };

const pen: Measure = (view, at) => {
  const dashes = u32(view, at + 48);
  const hasBitmap = [12, 16, 20, 24].some((step) => u32(view, at + step) !== 0);
  return hasBitmap || dashes > 16 || u32(view, at + 36) > 2 ? -1 : 52 + 4 * Math.max(1, dashes);
};

const gradient: Measure = (view, at, length) => {
  const [corners, shapes, mode] = [u32(view, at + 24), u32(view, at + 28), u32(view, at + 32)];
  const total = 36 + corners * 16 + shapes * 12;
  if (mode > 2 || total !== length) return -1;
  const names = shapes * (mode === 2 ? 3 : 2);
  for (let index = 0; index < names; index++) if (u32(view, at + 36 + corners * 16 + index * 4) >= corners) return -1;
  return total;
};

const smallText: Measure = (view, at) => {
  const options = u32(view, at + 20);
  return ((options & 0x100) === 0 ? 52 : 36) + fours(u32(view, at + 16) * ((options & 0x200) === 0 ? 2 : 1));
};

const rows = (length: number, types: string) =>
  types.split(' ').map((type) => [Number.parseInt(type, 16), just(length)] as const);

const EMF: ReadonlyMap<number, Measure> = new Map<number, Measure>([
  ...rows(8, '1c 21 3b 3c 3d 41 42 44'),
  ...rows(12, '10 11 12 13 14 15 16 18 19 22 25 28 39 3a 43 73'),
  ...rows(16, '9 a b c d 1a 1b 36 78'),
  ...rows(20, 'f'),
  ...rows(24, '1d 1e 1f 20 27 2a 2b 35 3e 3f 40'),
  ...rows(28, '26 29'),
  ...rows(32, '17 23 2c'),
  ...rows(36, '24'),
  ...rows(40, '2d 2e 2f 37'),
  ...[2, 3, 4, 5, 6].map((type) => [type, each(8)] as const),
  ...[85, 86, 87, 88, 89].map((type) => [type, each(4)] as const),
  ...[7, 8].map((type) => [type, groups(8)] as const),
  ...[90, 91].map((type) => [type, groups(4)] as const),
  [71, region(32, 24)],
  [72, region(40, 24)],
  [73, region(28, 24)],
  [74, region(28, 24)],
  [75, region(16, 8)],
  [76, bitmap(100, 84, 80, true)],
  [77, bitmap(108, 84, 80, true)],
  [80, bitmap(76, 48, 64)],
  [81, bitmap(80, 48, 64)],
  [82, just(332)],
  [83, text(1)],
  [84, text(2)],
  [93, bitmap(32, 16, 12)],
  [94, bitmap(32, 16, 12)],
  [95, pen],
  [108, smallText],
  [114, bitmap(108, 84, 80)],
  [116, bitmap(108, 84, 80)],
  [118, gradient],
]);

/** The offset at which a record names a slot: the record makes, selects or deletes its content, or paints with it. */
const EMF_SLOTS = new Map<number, number>([
  ...[38, 39, 82, 93, 94, 95, 37, 40].map((type) => [type, 8] as const),
  [71, 28],
  [72, 28],
]);

/** Returns whether an enhanced metafile holds only known records, with the length and number that its header gives. */
export function isSoundEmf(view: DataView): boolean {
  const [header, total, records, slots] = [u32(view, 4), u32(view, 48), u32(view, 52), u16(view, 56)];
  if ((header !== 88 && header !== 108) || total !== view.byteLength || u16(view, 58) !== 0) return false;
  // No description, no palette, no pixel format.
  if ([60, 64, 68, ...(header === 108 ? [88, 92, 96] : [])].some((at) => u32(view, at) !== 0)) return false;
  let count = 2;
  for (let at = header; ; count++) {
    const [type, size] = [u32(view, at), u32(view, at + 4)];
    if (type === 14) return size === 20 && u32(view, at + 8) === 0 && at + 20 === total && count === records;
    if (size < 8 || at + size > total || EMF.get(type)?.(view, at, size) !== size) return false;
    if (!isSlotSound(view, at, slots)) return false;
    at += size;
  }
}

/** Returns whether a record names no slot, a slot of the table, or something of the system that can be selected. */
function isSlotSound(view: DataView, at: number, slots: number): boolean {
  const type = u32(view, at);
  const slotAt = EMF_SLOTS.get(type);
  if (slotAt === undefined) return true;
  const slot = u32(view, at + slotAt);
  return slot >= 0x8000_0000 ? type === 37 && slot < 0x8000_0014 : slot > 0 && slot < slots;
}

const list16: Measure = (view, at) => 8 + u16(view, at + 6) * 4;

const groups16: Measure = (view, at, length) => {
  const count = u16(view, at + 6);
  let sum = 0;
  for (let index = 0; index < count && 8 + index * 2 < length; index++) sum += u16(view, at + 8 + index * 2);
  return 8 + count * 2 + sum * 4;
};

const spacedText: Measure = (view, at, length) => {
  const count = u16(view, at + 10);
  const after = 14 + ((u16(view, at + 12) & 6) === 0 ? 0 : 8) + even(count);
  return length === after ? after : after + count * 2;
};

const packed =
  (fixed: number, usage: number, bare = 0): Measure =>
  (view, at, length) => {
    if (length === bare) return bare;
    const lengths = usage > 0 && u16(view, at + usage) !== 0 ? null : bitmapLengths(view, at + fixed);
    return lengths === null ? -1 : fixed + lengths[0] + lengths[1];
  };

const WMF: ReadonlyMap<number, Measure> = new Map<number, Measure>([
  ...rows(6, '1e'),
  ...rows(8, '102 103 104 106 107 108 127 12d 12e 1f0'),
  [0x12c, (view, at) => (u16(view, at + 6) === 0 ? 8 : -1)],
  ...rows(10, '149 201 209 20a 20b 20c 20d 20e 20f 211 213 214 220 231'),
  ...rows(14, '410 412 415 416 418 419 41b 41f 2fc'),
  ...rows(16, '548 2fa'),
  ...rows(18, '61c 61d'),
  ...rows(22, '817 81a 830'),
  [0x324, list16],
  [0x325, list16],
  [0x538, groups16],
  [0x521, (view, at) => 12 + even(u16(view, at + 6))],
  [0xa32, spacedText],
  [0x2fb, just(56)],
  [0x142, packed(10, 8)],
  [0x940, packed(22, 0, 24)],
  [0xb41, packed(26, 0, 28)],
  [0xd33, packed(24, 6)],
  [0xf43, packed(28, 10)],
]);

/** Returns whether a Windows metafile holds only known records, with the length that its header gives. */
export function isSoundWmf(view: DataView): boolean {
  const start = u32(view, 0) === 0x9ac6cdd7 ? 22 : 0;
  if (u16(view, start + 2) !== 9 || start + u32(view, start + 6) * 2 !== view.byteLength) return false;
  const slots = u16(view, start + 10);
  for (let at = start + 18; ; ) {
    const [size, type] = [u32(view, at) * 2, u16(view, at + 4)];
    if (type === 0) return size === 6 && at + 6 === view.byteLength;
    if (size < 6 || at + size > view.byteLength || WMF.get(type)?.(view, at, size) !== size) return false;
    if ((type === 0x12d || type === 0x1f0) && u16(view, at + 6) >= slots) return false;
    at += size;
  }
}
