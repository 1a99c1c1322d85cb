/** What became of each mail, by what lies in the clean and in the quarantine bucket, and by the events. Nothing else is believed. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import { keys } from '../../../lib/pipeline/keys.ts';
import { EVENT_SOURCE } from '../../../lib/pipeline/results/run-event.ts';
import schema from '../../../schema/run-event-1.json' with { type: 'json' };
import type { BusEvent } from '../servers/event-bus.ts';
import type { BucketStore } from '../servers/s3/store.ts';
import { WORD } from './mails.ts';
import type { Sent, Twin } from './twin.ts';

export interface Outcome {
  readonly sent: Sent;
  readonly runId: string;
  readonly isDelivered: boolean;
  /** Codes of the reasons, or null: not quarantined. */
  readonly quarantinedFor: readonly string[] | null;
  /** The reasons in words. */
  readonly heldFor: string;
  /** What is wrong, for people. Empty: the mail ended as it must. */
  readonly problems: readonly Problem[];
}

export interface Problem {
  readonly kind: 'lost' | 'doubled' | 'wrongly delivered' | 'held for nothing' | 'not told';
  readonly says: string;
}

/** The outcome of each mail that was sent. */
export function outcomesOf(twin: Twin): Outcome[] {
  const { bus, bucket } = twin.deployment;
  const found: Everything = {
    cleanKeys: groupsOf(bucket('BucketsClean').keys(), (key) => key.split('/', 1)[0]),
    events: groupsOf(bus.events, ({ detail }) => detail.runId),
    words: new Set(twin.sent.map(({ mail }) => mail.word)),
  };
  return twin.sent.map((sent) => outcomeOf(twin, sent, found));
}

/** What is looked up for each mail, found once for all of them. */
interface Everything {
  /** Keys of the clean bucket by run. */
  readonly cleanKeys: ReadonlyMap<unknown, readonly string[]>;
  /** By run. Other events are under `undefined`. */
  readonly events: ReadonlyMap<unknown, readonly BusEvent[]>;
  /** Of all mails that were sent. */
  readonly words: ReadonlySet<string>;
}

function groupsOf<T>(all: readonly T[], groupOf: (one: T) => unknown): Map<unknown, T[]> {
  const groups = new Map<unknown, T[]>();
  for (const one of all) {
    const group = groups.get(groupOf(one));
    if (group) group.push(one);
    else groups.set(groupOf(one), [one]);
  }
  return groups;
}

function outcomeOf(twin: Twin, sent: Sent, found: Everything): Outcome {
  const [clean, quarantine] = [twin.deployment.bucket('BucketsClean'), twin.deployment.bucket('BucketsQuarantine')];
  const { runId } = sent;
  const delivered = clean.newest(keys.cleanMessage(runId));
  const record = newestRecord(quarantine, runId);
  const original = quarantine.newest(keys.quarantinedOriginal(runId));
  const reasons =
    record && (JSON.parse(record.body.toString('utf8')) as { reasons: { code: string; text: string }[] }).reasons;
  const outcome = {
    sent,
    runId,
    isDelivered: delivered !== null,
    quarantinedFor: reasons?.map(({ code }) => code) ?? null,
    heldFor: reasons?.map(({ text }) => text).join('; ') ?? '',
  };
  const problems = [
    ...stateProblems(outcome),
    ...(delivered ? contentProblems(found, sent, clean, runId) : []),
    ...toldProblems(found, outcome),
    ...(record && !original && !sent.isGone ? [problem('lost', 'the quarantine has a record, but no original')] : []),
    ...(original && !original.body.equals(sent.mail.bytes)
      ? [problem('lost', 'the quarantined original is another')]
      : []),
  ];
  return { ...outcome, problems };
}

/** The record of the newest attempt that was held. */
const newestRecord = (quarantine: BucketStore, runId: string) =>
  [3, 2, 1]
    .map((attempt) => quarantine.newest(keys.quarantineRecord(runId, attempt)))
    .find((found) => found !== null) ?? null;

type Found = Omit<Outcome, 'problems'>;

const problem = (kind: Problem['kind'], says: string): Problem => ({ kind, says });

function stateProblems({ sent, isDelivered, quarantinedFor, heldFor }: Found): Problem[] {
  const { must } = sent.mail;
  // What was held first keeps its place in the quarantine.
  if (sent.isHeldFirst)
    return isDelivered && quarantinedFor ? [] : [problem('lost', 'not held first and then delivered')];
  if (isDelivered && quarantinedFor) return [problem('doubled', 'delivered and quarantined')];
  if (!isDelivered && !quarantinedFor) return [problem('lost', 'neither delivered nor quarantined')];
  if (must === 'delivered' && quarantinedFor)
    return [problem('held for nothing', `${quarantinedFor.join(', ')}: ${heldFor}`)];
  if (must === 'quarantined' && isDelivered) return [problem('wrongly delivered', 'it had to be quarantined')];
  return [];
}

/** What is delivered must be this mail and no other, without what had to go, and written once. */
function contentProblems(
  { cleanKeys, words }: Everything,
  { mail }: Sent,
  clean: BucketStore,
  runId: string,
): Problem[] {
  const own = cleanKeys.get(runId) ?? [];
  const texts = own.map((key) => clean.find(key, null).body.toString('latin1'));
  const message = clean.find(keys.cleanMessage(runId), null).body.toString('latin1');
  const others = [...new Set(message.match(WORD))].filter((word) => word !== mail.word && words.has(word));
  const files = own.filter((key) => key.includes('/files/')).map((key) => clean.find(key, null).body);
  // The evidence says when it was signed, so a delivery that was killed and done again leaves another one.
  const lasting = own.filter((key) => key !== keys.cleanEvidence(runId));
  const differing = lasting.filter(
    (key) => new Set(clean.versions(key).map(({ body }) => body.toString('latin1'))).size > 1,
  );
  return [
    ...(message.includes(mail.word) ? [] : [problem('wrongly delivered', 'the message is not the one that was sent')]),
    ...others.map(() => problem('wrongly delivered', 'the message holds words of another')),
    ...mail.forbidden
      .filter((text) => texts.some((one) => one.includes(text)))
      .map((text) => problem('wrongly delivered', `it holds ${text.slice(0, 20)}`)),
    ...(mail.forbiddenFiles ?? [])
      .filter((bytes) => files.some((file) => file.equals(bytes)))
      .map(() => problem('wrongly delivered', 'a file that may not be delivered')),
    ...differing.map((key) => problem('doubled', `${key} was written with different bytes`)),
  ];
}

const isRunEvent = new Ajv2020({ validateFormats: false }).compile(schema);

/** Whoever listens to the events must have heard how the mail ended, and nothing else. */
function toldProblems({ events }: Everything, { sent, runId, isDelivered, quarantinedFor }: Found): Problem[] {
  const own = events.get(runId) ?? [];
  const told = own.map((event) => event['detail-type']);
  const must = isDelivered ? 'MessageDelivered' : 'MessageQuarantined';
  if (!isDelivered && !quarantinedFor) return [];
  const others = told.filter((type) => type !== must && !sent.isHeldFirst);
  const misshapen = own.filter(({ source, detail }) => source === EVENT_SOURCE && !isRunEvent(detail));
  return [
    ...misshapen.map(() =>
      problem('not told', `an event that its schema refuses: ${JSON.stringify(isRunEvent.errors)}`),
    ),
    ...(told.includes(must) ? [] : [problem('not told', `no event ${must}`)]),
    ...(others.length > 0 ? [problem('doubled', `an event ${others[0]}, too`)] : []),
  ];
}
