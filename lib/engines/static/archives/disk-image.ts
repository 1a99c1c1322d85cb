/** Images of discs: the files of an ISO 9660, Joliet or UDF directory, which are analysed one by one. */
import { extensionOf } from '../../../formats/detection/detect.ts';
import { EngineError, type Finding } from '../../engine.ts';
import { isProgram, RUNS_AT_ONCE } from '../findings/executable-kind.ts';
import { finding } from '../findings/findings.ts';
import type { ModuleResult, Piece, StaticFile, StaticModule } from '../findings/module.ts';
import { judgeNames } from './archive.ts';
import { type Members, sevenZipMembers } from './seven-zip-members.ts';

const SECTOR = 2_048;
const FIRST_DESCRIPTOR = 16;
const MAX_DESCRIPTORS = 32;
const MAX_FILES = 200;
const MAX_FOLDERS = 100;
/** The most bytes of a file that are read. A program is recognised in its first megabytes. */
const MAX_FILE_BYTES = 16 * 1024 * 1024;

export const diskImageModule: StaticModule = {
  name: 'disk image',
  accepts: (type) => type === 'application/x-iso9660-image',
  run: judgeDisc,
};

/** Judges an image that can be mounted by the names and the contents of its files. */
export function judgeImage(names: readonly string[], pieces: readonly Piece[]): Finding[] {
  const byName = names.find((name) => RUNS_AT_ONCE.has(extensionOf(name)));
  const runs = byName ?? pieces.find(({ bytes }) => isProgram(bytes))?.where;
  return [
    finding('disk-image'),
    ...(runs === undefined ? [] : [finding('disk-image-runs', runs)]),
    // The finding for a program in an archive would only repeat those above.
    ...judgeNames(names, []).filter(({ id }) => id !== 'archive-executable'),
  ];
}

async function judgeDisc(file: StaticFile): Promise<ModuleResult> {
  const own = filesIn(file);
  const universal = isUniversal(file.bytes) ? await universalFiles(file) : { names: [], pieces: [] };
  const { names, pieces } = universal ?? { names: [], pieces: [] };
  const missing = universal === null ? [finding('not-all-analysed')] : [];
  const all = [...own, ...pieces];
  const findings = judgeImage([...own.map(({ where }) => where), ...names], all);
  return { findings: [...findings, ...missing], views: [], pieces: all, understood: false };
}

/**
 * Returns true for UDF, whose descriptor follows those of ISO 9660 ([ECMA-167] 3/9.1). Windows shows the files of UDF where a disc has
 * both.
 */
function isUniversal(bytes: Uint8Array): boolean {
  const descriptors = bytes.subarray(FIRST_DESCRIPTOR * SECTOR, (FIRST_DESCRIPTOR + MAX_DESCRIPTORS) * SECTOR);
  return Buffer.from(descriptors).includes('NSR0', 0, 'latin1');
}

/** Returns the files of a UDF disc, or null when they are larger than the budget, or 7-Zip cannot read them. */
async function universalFiles(file: StaticFile): Promise<Members | null> {
  try {
    return await sevenZipMembers(file, 'udf');
  } catch (error) {
    if (error instanceof EngineError && (error.code === 'oversize' || error.code === 'unreadable')) return null;
    throw error;
  }
}

interface Volume {
  /** Sector of the root directory. */
  readonly root: number;
  readonly size: number;
  readonly isWide: boolean;
}

function filesIn({ bytes }: StaticFile): Piece[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const volume = findVolume(view);
  if (volume === null) return [];
  const pieces: Piece[] = [];
  const folders: { at: number; size: number; path: string }[] = [{ at: volume.root, size: volume.size, path: '' }];
  const seen = new Set<number>();
  for (let folder = folders.shift(); folder !== undefined && seen.size < MAX_FOLDERS; folder = folders.shift()) {
    // A folder may hold itself.
    if (seen.has(folder.at)) continue;
    seen.add(folder.at);
    for (const entry of entriesIn(view, bytes, folder.at * SECTOR, folder.size, volume.isWide)) {
      if (pieces.length >= MAX_FILES) return pieces;
      const path = folder.path === '' ? entry.name : `${folder.path}/${entry.name}`;
      if (entry.isFolder) folders.push({ at: entry.sector, size: entry.size, path });
      else {
        const start = entry.sector * SECTOR;
        const content = bytes.subarray(start, start + Math.min(entry.size, MAX_FILE_BYTES));
        pieces.push({ where: path, bytes: content, kind: 'extracted_file', untrustedName: entry.name, scope: 'file' });
      }
    }
  }
  return pieces;
}

/** Returns the Joliet volume (type 2 with a UCS-2 escape) if there is one, because Windows shows its names. */
function findVolume(view: DataView): Volume | null {
  let found: Volume | null = null;
  for (let index = 0; index < MAX_DESCRIPTORS; index++) {
    const at = (FIRST_DESCRIPTOR + index) * SECTOR;
    if (at + SECTOR > view.byteLength) break;
    const kind = view.getUint8(at);
    if (kind === 255) break;
    const isWide = kind === 2 && view.getUint8(at + 88) === 0x25 && view.getUint8(at + 89) === 0x2f;
    if (kind === 1 || isWide)
      found = { root: view.getUint32(at + 158, true), size: view.getUint32(at + 166, true), isWide };
  }
  return found;
}

interface Entry {
  readonly name: string;
  readonly sector: number;
  readonly size: number;
  readonly isFolder: boolean;
}

function entriesIn(view: DataView, bytes: Uint8Array, from: number, size: number, isWide: boolean): Entry[] {
  const entries: Entry[] = [];
  const end = Math.min(from + size, view.byteLength);
  for (let at = from; at + 34 < end && entries.length < MAX_FILES; ) {
    const length = view.getUint8(at);
    // Records do not cross sectors. A zero says that the rest of this sector is empty.
    if (length < 34) {
      at = (Math.floor(at / SECTOR) + 1) * SECTOR;
      continue;
    }
    const nameLength = view.getUint8(at + 32);
    const raw = Buffer.from(bytes.subarray(at + 33, at + 33 + nameLength));
    if (nameLength > 1 && at + length <= end) {
      const name = (isWide ? wideName(raw) : raw.toString('latin1')).replace(/;\d{1,5}$/, '');
      entries.push({
        name,
        sector: view.getUint32(at + 2, true),
        size: view.getUint32(at + 10, true),
        isFolder: (view.getUint8(at + 25) & 2) !== 0,
      });
    }
    at += length;
  }
  return entries;
}

function wideName(raw: Buffer): string {
  return Buffer.from(raw.subarray(0, raw.length - (raw.length % 2)))
    .swap16()
    .toString('utf16le');
}
