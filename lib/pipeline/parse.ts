/**
 * Stage `parse`: an intake object becomes a ledger and artifacts, and its run starts.
 *
 * Safe to repeat: the ledger is written once, if absent, after the artifacts; a repeated event finds it, and only makes
 * sure that the run was started. What cannot be read still gets a ledger, a run, and a place in quarantine.
 */
import { decodePart } from '../message/decode.ts';
import { looksLikeEmail } from '../message/looks-like-email.ts';
import type { MessageReading } from '../message/model.ts';
import { readMessage } from '../message/read.ts';
import { newLedger, newRun, noteIntake } from './birth.ts';
import { mapBounded } from './bounded.ts';
import type { ParseContext } from './context.ts';
import { LimitExceededError } from './errors.ts';
import { keys, runIdOf, sha256Hex } from './keys.ts';
import { type IntakeObject, isLeaf, type Ledger } from './ledger.ts';
import { ledgerOfEmail, ledgerOfFile } from './ledger-of.ts';
import { createLedger, intakeBytes, ledgerJson } from './ledger-store.ts';
import type { Failure, Run } from './model.ts';

/** Reads the intake object, writes ledger and artifacts, starts the run. Throws TransientError when a store fails. */
export async function parse(ctx: ParseContext, intake: IntakeObject): Promise<Run> {
  const run = newRun(runIdOf(intake));
  if (!(await ctx.blobs.has('work', keys.ledger(run.runId)))) await readIntake(ctx, run.runId, intake);
  await ctx.executions.start({ runId: run.runId, input: run });
  return run;
}

async function readIntake(ctx: ParseContext, runId: string, intake: IntakeObject): Promise<void> {
  const started = ctx.clock.now();
  const blank = newLedger(ctx, runId, intake);
  await noteIntake(ctx, runId, intake);
  const ledger = withinLimit(ctx, await ledgerOf(ctx, blank, intake));
  const stage = { stage: 'parse' as const, startedAt: blank.bornAt, durationMs: ctx.clock.now() - started };
  await createLedger(ctx, { ...ledger, stages: [stage] });
  ctx.log.info('stage done', { stage: 'parse', runId, durationMs: stage.durationMs, parts: ledger.parts.length });
}

/** Stages add reports to a ledger; one that already fills half of its limit would grow until no stage could read it. */
function withinLimit(ctx: ParseContext, ledger: Ledger): Ledger {
  const { length } = ledgerJson(ledger);
  if (length <= ctx.limits.ledgerBytes / 2) return ledger;
  const failure = { class: 'oversize' as const, detail: `what was found in it fills a ledger of ${length} bytes` };
  return { ...ledger, parts: [], urls: [], artifacts: [], warnings: [], failure };
}

async function ledgerOf(ctx: ParseContext, blank: Ledger, intake: IntakeObject): Promise<Ledger> {
  const bytes = await readBounded(ctx, intake);
  if ('class' in bytes) return { ...blank, failure: bytes };
  const known: Ledger = { ...blank, sha256: sha256Hex(bytes), intake: { ...intake, size: bytes.length } };
  if (bytes.length === 0)
    return {
      ...known,
      failure: {
        class: 'unreadable',
        detail: 'it is empty (0 bytes): there is nothing to deliver. Check how it was stored',
      },
    };
  if (!looksLikeEmail(bytes)) return storeFile(ctx, known, bytes);
  const reading = await readMessage(bytes, ctx.limits);
  const ledger = ledgerOfEmail(ctx.limits, known, reading, bytes);
  await storeParts(ctx, ledger, reading, bytes);
  return ledger;
}

async function readBounded(ctx: ParseContext, intake: IntakeObject): Promise<Uint8Array | Failure> {
  try {
    return await intakeBytes(ctx, intake);
  } catch (error) {
    if (!(error instanceof LimitExceededError)) throw error;
    return {
      class: 'oversize',
      detail: `it is larger than the ${error.max} bytes that are read of one email. Nothing of it was read`,
    };
  }
}

async function storeFile(ctx: ParseContext, known: Ledger, bytes: Uint8Array): Promise<Ledger> {
  const ledger = ledgerOfFile(ctx.limits, known, bytes);
  await ctx.blobs.put('work', keys.artifact(sha256Hex(bytes)), bytes);
  return ledger;
}

/** Every leaf's bytes under their hash; the same hash once. */
async function storeParts(
  ctx: ParseContext,
  ledger: Ledger,
  reading: MessageReading,
  email: Uint8Array,
): Promise<void> {
  const byHash = new Map(reading.parts.map((part) => [part.sha256, part]));
  const hashes = new Set(ledger.parts.filter(isLeaf).map((part) => part.sha256 as string));
  await mapBounded([...hashes], ctx.limits.concurrentSubmissions, async (sha256) => {
    const part = byHash.get(sha256);
    if (part) await ctx.blobs.put('work', keys.artifact(sha256), decodePart(email, part));
  });
}
