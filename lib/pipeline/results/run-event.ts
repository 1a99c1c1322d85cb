/** The event about the end of a run: the detail of `MessageDelivered` and `MessageQuarantined`. Its JSON schema is in `schema/`. */
import * as z from 'zod/mini';
import { referenceOf } from '../../words/reference.ts';
import { leavesOf } from '../ledger/artifacts-of.ts';
import { Count, Sha256 } from '../ledger/fields.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { BY_SEVERITY, DISPOSITIONS, type Disposition, RESULT_KEYS, VERDICTS, type Verdict } from '../model.ts';
import { isAboutMail, REASON_CODES } from '../reason-codes.ts';
import { safeText } from '../safe-text.ts';
import { runCostUsd } from './run-cost.ts';

/** The `source` of every event that Mail Airlock emits. Listeners match on it. */
export const EVENT_SOURCE = 'mail-airlock';
/** Fields may be added to this version. A field that is renamed, removed or given another meaning needs a new version. */
export const RUN_EVENT_SCHEMA = 'mail-airlock/run-event/1';

/**
 * The states of the incoming object. `clean`: it was delivered, nothing was found in it, and nothing was removed. `delivered`: its safe
 * form is in the clean bucket, and the object itself must not be opened. All other states are held. `unreadable`: it could not be read
 * completely. `failed`: a fault of ours or of a service, not of the object.
 */
export const SOURCE_STATES = ['clean', 'delivered', 'quarantined', 'unreadable', 'failed'] as const;
export type SourceState = (typeof SOURCE_STATES)[number];

/** The longest text of a sender in an event, in characters. A header of megabytes would make the event impossible. */
const MAX_TEXT_LENGTH = 200;
const MAX_RECIPIENTS_LENGTH = 1_000;
/**
 * A mail with thousands of files has more keys than an event has room for: EventBridge and SQS take 256 KB with everything around it. Bytes
 * of one list of keys, as JSON.
 */
const MAX_KEY_BYTES = 64 * 1024;

/** Returns a field with its description in the JSON schema. */
const told = <T extends z.ZodMiniType>(schema: T, says: string): T => schema.check(z.describe(says)) as T;
const text = (longest: number, says: string) => told(z.string().check(z.maxLength(longest)), says);

const Intake = z.object({
  bucket: told(z.string(), 'The bucket of the object.'),
  untrustedKey: told(z.string(), 'The key of the object, exactly as its uploader chose it.'),
  versionId: told(z.string(), 'The version of the object. Empty in a bucket without versions.'),
  etag: told(z.nullable(z.string()), 'The ETag that the event of S3 named. Null when it named none.'),
  size: told(z.nullable(Count), 'Bytes of the object. Null when nobody counted them.'),
  sha256: told(z.nullable(Sha256), 'SHA-256 of the object. Null when its bytes were not read.'),
  dropped: told(
    z.optional(z.literal(true)),
    'A person dropped a copy at the desk, to have it analysed. Send it to nobody. Absent for everything else.',
  ),
});

const Message = z.object({
  untrustedMessageId: text(MAX_TEXT_LENGTH, 'Message-ID, cut.'),
  untrustedFrom: text(MAX_TEXT_LENGTH, 'From, cut.'),
  untrustedTo: text(MAX_RECIPIENTS_LENGTH, 'To, cut.'),
  untrustedSubject: text(MAX_TEXT_LENGTH, 'Subject, cut.'),
});

const Dispositions = z.object({
  keep: told(Count, 'Parts that stay byte for byte.'),
  disarm: told(Count, 'Parts that were written anew.'),
  remove: told(Count, 'Parts that were left out.'),
});

/**
 * The outcomes of a result that is put beside the clean bucket. `written`: it is there. `unchanged`: the incoming object is the result.
 * `superseded`: the object was replaced or deleted meanwhile, so nothing was put. `unusable_key`: the key of the object gives no safe key.
 * `no_versions`: the bucket keeps no versions, so the original would have been lost.
 */
