/** Writes zip archives byte by byte, so that samples can contradict themselves. */
import { crc32, deflateRawSync } from 'node:zlib';

export interface ZipEntry {
  readonly name: string;
  readonly content: string | Uint8Array;
  /** Name in the central directory, when it is another than in front of the data. */
  readonly directoryName?: string;
  readonly isStored?: boolean;
  /** Sizes behind the data. */
  readonly hasDescriptor?: boolean;
  readonly isEncrypted?: boolean;
  readonly method?: number;
  /** Declared inflated size. */
  readonly size?: number;
  readonly extra?: Uint8Array;
  readonly comment?: string;
  /** Unix mode, for links. */
  readonly mode?: number;
  /** Left out of the central directory. */
  readonly isHidden?: boolean;
  /** In the central directory only, at the data of the entry of this number. */
  readonly dataOf?: number;
}

export interface ZipFrame {
  readonly prepended?: Uint8Array;
  readonly appended?: Uint8Array;
  readonly comment?: string;
  readonly disk?: number;
}

interface Head {
  readonly offset: number;
  readonly packed: number;
  readonly size: number;
  readonly crc: number;
  readonly method: number;
  readonly flags: number;
}

const FIXED_DATE = 0x5821;

function headOf(entry: ZipEntry, content: Buffer, packed: Buffer, offset: number): Head {
  const flags = 0x800 | (entry.hasDescriptor === true ? 8 : 0) | (entry.isEncrypted === true ? 1 : 0);
  const method = entry.method ?? (entry.isStored === true ? 0 : 8);
  return { offset, packed: packed.length, size: entry.size ?? content.length, crc: crc32(content), method, flags };
}

function fields(head: Head, isLocal: boolean): Buffer {
  const out = Buffer.alloc(22);
  const isLater = isLocal && (head.flags & 8) !== 0;
  out.writeUInt16LE(head.flags, 0);
  out.writeUInt16LE(head.method, 2);
  out.writeUInt16LE(FIXED_DATE, 6);
  out.writeUInt32LE(isLater ? 0 : head.crc, 8);
  out.writeUInt32LE(isLater ? 0 : head.packed, 12);
  out.writeUInt32LE(isLater ? 0 : head.size, 16);
  return out.subarray(0, 20);
}

const u16 = (...values: readonly number[]): Buffer => Buffer.from(Uint16Array.from(values).buffer);
const u32 = (...values: readonly number[]): Buffer => Buffer.from(Uint32Array.from(values).buffer);
const NONE = new Uint8Array();

function directoryRow(entry: ZipEntry, head: Head): Buffer {
  const name = Buffer.from(entry.directoryName ?? entry.name);
  const extra = entry.extra ?? NONE;
  const comment = Buffer.from(entry.comment ?? '');
  const attributes = ((entry.mode ?? 0) << 16) >>> 0;
  return Buffer.concat([
    Buffer.from('PK\x01\x02\x14\x03\x14\x00', 'latin1'),
    fields(head, false),
    u16(name.length, extra.length, comment.length, 0, 0),
    u32(attributes, head.offset),
    name,
    extra,
    comment,
  ]);
}

/** Writes the entries in order. */
export function writeZip(entries: readonly ZipEntry[], frame: ZipFrame = {}): Uint8Array {
  const chunks: Uint8Array[] = [frame.prepended ?? NONE];
  let at = chunks[0]?.length ?? 0;
  const heads: Head[] = [];
  for (const entry of entries) {
    const shared = entry.dataOf === undefined ? undefined : heads[entry.dataOf];
    if (shared !== undefined) {
      heads.push(shared);
      continue;
    }
    const content = Buffer.from(entry.content as string);
    const packed = entry.isStored === true ? content : deflateRawSync(content);
    const head = headOf(entry, content, packed, at);
    const name = Buffer.from(entry.name);
    const extra = entry.extra ?? NONE;
    const chunk = Buffer.concat([
      Buffer.from('PK\x03\x04\x14\x00', 'latin1'),
      fields(head, true),
      u16(name.length, extra.length),
      name,
      extra,
      packed,
      entry.hasDescriptor === true
        ? Buffer.concat([Buffer.from('PK\x07\x08', 'latin1'), u32(head.crc, head.packed, head.size)])
        : NONE,
    ]);
    heads.push(head);
    chunks.push(chunk);
    at += chunk.length;
  }
  const rows = entries.flatMap((entry, index) =>
    entry.isHidden === true ? [] : [directoryRow(entry, heads[index] as Head)],
  );
  const directory = Buffer.concat(rows);
  const comment = Buffer.from(frame.comment ?? '');
  const disk = frame.disk ?? 0;
  const end = Buffer.concat([
    Buffer.from('PK\x05\x06', 'latin1'),
    u16(disk, disk, rows.length, rows.length),
    u32(directory.length, at),
    u16(comment.length),
    comment,
  ]);
  return Buffer.concat([...chunks, directory, end, frame.appended ?? NONE]);
}
