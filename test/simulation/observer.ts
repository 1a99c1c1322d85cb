/** Watches a simulation: notes the course of events, and asks every invariant after every step. It changes nothing. */
import { readChainText } from '../../lib/pipeline/chain/chain-text.ts';
import { readEntry } from '../../lib/pipeline/chain/entry.ts';
import { fold } from '../../lib/pipeline/chain/fold.ts';
import { keys } from '../../lib/pipeline/keys.ts';
import type { Events, SubmissionRecord } from '../../lib/pipeline/ports.ts';
import type { DecisionName } from '../../lib/pipeline/review/decision.ts';
import type { SentRequest } from '../pipeline/rig.ts';
import type { Answered } from './analyst.ts';
import type { Arrival } from './arrivals.ts';
import { attemptLabel, type ExecutionEnd } from './executions.ts';
import { CALL_FAULTS, CALM_AFTER, type Faults } from './faults.ts';
import { type Functions, MAX_SKEW_MS } from './functions.ts';
import { INVARIANTS, reportName } from './invariants.ts';
import { MAILS } from './mails.ts';
import { hashOf, writtenChain } from './memo.ts';
import { roll } from './random.ts';
import { createReader } from './reader.ts';
import type { RunIndex } from './run-index.ts';
import type { Scheduler } from './scheduler.ts';
import { SCOPES } from './service.ts';
import type { Setting } from './setting.ts';
import type { GivenUp, Objects, Records, Written } from './stores.ts';
import type { Invariant, Mail, Reference, View } from './view.ts';

export interface Violation {
  readonly invariant: string;
  readonly says: string;
  readonly atSeconds: number;
}

export interface Observed {
  readonly scheduler: Scheduler;
  readonly faults: Faults;
  readonly functions: Functions;
  readonly objects: Objects;
  readonly records: Records;
  readonly index: RunIndex;
}

export interface Observer {
  readonly view: View;
  /** Said once everything that it looks at is there. */
  watch(observed: Observed): void;
  onWritten(written: Written): void;
  onSubmit(request: SentRequest, sentAtMs: number | null): void;
  /** A record of a submission is given up. */
  onGivenUp(givenUp: GivenUp): void;
  onReport(request: SentRequest): void;
  onReading(sha256: string): void;
  onEvent(event: Parameters<Events['emit']>[0]): void;
  /** A text left the stores, or what becomes one as JSON. */
  onSaid(where: string, said: unknown): void;
  onExecutionEnd(end: ExecutionEnd): void;
  /** Stages of the run may run twice at once from now on. */
  onDoubled(runId: string): void;
  onReplaced(arrival: Arrival): void;
  /** A person was told what became of a decision. */
  onAnswered(answered: Answered): void;
  /** Everything that a passing fault held was begun again, and no fault can follow. */
  onLastRound(): void;
  /** The first violation, or null. */
  violation(): Violation | null;
  /** Looks at everything when nothing is left to happen. */
  atEnd(): Promise<void>;
  /** A number that is the same for the same course of events. */
  digest(): number;
  readonly mails: ReadonlyMap<string, Mail>;
}

export interface ObserverOptions {
  readonly setting: Setting;
  readonly startMs: number;
  readonly trace: ((line: string) => void) | undefined;
}

