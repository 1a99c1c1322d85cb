/**
 * A local session runs the same stages and the same state machine as AWS. Its storage is a directory with a folder for each
 * bucket. One session scans any number of inputs, and each ends in an outcome, whatever happens.
 */
import { createSecondLook } from '../engines/returned/second-look.ts';
import { createUnpacker } from '../formats/archives/unpacker.ts';
import { createCodeReader } from '../formats/codes/code-reader.ts';
import { createSignatureReader } from '../formats/signed/signature-reader.ts';
import type { RedriveContext } from '../pipeline/context.ts';
import { NotFoundError } from '../pipeline/errors.ts';
import { keys, runIdOf } from '../pipeline/keys.ts';
import type { IntakeObject, Ledger } from '../pipeline/ledger.ts';
import { ledgerJson, readLedger } from '../pipeline/ledger-store.ts';
import type { Run } from '../pipeline/model.ts';
import { newRun } from '../pipeline/new-run.ts';
import { parse } from '../pipeline/parse.ts';
import { quarantine, quarantineIntake } from '../pipeline/quarantine.ts';
import { lastAttempt, obstacleTo, redrive } from '../pipeline/redrive.ts';
import { openAnalysis, type RemoteService } from './analysis.ts';
import { endedOutcome } from './ended-outcome.ts';
import type { Input } from './input.ts';
import { bringIn } from './intake.ts';
import type { LocalEngines } from './local-engines.ts';
import type { Outcome } from './outcome.ts';
import { inRunLock } from './run-lock.ts';
import { createLocal, type Local, type LocalOptions } from './session-local.ts';
import {
  type Decision,
  decidedBefore,
  type Reviewed,
  type ReviewParts,
  removeHeld,
  reviewed,
} from './session-review.ts';

export interface SessionOptions extends LocalOptions {
  /** Null means the engines of this process. */
  readonly service: RemoteService | null;
  readonly cdrService: RemoteService | null;
  /** Options of the engines of this process. @default URLs are judged as text, and only our own YARA rules are used */
  readonly engines?: LocalEngines;
  /** Aborted on Ctrl-C. It ends everything in progress, requests to the service included. */
  readonly signal: AbortSignal;
}

export interface Session {
  /** Never rejects: a fault is an outcome. */
  scan(input: Input): Promise<Outcome>;
  /** The same for an object that is in the intake folder already. Never rejects. */
  scanStored(label: string, intake: IntakeObject): Promise<Outcome>;
  /** Begins a run again that was held. With `isForced`, whatever it was held for. Never rejects. */
  redrive(runId: string, isForced: boolean): Promise<Outcome>;
  /** What is known of a run; null when there is none. */
  ledgerOf(runId: string): Promise<Ledger | null>;
  /** Removes everything of a run but its original: results, ledger, its place in quarantine and in the index. */
  forget(runId: string): Promise<void>;
  /** Does what a person decided about a run that is held. Never rejects. */
  review(runId: string, decision: Decision): Promise<Reviewed>;
  close(): Promise<void>;
}

/** Opens a session; with the engines of this process unless a service is given. */
export async function openSession(options: SessionOptions): Promise<Session> {
  const analysis = await openAnalysis(options.service, options.cdrService, options.signal, options.engines);
  const unpacker = createUnpacker();
  const codes = createCodeReader();
  const signatures = createSignatureReader();
  const look = createSecondLook();
  // The engines of this process have looked at what they wrote.
  const secondLook = analysis.isOwnDisarm ? null : look;
  const local = createLocal(options, analysis, { unpacker, codes, signatures, secondLook });
  return {
    scan: (input) => scanInput(local, input, options.signal),
    scanStored: (label, intake) => scanOne(local, label, async () => intake, options.signal),
    redrive: (runId, isForced) => redriveRun(local, runId, isForced, options.signal),
    ledgerOf: (runId) => ledgerIfAny(local, runId),
    forget: (runId) => forget(local, runId),
    review: (runId, decision) => reviewRun(local, runId, decision, options.signal),
    close: async () => {
      await unpacker.close();
      await codes.close();
      await signatures.close();
      await look.close();
      await analysis.close();
      await local.index.close();
    },
  };
}

async function scanInput(local: Local, input: Input, signal: AbortSignal): Promise<Outcome> {
  if (input.kind === 'problem')
    return { input: input.label, state: 'rejected', code: input.code, message: input.message };
  return scanOne(local, input.label, () => bringIn(local.out, input), signal);
}

async function scanOne(
  local: Local,
  label: string,
  bring: () => Promise<IntakeObject>,
  signal: AbortSignal,
): Promise<Outcome> {
  if (signal.aborted) return interrupted(label);
  try {
    const intake = await bring();
    return await inRunLock(local.out, runIdOf(intake), signal, () => scanIntake(local, label, intake, signal));
  } catch (error) {
    return signal.aborted ? interrupted(label) : broken(label, error);
  }
}

