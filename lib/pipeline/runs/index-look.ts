/**
 * A request to the index of runs to read a run, because it began or because somebody asks for it. The request says nothing about the run.
 * Its chain does.
 */
import * as z from 'zod/mini';
import { AttemptNumber } from '../ledger/attempt.ts';
import { RunId } from '../ledger/run-id.ts';

const Look = z.object({ runId: RunId, attempt: AttemptNumber });
export type IndexLook = z.infer<typeof Look>;

const Asked = z.object({ look: Look });

/** Returns the text of a request. */
export function indexLookText(look: IndexLook): string {
  return JSON.stringify({ look } satisfies z.infer<typeof Asked>);
}

/** Returns the request in the body of a message; null when it is something else. */
export function indexLookOf(body: unknown): IndexLook | null {
  const found = Asked.safeParse(body);
  return found.success ? found.data.look : null;
}
