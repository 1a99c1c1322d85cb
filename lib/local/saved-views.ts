/** The saved views of a folder, in a file of their own: `desk/views.json`. No stage reads it, and the audit trail does not know it. */
import { randomUUID } from 'node:crypto';
import { lstatSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { type SavedView, VIEW_LIMITS, type Views, viewOf } from '../desk/saved-view.ts';
import { checkOwnFolders, makeOwnFolders } from '../storage/own-folders.ts';

/** A file of gigabytes in its place. */
const MOST_BYTES = 500_000;
const Stored = z.array(z.object({ name: z.string(), values: z.record(z.string(), z.string()) }));

/** The views below a folder. */
export function savedViews(out: string): Views {
  const folder = join(out, 'desk');
  const path = join(folder, 'views.json');
  return {
    async list() {
      try {
        await checkOwnFolders(out, folder);
        const found = lstatSync(path, { throwIfNoEntry: false });
        if (found === undefined) return [];
        if (!found.isFile() || found.size > MOST_BYTES) return null;
        return sorted(Stored.parse(JSON.parse(readFileSync(path, 'utf8'))));
      } catch {
        return null;
      }
    },
    async put(views) {
      await makeOwnFolders(out, folder);
      const temporary = `${path}.${randomUUID()}.partial`;
      writeFileSync(temporary, `${JSON.stringify(views, null, 1)}\n`, { mode: 0o600, flag: 'wx' });
      renameSync(temporary, path);
    },
  };
}

/** A view that does not fit the grammar, because somebody wrote the file, is left out. */
function sorted(stored: z.infer<typeof Stored>): SavedView[] {
  return stored
    .flatMap(({ name, values }) => viewOf(name, (filter) => values[filter]) ?? [])
    .sort((one, other) => (one.name < other.name ? -1 : 1))
    .slice(0, VIEW_LIMITS.views);
}
