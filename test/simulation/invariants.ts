/**
 * What must hold after every step of a simulation, whatever went wrong. An invariant looks at what was just done, or at everything when
 * nothing is left to happen, and says what is wrong in a sentence.
 */
import { isDeepStrictEqual } from 'node:util';
import { attemptOf } from '../../lib/pipeline/analysis/submission-of.ts';
import { keys } from '../../lib/pipeline/keys.ts';
import type { Ledger } from '../../lib/pipeline/ledger/ledger.ts';
import { DEFAULT_LIMITS } from '../../lib/pipeline/limits.ts';
import { PASSING_REASONS } from '../../lib/pipeline/reason-codes.ts';
import type { DecisionName } from '../../lib/pipeline/review/decision.ts';
import { indexedRun } from '../../lib/pipeline/runs/row.ts';
import type { SentRequest } from '../pipeline/rig.ts';
import { attemptLabel } from './executions.ts';
import { NEVER_CLEAN, NEVER_CLEAN_UNASKED } from './mails.ts';
import { hashOf } from './memo.ts';
import { REVIEW_INVARIANTS } from './review-invariants.ts';
import { SETTING_INVARIANTS } from './setting-invariants.ts';
import type { Objects, Written } from './stores.ts';
import type { Invariant, Mail, View } from './view.ts';

export const reportName = ({ kind, id }: Pick<SentRequest, 'kind' | 'id'>): string => `${kind} ${id}`;

/** What proves a delivery. It has times in it, so it is another each time. */
export const EVIDENCE = 'evidence.json';

const RUN_KEY = /^([0-9a-f]{32})\/(.*)$/;

/** The run of a key of the clean or the quarantine bucket, and the rest of the key. */
function runKey({ key }: Pick<Written, 'key'>): readonly [string, string] {
  const [, runId = '', rest = ''] = RUN_KEY.exec(key) ?? [];
  return [runId, rest];
}

const isDelivered = (objects: Objects, { runId, last }: Mail): boolean =>
  last !== null && objects.has('clean', `${runId}/${last}`);
const recordOf = ({ runId }: Mail, attempt: number) => keys.quarantineRecord(runId, attempt);
const isQuarantined = (objects: Objects, mail: Mail): boolean =>
  Array.from({ length: mail.attempt }, (_, index) => recordOf(mail, index + 1)).some((key) =>
    objects.has('quarantine', key),
  );
const isDeleted = ({ decided, attempt }: Mail): boolean => decided.get(attempt) === 'delete';
/** True when the newest attempt began with a release. */
const isReleased = ({ decided, attempt }: Mail): boolean => RELEASES.includes(decided.get(attempt));
/** True when what is delivered may be another thing than of this mail alone. */
const isFree = (mail: Mail): boolean => isReleased(mail) || !mail.reference.isExact;
const RELEASES: readonly (DecisionName | undefined)[] = ['release', 'original'];
/** The name of something in the quarantine bucket, with the number of a later attempt. */
const HELD = /^(original|record|notice)(?:-(\d+))?(?:\.\w+)?$/;

const oneEnd: Invariant = {
  name: 'an attempt has exactly one end',
  onWritten({ objects, mailOf }, written) {
    if (written.bucket !== 'clean' && written.bucket !== 'quarantine') return null;
    const [runId, rest] = runKey(written);
    const mail = mailOf(runId);
    if (mail === undefined || !isDelivered(objects, mail)) return null;
    // What an earlier attempt held keeps its place in the quarantine, and a late function of that one may write it again.
    const [, name, held = '1'] = HELD.exec(rest) ?? [];
    const isEarlier = mail.attempt > (name === 'original' ? 1 : Number(held));
    const isTwice = written.bucket === 'clean' ? objects.has('quarantine', recordOf(mail, mail.attempt)) : !isEarlier;
    return isTwice ? `${mail.label} is in the clean bucket and in the quarantine bucket` : null;
  },
  onEvent(_, { label, told }, attempt) {
    const types = [...(told.get(attempt) ?? [])];
    return types.length > 1 ? `${attemptLabel(label, attempt)} was told as ${types.join(' and as ')}` : null;
  },
  atEnd({ objects }, mail, attempts) {
    const ledger = attempts.at(-1) ?? null;
    const state = isDelivered(objects, mail) ? 'delivered' : isDeleted(mail) ? 'deleted' : 'quarantined';
    if (ledger !== null && ledger.terminal?.state !== state)
      return `the ledger of ${mail.label} says ${ledger.terminal?.state ?? 'no end'}, and it was ${state}`;
    if (state === 'deleted') return null;
    const wanted = state === 'delivered' ? 'MessageDelivered' : 'MessageQuarantined';
    return mail.told.get(attempts.length)?.has(wanted) ? null : `nobody was told that ${mail.label} was ${state}`;
  },
};

