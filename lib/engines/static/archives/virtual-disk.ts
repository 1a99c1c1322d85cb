/** Virtual disks (VHD, VHDX, DMG) and raw copies of disks. Windows and macOS mount them on a double click. 7-Zip reads their files. */
import { EngineError } from '../../engine.ts';
import { finding } from '../findings/findings.ts';
import type { ModuleResult, StaticFile, StaticModule } from '../findings/module.ts';
import { judgeImage } from './disk-image.ts';
import { type Members, sevenZipMembers } from './seven-zip-members.ts';

/** Types that the first bytes show. Other disks have their signature elsewhere, and their detected type is unknown. */
const DISKS = new Set(['application/x-vhd', 'application/x-vhdx', 'application/x-apple-diskimage']);
const UNKNOWN = 'application/octet-stream';
const SECTOR = 512;

export const virtualDiskModule: StaticModule = {
  name: 'virtual disk',
  accepts: (type) => DISKS.has(type) || type === UNKNOWN,
  run: (file) => (DISKS.has(file.type.type) || isDisk(file.bytes) ? judgeDisk(file) : NO_DISK),
};

const NO_DISK: ModuleResult = { findings: [], views: [], understood: false };

/** Judges a disk. It is never understood, because other partitions and deleted files are not analysed. */
async function judgeDisk(file: StaticFile): Promise<ModuleResult> {
  if (isLocked(file.bytes)) throw new EngineError('encrypted', 'the disk needs a password');
  const members = await membersOf(file);
  const { names, pieces } = members ?? { names: [], pieces: [] };
  const missing = members === null ? [finding('not-all-analysed')] : [];
  return { findings: [...judgeImage(names, pieces), ...missing], views: [], pieces, understood: false };
}

/** Returns the files of a disk, or null when they are larger than the budget, or 7-Zip cannot read them. */
async function membersOf(file: StaticFile): Promise<Members | null> {
  try {
    // A disk holds partitions, and they hold file systems. Each of them is a format of its own.
    return await sevenZipMembers(file, '*');
  } catch (error) {
    if (error instanceof EngineError && (error.code === 'oversize' || error.code === 'unreadable')) return null;
    throw error;
  }
}

/** Returns true for bytes with a footer of VHD or DMG, a boot sector of a file system, or a table of partitions. */
function isDisk(bytes: Uint8Array): boolean {
  const end = textAt(bytes, bytes.length - SECTOR, 8);
  if (end === 'conectix' || end.startsWith('koly') || textAt(bytes, 0, 8) === 'vhdxfile') return true;
  if (textAt(bytes, SECTOR, 8) === 'EFI PART' || /^(?:H\+|HX)/.test(textAt(bytes, 1_024, 2))) return true;
  if (bytes.length < 2 * SECTOR || bytes[510] !== 0x55 || bytes[511] !== 0xaa) return false;
  return /^(?:NTFS {4}|EXFAT {3}|-FVE-FS-)/.test(textAt(bytes, 3, 8)) || isFat(bytes) || hasPartition(bytes);
}

/**
 * Returns true for an encrypted disk. BitLocker marks the boot sector of the volume. Encrypted Apple disks begin or end with a special
 * header.
 */
function isLocked(bytes: Uint8Array): boolean {
  const places = [0, ...(hasPartition(bytes) ? partitions(bytes) : [])];
  const isBitLocker = places.some((at) => textAt(bytes, at + 3, 8) === '-FVE-FS-');
  return isBitLocker || textAt(bytes, 0, 8) === 'encrcdsa' || textAt(bytes, bytes.length - 8, 8) === 'cdsaencr';
}

function isFat(bytes: Uint8Array): boolean {
  const isJump = bytes[0] === 0xeb || bytes[0] === 0xe9;
  const sectorBytes = (bytes[11] ?? 0) | ((bytes[12] ?? 0) << 8);
  const tables = bytes[16] ?? 0;
  return isJump && sectorBytes >= SECTOR && sectorBytes % SECTOR === 0 && (tables === 1 || tables === 2);
}

const FIRST_ENTRY = 446;
const ENTRY_BYTES = 16;

/** Returns true for a table of four valid entries. At least one of them has a kind, and a place inside the disk. */
function hasPartition(bytes: Uint8Array): boolean {
  const entries = [0, 1, 2, 3].map((index) => FIRST_ENTRY + index * ENTRY_BYTES);
  const isTable = entries.every((at) => bytes[at] === 0x80 || bytes[at] === 0);
  return bytes[510] === 0x55 && bytes[511] === 0xaa && isTable && partitions(bytes).length > 0;
}

function partitions(bytes: Uint8Array): number[] {
  if (bytes.length < SECTOR) return [];
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return [0, 1, 2, 3]
    .map((index) => FIRST_ENTRY + index * ENTRY_BYTES)
    .filter((at) => bytes[at + 4] !== 0)
    .map((at) => view.getUint32(at + 8, true) * SECTOR)
    .filter((at) => at > 0 && at < bytes.length);
}

function textAt(bytes: Uint8Array, at: number, length: number): string {
  return at < 0 ? '' : Buffer.from(bytes.subarray(at, at + length)).toString('latin1');
}
