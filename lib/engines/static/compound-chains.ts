/**
 * Looks at the chains and paths of a compound file ([MS-CFB] 2.3 to 2.6), also at those that lead nowhere. In a sound file every sector
 * and every entry of the directory is named once; programs differ in what they make of any other.
 */
import { type CompoundFile, MINI_CUTOFF } from '../../formats/compound/compound-file.ts';
import { type CompoundEntry, KIND, NO_ENTRY } from '../../formats/compound/directory.ts';

/** Sector numbers from here on, which only files of terabytes have, end a chain as the marks do. */
const END = 0x80000000;

/** Whether no chain of sectors meets itself or another, none leads out of the file, and no stream starts within another. */
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

/** Sectors that no chain from its first one leads to. */
function hasRing(table: Uint32Array, named: Uint8Array): boolean {
  const reached = new Uint8Array(table.length);
  for (let head = 0; head < table.length; head++) {
    if (named[head] === 1) continue;
    for (let sector = head; sector < END; sector = table[sector] as number) reached[sector] = 1;
  }
  return reached.includes(0);
}

/**
 * The path of every entry, names joined by `/`; null when the directory is no tree. An entry that no path leads to counts as a root of
 * its own: its path is its name, and what hangs below it begins anew.
 */
export function pathsOf({ entries }: CompoundFile): readonly string[] | null {
  const linked = linkedEntries(entries);
  if (linked === null) return null;
  const paths: string[] = [];
  const pending: { number: number; folder: string | null }[] = [];
  for (const number of entries.keys()) if (number === 0 || linked[number] === 0) pending.push({ number, folder: null });
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { number, folder } = next;
    const entry = entries[number];
    if (entry === undefined) continue;
    const path = `${folder ?? ''}${entry.untrustedNameField.replaceAll('\0', '')}`;
    paths[number] = path;
    if (isBlank(entry)) continue;
    pending.push({ number: entry.left, folder }, { number: entry.right, folder });
    pending.push({ number: entry.child, folder: folder === null ? '' : `${path}/` });
  }
  const isRing = entries.some(({ kind }, number) => kind !== KIND.unused && paths[number] === undefined);
  return isRing ? null : paths;
}

/** An entry that is not used is written as zeros by some programs. */
const isBlank = ({ kind, left, right, child }: CompoundEntry): boolean =>
  kind === KIND.unused && left === 0 && right === 0 && child === 0;

/** Which entries another leads to; null when two lead to one or one to the root, when a sibling is none, or at a second root. */
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
