/** Small zip archives for tests. They are made member by member, so that a test can lie in any field. */
import { crc32, deflateRawSync } from 'node:zlib';

export interface ZipFixtureMember {
  readonly content: string | Uint8Array;
  /** Name in the local header. @default the member's name */
  readonly localName?: string;
  readonly encrypted?: boolean;
  readonly unixMode?: number;
  /** Uncompressed size to claim. @default the real one */
  readonly claimedSize?: number;
}

/** A zip of the given members, deflated, in their order. */
export function zipOf(members: Readonly<Record<string, string | ZipFixtureMember>>): Buffer {
  const bodies: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [name, member] of Object.entries(members)) {
    const fixture = typeof member === 'string' ? { content: member } : member;
    const { local, central } = zipMember(name, fixture, offset);
    bodies.push(local);
    directory.push(central);
    offset += local.length;
  }
  const size = directory.reduce((sum, entry) => sum + entry.length, 0);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(directory.length, 8);
  end.writeUInt16LE(directory.length, 10);
  end.writeUInt32LE(size, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...bodies, ...directory, end]);
}

function zipMember(name: string, fixture: ZipFixtureMember, offset: number): { local: Buffer; central: Buffer } {
  const content = Buffer.from(fixture.content);
  const packed = deflateRawSync(content);
  const common = Buffer.alloc(22);
  common.writeUInt16LE(fixture.encrypted === true ? 1 : 0, 0);
  common.writeUInt16LE(8, 2);
  common.writeUInt32LE(crc32(content), 8);
  common.writeUInt32LE(packed.length, 12);
  common.writeUInt32LE(fixture.claimedSize ?? content.length, 16);
  const localName = Buffer.from(fixture.localName ?? name);
  const local = Buffer.concat([Buffer.from('504b03041400', 'hex'), named(common, localName), localName, packed]);
  const rest = Buffer.alloc(14);
  rest.writeUInt32LE(((fixture.unixMode ?? 0) << 16) >>> 0, 6);
  rest.writeUInt32LE(offset, 10);
  const centralName = Buffer.from(name);
  const central = Buffer.concat([
    Buffer.from('504b010214031400', 'hex'),
    named(common, centralName),
    rest,
    centralName,
  ]);
  return { local, central };
}

/** The fields that both headers share, with the length of the name. */
function named(common: Buffer, name: Buffer): Buffer {
  const copy = Buffer.from(common);
  copy.writeUInt16LE(name.length, 20);
  return Buffer.concat([copy, Buffer.alloc(2)]);
}