const ownRecord: Invariant = {
  name: 'the record of an attempt is about that attempt',
  onWritten(_, written, mail) {
    const [, name, held = '1'] = HELD.exec(runKey(written)[1]) ?? [];
    if (mail === undefined || written.bucket !== 'quarantine' || name !== 'record' || written.bytes.length === 0)
      return null;
    const { ledger } = JSON.parse(Buffer.from(written.bytes).toString()) as { ledger: Pick<Ledger, 'attempt'> };
    const { number } = ledger.attempt;
    return number === Number(held)
      ? null
      : `the record of ${attemptLabel(mail.label, Number(held))} is about ${number}`;
  },
};

const onlyAfterHeld: Invariant = {
  name: 'an attempt follows only one that was held',
  onEvent(_, { label, told }) {
    const delivered = [...told].flatMap(([attempt, types]) => (types.has('MessageDelivered') ? [attempt] : []));
    const later = [...told.keys()].find((attempt) => delivered.some((one) => attempt > one));
    return later === undefined ? null : `${attemptLabel(label, later)} has an end, and an earlier one had delivered it`;
  },
  atEnd(_, { label }, attempts) {
    const wrong = attempts
      .slice(0, -1)
      .findIndex((ledger) => ledger !== null && ledger.terminal?.state !== 'quarantined');
    return wrong < 0 ? null : `${attemptLabel(label, wrong + 1)} was not held, and another one followed`;
  },
};

const begunAgain: Invariant = {
  name: 'what a passing fault held is delivered when it is begun again and nothing goes wrong',
  atEnd(view, { label, reference, excuse, arrivedAtMs }, attempts) {
    if (!view.isBegunAgain() || reference.state === 'quarantined' || excuse !== null) return null;
    const passing: readonly string[] = PASSING_REASONS;
    for (const [index, ledger] of attempts.entries()) {
      // An attempt that was begun among the faults has its deadline from then on, whenever it could be started. The one behind it counts.
      const isEarlier = index + 1 < attempts.length;
      const begunAtMs = index === 0 ? arrivedAtMs : Date.parse(ledger?.attempt.begunAt ?? '');
      // Only a person begins a release again.
      if (ledger === null || ledger.attempt.release || (isEarlier && begunAtMs < view.calmFromMs)) continue;
      const why = ledger.reasons.find(({ code }) => passing.includes(code));
      if (ledger.terminal?.state === 'quarantined' && why !== undefined)
        return `${attemptLabel(label, index + 1)} is held all the same: ${why.code} (${why.text})`;
    }
    return null;
  },
};

