/**
 * Stage `quarantine`: ends every run that is not delivered. It writes the original and then the record with the reasons to the
 * quarantine bucket. Safe to repeat. It is the only stage that works with incomplete facts, even for a run without a ledger.
 */

import { mayBegin } from './chain/beginning.ts';
import { type Chain, extended, putChain } from './chain/chain.ts';
import { changeBetween } from './chain/change.ts';
import { isTakenBack } from './chain/deleted-meanwhile.ts';
import { policyHash, timestamp } from './chain/ledger-store.ts';
import type { ChangedBy } from './chain/may-change.ts';
import { newLedger, newRun, notedIntake } from './chain/new-run.ts';
import { newestChain } from './chain/newest-chain.ts';
import { claimEnd, overrideEnd, stopDelivery, type TerminalClaim } from './chain/terminal.ts';
import type { EndContext, NoticeContext } from './context.ts';
import { ConfigError, isLostRecord, NotFoundError, TransientError } from './errors.ts';
import { keys, runIdOf } from './keys.ts';
import type { Attempt } from './ledger/attempt.ts';
import type { IntakeObject } from './ledger/intake-object.ts';
import type { Ledger, Reason } from './ledger/ledger.ts';
import type { FailedRun, Run } from './model.ts';
import { REASON_CODES } from './reason-codes.ts';
import { noticeFor } from './rebuilding/notice.ts';
import { deliveryKeys, writtenKeys } from './results/delivery-keys.ts';
import { logRunEnded } from './results/run-ended.ts';
import { runEvent } from './results/run-event.ts';
import { safeJson, safeText } from './safe-text.ts';

/**
 * Quarantines the run, unless it was delivered. Throws TransientError while a delivery that has begun may still be writing: the
 * caller then tries again later.
 *
 * @example
 * ```ts
 * import type { Run } from './lib/pipeline/model.ts';
 * import type { NoticeContext } from './lib/pipeline/context.ts';
 *
 * async function hold(ctx: NoticeContext, run: Run, error: Error): Promise<Run> {
 *   return await quarantine(ctx, { ...run, failure: { Error: error.name, Cause: error.message } });
 * }
 * ```
 */
export async function quarantine(ctx: NoticeContext, run: Run | FailedRun): Promise<Run> {
  const startedAt = ctx.clock.now();
  return end(ctx, run, { ...(await whateverIsKnown(ctx, run)), startedAt });
}

async function end(ctx: NoticeContext, run: Run | FailedRun, known: Known): Promise<Run> {
  const { terminal } = known.ledger;
  const delivered = terminal ? terminal.state === 'delivered' : await wasDelivered(ctx, run, known.ledger);
  // An earlier try of this function may have been killed between its last write and its check.
  if (terminal?.state === 'quarantined') await isTakenBack(ctx, run);
  if (!terminal) await (delivered ? finishDelivered(ctx, run, known) : file(ctx, run, known));
  return { ...run, disposition: delivered ? 'deliver' : 'quarantine' };
}

/** The known facts about a run that ends. */
interface Known {
  /** Null when there is none, or none that can be read. */
  readonly chain: Chain | null;
  readonly ledger: Ledger;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
}

async function file(ctx: NoticeContext, run: Run | FailedRun, known: Known): Promise<void> {
  if (await isTakenBack(ctx, run)) return;
  const { ledger } = known;
  const reasons = [...ledger.reasons, ...('failure' in run ? [failureReason(run.failure)] : [])];
  const record: Ledger = { ...ledger, disposition: 'quarantine', reasons };
  const notice = await writeNotice(ctx, record);
  const written = [...(await writeRecord(ctx, record)), ...(notice === null ? [] : [notice])];
  if (await isTakenBack(ctx, run)) return;
  // The event is sent before the end is noted: if sending fails, the repeated stage sends it again.
  await ctx.events.emit({
    type: 'MessageQuarantined',
    runId: run.runId,
    detail: runEvent(ctx, record, { bucket: 'quarantine', keys: written, notice }),
  });
  const terminal = { state: 'quarantined' as const, at: timestamp(ctx), keys: written };
  await note(ctx, run, known, { ...record, terminal });
  logRunEnded(ctx, record, 'quarantined');
}

/**
 * Notes the end at the end of the chain, or in a new chain. The message is held even if the note cannot be signed. Until somebody mends the
 * key, every repetition files the same again.
 */
