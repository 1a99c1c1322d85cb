/**
 * Makes the first message. When the analysis of files takes longer than policy lets people wait, the text is sent with a page instead of
 * each such file. The run continues meanwhile, and this is not its end. The first message is decided, rebuilt and read again like every
 * message. An analysis without a report counts as failed. This runs only in the gateway, which sends both messages.
 */

import { isOutstanding, mapSubmissions } from '../analysis/outstanding.ts';
import { failed } from '../analysis/submission-of.ts';
import { type Chain, lastOf, readChain } from '../chain/chain.ts';
import { writeEvidence } from '../chain/evidence.ts';
import { onLedger, timestamp } from '../chain/ledger-store.ts';
import { newestChain } from '../chain/newest-chain.ts';
import { withSeal } from '../chain/sealed.ts';
import type { Context, StoreContext } from '../context.ts';
import { decideLedger } from '../decide.ts';
import { RebuildMismatchError, TransientError } from '../errors.ts';
import { fetchEnded } from '../fetch.ts';
import { canBeSplit, isStillExamined, waitingLeaves } from '../judging/early-leaves.ts';
import { keys, sha256Hex } from '../keys.ts';
import type { Artifact } from '../ledger/artifact.ts';
import { leavesOf } from '../ledger/artifacts-of.ts';
import type { Early } from '../ledger/early-record.ts';
import { type Ledger, MEMBER_MARK } from '../ledger/ledger.ts';
import type { Run } from '../model.ts';
import { forRun } from '../policy/for-recipients.ts';
import type { Policy } from '../policy/policy.ts';
import { isEncryptedMail } from '../signatures/encrypted-mail.ts';
import { composed } from './composed.ts';

export interface Between {
  /** The run as it continues. */
  readonly run: Run;
  /** The first message that went out; null while none did. */
  readonly early: Early | null;
  /** True when nothing will go out early any more. */
  readonly isOver: boolean;
}

/**
 * Called between polls. Writes the first message to the clean bucket when its time has come and it can be made. Until then, the run waits
 * no longer than that time. Safe to repeat: a repetition returns the message that was written before. Throws TransientError.
 */
export async function early(given: Context, run: Run): Promise<Between> {
  const chain = await readChain(given, run.runId, run.attempt, run.last);
  const { ledger } = chain;
  if (ledger.early !== undefined) return { run, early: await published(given, chain, ledger.early), isOver: true };
  const ctx = forRun(given, ledger);
  const { afterSeconds } = ctx.policy.firstMessage;
  if (afterSeconds === null || run.outstanding === 0) return { run, early: null, isOver: true };
  const leftSeconds = Date.parse(ledger.attempt.begunAt) / 1000 + afterSeconds - ctx.clock.now() / 1000;
  const waiting = { ...run, waitSeconds: leftSeconds > 0 ? Math.min(run.waitSeconds, leftSeconds) : run.waitSeconds };
  if (leftSeconds > 0 || !mayBeReady(ledger)) return { run: waiting, early: null, isOver: false };
  try {
    return await written(ctx, await fetchEnded(ctx, run));
  } catch (error) {
    if (error instanceof TransientError) throw error;
    ctx.log.warn('no first message', {
      runId: run.runId,
      reason: error instanceof Error ? error.message : String(error),
    });
    // The chain may already have fetched reports.
    const newest = await newestChain(ctx, run.runId, run.attempt);
    return { run: { ...run, last: lastOf(newest) }, early: null, isOver: true };
  }
}

/** Returns false while a body is still with the service. Finished analyses are then not fetched yet. */
function mayBeReady(ledger: Ledger): boolean {
  const bodies = leavesOf(ledger).filter(({ part }) => part.role === 'body');
  return bodies.every(({ artifact }) => !artifact.submissions.some(isOutstanding));
}

async function written(ctx: Context, run: Run): Promise<Between> {
  const { ledger } = await readChain(ctx, run.runId, run.attempt, run.last);
  // Encrypted mail is delivered unchanged, or not at all.
  const isOpen = !ledger.artifacts.some(isEncryptedMail);
  const made = isOpen && canBeSplit(ledger) ? await firstMessage(ctx, ledger) : null;
  if (made === null) return { run, early: null, isOver: true };
  const done = await onLedger(ctx, 'early', run, async () => ({ early: made }));
  const chain = await readChain(ctx, run.runId, run.attempt, done.run.last);
  return { run: done.run, early: await published(ctx, chain, done.ledger.early ?? made), isOver: true };
}

