/**
 * A local session runs the same stages and the same state machine as AWS. Its storage is a directory with a folder for each bucket. One
 * session scans any number of inputs. Each always ends in an outcome.
 */
import { createSecondLook } from '../../engines/returned/second-look.ts';
import { createUnpacker } from '../../formats/archives/unpacker.ts';
import { createCodeReader } from '../../formats/codes/reader.ts';
import { createSignatureReader } from '../../formats/signed/signature-reader.ts';
import { lastOf } from '../../pipeline/chain/chain.ts';
import { newRun } from '../../pipeline/chain/new-run.ts';
import type { Context, RedriveContext } from '../../pipeline/context.ts';
import { keys, runIdOf } from '../../pipeline/keys.ts';
import { FIRST_ATTEMPT } from '../../pipeline/ledger/attempt.ts';
import type { Early } from '../../pipeline/ledger/early-record.ts';
import type { IntakeObject } from '../../pipeline/ledger/intake-object.ts';
import type { Ledger } from '../../pipeline/ledger/ledger.ts';
import type { Quota, Run } from '../../pipeline/model.ts';
import { parse } from '../../pipeline/parse.ts';
import { quarantine, quarantineIntake } from '../../pipeline/quarantine.ts';
import type { DeliveredRun } from '../../pipeline/recall/recall.ts';
import { type Pause, type Rechecked, recheck } from '../../pipeline/recall/recheck.ts';
import { type LastAttempt, lastAttempt, obstacleTo, redrive } from '../../pipeline/review/redrive.ts';
import type { Input } from '../input/input.ts';
import { bringIn } from '../input/intake.ts';
import type { Outcome } from '../outcome.ts';
import { openAnalysis, type RemoteService } from './analysis.ts';
import { broken, interrupted } from './ended-outcome.ts';
import { forgetRun } from './forget-run.ts';
import type { LocalEngines } from './local-engines.ts';
import { noteBegun } from './note-begun.ts';
import { outcomeAt } from './outcome-at.ts';
import { createLocal, type Local, type LocalOptions } from './parts.ts';
import { createPasswordMail, type PasswordParts } from './passwords.ts';
import { type Decision, decidedBefore, type Reviewed, type ReviewParts, removeHeld, reviewed } from './review.ts';
import { ledgerIfAny } from './run-context.ts';

export interface SessionOptions extends LocalOptions {
  /** Null means the engines of this process. */
  readonly service: RemoteService | null;
  readonly cdrService: RemoteService | null;
  /** Options of the engines of this process. @default URLs are judged as text, and only our own YARA rules are used */
  readonly engines?: LocalEngines;
  /** Receives the end of a held mail that was begun again, because another mail may tell its password. @default nobody is told */
  readonly onAgain?: (outcome: Outcome) => Promise<void>;
  /** Aborted on Ctrl-C. It ends everything in progress, including requests to the service. */
  readonly signal: AbortSignal;
}

export interface Session {
  /** Scans an input. Never rejects: a fault is an outcome. */
  scan(input: Input): Promise<Outcome>;
  /** Does the same, but does not begin an ended run of this input again: it returns its outcome. Never rejects. */
  scanOnce(input: Input): Promise<Outcome>;
  /** Does the same for an object that is already in the intake folder. Never rejects. */
  scanStored(label: string, intake: IntakeObject, mode: StoredMode): Promise<Outcome>;
  /** Begins a held run again. With `isForced`, the reason does not matter. Never rejects. */
  redrive(runId: string, isForced: boolean): Promise<Outcome>;
  /** Returns the ledger of a run; null when there is none. */
  ledgerOf(runId: string): Promise<Ledger | null>;
  /** Removes everything of a run except its original: results, ledger, its places in quarantine and in the index. */
  forget(runId: string): Promise<void>;
  /** Carries out the decision of a person about a held run. Never rejects. */
  review(runId: string, decision: Decision): Promise<Reviewed>;
  /** Analyses the files of these runs again, at most `budget` of them. */
  recheck(delivered: AsyncIterable<DeliveredRun>, budget: number, pause: Pause): AsyncIterable<Rechecked>;
  /** Returns the quota that the analysis service still grants today; null when it tells no limit. Rejects when it does not answer. */
  quota(): Promise<Quota | null>;
  /** Both resolve when all held mail that was begun again for another mail has ended. */
  settled(): Promise<void>;
  close(): Promise<void>;
}