const judgedAndReadAgain: Invariant = {
  name: 'the clean bucket has only what was judged and read again',
  onWritten({ readings, reports }, written, mail) {
    if (written.bucket !== 'clean' || mail === undefined) return null;
    const [, rest] = runKey(written);
    if (rest === EVIDENCE) return null;
    if (mail.decided.get(mail.attempt) === 'original')
      return hashOf(written.bytes) === mail.came
        ? null
        : `${mail.label}: ${rest} is not the original that was released`;
    const text = Buffer.from(written.bytes).toString('latin1');
    const evil = NEVER_CLEAN.find((words) => text.includes(words));
    if (evil !== undefined) return `${mail.label} was delivered with ${evil}`;
    if (!isReleased(mail) && text.includes(NEVER_CLEAN_UNASKED))
      return `${mail.label} was delivered with what its archive hides`;
    const wanted = isFree(mail) ? [] : [...mail.reference.reports];
    const missing = wanted.find((report) => !reports.has(report));
    if (missing !== undefined) return `${mail.label} was delivered without the report ${missing}`;
    if (rest === 'message.eml' && !readings.has(hashOf(written.bytes)))
      return `${mail.label} was delivered, and nobody had read the message that was delivered`;
    const expected = mail.reference.clean.get(rest);
    // What of a released mail could not be analysed goes; its proof is looked at in the end.
    if (!isFree(mail) && expected !== hashOf(written.bytes))
      return `${mail.label}: ${rest} is not what this mail becomes when nothing goes wrong`;
    return null;
  },
};

const filesBeforeMessage: Invariant = {
  name: 'a message in the clean bucket has all of its files and its evidence',
  onWritten({ objects, mailOf }, written) {
    const [runId, rest] = runKey(written);
    const mail = mailOf(runId);
    if (written.bucket !== 'clean' || mail === undefined || rest !== mail.last) return null;
    const files = isFree(mail) ? [] : mail.reference.clean.keys();
    const missing = [...files, EVIDENCE].find((key) => !objects.has('clean', `${runId}/${key}`));
    return missing === undefined ? null : `${mail.label} was delivered before its file ${missing}`;
  },
};

const nothingLost: Invariant = {
  name: 'every mail ends delivered or quarantined',
  atEnd({ objects }, mail) {
    const isThere = isDelivered(objects, mail) || isQuarantined(objects, mail) || isDeleted(mail);
    return isThere ? null : `${mail.label} is nowhere`;
  },
};

/** A stage that was killed as often as this is not tried again. */
const KILLS = 3;

const patience: Invariant = {
  name: 'what passes by itself holds no mail before its deadline',
  atEnd(view, mail, attempts) {
    if (mail.reference.state === 'quarantined' || mail.excuse !== null) return null;
    const found = attempts.map((ledger, index) => heldEarly(view, mail, ledger, index + 1));
    return found.find((says) => says !== null) ?? null;
  },
};

function heldEarly(view: View, mail: Mail, ledger: Ledger | null, attempt: number): string | null {
  const [heldAtMs, label] = [mail.heldAtMs.get(attempt), attemptLabel(mail.label, attempt)];
  if (heldAtMs === undefined || view.killedOf(label) >= KILLS || ledger === null) return null;
  // New results can make a release void.
  if (ledger.attempt.release) return null;
  // A mail for which no run could be made was waited for from its arrival on.
  const latestMs = attempt > 1 ? Number.POSITIVE_INFINITY : mail.arrivedAtMs + 1_000 * DEFAULT_LIMITS.deadlineSeconds;
  const early = Math.min(Date.parse(ledger.deadlineAt), latestMs) - heldAtMs - view.skewMs;
  if (early <= 0) return null;
  const why = ledger.reasons.map(({ code, text }) => `${code} (${text})`).join(', ');
  return `${label} was held ${Math.round(early / 1_000)} s before its deadline: ${why}`;
}

const sentOnce: Invariant = {
  name: 'nothing is sent twice while its record lives',
  onSubmit(view, request, isAgain) {
    const records = view.recordsOf(request);
    // When the engines have just changed, the record of the old ones may still be there.
    const record = records.find(({ claimedBy, isSent }) => claimedBy === request.group && !isSent) ?? records[0];
    const sender = view.mailOf(request.group)?.label ?? request.group;
    if (record === undefined) return null;
    const isOwn = record.claimedBy === request.group;
    if (isOwn && (view.isDoubled(sender) || !(record.isSent || isAgain))) return null;
    if (!isOwn && view.hadClaim(request)) return null;
    const holder = view.mailOf(record.claimedBy)?.label ?? record.claimedBy;
    return `${sender} sent ${reportName(request)}, which ${holder} ${record.isSent || isOwn ? 'has sent' : 'has claimed'}`;
  },
};

