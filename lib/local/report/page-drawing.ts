/** Draws the parts of a mail for its page as a file, in a thread of this process that all pages share. */
import { drawStored } from '../../desk/mail/drawings.ts';
import { SEEN_LIMITS, type SmallDrawing } from '../../desk/mail/seen-parts.ts';
import { createDrawer, type Drawer } from '../../formats/drawn/drawer.ts';
import { directoryBlobs } from '../../storage/directory/directory.ts';

/** Its thread starts with the first file, and keeps no process alive. */
let drawer: Drawer | null = null;

/** Returns a drawer for the parts of one page, from the files below the folder of the run. */
export function pageDrawing(out: string): SmallDrawing {
  drawer ??= createDrawer();
  const [own, blobs] = [drawer, directoryBlobs(out)];
  let usedMs = 0;
  const onWork = (workMs: number) => {
    usedMs += workMs;
  };
  return {
    draw: ({ stored }, kind) => drawStored(own, blobs, { stored, kind, isSmall: true, onWork }),
    isOver: () => usedMs > SEEN_LIMITS.workMs,
  };
}
