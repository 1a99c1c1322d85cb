/** The event about a run that delivered a file that is worse now, or blocked. It is the detail of `MessageRecalled`. */
import * as z from 'zod/mini';
import { referenceOf } from '../../words/reference.ts';
import { recipientsText } from '../ledger/correspondents.ts';
import type { TellableLedger } from '../ledger/dropped.ts';
import { VERDICTS, type Verdict } from '../model.ts';
import { safeText } from '../safe-text.ts';

/** The longest text of a sender or an engine, in characters. */
const [MAX_TEXT_LENGTH, MAX_RECIPIENTS_LENGTH, MAX_REASONS] = [200, 1_000, 5];

/** Fields may be added to this version. */
export const RecallEvent = z.object({
  schema: z.literal('mail-airlock/recall-event/1'),
  runId: z.string(),
  /** The short name of the run that people quote. */
  reference: z.string(),
  /** The file. */
  sha256: z.string(),
  /** Why it is recalled. Analysis now gives a worse verdict, or people have blocked it. In the latter case `after` equals `before`. */
  cause: z.enum(['worse', 'blocked']),
  before: z.enum(VERDICTS),
  after: z.enum(VERDICTS),
  untrustedReasons: z.array(z.string()),
  /** The form in which the recipient got it: unchanged, or disarmed. */
  delivered: z.enum(['keep', 'disarm']),
  untrustedFrom: z.string(),
  untrustedTo: z.string(),
  untrustedSubject: z.string(),
  /** The time of this finding. */
  at: z.iso.datetime(),
});
export type RecallEvent = z.infer<typeof RecallEvent>;

/** A file that nobody should have. */
export interface BadFile extends Pick<RecallEvent, 'sha256' | 'cause' | 'untrustedReasons' | 'at'> {
  /** Null when people have blocked it, and the verdict is unchanged. */
  readonly before: Verdict | null;
  readonly after: Verdict | null;
}

/** The file in the form in which one run delivered it. */
export interface BadDelivery extends BadFile, Pick<RecallEvent, 'delivered'> {
  /** The verdict in the ledger of the run. */
  readonly judged: Verdict;
}

/** Returns the event. No text in it acts on a terminal. */
export function recallEvent(ledger: TellableLedger, bad: BadDelivery): RecallEvent {
  const { message, runId } = ledger;
  const { sha256, cause, judged, before, after, delivered, at } = bad;
  return {
    schema: 'mail-airlock/recall-event/1',
    ...{ runId, reference: referenceOf(runId), sha256, cause, delivered, at },
    ...{ before: before ?? judged, after: after ?? judged },
    untrustedReasons: bad.untrustedReasons.slice(0, MAX_REASONS).map((reason) => safeText(reason, MAX_TEXT_LENGTH)),
    untrustedFrom: safeText(message?.untrustedFrom ?? '', MAX_TEXT_LENGTH),
    untrustedTo: safeText(recipientsText(ledger) ?? '', MAX_RECIPIENTS_LENGTH),
    untrustedSubject: safeText(message?.untrustedSubject ?? '', MAX_TEXT_LENGTH),
  };
}