export const PLACED_OUTCOMES = ['written', 'unchanged', 'superseded', 'unusable_key', 'no_versions'] as const;

const SAYS_OUTCOME = [
  'written: it lies there.',
  'unchanged: the object itself is the result.',
  'superseded: the object was replaced or deleted meanwhile, nothing was put.',
  'unusable_key: no key may be made of that of the object.',
  'no_versions: the bucket keeps no versions.',
].join(' ');

const SAYS_LEFT_OUT = 'More keys that were written, for which an event has no room. Absent when all stand here.';

const Placed = z.object({
  form: told(z.enum(RESULT_KEYS), 'How its keys are made.'),
  outcome: told(z.enum(PLACED_OUTCOMES), SAYS_OUTCOME),
  bucket: told(z.string(), 'The bucket in which the keys are.'),
  untrustedKeys: told(z.array(z.string()), 'Keys of the result there. Empty when nothing was put.'),
  keysLeftOut: told(z.optional(Count), SAYS_LEFT_OUT),
  versionId: told(z.nullable(z.string()), 'The version that was put. Null when there is none, or several objects.'),
});
export type Placed = z.infer<typeof Placed>;

const SAYS_STATE = [
  'clean: delivered, nothing was found in it, nothing was removed, everything was looked at.',
  'delivered: a safe form is in the clean bucket, the object itself is not safe.',
  'quarantined: held for what is in it.',
  'unreadable: held, because it could not be read as a whole.',
  'failed: held for a fault that is not its own.',
].join(' ');

export const RunEvent = z.object({
  schema: z.literal(RUN_EVENT_SCHEMA),
  runId: told(z.string().check(z.regex(/^[0-9a-f]{32}$/)), 'The run: one version of one object.'),
  attempt: told(z.int().check(z.positive()), 'The attempt of the run, from 1. A higher one counts.'),
  reference: told(z.string(), 'The short name of the run that people quote, such as A7-4KQ9.'),
  state: told(z.enum(SOURCE_STATES), SAYS_STATE),
  verdict: told(z.enum(VERDICTS), 'The worst verdict of anything in the object; unknown when nothing was judged.'),
  reasons: told(z.array(z.enum(REASON_CODES)), 'Why it is held, each code once. Codes may be added.'),
  intake: told(Intake, 'The object that came in.'),
  message: told(
    z.nullable(Message),
    'Texts of the sender, with nothing in them that acts on a terminal. Null for a file, and when no header was read.',
  ),
  dispositions: told(Dispositions, 'What was done with the parts.'),
  linksOff: told(Count, 'Links that were switched off.'),
  bucket: told(z.enum(['clean', 'quarantine']), 'The bucket in which the keys are.'),
  keys: told(z.array(z.string()), 'What was written there. No key holds anything that a sender chose.'),
  keysLeftOut: told(z.optional(Count), SAYS_LEFT_OUT),
  notice: told(z.optional(z.string()), 'The key of the notice in the quarantine bucket. Absent when none was written.'),
  placed: told(
    z.optional(Placed),
    'Where the result was put beside the clean bucket, as its source asks for. In MessagePlaced only.',
  ),
  bornAt: told(z.iso.datetime(), 'When the run was created.'),
  endedAt: told(z.iso.datetime(), 'When it ended.'),
  durationMs: told(z.number(), 'From the creation to the end, in milliseconds.'),
  costUsd: told(
    z.number(),
    'Dollars by list price for Step Functions and the functions of the stages. Engines, services and storage are not in it.',
  ),
});
export type RunEvent = z.infer<typeof RunEvent>;

/** The end of a run. */
export interface RunEnd {
  readonly bucket: 'clean' | 'quarantine';
  readonly keys: readonly string[];
  readonly notice?: string | null;
}

