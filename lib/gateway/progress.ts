/** The progress of a message of the spool, in a note beside it. Without such a note, a message waits to be judged. */
import * as z from 'zod/mini';
import { Count, StoredBytes, Time } from '../pipeline/ledger/fields.ts';
import { RunId } from '../pipeline/ledger/run-id.ts';
import type { Envelope } from './envelope.ts';

const Reply = z.string().check(z.maxLength(500));

/** The state of one recipient. `refused` is final: the next hop answered 5xx. */
export const RecipientProgress = z.object({
  state: z.enum(['waiting', 'sent', 'refused']),
  /** The last answer about this recipient, made safe. */
  reply: z.string(),
});
export type RecipientProgress = z.infer<typeof RecipientProgress>;

export const PROGRESS_SCHEMA = 'mail-airlock/queue/1';

export const Progress = z.object({
  schema: z.literal(PROGRESS_SCHEMA),
  /**
   * `judging`: the flow has not ended, or its end is not noted yet. `sending`: on its way to the next hop. `held`: in quarantine.
   * `undelivered`: judged, and at least one recipient could not be reached for good. `done`: sent, and its files are being removed.
   */
  state: z.enum(['judging', 'sending', 'held', 'undelivered', 'done']),
  runId: z.nullable(RunId),
  /** The message that is sent: the clean message of the run. */
  message: z.nullable(StoredBytes),
  /** The progress of each recipient of the envelope, in its order. */
  recipients: z.array(RecipientProgress),
  /**
   * The first message, which is a message of its own in the spool. It is open until the whole message has ended. From then on `got` says
   * for each recipient whether the first message has, or may have, arrived.
   */
  first: z.optional(
    z.object({
      id: z.string().check(z.regex(/^[0-9a-z]{21}$/)),
      runId: RunId,
      isOpen: z.boolean(),
      got: z.array(z.boolean()),
    }),
  ),
  judgements: Count,
  attempts: Count,
  /** True while the next hop may have the message without our knowledge: its answer is awaited, or was lost. */
  mayHaveArrived: z.boolean(),
  /** True after the people whom its end concerns were informed. */
  mustTell: z.boolean(),
  nextAttemptAt: Time,
  /** True when it is held because of a fault, and not by policy. */
  isFault: z.boolean(),
  /** Why it waits, is held or was given up, made safe. */
  detail: Reply,
});
export type Progress = z.infer<typeof Progress>;

/** Returns whether text is untrusted: false for our own text. */
export const isJudged = (origin: Envelope['origin']): boolean => origin === 'smtp' || origin === 'milter';

/** Returns the progress of a message that was accepted just now. */
export function newProgress({ recipients, origin }: Pick<Envelope, 'recipients' | 'origin'>, nowMs: number): Progress {
  return {
    schema: PROGRESS_SCHEMA,
    state: isJudged(origin) ? 'judging' : 'sending',
    runId: null,
    message: null,
    recipients: recipients.map(() => ({ state: 'waiting' as const, reply: '' })),
    judgements: 0,
    attempts: 0,
    mayHaveArrived: false,
    mustTell: false,
    isFault: false,
    nextAttemptAt: new Date(nowMs).toISOString(),
    detail: '',
  };
}

/** Returns true for a message that is judged, sent or waited for. */
export const isUnderWay = ({ state }: Pick<Progress, 'state'>): boolean => state === 'judging' || state === 'sending';

/** Returns true when a person has to act. A message that the policy holds is no trouble: the policy says who is informed. */
export function isTrouble({ state, isFault }: Progress): boolean {
  return state === 'undelivered' || (state === 'held' && isFault);
}
