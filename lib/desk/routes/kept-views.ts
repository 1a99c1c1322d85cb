/** The saved views in the text that keeps them. No stage reads it, and the audit trail does not know it. */
import * as z from 'zod/mini';
import { TransientError } from '../../pipeline/errors.ts';
import type { SharedText, VersionedText } from '../../pipeline/shared-text-port.ts';
import { type SavedView, VIEW_LIMITS, type ViewChange, type Views, viewOf } from '../saved-view.ts';

/** Far more than the most views. A file of gigabytes may be in their place. */
export const MAX_VIEWS_BYTES = 500_000;
/** The most other people who change a view in the moment in which this one is changed. */
const MAX_TRIES = 20;
const Stored = z.array(z.object({ name: z.string(), values: z.record(z.string(), z.string()) }));

/** Makes the port. */
export function keptViews(kept: SharedText): Views {
  return {
    // The list of mail is shown without them.
    list: () => kept.read().then(viewsIn, () => null),
    async change(change) {
      for (let tries = 0; tries < MAX_TRIES; tries += 1) {
        const before = await readOrUnreadable(kept);
        const views = before === 'unreadable' ? null : viewsIn(before);
        if (before === 'unreadable' || views === null) return 'unreadable';
        const next = changed(views, change);
        if (next.length > VIEW_LIMITS.views) return 'full';
        if (await kept.replace(`${JSON.stringify(next, null, 1)}\n`, before)) return 'done';
      }
      throw new TransientError('too many others change the saved views just now; try again');
    },
  };
}

async function readOrUnreadable(kept: SharedText): Promise<VersionedText | 'unreadable' | null> {
  try {
    return await kept.read();
  } catch (error) {
    // A store that does not answer just now is another matter.
    if (error instanceof TransientError) throw error;
    return 'unreadable';
  }
}

function changed(views: readonly SavedView[], { action, view }: ViewChange): SavedView[] {
  const others = views.filter(({ name }) => name !== view.name);
  return action === 'save' ? [...others, view] : others;
}

/**
 * Returns the views, sorted by name, or null when the text is no list of views. A foreign view that does not fit the grammar is omitted.
 */
function viewsIn(read: VersionedText | null): SavedView[] | null {
  if (read === null) return [];
  const stored = Stored.safeParse(parsed(read.text));
  if (!stored.success) return null;
  return stored.data
    .flatMap(({ name, values }) => viewOf(name, (filter) => values[filter]) ?? [])
    .sort((one, other) => (one.name < other.name ? -1 : 1))
    .slice(0, VIEW_LIMITS.views);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