/** An observer of these mails. `trace` is called with a line for each step that changes something. */
export function createObserver(
  arrivals: readonly Arrival[],
  referenceOf: (arrival: Arrival) => Reference,
  { setting, startMs, trace }: ObserverOptions,
): Observer {
  const mails = new Map(arrivals.map((arrival) => [arrival.runId, mailOf(arrival, referenceOf(arrival), startMs)]));
  const readings = new Set<string>();
  const reports = new Set<string>();
  const doubled = new Set<string>();
  let seen!: Observed;
  let digest = 0;
  let violation: Violation | null = null;
  let isBegunAgain = false;
  let audited: View['audited'] = new Set<string>();
  const problems = new Map<string, string>();

  const seconds = () => (seen.scheduler.nowMs() - startMs) / 1_000;
  const note = (what: string) => {
    digest = Math.floor(roll(digest, `${seen.scheduler.nowMs()} ${what}`) * 2 ** 32);
    trace?.(
      `${seconds().toFixed(3)} ${what.replace(/[0-9a-f]{32,}/g, (hex) => mails.get(hex)?.label ?? hex.slice(0, 8))}`,
    );
  };
  const check = (ask: (invariant: Invariant) => string | null | undefined) => {
    for (const invariant of INVARIANTS) {
      const says = violation === null ? ask(invariant) : null;
      if (says) violation = { invariant: invariant.name, says, atSeconds: Math.round(seconds()) };
    }
  };
  const excuse = (runId: string, why: string) => {
    const mail = mails.get(runId);
    if (mail !== undefined) mail.excuse = why;
  };
  const label = (runId: string) => mails.get(runId)?.label ?? runId;
  const view: View = {
    get objects() {
      return seen.objects;
    },
    get index() {
      return seen.index;
    },
    mails: [...mails.values()],
    policy: setting.policy,
    sandboxed: new Set(),
    isTroubled: () => seen.faults.happened.some(({ kind }) => kind !== 'decision'),
    // Later attempts of a run claim under its name with their number.
    mailOf: (claimant) => mails.get(claimant.slice(0, RUN_ID_LENGTH)),
    calmFromMs: startMs + 1_000 * CALM_AFTER,
    isBegunAgain: () => isBegunAgain && !seen.faults.happened.some(({ kind }) => kind === 'endless analysis'),
    readings,
    reports,
    recordsOf: (request) => {
      const found = keysOf(request).map((key) => seen.records.find(key, seen.scheduler.nowMs() / 1_000));
      return found.flatMap((record) => (record === null ? [] : [heldBy(record)]));
    },
    hadClaim: (request) => keysOf(request).some((key) => seen.records.hadClaim(key, request.group)),
    leftClaims: (runId) => seen.records.leftClaims(runId),
    hasStoreFaults: () => seen.faults.happened.some(({ kind }) => STORE_FAULTS.has(kind)),
    isDoubled: (one) =>
      doubled.has(one) ||
      seen.faults.happened.some(({ kind, name }) => kind === 'given up while it runs' && name.startsWith(one)),
    killedOf: (one) => seen.functions.killed.get(one) ?? 0,
    get skewMs() {
      return seen.faults.happened.some(({ kind }) => kind === 'clock wrong') ? 2 * MAX_SKEW_MS : 0;
    },
    get audited() {
      return audited;
    },
    problems,
  };
  return {
    view,
    mails,
    digest: () => digest,
    violation: () => violation,
    watch: (observed) => {
      seen = observed;
    },
    onReading: (sha256) => readings.add(sha256),
    onGivenUp: (givenUp) => check((invariant) => invariant.onGivenUp?.(view, givenUp)),
    onReport: (request) => reports.add(reportName(request)),
    onReplaced: ({ runId }) => excuse(runId, 'its object was replaced'),
    onWritten(written) {
      note(`wrote ${written.bucket}/${written.key}, ${written.bytes.length} B`);
      noteAttempt(mails, written, seen.scheduler.nowMs());
      const mail = mails.get(written.key.slice(0, RUN_ID_LENGTH));
      if (mail !== undefined && written.bucket === 'quarantine' && !mail.heldAtMs.has(mail.attempt))
        mail.heldAtMs.set(mail.attempt, seen.scheduler.nowMs());
      check((invariant) => invariant.onWritten?.(view, written, mail));
    },
    onSubmit(request, sentAtMs) {
      // Other engines are asked anew.
      const isAnew = sentAtMs === null || seen.faults.isIn('new engines');
      const sentAt = isAnew ? Number.POSITIVE_INFINITY : sentAtMs / 1_000;
      const ends = keysOf(request).map((key) => seen.records.claimEnd(key, request.group, sentAt) ?? 0);
      const isAgain = seen.scheduler.nowMs() + view.skewMs < 1_000 * Math.max(...ends);
      note(`${label(request.group)} submitted ${reportName(request)}`);
      check((invariant) => invariant.onSubmit?.(view, request, isAgain));
    },
    onEvent({ type, runId, detail: { attempt } }) {
      note(`told ${type} of ${attemptLabel(label(runId), attempt)}`);
      const mail = mails.get(runId);
      if (mail === undefined) return;
      mail.told.set(attempt, new Set([...(mail.told.get(attempt) ?? []), type]));
      check((invariant) => invariant.onEvent?.(view, mail, attempt));
    },
    onAnswered(answered) {
      const { runId, by, action, answer } = answered;
      note(`${by.name} asked for ${action} of ${label(runId)}: ${JSON.stringify(answer)}`);
      mails.get(runId)?.answers.push(answered);
    },
    onLastRound() {
      isBegunAgain = true;
    },
    onSaid(where, said) {
      const text = typeof said === 'string' ? said : JSON.stringify(said);
      check((invariant) => invariant.onSaid?.(view, where, text));
    },
    onDoubled: (runId) => doubled.add(label(runId)),
    onExecutionEnd({ runId, status }) {
      note(`execution of ${label(runId)} ended: ${status}`);
      if (status === 'ABORTED') excuse(runId, 'its execution was aborted');
    },
    async atEnd() {
      if (violation !== null) return;
      const reader = createReader(seen.objects);
      audited = await reader.audited();
      const isChanged = seen.faults.happened.some(({ kind }) => kind === 'object changed');
      for (const mail of mails.values()) {
        if (isChanged) mail.excuse = 'an object was changed';
        if (isReceivedTwice(seen.faults, mail)) mail.excuse = 'its event was received so often that it was given up';
        const attempts = await reader.attemptsOf(mail.runId);
        const where = attempts.at(-1)?.terminal;
        const problem = where?.state === 'delivered' ? await reader.problemOf(mail.runId, where.keys[0] ?? '') : null;
        if (problem !== null) problems.set(mail.runId, problem);
        check((invariant) => invariant.atEnd?.(view, mail, attempts));
      }
    },
  };
}

