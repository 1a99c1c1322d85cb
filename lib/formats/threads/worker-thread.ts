/** The inner side of a worker thread that `worker-host.ts` runs. It takes one request after the other, and each has a meter. */
import { parentPort } from 'node:worker_threads';
import { beginMeter, type Meter } from './meter.ts';

/** Messages of the host. */
export interface Asked<Request> {
  readonly request: Request;
  readonly meter: Meter;
}

/** Answers each request. `moved` names the buffers that leave the thread with the answer. `answer` must not reject. */
export function answerRequests<Request, Answer>(
  answer: (request: Request) => Promise<Answer>,
  moved: (answer: Answer) => ArrayBuffer[] = () => [],
): void {
  parentPort?.on('message', async ({ request, meter }: Asked<Request>) => {
    beginMeter(meter);
    const found = await answer(request);
    parentPort?.postMessage(found, moved(found));
  });
}
