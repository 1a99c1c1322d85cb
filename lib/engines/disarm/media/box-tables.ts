/** Tables whose number of rows must fit into their box. Players that trusted the number wrote beyond their memory. */
import { type Box, damaged } from './boxes.ts';

/** Bytes of a row, by the version of the table. */
const ROW_BYTES: Readonly<Record<string, readonly [number, number]>> = {
  stts: [8, 8],
  ctts: [8, 8],
  stsc: [12, 12],
  stco: [4, 4],
  co64: [8, 8],
  stss: [4, 4],
  stps: [4, 4],
  elst: [12, 20],
};
/** Boxes with a fixed content: the least and the most of it. */
const FIXED: Readonly<Record<string, readonly [number, number]>> = {
  mvhd: [100, 112],
  tkhd: [84, 96],
  mdhd: [24, 36],
  vmhd: [12, 12],
  smhd: [8, 8],
  hdlr: [20, 4_096],
  mehd: [8, 12],
  trex: [24, 24],
  mfhd: [8, 8],
  tfdt: [8, 12],
  tfhd: [8, 32],
};

/**
 * Checks a table. Throws EngineError `unreadable` when it claims more rows than its box has, or when a box of fixed size has another size.
 */
export function checkTable(bytes: Buffer, { type, from, end }: Box): void {
  const size = end - from;
  const fixed = FIXED[type];
  if (fixed !== undefined && (size < fixed[0] || size > fixed[1])) throw damaged();
  const rowBytes = ROW_BYTES[type]?.[bytes[from] === 1 ? 1 : 0];
  if (rowBytes !== undefined && (size < 8 || rows(bytes, from + 4) * rowBytes > size - 8)) throw damaged();
  if (/^(?:stsz|stz2|trun)$/.test(type) && (size < 12 || !OTHER_TABLES[type]?.(bytes, from, size))) throw damaged();
  if (type === 'stco' || type === 'co64') checkPlaces(bytes, from, type === 'co64' ? 8 : 4);
}

/** Tables whose head states the size of their rows. */
const OTHER_TABLES: Readonly<Record<string, (bytes: Buffer, from: number, size: number) => boolean>> = {
  stsz: (bytes, from, size) => rows(bytes, from + 4) !== 0 || rows(bytes, from + 8) * 4 <= size - 12,
  stz2: (bytes, from, size) => (rows(bytes, from + 8) * (bytes[from + 7] ?? 0)) / 8 <= size - 12,
  trun: (bytes, from, size) => rows(bytes, from + 4) * rowOfRun(bytes, from) <= size - 8,
};

/** Checks that samples are in the file. */
function checkPlaces(bytes: Buffer, from: number, width: 4 | 8): void {
  for (let row = 0; row < rows(bytes, from + 4); row++) {
    const at = from + 8 + row * width;
    const place = width === 8 ? Number(bytes.readBigUInt64BE(at)) : bytes.readUInt32BE(at);
    if (place >= bytes.length) throw damaged();
  }
}

const rows = (bytes: Buffer, at: number) => bytes.readUInt32BE(at);

/** Returns the bytes of a row of a run: four for each field that its flags name (ISO/IEC 14496-12, 8.8.8). */
function rowOfRun(bytes: Buffer, from: number): number {
  const flags = bytes[from + 2] ?? 0;
  return [1, 2, 4, 8].filter((flag) => (flags & flag) !== 0).length * 4;
}
