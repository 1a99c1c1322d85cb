/** Draws hostile files in a worker thread, under a deadline of processor time. */
import { ownWorker } from '../threads/own-worker.ts';
import { hostWorker } from '../threads/worker-host.ts';
import { DRAWN_LIMITS, type Drawn, type DrawRequest, UNDRAWABLE } from './draw-request.ts';
import type { DrawWorker } from './worker.ts';

/** Added once to the deadline of the first file, for the thread and its libraries to start. */
const START_MS = 5_000;

/** Close it when there is nothing more to draw. */
export interface Drawer {
  /** Never rejects. */
  readonly draw: DrawWorker;
  close(): Promise<void>;
}

/** A drawer with one thread, which starts with the first file and is kept for the next. Files wait for each other. */
export function createDrawer(workMs: number = DRAWN_LIMITS.workMs): Drawer {
  const file = ownWorker(import.meta.url, './drawn/draw-worker.mjs');
  const host = hostWorker<DrawRequest, Drawn>({ file, startMs: START_MS, onSilence: () => UNDRAWABLE });
  return { draw: (request) => host.ask(request, workMs), close: host.close };
}