async function note(
  ctx: NoticeContext,
  run: Run,
  { chain, ledger, startedAt }: Known,
  ended: ChangedBy<'quarantine'>,
): Promise<void> {
  const start = chain === null ? { ...ledger, reasons: [] } : null;
  const change = changeBetween('quarantine', start ?? ledger, ended);
  const durationMs = ctx.clock.now() - startedAt;
  const times = { startedAt: new Date(startedAt).toISOString(), durationMs };
  try {
    const entry = { stage: 'quarantine' as const, ...times, policy: policyHash(ctx), start, change };
    await putChain(ctx, await extended(ctx, run, chain, entry));
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    ctx.log.warn('the end of the run cannot be signed', {
      runId: run.runId,
      fault: 'misconfigured',
      reason: error.message,
    });
  }
  ctx.log.info('stage done', { stage: 'quarantine', runId: run.runId, durationMs });
}

/**
 * Returns the chain. If it is missing, damaged or too large to read, returns a new ledger, from the note that was made when the run was
 * created.
 */
async function whateverIsKnown(ctx: EndContext, run: Run): Promise<Omit<Known, 'startedAt'>> {
  try {
    const chain = await newestChain(ctx, run.runId, run.attempt);
    return { chain, ledger: chain.ledger };
  } catch (error) {
    if (!isLostRecord(error)) throw error;
    const nowhere: IntakeObject = { bucket: 'unknown', untrustedKey: 'unknown', versionId: '', size: null };
    const intake = (await notedIntake(ctx, run.runId)) ?? nowhere;
    const reasons: Reason[] = [{ code: 'ledger_lost', text: `the ledger of the run cannot be read: ${error.message}` }];
    return { chain: null, ledger: { ...newLedger(ctx, run, intake), reasons } };
  }
}

/** The message is written last. When it is there, the delivery was complete, even if something failed afterwards. */
async function wasDelivered(ctx: EndContext, run: Run | FailedRun, ledger: Ledger): Promise<boolean> {
  const claim = await claimEnd(ctx, run, 'quarantined');
  if (claim.state === 'quarantined') return false;
  const mayGoOn = await mayStillDeliver(ctx, run, claim);
  const last = deliveryKeys(ledger)?.last ?? keys.cleanMessage(run.runId);
  if (await ctx.blobs.has('clean', last)) return true;
  if (mayGoOn) throw new TransientError(`run ${run.runId} may still be delivered; it is held when that has ended`);
  await overrideEnd(ctx, run, 'quarantined');
  return false;
}

/**
 * Returns whether a begun delivery may still be working. No error proves that it has ended, only time does. No delivery begins after the
 * stop, and a begun one lives no longer than a stage can.
 */
async function mayStillDeliver(ctx: EndContext, run: Run | FailedRun, claim: TerminalClaim): Promise<boolean> {
  if (ctx.longestStageMs === 0) return false;
  if (claim.stoppedAt === undefined) await stopDelivery(ctx, run, claim);
  const stoppedAt = claim.stoppedAt === undefined ? ctx.clock.now() : Date.parse(claim.stoppedAt);
  return ctx.clock.now() - stoppedAt < ctx.longestStageMs;
}

async function finishDelivered(ctx: NoticeContext, run: Run, known: Known): Promise<void> {
  const { ledger } = known;
  const where = deliveryKeys(ledger);
  const written = where ? writtenKeys(where) : [keys.cleanMessage(ledger.runId)];
  const detail = runEvent(ctx, ledger, { bucket: 'clean', keys: written });
  await ctx.events.emit({ type: 'MessageDelivered', runId: ledger.runId, detail });
  await note(ctx, run, known, { ...ledger, terminal: { state: 'delivered', at: timestamp(ctx), keys: written } });
}

/**
 * Quarantines an intake object without a run. Its events ended in the dead-letter queue. `again` is the attempt, unless it is the first.
 *
 * @example
 * ```ts
 * import type { Run } from './lib/pipeline/model.ts';
 * import type { NoticeContext } from './lib/pipeline/context.ts';
 * import type { IntakeObject } from './lib/pipeline/ledger/intake-object.ts';
 *
 * async function holdUnparsed(ctx: NoticeContext, intake: IntakeObject): Promise<Run> {
 *   return await quarantineIntake(ctx, intake, { code: 'unreadable', text: 'its event could not be read' });
 * }
 * ```
 */
