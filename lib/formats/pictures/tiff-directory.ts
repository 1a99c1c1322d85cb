/** Reads the directories of a TIFF file (TIFF 6.0, section 2), and appends a new one to the file. BigTIFF is not read. */
import { asBuffer } from '../byte-scan.ts';
import { ReadBudget } from '../read-budget.ts';

/** A limit against circular chains of directories. */
const MAX_PAGES = 500;
const ENTRY_BYTES = 12;
/** The bytes of a value of each type of field. */
const VALUE_BYTES: readonly number[] = [0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8];
export const SHORT = 3;
export const LONG = 4;

/** A field with its values as the file has them. */
export interface TiffField {
  readonly type: number;
  readonly count: number;
  readonly data: Buffer;
}

export interface TiffPage {
  readonly isLittle: boolean;
  readonly fields: ReadonlyMap<number, TiffField>;
}

/** Returns the directories, up to the first broken one or one that names too many bytes again; null for other files. */
export function tiffPages(bytes: Uint8Array): readonly TiffPage[] | null {
  const view = asBuffer(bytes);
  const head = view.toString('latin1', 0, 4);
  if (view.length < 8 || (head !== 'II*\0' && head !== 'MM\0*')) return null;
  const isLittle = head === 'II*\0';
  const u16 = (at: number) => (isLittle ? view.readUInt16LE(at) : view.readUInt16BE(at));
  const u32 = (at: number) => (isLittle ? view.readUInt32LE(at) : view.readUInt32BE(at));
  const pages: TiffPage[] = [];
  const budget = new ReadBudget(view.length);
  for (let at = u32(4); at !== 0 && at + 2 <= view.length && pages.length < MAX_PAGES; ) {
    const end = at + 2 + u16(at) * ENTRY_BYTES;
    if (end > view.length || !budget.allows(end - at)) break;
    const fields = new Map<number, TiffField>();
    for (let entry = at + 2; entry < end; entry += ENTRY_BYTES) {
      const [type, count] = [u16(entry + 2), u32(entry + 4)];
      const size = (VALUE_BYTES[type] ?? 0) * count;
      const from = size <= 4 ? entry + 8 : u32(entry + 8);
      if (from + size <= view.length && budget.allows(size))
        fields.set(u16(entry), { type, count, data: view.subarray(from, from + size) });
    }
    pages.push({ isLittle, fields });
    at = end + 4 <= view.length ? u32(end) : 0;
  }
  return pages;
}

/** Returns the whole numbers of a field; empty without one. */
export function numbersOf({ isLittle, fields }: TiffPage, tag: number): readonly number[] {
  const field = fields.get(tag);
  if (field === undefined || (field.type !== SHORT && field.type !== LONG)) return [];
  const { type, count, data } = field;
  const size = type === SHORT ? 2 : 4;
  return Array.from({ length: count }, (_, index) =>
    isLittle ? data.readUIntLE(index * size, size) : data.readUIntBE(index * size, size),
  );
}

/** Returns the bytes with a single directory, which has these fields. */
export function withDirectory(bytes: Uint8Array, isLittle: boolean, fields: ReadonlyMap<number, TiffField>): Buffer {
  const ordered = [...fields].sort(([one], [other]) => one - other);
  const at = bytes.length + (bytes.length % 2);
  const directory = Buffer.alloc(2 + ordered.length * ENTRY_BYTES + 4);
  const put = (value: number, to: number, size: 2 | 4) =>
    isLittle ? directory.writeUIntLE(value, to, size) : directory.writeUIntBE(value, to, size);
  const values: Buffer[] = [];
  let valuesAt = at + directory.length;
  put(ordered.length, 0, 2);
  for (const [index, [tag, { type, count, data }]] of ordered.entries()) {
    const to = 2 + index * ENTRY_BYTES;
    put(tag, to, 2);
    put(type, to + 2, 2);
    put(count, to + 4, 4);
    if (data.length <= 4) data.copy(directory, to + 8);
    else {
      put(valuesAt, to + 8, 4);
      values.push(data.length % 2 === 0 ? data : Buffer.concat([data, Buffer.alloc(1)]));
      valuesAt += data.length + (data.length % 2);
    }
  }
  const out = Buffer.concat([bytes, Buffer.alloc(at - bytes.length), directory, ...values]);
  if (isLittle) out.writeUInt32LE(at, 4);
  else out.writeUInt32BE(at, 4);
  return out;
}
