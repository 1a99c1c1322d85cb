/** A disk that fails at a chosen operation: the process dies there, or there is no room. Nothing of it is code of the gateway. */
import type { Files, OpenFile } from '../../lib/gateway/files.ts';

/**
 * `before`, `after`: the process dies before or behind the operation. `torn`: it dies in the middle of a write. `full`: the operation, and
 * all that write behind it, find no room until `free` is called.
 */
export type Fault = 'before' | 'after' | 'torn' | 'full';

export interface FaultyFiles {
  readonly files: Files;
  /** Operations so far. */
  readonly count: () => number;
  /** True once the fault has come. */
  readonly hasFailed: () => boolean;
  /** Resolves when the process is dead. No operation behind it ever ends. */
  readonly died: Promise<'died'>;
  /** Makes room. */
  free(): void;
  /** Closes what the dead process left open, as the system does. */
  close(): Promise<void>;
}

const noRoom = () => Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC', syscall: 'write' });

/** The disk `real`, whose operation number `at` fails, counted from 1. */
export function faultyFiles(real: Files, at: number, fault: Fault): FaultyFiles {
  let count = 0;
  let isDead = false;
  let isFull = false;
  let hasFailed = false;
  let onDeath: (word: 'died') => void = () => undefined;
  const died = new Promise<'died'>((resolve) => {
    onDeath = resolve;
  });
  const die = (): Promise<never> => {
    isDead = true;
    onDeath('died');
    return new Promise<never>(() => undefined);
  };
  const act = async <T>(
    work: () => Promise<T>,
    takesRoom: boolean,
    half: () => Promise<unknown> = work,
  ): Promise<T> => {
    if (isDead) return die();
    count += 1;
    const isNow = count === at;
    if (isNow) hasFailed = true;
    if (isNow && fault === 'before') return die();
    if (isNow && fault === 'full') isFull = true;
    if (isFull && (takesRoom || isNow)) throw noRoom();
    if (isNow && fault === 'torn') {
      await half();
      return die();
    }
    const done = await work();
    return isNow && fault === 'after' ? die() : done;
  };
  const left = new Set<OpenFile>();
  const opened = (file: OpenFile): OpenFile => ({
    write: (bytes) =>
      act(
        () => file.write(bytes),
        true,
        () => file.write(bytes.subarray(0, bytes.length >> 1)),
      ),
    sync: () => act(() => file.sync(), true),
    close: () =>
      act(async () => {
        left.delete(file);
        await file.close();
      }, false),
  });
  const create = async (path: string): Promise<OpenFile> => {
    const file = await real.create(path);
    left.add(file);
    return opened(file);
  };
  return {
    count: () => count,
    hasFailed: () => hasFailed,
    died,
    free: () => {
      isFull = false;
    },
    async close() {
      for (const file of left) await file.close();
    },
    files: {
      makeFolder: (path) => act(() => real.makeFolder(path), true),
      create: (path) => act(() => create(path), true),
      read: (path, maxBytes) => act(() => real.read(path, maxBytes), false),
      rename: (from, to) => act(() => real.rename(from, to), true),
      syncFolder: (path) => act(() => real.syncFolder(path), false),
      remove: (path) => act(() => real.remove(path), false),
      list: (path) => act(() => real.list(path), false),
      modifiedAt: (path) => act(() => real.modifiedAt(path), false),
      freeBytes: () => act(() => real.freeBytes(), false),
    },
  };
}
