/** A small text that people change, in a file below a folder of ours. */
import { lstatSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { LimitExceededError } from '../../pipeline/errors.ts';
import type { SharedText, VersionedText } from '../../pipeline/shared-text-port.ts';
import { partialOf } from './files.ts';
import { checkOwnFolders, makeOwnFolders, PlantedLinkError } from './own-folders.ts';

/** Makes the port over the file `name` below `root`. Its methods also throw PlantedLinkError when something else has that name. */
export function directoryText(root: string, name: string, maxBytes: number): SharedText {
  const path = join(root, name);
  const current = (): VersionedText | null => {
    const found = lstatSync(path, { throwIfNoEntry: false });
    if (found === undefined) return null;
    if (!found.isFile()) throw new PlantedLinkError(path);
    if (found.size > maxBytes) throw new LimitExceededError('object bytes', maxBytes, found.size);
    const text = readFileSync(path, 'utf8');
    return { text, version: text };
  };
  return {
    async read() {
      await checkOwnFolders(root, dirname(path));
      return current();
    },
    async replace(text, before) {
      await makeOwnFolders(root, dirname(path));
      // This process does nothing else between the check and the rename.
      if (current()?.version !== before?.version) return false;
      const temporary = partialOf(path);
      writeFileSync(temporary, text, { mode: 0o600, flag: 'wx' });
      renameSync(temporary, path);
      return true;
    },
  };
}
