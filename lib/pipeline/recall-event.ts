/** The event about a run that delivered a file which is worse now: the detail of `MessageRecalled`. */
import * as z from 'zod/mini';
import { referenceOf } from '../words/reference.ts';
import { recipientsText } from './correspondents.ts';
import type { Ledger } from './ledger.ts';
import { VERDICTS } from './model.ts';
import { safeText } from './safe-text.ts';
import type { Worse } from './worse.ts';

/** The longest text of a sender or an engine, in characters. */
const [LONGEST_TEXT, LONGEST_RECIPIENTS, MOST_REASONS] = [200, 1_000, 5];

/** Fields may be added to this version. */
export const RecallEvent = z.object({
  schema: z.literal('mail-airlock/recall-event/1'),
  runId: z.string(),
  /** The short name of the run that people quote. */
  reference: z.string(),
  /** The file. */
  sha256: z.string(),
  before: z.enum(VERDICTS),
  after: z.enum(VERDICTS),
  untrustedReasons: z.array(z.string()),
  /** How the recipient got it: as it came, or disarmed. */
  delivered: z.enum(['keep', 'disarm']),
  untrustedFrom: z.string(),
  untrustedTo: z.string(),
  untrustedSubject: z.string(),
  /** When that was found. */
  at: z.iso.datetime(),
});
export type RecallEvent = z.infer<typeof RecallEvent>;

/** The event. Nothing in its texts acts on a terminal. */
export function recallEvent(ledger: Ledger, worse: Worse, delivered: RecallEvent['delivered']): RecallEvent {
  const { message, runId } = ledger;
  const { sha256, before, after, at } = worse;
  return {
    schema: 'mail-airlock/recall-event/1',
    ...{ runId, reference: referenceOf(runId), sha256, before, after, delivered, at },
    untrustedReasons: worse.untrustedReasons.slice(0, MOST_REASONS).map((reason) => safeText(reason, LONGEST_TEXT)),
    untrustedFrom: safeText(message?.untrustedFrom ?? '', LONGEST_TEXT),
    untrustedTo: safeText(recipientsText(ledger) ?? '', LONGEST_RECIPIENTS),
    untrustedSubject: safeText(message?.untrustedSubject ?? '', LONGEST_TEXT),
  };
}
