/** Draws hostile files in a worker thread, under a deadline of processor time. */
import { ownWorker } from '../threads/own-worker.ts';
import { hostWorker, type OnWork } from '../threads/worker-host.ts';
import { DRAWN_LIMITS, type Drawn, type DrawRequest, UNDRAWABLE } from './draw-request.ts';

/** Added once to the deadline of the first file, for the thread and its libraries to start. */
const START_MS = 5_000;

/** Close it when there is nothing more to draw. */
export interface Drawer {
  /** Never rejects. */
  readonly draw: (request: DrawRequest, onWork?: OnWork) => Promise<Drawn>;
  close(): Promise<void>;
}

/** Returns a drawer with one thread, which starts with the first file and is kept for the next. Files wait for each other. */
export function createDrawer(workMs: number = DRAWN_LIMITS.workMs): Drawer {
  const file = ownWorker(import.meta.url, './drawn/draw-worker.mjs');
  const host = hostWorker<DrawRequest, Drawn>({ file, startMs: START_MS, onSilence: () => UNDRAWABLE });
  return { draw: (request, onWork) => host.ask(request, workMs, onWork), close: host.close };
}
