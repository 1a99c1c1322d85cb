/** What an Office 97 to 2003 file holds, read with the public library and not with our own reader. */
import { createRequire } from 'node:module';

/** Streams by path below the root. */
export function streamsOf(bytes: Uint8Array): ReadonlyMap<string, Buffer> {
  const { read } = createRequire(import.meta.url)('cfb') as typeof import('cfb');
  const container = read(Buffer.from(bytes), { type: 'buffer' });
  const streams = new Map<string, Buffer>();
  for (const [index, entry] of container.FileIndex.entries()) {
    const path = container.FullPaths[index] ?? '';
    if (entry.type === 2) streams.set(path.slice(path.indexOf('/') + 1), Buffer.from(entry.content as Uint8Array));
  }
  return streams;
}

/** Class id of the root, in file order. */
export function rootClass(bytes: Uint8Array): string {
  const sector = Buffer.from(bytes).readUInt32LE(0x30);
  const at = (sector + 1) * 512 + 80;
  return Buffer.from(bytes).toString('hex', at, at + 16);
}

export interface FoundRecord {
  readonly id: number;
  readonly data: Buffer;
  readonly at: number;
}

/** Records of the workbook stream, all sheets in one list. */
export function xlsRecords(bytes: Uint8Array): FoundRecord[] {
  const stream = streamsOf(bytes).get('Workbook') ?? Buffer.alloc(0);
  const found: FoundRecord[] = [];
  for (let at = 0; at + 4 <= stream.length; ) {
    const end = at + 4 + stream.readUInt16LE(at + 2);
    found.push({ id: stream.readUInt16LE(at), data: stream.subarray(at + 4, end), at });
    at = end;
  }
  return found;
}

/** Records of the presentation stream at every level. */
export function pptRecords(stream: Buffer): FoundRecord[] {
  const found: FoundRecord[] = [];
  for (let at = 0; at + 8 <= stream.length; ) {
    const id = stream.readUInt16LE(at + 2);
    const length = stream.readUInt32LE(at + 4);
    found.push({ id, data: stream.subarray(at + 8, at + 8 + length), at });
    at += 8 + (((stream[at] ?? 0) & 0x0f) === 0x0f ? 0 : length);
  }
  return found;
}
