/** Containers for tests, written by their specifications: a FAT volume, disks around it, a cabinet. */

const SECTOR = 512;
const SECTORS = 720;
const ROOT_ENTRIES = 112;
const FAT_SECTORS = 3;
const ROOT_AT = 1 + FAT_SECTORS;
const DATA_AT = ROOT_AT + (ROOT_ENTRIES * 32) / SECTOR;

/** A FAT12 volume of 360 KiB with the given files in its root; names are short ones in upper case. */
export function fatVolume(files: Readonly<Record<string, Uint8Array>>): Buffer {
  const volume = Buffer.alloc(SECTORS * SECTOR);
  Buffer.from('eb3c904d53444f53352e30', 'hex').copy(volume, 0);
  volume.writeUInt16LE(SECTOR, 11);
  volume.writeUInt8(1, 13);
  volume.writeUInt16LE(1, 14);
  volume.writeUInt8(1, 16);
  volume.writeUInt16LE(ROOT_ENTRIES, 17);
  volume.writeUInt16LE(SECTORS, 19);
  volume.writeUInt8(0xf8, 21);
  volume.writeUInt16LE(FAT_SECTORS, 22);
  volume.writeUInt16LE(9, 24);
  volume.writeUInt16LE(2, 26);
  volume.writeUInt8(0x29, 38);
  volume.write('NO NAME    FAT12   ', 43, 'latin1');
  volume.writeUInt16LE(0xaa55, 510);
  const chain: number[] = [0xff8, 0xfff];
  for (const [index, [name, content]] of Object.entries(files).entries()) {
    const first = chain.length;
    const clusters = Math.max(1, Math.ceil(content.length / SECTOR));
    for (let step = 1; step <= clusters; step++) chain.push(step === clusters ? 0xfff : first + step);
    const at = ROOT_AT * SECTOR + index * 32;
    const [base = '', extension = ''] = name.split('.');
    volume.write(base.padEnd(8) + extension.padEnd(3), at, 'latin1');
    volume.writeUInt8(0x20, at + 11);
    volume.writeUInt16LE(0x5821, at + 24);
    volume.writeUInt16LE(first, at + 26);
    volume.writeUInt32LE(content.length, at + 28);
    Buffer.from(content).copy(volume, (DATA_AT + first - 2) * SECTOR);
  }
  for (const [cluster, next] of chain.entries()) writeFat12(volume, cluster, next);
  return volume;
}

function writeFat12(volume: Buffer, cluster: number, next: number): void {
  const at = SECTOR + Math.floor(cluster * 1.5);
  const old = volume.readUInt16LE(at);
  volume.writeUInt16LE(cluster % 2 === 0 ? (old & 0xf000) | next : (old & 0x000f) | (next << 4), at);
}

/** A disk with a table of one partition in front of the volume. */
export function partitioned(volume: Uint8Array): Buffer {
  const table = Buffer.alloc(SECTOR * 8);
  table.writeUInt8(0x01, 446 + 4);
  table.writeUInt32LE(8, 446 + 8);
  table.writeUInt32LE(volume.length / SECTOR, 446 + 12);
  table.writeUInt16LE(0xaa55, 510);
  return Buffer.concat([table, volume]);
}

/** A virtual disk of the fixed kind: the disk, then a footer ([VHD] "Hard Disk Footer Format"). */
export function fixedDisk(disk: Uint8Array): Buffer {
  return Buffer.concat([disk, diskFooter(disk.length, 2, 0xffffffffffffffffn)]);
}

/** A virtual disk of the dynamic kind: only blocks in use are stored; everything else of `virtualBytes` reads as zeros. */
export function dynamicDisk(disk: Uint8Array, virtualBytes: number): Buffer {
  const block = 2 * 1024 * 1024;
  const blocks = Math.ceil(virtualBytes / block);
  const footer = diskFooter(virtualBytes, 3, 512n);
  const header = Buffer.alloc(1_024);
  header.write('cxsparse', 0, 'latin1');
  header.writeBigUInt64BE(0xffffffffffffffffn, 8);
  header.writeBigUInt64BE(1_536n, 16);
  header.writeUInt32BE(0x10000, 24);
  header.writeUInt32BE(blocks, 28);
  header.writeUInt32BE(block, 32);
  header.writeUInt32BE(checksumOf(header), 36);
  const table = Buffer.alloc(Math.ceil((blocks * 4) / SECTOR) * SECTOR, 0xff);
  table.writeUInt32BE((1_536 + table.length) / SECTOR, 0);
  const content = Buffer.alloc(block);
  Buffer.from(disk).copy(content);
  return Buffer.concat([footer, header, table, Buffer.alloc(SECTOR, 0xff), content, footer]);
}

function diskFooter(bytes: number, kind: number, dataAt: bigint): Buffer {
  const footer = Buffer.alloc(SECTOR);
  footer.write('conectix', 0, 'latin1');
  footer.writeUInt32BE(2, 8);
  footer.writeUInt32BE(0x10000, 12);
  footer.writeBigUInt64BE(dataAt, 16);
  footer.writeBigUInt64BE(BigInt(bytes), 40);
  footer.writeBigUInt64BE(BigInt(bytes), 48);
  footer.writeUInt32BE(kind, 60);
  footer.writeUInt32BE(checksumOf(footer), 64);
  return footer;
}

function checksumOf(bytes: Uint8Array): number {
  return ~bytes.reduce((sum, byte) => sum + byte, 0) >>> 0;
}

/** A cabinet of one folder with the files stored as they are ([MS-CAB] 2). */
export function cabinet(files: Readonly<Record<string, Uint8Array>>): Buffer {
  const content = Buffer.concat(Object.values(files));
  let offset = 0;
  const entries = Object.entries(files).map(([name, { length }]) => {
    const entry = Buffer.alloc(16);
    entry.writeUInt32LE(length, 0);
    entry.writeUInt32LE(offset, 4);
    entry.writeUInt16LE(0x5821, 10);
    entry.writeUInt16LE(0x20, 14);
    offset += length;
    return Buffer.concat([entry, Buffer.from(`${name}\0`, 'latin1')]);
  });
  const listBytes = entries.reduce((sum, { length }) => sum + length, 0);
  const header = Buffer.alloc(36 + 8);
  header.write('MSCF', 0, 'latin1');
  const dataAt = header.length + listBytes;
  header.writeUInt32LE(dataAt + 8 + content.length, 8);
  header.writeUInt32LE(header.length, 16);
  header.writeUInt16LE(0x0103, 24);
  header.writeUInt16LE(1, 26);
  header.writeUInt16LE(entries.length, 28);
  header.writeUInt32LE(dataAt, 36);
  header.writeUInt16LE(1, 40);
  const data = Buffer.alloc(8);
  data.writeUInt16LE(content.length, 4);
  data.writeUInt16LE(content.length, 6);
  return Buffer.concat([header, ...entries, data, content]);
}
