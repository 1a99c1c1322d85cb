/** One file in a ZIP archive, without compression (APPNOTE 4.3). Clients of v1 save a sanitized file in this form. */
import { crc32 } from 'node:zlib';
import type { BlobContent } from '../store/blobs.ts';

/** The largest file of an archive without ZIP64 fields. */
const MAX_BYTES = 0xffff_ffff;
/** 1 January 1980, the first date of the format. With a fixed date, archives of the same file are equal. */
const DOS_DATE = 0x21;

/**
 * Returns the archive of one file. Reads the content twice, for its checksum and for its bytes, and never has all of it in memory. `name`
 * is plain ASCII from this service. Throws RangeError for a file of 4 GiB and more.
 */
export async function storedZip(name: string, content: BlobContent): Promise<BlobContent> {
  if (content.size > MAX_BYTES) throw new RangeError('a file of 4 GiB and more does not fit into this archive');
  let checksum = 0;
  for await (const piece of content.stream()) checksum = crc32(piece, checksum);
  const facts = factsOf(checksum, content.size, name);
  const local = Buffer.concat([words([0x04034b50, 4]), facts, Buffer.from(name, 'latin1')]);
  const central = Buffer.concat([
    words([0x02014b50, 4], [10, 2]),
    facts,
    // Comment, disk, attributes and offset of the local header are zero.
    Buffer.alloc(14),
    Buffer.from(name, 'latin1'),
  ]);
  const end = Buffer.concat([
    words([0x06054b50, 4], [0, 4], [1, 2], [1, 2], [central.byteLength, 4], [local.byteLength + content.size, 4]),
    Buffer.alloc(2),
  ]);
  const tail = Buffer.concat([central, end]);
  return {
    size: local.byteLength + content.size + tail.byteLength,
    stream: () => ReadableStream.from(joined(local, content, tail)),
  };
}

/** Returns the fields that both headers of an entry share: version, flags, method, time, date, checksum, sizes, name, extra. */
function factsOf(checksum: number, size: number, name: string): Buffer {
  return words(
    [10, 2],
    [0, 2],
    [0, 2],
    [0, 2],
    [DOS_DATE, 2],
    [checksum, 4],
    [size, 4],
    [size, 4],
    [name.length, 2],
    [0, 2],
  );
}

/** Little-endian numbers, each with its size in bytes. */
function words(...fields: readonly (readonly [value: number, bytes: 2 | 4])[]): Buffer {
  return Buffer.concat(
    fields.map(([value, bytes]) => {
      const field = Buffer.alloc(bytes);
      field.writeUIntLE(value, 0, bytes);
      return field;
    }),
  );
}

async function* joined(head: Buffer, content: BlobContent, tail: Buffer): AsyncGenerator<Uint8Array> {
  yield head;
  yield* content.stream();
  yield tail;
}