/** Opens a session. It uses the engines of this process unless a service is given. */
export async function openSession(options: SessionOptions): Promise<Session> {
  const analysis = await openAnalysis(options.service, options.cdrService, options.signal, options.engines);
  const unpacker = createUnpacker();
  const codes = createCodeReader();
  const signatures = createSignatureReader();
  const look = createSecondLook();
  // The engines of this process have already checked their own output.
  const secondLook = analysis.isOwnDisarm ? null : look;
  const local = createLocal(options, analysis, { unpacker, codes, signatures, secondLook });
  const passwords = createPasswordMail(passwordParts(local, options));
  return {
    scan: (input) => passwords.behind(scanInput(local, input, { ...options, isOnce: false })),
    scanOnce: (input) => passwords.behind(scanInput(local, input, { ...options, isOnce: true })),
    scanStored: (label, intake, mode) =>
      passwords.behind(scanOne(local, label, async () => intake, { ...mode, signal: options.signal })),
    redrive: (runId, isForced) => redriveRun(local, runId, isForced, options.signal),
    ledgerOf: (runId) => ledgerIfAny(local.ctx, runId),
    forget: (runId) => forgetRun(local, runId),
    review: (runId, decision) => reviewRun(local, runId, decision, options.signal),
    recheck: (delivered, budget, pause) => recheck(local.ctx, delivered, budget, pause),
    quota: async () => (await local.ctx.analyzer.quota?.('sandbox')) ?? null,
    settled: passwords.settled,
    close: async () => {
      await passwords.settled();
      await unpacker.close();
      await codes.close();
      await signatures.close();
      await look.close();
      await analysis.close();
      await local.index.close();
      await local.locks.close();
    },
  };
}

function passwordParts(local: Local, { signal, onAgain }: SessionOptions): PasswordParts {
  return {
    ...{ ctx: redriveContext(local), index: local.index, signal },
    inLock: (runId, work) => local.locks.inLock(runId, signal, () => local.refreshBlocks().then(work)),
    toItsEnd: (run) => toItsEnd(local, run.runId, signal, run),
    onAgain: onAgain ?? (async () => undefined),
  };
}

/** How an object of the intake folder is scanned. */
export interface StoredMode {
  /** True when an ended run is left unchanged. */
  readonly isOnce: boolean;
  /** Sends on the message that goes out before the end of the run. Never rejects. @default nothing is sent */
  readonly onFirst?: (early: Early) => Promise<void>;
}

interface ScanMode extends StoredMode {
  readonly signal: AbortSignal;
}

async function scanInput(local: Local, input: Input, mode: ScanMode): Promise<Outcome> {
  if (input.kind === 'problem')
    return { input: input.label, state: 'rejected', code: input.code, message: input.message };
  return scanOne(local, input.label, () => bringIn(local.out, input), mode);
}

async function scanOne(
  local: Local,
  label: string,
  bring: () => Promise<IntakeObject>,
  mode: ScanMode,
): Promise<Outcome> {
  const { signal } = mode;
  if (signal.aborted) return interrupted(label);
  try {
    const intake = await bring();
    return await local.locks.inLock(runIdOf(intake), signal, () => scanIntake(local, label, intake, mode));
  } catch (error) {
    return signal.aborted ? interrupted(label) : broken(label, error);
  }
}

async function scanIntake(local: Local, label: string, intake: IntakeObject, mode: ScanMode): Promise<Outcome> {
  const { signal, isOnce } = mode;
  const runId = runIdOf(intake);
  // An unreadable chain says nothing about decisions of people, so the scan begins anew. Most runs have no chain, and one look shows that.
  const isKnown = await local.blobs.hasBelow('work', keys.run(runId));
  const last = isKnown ? await lastAttempt(local.ctx, runId) : { runId, number: FIRST_ATTEMPT, chain: null };
  const ended = last.chain?.ledger ?? null;
  const message = decidedBefore(ended);
  if (ended?.terminal?.state === 'deleted') await removeHeld(local.blobs, runId, intake);
  if (message !== null) {
    await outcomeAt(local, label, signal, newRun(runId));
    return { input: label, state: 'rejected', code: 'decided_before', message };
  }
  if (isOnce && ended?.terminal) {
    const earlier = await outcomeAt(local, label, signal, newRun(runId));
    return 'ledger' in earlier ? { ...earlier, isEarlier: true } : earlier;
  }
  const goesOn = ended?.early !== undefined && ended.terminal?.state !== 'delivered';
  if (!goesOn) {
    await forgetRun(local, runId);
    local.blobs.holdBack(runId);
  }
  local.labels.set(runId, label);
  if (mode.onFirst) local.firsts.set(runId, mode.onFirst);
  try {
    await local.refreshBlocks();
    if (goesOn) return await goneOn(local, label, signal, last);
    const run = await local.told('parse', runId, () => parse(local.ctx, intake));
    return await toItsEnd(local, label, signal, run);
  } catch (error) {
    if (signal.aborted) return interrupted(label);
    const cause = { code: 'run_failed', text: error instanceof Error ? error.message : String(error) };
    const held = await local.told('quarantine', runId, () => quarantineIntake(local.ctx, intake, cause));
    return outcomeAt(local, label, signal, held);
  } finally {
    local.blobs.drop(runId);
    local.labels.delete(runId);
    local.firsts.delete(runId);
  }
}