const onlyOlderGivenUp: Invariant = {
  name: 'an attempt gives up only what others claimed or sent before it began',
  onGivenUp(view, { record, madeAtMs, by }) {
    const holder = view.mailOf(record.claimedBy)?.label ?? record.claimedBy;
    const [label = by, number = '1'] = by.split(' attempt ');
    if (record.report !== null || attemptLabel(holder, attemptOf(record.claimedBy)) === by) return null;
    const begunAtMs = view.mails.find((mail) => mail.label === label)?.begunAtMs.get(Number(number));
    if (begunAtMs === undefined || madeAtMs < begunAtMs + view.skewMs) return null;
    const what = record.submissionId === null ? 'claimed' : 'sent';
    return `${by} gave up ${record.key}, which ${holder} had ${what} ${Math.round(madeAtMs - begunAtMs)} ms after it began`;
  },
};

const noClaimLeft: Invariant = {
  name: 'no claim is left behind, for which others would wait',
  atEnd(view, { label, runId }, attempts) {
    const claimants = attempts.map((_, index) => (index === 0 ? runId : `${runId}-${index + 1}`));
    const [left] = view.hasStoreFaults() ? [] : claimants.flatMap(view.leftClaims);
    return left === undefined ? null : `${label} left its claim of ${left}`;
  },
};

const sameBytes: Invariant = {
  name: 'work that is done again leaves the same bytes',
  onWritten(_, { bucket, key, bytes, before }) {
    const named = /^(?:artifacts\/|disarmed\/|runs\/[0-9a-f]{32}\/rebuilt-)([0-9a-f]{64})$/.exec(key)?.[1];
    if (bucket === 'work' && named !== undefined)
      return hashOf(bytes) === named ? null : `the bytes under ${key} are others`;
    const isKept = (bucket === 'clean' && !key.endsWith(EVIDENCE)) || key.endsWith('/original');
    if (!isKept || before === null || Buffer.compare(before, bytes) === 0) return null;
    return `${bucket}/${key} was written again with other bytes`;
  },
};

const ENTRY = /^runs\/[0-9a-f]{32}\/\d+\/(?!terminal)/;

const writtenOnce: Invariant = {
  name: 'an entry of a chain is written once',
  onWritten: (_, { bucket, key, before }) =>
    bucket === 'work' && ENTRY.test(key) && before !== null ? `the entry ${key} was written over` : null,
};

const indexFollows: Invariant = {
  name: 'the index is what it becomes when it is made anew from the chains',
  atEnd({ index }, { label, runId }, attempts) {
    const ledger = attempts.at(-1) ?? null;
    if (index.hasGivenUp(runId)) return null;
    const found = index.find(runId);
    const earlier = attempts.slice(0, -1).filter((one) => one !== null);
    const anew = ledger === null ? null : indexedRun(ledger, earlier);
    if (isDeepStrictEqual(found, anew)) return null;
    const said = (run: typeof found) => (run === null ? 'nothing' : `${run.row.state}, attempt ${run.row.attempt}`);
    return `the index says of ${label}: ${said(found)}; its chain says: ${said(anew)}`;
  },
};

/** Every invariant of the airlock that a simulation checks. */
export const INVARIANTS: readonly Invariant[] = [
  oneEnd,
  ownRecord,
  onlyAfterHeld,
  begunAgain,
  judgedAndReadAgain,
  filesBeforeMessage,
  nothingLost,
  patience,
  sentOnce,
  onlyOlderGivenUp,
  noClaimLeft,
  sameBytes,
  writtenOnce,
  indexFollows,
  ...REVIEW_INVARIANTS,
  ...SETTING_INVARIANTS,
];