export async function quarantineIntake(
  ctx: NoticeContext,
  intake: IntakeObject,
  cause: { readonly code: string; readonly text: string },
  again: Attempt | null = null,
): Promise<Run> {
  const run = newRun(runIdOf(intake), again?.number);
  // Somebody decided about it while it could not be read again. That attempt has its own end.
  if (again !== null && !(await mayBegin(ctx, run, 'parse'))) return run;
  const [startedAt, found] = [ctx.clock.now(), await whateverIsKnown(ctx, run)];
  const failure = { class: 'unreadable' as const, detail: cause.text };
  const blank = { ...newLedger(ctx, run, intake), failure, ...(again && { attempt: again }) };
  const ledger = found.chain?.ledger ?? blank;
  return end(ctx, { ...run, failure: { Error: cause.code, Cause: cause.text } }, { ...found, ledger, startedAt });
}

function failureReason(failure: FailedRun['failure']): Reason {
  const cause = causeText(failure.Cause);
  const held = failure.Error === 'HeldError' ? heldReason(cause) : null;
  if (held !== null) return held;
  const passing = `a service or store did not answer after several tries; scan the message again when it does (${cause})`;
  const text = failure.Error === 'TransientError' ? passing : `${failure.Error}: ${cause}`;
  return { code: 'run_failed', text: safeText(text, 500) };
}

/** Returns the reason in the text of a HeldError. */
function heldReason(cause: string): Reason | null {
  const [, word, text = ''] = /^(\w+): ([\s\S]*)$/.exec(cause) ?? [];
  const code = REASON_CODES.find((each) => each === word);
  return code === undefined ? null : { code, text: safeText(text, 500) };
}

/** Returns the message in an error. Lambda puts its error as JSON into Cause, but a person only needs the message. */
function causeText(cause: unknown): string {
  const text = typeof cause === 'string' ? cause : JSON.stringify(cause);
  try {
    const parsed: unknown = JSON.parse(text);
    if (parsed && typeof parsed === 'object' && 'errorMessage' in parsed) return String(parsed.errorMessage);
  } catch {
    // Not JSON: the text is the message.
  }
  return text;
}

/** Returns the key of the notice, or null. A message is held even if nobody can be told, so an error here does not fail the run. */
async function writeNotice(ctx: NoticeContext, ledger: Ledger): Promise<string | null> {
  try {
    const notice = await noticeFor(ctx, ledger);
    if (notice === null) return null;
    const key = keys.quarantineNotice(ledger.runId, ledger.attempt.number);
    const tags = { airlock: 'notice' };
    await ctx.blobs.put('quarantine', key, notice, { contentType: 'message/rfc822', tags });
    return key;
  } catch (error) {
    ctx.log.warn('no notice was written', { runId: ledger.runId, error: safeText(String(error), 300) });
    return null;
  }
}

async function writeRecord(ctx: EndContext, ledger: Ledger): Promise<string[]> {
  const original = keys.quarantinedOriginal(ledger.runId);
  const hasOriginal = await copyOriginal(ctx, ledger.intake, original);
  const record = { runId: ledger.runId, quarantinedAt: timestamp(ctx), hasOriginal, reasons: ledger.reasons, ledger };
  const key = keys.quarantineRecord(ledger.runId, ledger.attempt.number);
  const json = new TextEncoder().encode(`${safeJson(record, 1)}\n`);
  await ctx.blobs.put('quarantine', key, json, { contentType: 'application/json', tags: { airlock: 'quarantined' } });
  return hasOriginal ? [original, key] : [key];
}

/**
 * Copies without reading, so the object may have any size. If the original was deleted or replaced meanwhile, the record is still
 * written.
 */
async function copyOriginal(ctx: EndContext, intake: IntakeObject, key: string): Promise<boolean> {
  try {
    const { untrustedKey, versionId, upload } = intake;
    const which = { versionId, source: intake.bucket, ...(upload && { etag: upload.etag }) };
    const source = { bucket: 'intake', key: untrustedKey, ...which } as const;
    await ctx.blobs.copy(source, { bucket: 'quarantine', key });
    return true;
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error;
    return false;
  }
}