/** Writes the objects that the chain names into the clean bucket, unless they exist or belong to an earlier attempt. */
async function published(ctx: StoreContext, chain: Chain, sent: Early): Promise<Early> {
  const { runId, entries } = chain;
  const isOwn = entries.some(({ stage }) => stage === 'early');
  if (!isOwn || (await ctx.blobs.has('clean', keys.cleanEarly(runId)))) return sent;
  const { sha256, size } = sent.sealed ?? sent.rebuilt;
  const message = await ctx.blobs.get('work', keys.rebuilt(runId, sha256), { maxBytes: size });
  if (sha256Hex(message) !== sha256) throw new RebuildMismatchError('the first message has changed');
  await writeEvidence(ctx, chain, keys.cleanEarlyEvidence(runId));
  const options = { contentType: 'message/rfc822', tags: { airlock: 'first-message' } };
  await ctx.blobs.put('clean', keys.cleanEarly(runId), message, options);
  return sent;
}

/** Returns null when policy holds the message as it is known now, or when no first message can be made. It then waits like any other. */
async function firstMessage(ctx: Context, ledger: Ledger): Promise<Early | null> {
  if (ctx.policy.failures.timeout === 'quarantine' && hasTimedOut(ledger)) return null;
  const policy: Policy = { ...ctx.policy, failures: { ...ctx.policy.failures, timeout: 'remove' } };
  const later = new Set(waitingLeaves(ledger).map(({ artifact }) => artifact.id));
  const decided = decideLedger(policy, withoutOpen(ctx, ledger, later), ctx.lists);
  if (decided.disposition !== 'deliver') return null;
  const made = await composed({ ...ctx, policy }, decided, (each) => asLater(each, later));
  if (made.rebuilt === null) return null;
  const { sha256, size } = made.rebuilt;
  const rebuilt = await ctx.blobs.get('work', keys.rebuilt(made.runId, sha256), { maxBytes: size });
  const message = await withSeal(ctx, made, rebuilt);
  const sealed = { sha256: sha256Hex(message), size: message.length };
  await ctx.blobs.put('work', keys.rebuilt(made.runId, sealed.sha256), message);
  const leaves = leavesIn(made, later);
  return { at: timestamp(ctx), rebuilt: { sha256, size }, ...(message !== rebuilt && { sealed }), leaves };
}

/** Returns true when an analysis has really ended without a report in time. */
const hasTimedOut = ({ artifacts }: Ledger): boolean =>
  artifacts.some(({ submissions }) => submissions.some(({ failure }) => failure?.class === 'timeout'));

/** Returns the ledger in which each analysis without a report has failed, and one analysis of each file that follows. */
function withoutOpen(ctx: Context, ledger: Ledger, later: ReadonlySet<Artifact['id']>): Ledger {
  const failure = { class: 'timeout' as const, detail: 'it is still examined' };
  const changed = mapSubmissions(ledger, (submission, artifact) => {
    // A file that has failed for another reason may hold the message by policy, so its reason stays.
    if (submission.failure !== null) return submission;
    const isOpen = isStillExamined({ ...artifact, submissions: [submission] });
    return isOpen || later.has(artifact.id) ? failed(submission, timestamp(ctx), failure) : submission;
  });
  return { ...ledger, ...changed };
}

/** Marks a file that follows later. It is left out with everything in it, even if more is known of it. */
function asLater(ledger: Ledger, later: ReadonlySet<Artifact['id']>): Ledger {
  const leaves = leavesOf(ledger).filter(({ artifact }) => later.has(artifact.id));
  const gone = leaves.map(({ part }) => part.path);
  const isGone = (path: string) => gone.some((outer) => path === outer || path.startsWith(`${outer}${MEMBER_MARK}`));
  return {
    ...ledger,
    artifacts: ledger.artifacts.map((artifact) =>
      later.has(artifact.id)
        ? { ...artifact, disposition: 'remove', removedFor: 'still_examined', reasons: ['it is still examined'] }
        : artifact,
    ),
    parts: ledger.parts.map((part) =>
      part.disposition !== null && isGone(part.path) ? { ...part, disposition: 'remove' } : part,
    ),
  };
}

function leavesIn(ledger: Ledger, later: ReadonlySet<Artifact['id']>): Early['leaves'] {
  return leavesOf(ledger).map(({ part, artifact }) => ({
    path: part.path,
    sha256: part.delivered?.sha256 as string,
    isLater: later.has(artifact.id),
  }));
}