async function scanIntake(local: Local, label: string, intake: IntakeObject, signal: AbortSignal): Promise<Outcome> {
  const runId = runIdOf(intake);
  const ended = await readableLedger(local, runId);
  const message = decidedBefore(ended);
  if (ended?.terminal?.state === 'deleted') await removeHeld(local.blobs, runId, intake);
  if (message !== null) return { input: label, state: 'rejected', code: 'decided_before', message };
  await forget(local, runId);
  local.labels.set(runId, label);
  try {
    const run = await parse(local.ctx, intake);
    const begun = await ledgerIfAny(local, runId);
    if (begun) await local.index.note(begun);
    return await toItsEnd(local, label, signal, run);
  } catch (error) {
    if (signal.aborted) return interrupted(label);
    const cause = { code: 'run_failed', text: error instanceof Error ? error.message : String(error) };
    return outcomeAt(local, label, signal, await quarantineIntake(local.ctx, intake, cause));
  } finally {
    local.labels.delete(runId);
  }
}

/** Begins a run again. What keeps it from that is an outcome, too. */
async function redriveRun(local: Local, runId: string, isForced: boolean, signal: AbortSignal): Promise<Outcome> {
  if (signal.aborted) return interrupted(runId);
  try {
    return await inRunLock(local.out, runId, signal, async () => {
      const last = await lastAttempt(local.ctx, runId);
      const obstacle = obstacleTo(last, isForced);
      if (obstacle !== null) return { input: runId, state: 'rejected', code: 'not_redriven', message: obstacle };
      const outcome = await toItsEnd(local, runId, signal, await redrive(redriveContext(local), last));
      if (outcome.state === 'delivered') await local.blobs.remove('quarantine', runId);
      return outcome;
    });
  } catch (error) {
    return signal.aborted ? interrupted(runId) : broken(runId, error);
  }
}

/** Does what a person decided. What keeps it from that is an outcome, too. */
async function reviewRun(local: Local, runId: string, decision: Decision, signal: AbortSignal): Promise<Reviewed> {
  if (signal.aborted) return interrupted(runId);
  const parts: ReviewParts = {
    ctx: {
      ...redriveContext(local),
      policy: local.ctx.policy,
      removeHeld: (id, intake) => removeHeld(local.blobs, id, intake),
    },
    toItsEnd: (run) => toItsEnd(local, runId, signal, run),
    noted: async () => void (await outcomeAt(local, runId, signal, newRun(runId))),
  };
  try {
    return await inRunLock(local.out, runId, signal, async () => {
      const outcome = await reviewed(parts, runId, decision);
      if (outcome.state === 'delivered') await local.blobs.remove('quarantine', runId);
      return outcome;
    });
  } catch (error) {
    return signal.aborted ? interrupted(runId) : broken(runId, error);
  }
}

/** A laptop reads a mail again at once. */
function redriveContext({ ctx }: Local): RedriveContext {
  return { ...ctx, parseAgain: (intake, attempt) => parse(ctx, intake, attempt) };
}

/** Runs the state machine. Does what the rule on failed executions does in AWS: every run ends in a bucket. */
async function toItsEnd(local: Local, label: string, signal: AbortSignal, run: Run): Promise<Outcome> {
  try {
    await local.workflow.run(run, signal);
  } catch (error) {
    const Cause = error instanceof Error ? error.message : String(error);
    const failure = { Error: 'run_failed', Cause };
    if (!signal.aborted) await quarantine(local.ctx, { ...newRun(run.runId, run.attempt), failure });
  }
  return outcomeAt(local, label, signal, run);
}

async function outcomeAt(local: Local, label: string, signal: AbortSignal, { runId }: Run): Promise<Outcome> {
  const ledger = await ledgerIfAny(local, runId);
  if (ledger) await local.blobs.put('work', keys.ledgerView(runId), ledgerJson(ledger));
  if (signal.aborted && !ledger?.terminal) return interrupted(label);
  if (!ledger) return broken(label, new Error('no ledger was written'));
  await local.index.note(ledger);
  return endedOutcome(local.blobs, label, ledger) ?? broken(label, new Error('it ended without a terminal state'));
}

/** A chain that cannot be read says nothing of what people decided: the scan begins anew. */
async function readableLedger(local: Local, runId: string): Promise<Ledger | null> {
  return (await lastAttempt(local.ctx, runId)).chain?.ledger ?? null;
}

async function ledgerIfAny(local: Local, runId: string): Promise<Ledger | null> {
  try {
    return await readLedger(local.ctx, runId);
  } catch (error) {
    if (error instanceof NotFoundError) return null;
    throw error;
  }
}

/** A person who scans again wants a new result: the run starts from its beginning, and its old output is deleted. */
async function forget(local: Local, runId: string): Promise<void> {
  await local.blobs.remove('clean', runId);
  await local.blobs.remove('quarantine', runId);
  await local.blobs.remove('work', keys.run(runId));
  await local.index.forget(runId);
}

function interrupted(input: string): Outcome {
  return {
    input,
    state: 'interrupted',
    code: 'interrupted',
    message: 'The scan was stopped before its end; nothing was delivered. Scan it again to finish it.',
  };
}

function broken(input: string, error: unknown): Outcome {
  const text = error instanceof Error ? error.message : String(error);
  return { input, state: 'failed', code: 'run_failed', message: `The run failed: ${text}` };
}
