/** The files of a folder or a Maildir that is watched, and the moments at which it may have changed. */
import { type FSWatcher, watch } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

export interface WatchedFile {
  readonly path: string;
  /** Its identity, which stays when a mail program moves it from `new` to `cur` or changes its flags. */
  readonly key: string;
  readonly size: number;
  readonly modifiedMs: number;
}

/** The flags that a mail program appends to the name of a mail in a Maildir. */
const FLAGS = /:2,[A-Za-z]*$/;

/**
 * Returns its files in the order of their names: in a Maildir the files of `new` and `cur`, elsewhere all files of the folder. Hidden
 * files, links and folders are left out. `isKnown` avoids checks of known mail in a Maildir, which never changes. Rejects when it cannot be
 * read.
 */
export async function filesIn(
  folder: string,
  isMaildir: boolean,
  isKnown: (key: string) => boolean,
): Promise<WatchedFile[]> {
  const found: WatchedFile[] = [];
  for (const part of isMaildir ? ['new', 'cur'] : ['.'])
    for (const entry of await readdir(join(folder, part), { withFileTypes: true })) {
      const key = isMaildir ? entry.name.replace(FLAGS, '') : entry.name;
      if (!entry.isFile() || entry.name.startsWith('.') || (isMaildir && isKnown(key))) continue;
      const path = join(folder, part, entry.name);
      // The reader of the mail may move it between the two calls. The next look finds it in its new place.
      const facts = await stat(path).catch(() => null);
      if (facts !== null) found.push({ path, key, size: facts.size, modifiedMs: facts.mtimeMs });
    }
  return found.sort((a, b) => (a.key < b.key ? -1 : 1));
}

export interface Changes {
  /** Resolves at the next change, or when the time is over. A change since the last call counts, too. */
  next(mostMs: number): Promise<void>;
  /** Counts as a change. */
  wake(): void;
  close(): void;
}

/** Reports the changes of a folder that its file system tells. Some network file systems tell none. */
export function changesOf(folder: string, isMaildir: boolean): Changes {
  let hasChanged = false;
  let told = () => {};
  const wake = () => {
    hasChanged = true;
    told();
  };
  const watchers = (isMaildir ? ['new', 'cur'] : ['.']).flatMap((part) => watcherOf(join(folder, part), wake));
  return {
    async next(mostMs) {
      if (!hasChanged)
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, mostMs);
          told = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      hasChanged = false;
    },
    wake,
    close() {
      for (const watcher of watchers) watcher.close();
    },
  };
}

/** Watches a folder. Returns no watcher when the system has none left; the folder is still checked from time to time. */
function watcherOf(folder: string, onChange: () => void): FSWatcher[] {
  try {
    const watcher = watch(folder, { persistent: false }, onChange);
    watcher.on('error', onChange);
    return [watcher];
  } catch {
    return [];
  }
}
