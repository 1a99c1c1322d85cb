/** Draws stored files for the desk, and keeps the drawings while the desk runs: by hash, and so with one version of the code that draws. */
import { type Drawn, type DrawnKind, UNDRAWABLE } from '../../formats/drawn/draw-request.ts';
import { createDrawer, type Drawer } from '../../formats/drawn/drawer.ts';
import type { OnWork } from '../../formats/threads/worker-host.ts';
import { findStored } from '../../pipeline/contents/stored-part.ts';
import { LimitExceededError } from '../../pipeline/errors.ts';
import type { Blobs } from '../../pipeline/ports.ts';
import type { Stored } from './part-sides.ts';

/** A person who opens the pages of ten thousand mails. Bytes of pictures and texts that are kept. */
const MAX_KEPT_BYTES = 64 * 1024 * 1024;

export interface Drawings {
  /** Draws a file. Returns null when it is not stored any more. */
  readonly drawn: (stored: Stored, kind: DrawnKind, options?: DrawOptions) => Promise<Drawn | null>;
  close(): Promise<void>;
}

export interface DrawOptions {
  /** True for a page that is a file. @default false */
  readonly isSmall?: boolean;
  /** Called with the time it took, when it was not drawn before. */
  readonly onWork?: OnWork;
}

/** Draws files of these blobs. `workMs`: processor time for one file, where a person waits for less than the limit. */
export function createDrawings(blobs: Pick<Blobs, 'get'>, workMs?: number): Drawings {
  const drawer = createDrawer(workMs);
  const kept = new Map<string, { readonly drawn: Promise<Drawn | null>; bytes: number }>();
  const drop = () => {
    let bytes = [...kept.values()].reduce((sum, each) => sum + each.bytes, 0);
    for (const [name, each] of kept) {
      if (bytes <= MAX_KEPT_BYTES) return;
      kept.delete(name);
      bytes -= each.bytes;
    }
  };
  return {
    close: drawer.close,
    drawn: async (stored, kind, options = {}) => {
      // The same bytes are another text under another header.
      const label = stored.label === undefined ? '' : `${stored.runId} ${stored.label.header.start}`;
      const name = `${stored.sha256} ${kind} ${options.isSmall === true ? 'small' : ''} ${label}`;
      const known = kept.get(name);
      const entry = known ?? { drawn: drawStored(drawer, blobs, { stored, kind, ...options }), bytes: 0 };
      // The one that was used last is dropped last.
      kept.delete(name);
      kept.set(name, entry);
      try {
        const drawn = await entry.drawn;
        entry.bytes = sizeOf(drawn);
        // A file that is gone may come back with a rescan, and a drawing that took too long on a busy machine may not the next time.
        if (drawn === null || drawn.outcome === 'undrawable') kept.delete(name);
        drop();
        return drawn;
      } catch (error) {
        kept.delete(name);
        throw error;
      }
    },
  };
}

/** Draws a stored file. Returns null when it is not stored any more. */
export async function drawStored(
  { draw }: Pick<Drawer, 'draw'>,
  blobs: Pick<Blobs, 'get'>,
  { stored, kind, isSmall, onWork }: { readonly stored: Stored; readonly kind: DrawnKind } & DrawOptions,
): Promise<Drawn | null> {
  try {
    const found = await findStored(blobs, stored);
    return found === null ? null : await draw({ kind, isSmall, ...found }, onWork);
  } catch (error) {
    if (error instanceof LimitExceededError) return UNDRAWABLE;
    throw error;
  }
}

function sizeOf(drawn: Drawn | null): number {
  if (drawn === null) return 0;
  return drawn.pictures.reduce((sum, { length }) => sum + length, 2 * drawn.untrustedText.length);
}
