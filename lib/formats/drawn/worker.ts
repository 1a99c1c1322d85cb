/** The worker thread that draws stored files: one at a time. */
import { answerRequests } from '../threads/worker-thread.ts';
import { draw } from './draw.ts';
import { type Drawn, type DrawRequest, UNDRAWABLE } from './draw-request.ts';

/** The package contains this file, because the drawer names its type. */
export type DrawWorker = (request: DrawRequest) => Promise<Drawn>;

// The text of an error can quote the file, so it does not leave the thread.
const answer: DrawWorker = (request) => draw(request).catch(() => UNDRAWABLE);
answerRequests(answer);