const RUN_ID_LENGTH = 32;
const BEGINNING = /^runs\/([0-9a-f]{32})\/(\d+)\/(?:parse|begun)\.json$/;

/** The first entry of an attempt begins it. That of `review` says what a person decided. */
function noteAttempt(mails: ReadonlyMap<string, Mail>, { bucket, key, bytes }: Written, nowMs: number): void {
  if (bucket !== 'work') return;
  const [, runId = '', attempt] = BEGINNING.exec(key) ?? [];
  const mail = mails.get(runId);
  if (mail === undefined) return;
  mail.attempt = Math.max(mail.attempt, Number(attempt));
  if (!mail.begunAtMs.has(Number(attempt))) mail.begunAtMs.set(Number(attempt), nowMs);
  const decision = key.endsWith('/begun.json') ? decisionIn(bytes) : null;
  if (decision !== null) mail.decided.set(Number(attempt), decision);
}

function decisionIn(bytes: Uint8Array): DecisionName | null {
  const { reason, release } = (writtenChain(bytes)?.ledger ?? ledgerIn(bytes)).attempt;
  if (release !== undefined) return release.form === 'original' ? 'original' : 'release';
  return reason === 'rescan' || reason === 'delete' ? reason : null;
}

const ledgerIn = (bytes: Uint8Array) =>
  fold(readChainText(bytes, 'a chain').map(({ json }) => readEntry(json, 'an entry')));

/** Every receive counts, also one that the queue repeats by itself. */
const isReceivedTwice = ({ happened }: Faults, { label }: Mail) =>
  happened.some(
    ({ kind, name }) =>
      (kind === 'message twice' || kind === 'message not deleted') && name.startsWith(`intake ${label} `),
  );

/** Faults with which a stage may not be able to give up its claim. */
const STORE_FAULTS: ReadonlySet<string> = new Set([
  ...CALL_FAULTS,
  'store away',
  'service away',
  'given up while it runs',
  'express broke',
  'aborted',
]);

function mailOf({ label, runId, atMs, kind }: Arrival, reference: Reference, startMs: number): Mail {
  const files = [...reference.clean.keys()];
  const last = kind === 'file' ? (files[0] ?? null) : 'message.eml';
  return {
    label,
    kind,
    runId,
    reference,
    last,
    arrivedAtMs: startMs + atMs,
    told: new Map(),
    attempt: 1,
    begunAtMs: new Map(),
    heldAtMs: new Map(),
    came: hashOf(MAILS[kind]),
    decided: new Map(),
    answers: [],
    sandboxed: new Set(),
    excuse: null,
  };
}

/** Each key that this request can have: the engines may have changed, and `bin` may stand for no extension. */
function keysOf(request: SentRequest): string[] {
  const { kind, id } = request;
  const password = request.kind === 'url_analysis' ? null : request.password;
  const named = request.kind === 'url_analysis' ? '' : request.filename.slice(request.filename.lastIndexOf('.') + 1);
  const extensions = named === 'bin' ? ['bin', ''] : [named];
  return SCOPES.flatMap((scope) =>
    extensions.map((extension) => keys.submission(scope, { kind, id, extension, password })),
  );
}

const heldBy = ({ claimedBy, submissionId }: SubmissionRecord) => ({ claimedBy, isSent: submissionId !== null });
