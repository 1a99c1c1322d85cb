/** The size of the picture that a HEIC or AVIF file shows first, by its own record (ISO/IEC 23008-12, 6.5). */
import { ascii, type PictureSize } from './picture.ts';

interface Box {
  readonly type: string;
  readonly from: number;
  readonly end: number;
}

/** A limit against files that consist of empty boxes. */
const MAX_BOXES = 20_000;

/** Returns the size before any turn. Returns null when the file does not have it in the form that every program writes. Throws nothing. */
export function boxedPictureSize(bytes: Uint8Array): PictureSize | null {
  if (ascii(bytes, 4, 4) !== 'ftyp') return null;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    return sizeOf(bytes, view);
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

function sizeOf(bytes: Uint8Array, view: DataView): PictureSize | null {
  const inside = (from: number, end: number) => boxesOf(bytes, view, from, end);
  const meta = inside(0, bytes.length).find(({ type }) => type === 'meta');
  if (meta === undefined) return null;
  const boxes = inside(meta.from + 4, meta.end);
  const first = boxes.find(({ type }) => type === 'pitm');
  const properties = boxes.find(({ type }) => type === 'iprp');
  if (first === undefined || properties === undefined) return null;
  const item = view.getUint8(first.from) === 0 ? view.getUint16(first.from + 4) : view.getUint32(first.from + 4);
  const lists = inside(properties.from, properties.end);
  const all = lists.filter(({ type }) => type === 'ipco').flatMap(({ from, end }) => inside(from, end));
  const own = lists.filter(({ type }) => type === 'ipma').flatMap((list) => numbersOf(view, list, item));
  const kinds = own.map((number) => all[number - 1]);
  // Cut pictures and pictures of several sizes are left to the decoder.
  const sizes = kinds.filter((each) => each?.type === 'ispe');
  const size = sizes[0];
  if (size === undefined || sizes.length > 1 || kinds.some((each) => each?.type === 'clap')) return null;
  return { width: view.getUint32(size.from + 4), height: view.getUint32(size.from + 8) };
}

function boxesOf(bytes: Uint8Array, view: DataView, from: number, end: number): Box[] {
  const found: Box[] = [];
  for (let at = from; at + 8 <= end && found.length < MAX_BOXES; ) {
    const size = view.getUint32(at);
    const isLong = size === 1;
    const next = size === 0 ? end : at + (isLong ? Number(view.getBigUint64(at + 8)) : size);
    if (next < at + 8 || next > end) break;
    found.push({ type: ascii(bytes, at + 4, 4), from: at + (isLong ? 16 : 8), end: next });
    at = next;
  }
  return found;
}

/** Returns the numbers of the properties that belong to an item. */
function numbersOf(view: DataView, { from, end }: Box, item: number): number[] {
  const [version, isWide] = [view.getUint8(from), (view.getUint8(from + 3) & 1) === 1];
  const found: number[] = [];
  for (let at = from + 8; at + 3 <= end; ) {
    const id = version === 0 ? view.getUint16(at) : view.getUint32(at);
    const countAt = at + (version === 0 ? 2 : 4);
    const count = view.getUint8(countAt);
    at = countAt + 1 + count * (isWide ? 2 : 1);
    if (id !== item) continue;
    for (let index = 0; index < count; index++)
      found.push(isWide ? view.getUint16(countAt + 1 + index * 2) & 0x7fff : view.getUint8(countAt + 1 + index) & 0x7f);
  }
  return found;
}
