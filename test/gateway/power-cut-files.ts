/**
 * A disk in memory that forgets what was not synced when the power is cut: the bytes of a file without `sync`, and names without
 * `syncFolder`. What was not synced may also have reached the disk, so a test cuts the power both ways. Nothing of it is code of the gateway.
 */
import { dirname } from 'node:path';
import type { Files, OpenFile } from '../../lib/gateway/files.ts';

interface Inode {
  bytes: Buffer;
  /** What is on the disk for sure. */
  synced: Buffer;
}

export interface PowerCutFiles {
  readonly files: Files;
  /** Operations so far. */
  readonly count: () => number;
  /** The disk behind a cut of the power: only what was synced, or everything, with files cut in half that were not. */
  after(kept: 'synced' | 'names'): PowerCutFiles;
}

/** The disk. After operation `last`, nothing ends any more. */
export function powerCutFiles(last: number, start: ReadonlyMap<string, Buffer> = new Map()): PowerCutFiles {
  const inodeOf = (bytes: Buffer): Inode => ({ bytes, synced: bytes });
  const now = new Map([...start].map(([path, bytes]) => [path, inodeOf(bytes)]));
  const synced = new Map(now);
  let count = 0;
  const act = async <T>(work: () => T): Promise<T> => {
    count += 1;
    if (count > last) return new Promise<never>(() => undefined);
    return work();
  };
  const opened = (inode: Inode): OpenFile => ({
    write: (bytes) =>
      act(() => {
        inode.bytes = Buffer.concat([inode.bytes, bytes]);
      }),
    sync: () =>
      act(() => {
        inode.synced = inode.bytes;
      }),
    close: () => act(() => undefined),
  });
  const namesIn = (map: ReadonlyMap<string, Inode>, folder: string) =>
    [...map.keys()].filter((path) => dirname(path) === folder);
  return {
    count: () => count,
    after(kept) {
      const names = kept === 'synced' ? synced : now;
      const left = [...names].map(([path, inode]): [string, Buffer] => {
        const isWhole = inode.synced.length === inode.bytes.length;
        const half = inode.bytes.subarray(0, (inode.synced.length + inode.bytes.length) >> 1);
        return [path, isWhole || kept === 'synced' ? inode.synced : half];
      });
      return powerCutFiles(Number.POSITIVE_INFINITY, new Map(left));
    },
    files: {
      makeFolder: () => act(() => undefined),
      create: (path) =>
        act(() => {
          const inode = inodeOf(Buffer.alloc(0));
          now.set(path, inode);
          return opened(inode);
        }),
      read: (path) => act(() => now.get(path)?.bytes ?? null),
      rename: (from, to) =>
        act(() => {
          const inode = now.get(from);
          if (inode === undefined) throw new Error(`no ${from}`);
          now.delete(from);
          now.set(to, inode);
        }),
      syncFolder: (path) =>
        act(() => {
          for (const name of namesIn(synced, path)) if (!now.has(name)) synced.delete(name);
          for (const name of namesIn(now, path)) synced.set(name, now.get(name) as Inode);
        }),
      remove: (path) => act(() => void now.delete(path)),
      list: (path) =>
        act(() =>
          namesIn(now, path)
            .map((name) => name.slice(path.length + 1))
            .sort(),
        ),
      modifiedAt: (path) => act(() => (now.has(path) ? 0 : null)),
      freeBytes: async () => Number.MAX_SAFE_INTEGER,
    },
  };
}
