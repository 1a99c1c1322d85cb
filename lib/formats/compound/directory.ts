/** Reads the directory of a compound file ([MS-CFB] 2.6): its entries in order, and the tree that leads to them. */
import type { OnCompoundFault } from './faults.ts';

const ENTRY_BYTES = 128;
/** The number that means no entry. */
export const NO_ENTRY = 0xffffffff;
/** The kinds of entries. */
export const KIND = { unused: 0, storage: 1, stream: 2, root: 5 } as const;

export interface CompoundEntry {
  /** As spelled, at most 31 characters. */
  readonly untrustedName: string;
  /** The name with the character after it, which is zero unless the length of the name is wrong. */
  readonly untrustedNameField: string;
  /** One of `KIND`, or a number without a meaning. */
  readonly kind: number;
  /** Class id, 32 lower-case hex digits in file order. */
  readonly clsid: string;
  readonly start: number;
  readonly size: number;
  /** Numbers of entries: the siblings on both sides, and the first one below. */
  readonly left: number;
  readonly right: number;
  readonly child: number;
  /** Entries directly below the root, or below a storage to which a path from the root leads. */
  readonly children: readonly CompoundEntry[];
}

/** Returns the entries, the root first, linked to a tree. */
export function readEntries(directory: Buffer, maxEntries: number, onFault: OnCompoundFault): readonly CompoundEntry[] {
  const count = Math.floor(directory.length / ENTRY_BYTES);
  if (directory.length % ENTRY_BYTES !== 0) onFault('entry-cut');
  if (count > maxEntries) onFault('too-many-entries');
  const entries = Array.from({ length: Math.min(count, maxEntries) }, (_, index) =>
    readEntry(directory, index * ENTRY_BYTES),
  );
  linkTree(entries, onFault);
  return entries;
}

type Linked = CompoundEntry & { readonly children: CompoundEntry[] };

function readEntry(bytes: Buffer, at: number): Linked {
  const field = bytes.toString('utf16le', at, at + Math.min(64, bytes.readUInt16LE(at + 64)));
  return {
    untrustedName: field.slice(0, -1),
    untrustedNameField: field,
    kind: bytes.readUInt8(at + 66),
    left: bytes.readUInt32LE(at + 68),
    right: bytes.readUInt32LE(at + 72),
    child: bytes.readUInt32LE(at + 76),
    clsid: bytes.toString('hex', at + 80, at + 96),
    start: bytes.readUInt32LE(at + 116),
    // The upper half counts only in files with large sectors, and no stream that is read is so long.
    size: bytes.readUInt32LE(at + 120),
    children: [],
  };
}

/** Links the tree level by level, so that an entry directly below the root is found there, even if a storage claims otherwise. */
function linkTree(entries: readonly Linked[], onFault: OnCompoundFault): void {
  const reached = new Uint8Array(entries.length).fill(1, 0, 1);
  const storages = entries.slice(0, 1);
  for (const storage of storages) {
    const pending = [storage.child];
    for (let number = pending.pop(); number !== undefined; number = pending.pop()) {
      if (number === NO_ENTRY) continue;
      const entry = entries[number];
      if (entry === undefined || reached[number] === 1) {
        onFault('not-a-tree');
        continue;
      }
      reached[number] = 1;
      storage.children.push(entry);
      pending.push(entry.left, entry.right);
      if (entry.kind === KIND.storage) storages.push(entry);
    }
  }
}
