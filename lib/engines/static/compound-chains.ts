/**
 * Checks the chains and paths of a compound file ([MS-CFB] 2.3 to 2.6), including those that lead nowhere. In a sound file, every sector
 * and every entry of the directory is named once. Programs read any other file differently.
 */
import { type CompoundFile, MINI_CUTOFF } from '../../formats/compound/compound-file.ts';
import { type CompoundEntry, KIND, NO_ENTRY } from '../../formats/compound/directory.ts';

/** Sector numbers from here on end a chain. Besides the marks of an end, only files of terabytes have such numbers. */
const END = 0x80000000;
/** Storages in storages. Documents have fewer than ten, and long paths in thousands of levels fill the memory. */
const MAX_DEPTH = 100;

/** Returns true when no chain of sectors meets itself or another, none leads out of the file, and no stream starts within another. */
export function areChainsSound({ nextSectors: table, tableStarts, entries }: CompoundFile): boolean {
  const named = new Uint8Array(table.length);
  for (const next of table) {
    if (next >= END) continue;
    if (next >= table.length || named[next] === 1) return false;
    named[next] = 1;
  }
  if (hasRing(table, named) || tableStarts.some((start) => named[start] !== 0)) return false;
  const large = entries.filter(({ kind, size }) => kind === KIND.stream && size >= MINI_CUTOFF);
  return large.every(({ start }) => named[start] !== 1);
}

/** Returns true when sectors form a ring, to which no first sector leads. */
function hasRing(table: Uint32Array, named: Uint8Array): boolean {
  const reached = new Uint8Array(table.length);
  for (let head = 0; head < table.length; head++) {
    if (named[head] === 1) continue;
    for (let sector = head; sector < END; sector = table[sector] as number) reached[sector] = 1;
  }
  return reached.includes(0);
}

/**
 * Returns the path of every entry, as names joined by `/`, or null when the directory is not a tree or nested too deep. An entry to which no path leads counts
 * as another root. Its path is its name, and the paths below it begin there.
 */
export function pathsOf({ entries }: CompoundFile): readonly string[] | null {
  const linked = linkedEntries(entries);
  if (linked === null) return null;
  const paths: string[] = [];
  const pending: { number: number; folder: string | null; depth: number }[] = [];
  for (const number of entries.keys())
    if (number === 0 || linked[number] === 0) pending.push({ number, folder: null, depth: 0 });
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { number, folder, depth } = next;
    const entry = entries[number];
    if (entry === undefined) continue;
    if (depth > MAX_DEPTH) return null;
    const path = `${folder ?? ''}${entry.untrustedNameField.replaceAll('\0', '')}`;
    paths[number] = path;
    if (isBlank(entry)) continue;
    pending.push({ number: entry.left, folder, depth }, { number: entry.right, folder, depth });
    pending.push({ number: entry.child, folder: folder === null ? '' : `${path}/`, depth: depth + 1 });
  }
  const isRing = entries.some(({ kind }, number) => kind !== KIND.unused && paths[number] === undefined);
  return isRing ? null : paths;
}

/** Returns true for an unused entry, which some programs write as zeros. */
const isBlank = ({ kind, left, right, child }: CompoundEntry): boolean =>
  kind === KIND.unused && left === 0 && right === 0 && child === 0;

/**
 * Marks the entries to which another leads. Returns null when two lead to one, when one leads to the root or to no entry, and at a second
 * root.
 */
function linkedEntries(entries: readonly CompoundEntry[]): Uint8Array | null {
  const linked = new Uint8Array(entries.length).fill(1, 0, 1);
  for (const [number, entry] of entries.entries()) {
    if (isBlank(entry)) continue;
    if (entry.kind === KIND.root && number > 0) return null;
    for (const link of [entry.left, entry.right, entry.child]) {
      if (link === NO_ENTRY || (link === entry.child && link >= entries.length)) continue;
      if (linked[link] !== 0) return null;
      linked[link] = 1;
    }
  }
  return linked;
}
