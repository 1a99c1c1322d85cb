/** The request to `parse` to read an intake object again. It waits in the queue of the events about new objects. */
import * as z from 'zod/mini';
import { Attempt } from '../ledger/attempt.ts';
import { IntakeObject } from '../ledger/intake-object.ts';

const ReadAgain = z.object({ readAgain: z.object({ intake: IntakeObject, attempt: Attempt }) });
export type ReadAgain = z.infer<typeof ReadAgain>['readAgain'];

/** Returns the text of a request. */
export function readAgainText(readAgain: ReadAgain): string {
  return JSON.stringify({ readAgain } satisfies z.infer<typeof ReadAgain>);
}

/** Returns the request in the body of a message; null when it is something else. */
export function readAgainOf(body: unknown): ReadAgain | null {
  const found = ReadAgain.safeParse(body);
  return found.success ? found.data.readAgain : null;
}