/**
 * Continues a run whose first message people have. It is not forgotten: it continues at its place, or begins its next attempt when it was
 * held.
 */
async function goneOn(local: Local, label: string, signal: AbortSignal, last: LastAttempt): Promise<Outcome> {
  const { chain, runId, number } = last;
  if (chain !== null && chain.ledger.terminal === null) {
    const run = { ...newRun(runId, number), last: lastOf(chain), polls: chain.ledger.polls };
    // No process was there to ask for the findings of the service.
    const isLate = Date.parse(chain.ledger.deadlineAt) <= local.ctx.clock.now();
    const outcome = await toItsEnd(local, label, signal, run);
    const ended = await lastAttempt(local.ctx, runId);
    const mayGoAgain = isLate && obstacleTo(ended, false) === null;
    return mayGoAgain ? await begunAgain(local, label, signal, { last: ended, isForced: false }) : outcome;
  }
  return await begunAgain(local, label, signal, { last, isForced: true });
}

/** Begins a run again. An obstacle is an outcome, too. */
async function redriveRun(local: Local, runId: string, isForced: boolean, signal: AbortSignal): Promise<Outcome> {
  if (signal.aborted) return interrupted(runId);
  try {
    return await local.locks.inLock(runId, signal, async () => {
      await local.refreshBlocks();
      return await begunAgain(local, runId, signal, { last: await lastAttempt(local.ctx, runId), isForced });
    });
  } catch (error) {
    return signal.aborted ? interrupted(runId) : broken(runId, error);
  }
}

async function begunAgain(
  local: Local,
  label: string,
  signal: AbortSignal,
  { last, isForced }: { readonly last: LastAttempt; readonly isForced: boolean },
): Promise<Outcome> {
  const obstacle = obstacleTo(last, isForced);
  if (obstacle === null) return toItsEnd(local, label, signal, await redrive(redriveContext(local), last));
  if (last.chain?.ledger.terminal?.state === 'delivered') await outcomeAt(local, label, signal, newRun(last.runId));
  return { input: label, state: 'rejected', code: 'not_redriven', message: obstacle };
}

/** Carries out a decision. An obstacle is an outcome, too. */
async function reviewRun(local: Local, runId: string, decision: Decision, signal: AbortSignal): Promise<Reviewed> {
  if (signal.aborted) return interrupted(runId);
  try {
    return await local.locks.inLock(runId, signal, async () => {
      await local.refreshBlocks();
      return await reviewed(reviewParts(local, runId, signal), runId, decision);
    });
  } catch (error) {
    return signal.aborted ? interrupted(runId) : broken(runId, error);
  }
}

function reviewParts(local: Local, runId: string, signal: AbortSignal): ReviewParts {
  return {
    ctx: {
      ...redriveContext(local),
      removeHeld: (id, intake) => removeHeld(local.blobs, id, intake),
    },
    toItsEnd: (run) => toItsEnd(local, runId, signal, run),
    settled: () => outcomeAt(local, runId, signal, newRun(runId)),
  };
}

/** Reads a mail again at once, as a laptop can. */
function redriveContext({ ctx }: Local): RedriveContext & Context {
  return { ...ctx, parseAgain: (intake, attempt) => parse(ctx, intake, attempt) };
}

/** Runs the state machine. Does what the rule on failed executions does in AWS: every run ends in a bucket. */
async function toItsEnd(local: Local, label: string, signal: AbortSignal, run: Run): Promise<Outcome> {
  const noted = noteBegun(local, run.runId);
  try {
    await local.workflow.run(run, signal);
  } catch (error) {
    const Cause = error instanceof Error ? error.message : String(error);
    const failure = { Error: 'run_failed', Cause };
    const failed = { ...newRun(run.runId, run.attempt), failure };
    if (!signal.aborted) await local.told('quarantine', run.runId, () => quarantine(local.ctx, failed));
  } finally {
    await noted();
  }
  return outcomeAt(local, label, signal, run);
}