/** Returns the event about this end. */
export function runEvent({ clock }: { readonly clock: { now(): number } }, ledger: Ledger, end: RunEnd): RunEvent {
  const now = clock.now();
  const { intake, message, artifacts } = ledger;
  const leaves = leavesOf(ledger);
  const count = (disposition: Disposition) => leaves.filter(({ part }) => part.disposition === disposition).length;
  return {
    schema: RUN_EVENT_SCHEMA,
    runId: ledger.runId,
    attempt: ledger.attempt.number,
    reference: referenceOf(ledger.runId),
    state: sourceState(ledger, end.bucket),
    verdict: worstVerdict(ledger),
    reasons: end.bucket === 'clean' ? [] : [...new Set(ledger.reasons.map(({ code }) => code))],
    intake: {
      bucket: intake.bucket,
      untrustedKey: intake.untrustedKey,
      versionId: intake.versionId,
      etag: intake.etag ?? intake.upload?.etag ?? null,
      size: intake.size,
      sha256: ledger.sha256,
      ...(intake.dropped && { dropped: true as const }),
    },
    message: message && {
      untrustedMessageId: safeText(message.untrustedMessageId, MAX_TEXT_LENGTH),
      untrustedFrom: safeText(message.untrustedFrom, MAX_TEXT_LENGTH),
      untrustedTo: safeText(message.untrustedTo, MAX_RECIPIENTS_LENGTH),
      untrustedSubject: safeText(message.untrustedSubject, MAX_TEXT_LENGTH),
    },
    dispositions: Object.fromEntries(DISPOSITIONS.map((name) => [name, count(name)])) as Record<Disposition, number>,
    linksOff: artifacts.filter(({ type, disposition }) => type === 'url' && disposition === 'disarm').length,
    bucket: end.bucket,
    ...keysWithRoom('keys', end.keys),
    ...(end.notice && { notice: end.notice }),
    bornAt: ledger.bornAt,
    endedAt: new Date(now).toISOString(),
    durationMs: now - Date.parse(ledger.bornAt),
    costUsd: runCostUsd(ledger),
  };
}

/** Returns the first keys of a list that an event has room for, under this name, and how many more there are. */
export function keysWithRoom<Name extends string>(
  name: Name,
  keys: readonly string[],
): { readonly [Field in Name]: string[] } & { readonly keysLeftOut?: number } {
  let left = MAX_KEY_BYTES;
  const over = keys.findIndex((key) => {
    left -= Buffer.byteLength(JSON.stringify(key)) + 1;
    return left < 0;
  });
  const told = keys.slice(0, over < 0 ? keys.length : over);
  const leftOut = keys.length - told.length;
  return { [name]: told, ...(leftOut > 0 && { keysLeftOut: leftOut }) } as ReturnType<typeof keysWithRoom<Name>>;
}

/** Returns the state of the incoming object, when its run ended in this bucket. */
export function sourceState(ledger: Ledger, bucket: RunEnd['bucket']): SourceState {
  if (bucket === 'clean') return isCleanItself(ledger) ? 'clean' : 'delivered';
  if (ledger.failure !== null) return 'unreadable';
  return ledger.reasons.some(({ code }) => isAboutMail(code)) ? 'quarantined' : 'failed';
}

/** Returns true when nothing was found in the object, and nothing was left out or skipped. Anybody who opens it gets what was judged. */
function isCleanItself(ledger: Ledger): boolean {
  const { artifacts, parts, urlsOverLimit, failure, warnings } = ledger;
  const isRemoved = [...artifacts, ...parts].some(({ disposition }) => disposition === 'remove');
  const isWhole = failure === null && urlsOverLimit === 0 && warnings.length === 0;
  return isWhole && !isRemoved && worstVerdict(ledger) === 'benign';
}

/** Returns the worst verdict of a ledger; `unknown` when it has nothing that was judged. */
export function worstVerdict({ artifacts }: Ledger): Verdict {
  return BY_SEVERITY.find((verdict) => artifacts.some((artifact) => artifact.verdict === verdict)) ?? 'unknown';
}
