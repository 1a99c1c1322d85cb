/**
 * Gets the submission of one artifact and one kind for a run. A known report is used first. Otherwise the run joins the submission that
 * another run has in flight. Otherwise it claims the key and sends. The claim is a conditional write, so only one of two runs sends.
 */

import { timestamp } from '../chain/ledger-store.ts';
import type { AnalysisContext } from '../context.ts';
import { AnalyzerRefusal, CorruptDataError, TransientError } from '../errors.ts';
import { keys, sha256Hex } from '../keys.ts';
import { type Artifact, type Submission, submittedExtensionOf, submittedIdOf } from '../ledger/artifact.ts';
import { type FileId, hashOf } from '../ledger/artifact-id.ts';
import { FIRST_ATTEMPT } from '../ledger/attempt.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Limits } from '../limits.ts';
import type { Failure, Kind, Report, SubmissionSource } from '../model.ts';
import type { AnalysisRequest, SubmissionRecord } from '../ports.ts';

/** An attempt of a run that wants submissions. */
export interface Claimant {
  /** Its name in claims and requests: the run, with the number of a later attempt. */
  readonly name: string;
  readonly attempt: number;
  /** Seconds since the epoch. */
  readonly begunAtSeconds: number;
}

/** Returns the attempt of a ledger as a claimant. */
export function claimantOf({ runId, attempt: { number, begunAt } }: Ledger): Claimant {
  const name = number === FIRST_ATTEMPT ? runId : `${runId}-${number}`;
  return { name, attempt: number, begunAtSeconds: Date.parse(begunAt) / 1000 };
}

/** Returns the number of the attempt that a name of a claimant has. */
export const attemptOf = (name: string): number => Number(name.split('-')[1] ?? FIRST_ATTEMPT);

/**
 * Returns true when a claimant neither waits for a record nor joins it. An attempt with a lower number made it, and made it before the
 * claimant began. So it may be from before the fault had passed, and may never get an answer. Runs that are begun again together share
 * their submissions.
 */
function isGivenUp(
  { claimedBy, submissionId, report, expiresAtSeconds }: SubmissionRecord,
  { attempt, begunAtSeconds }: Claimant,
  { claimSeconds, inFlightSeconds }: Lifetimes,
): boolean {
  if (report !== null || attemptOf(claimedBy) >= attempt) return false;
  return expiresAtSeconds - (submissionId === null ? claimSeconds : inFlightSeconds) < begunAtSeconds;
}

type Lifetimes = Pick<Limits, 'claimSeconds' | 'inFlightSeconds'>;

/** Returns true when this claimant uses the record or waits for it, and sends nothing itself. */
export const isShared = (record: SubmissionRecord, claimant: Claimant, limits: Lifetimes): boolean =>
  record.report !== null || (record.submissionId !== null && !isGivenUp(record, claimant, limits));

/**
 * Returns the submission of an artifact by this run: known, joined, or sent now. Throws TransientError when the service does not answer.
 */
export async function obtainSubmission(
  ctx: AnalysisContext,
  claimant: Claimant,
  artifact: Artifact,
  kind: Kind,
): Promise<Submission> {
  const engines = await ctx.analyzer.scope(kind);
  return { ...(await obtain(ctx, claimant, artifact, kind)), engines };
}

async function obtain(ctx: AnalysisContext, claimant: Claimant, artifact: Artifact, kind: Kind): Promise<Submission> {
  const key = await submissionKeyOf(ctx, artifact, kind);
  const nowSeconds = ctx.clock.now() / 1000;
  const claim: SubmissionRecord = {
    key,
    claimedBy: claimant.name,
    submissionId: null,
    report: null,
    disarmed: null,
    expiresAtSeconds: Math.ceil(nowSeconds) + ctx.limits.claimSeconds,
  };
  const { record, won } = await claimed(ctx, claimant, claim, nowSeconds);
  if (won) return send(ctx, claim, artifact, kind);
  if (record.report) return known(ctx, claimant, record, record.report, artifact, kind);
  if (record.claimedBy !== claimant.name) return accepted(ctx, kind, 'joined', record.submissionId);
  if (record.submissionId) return accepted(ctx, kind, 'submitted', record.submissionId);
  return sendUnlessSent(ctx, record, artifact, kind);
}

/** Returns the valid claim: this one, or an earlier one that the claimant does not give up. */
async function claimed(
  { submissions, limits }: AnalysisContext,
  claimant: Claimant,
  claim: SubmissionRecord,
  nowSeconds: number,
): Promise<{ readonly record: SubmissionRecord; readonly won: boolean }> {
  const answer = await submissions.claim(claim, nowSeconds);
  if (!isGivenUp(answer.record, claimant, limits)) return answer;
  await submissions.release(claim.key, answer.record.claimedBy);
  return submissions.claim(claim, nowSeconds);
}

/**
 * Returns the key that runs share when they want the same analysis of the same bytes and type by the same engines. Throws TransientError.
 */
export async function submissionKeyOf(ctx: AnalysisContext, artifact: Artifact, kind: Kind): Promise<string> {
  const extension = submittedExtensionOf(artifact);
  const asked = { kind, id: submittedIdOf(artifact, kind), extension, password: passwordOf(artifact) };
  return keys.submission(await ctx.analyzer.scope(kind), asked);
}

/** This run claimed the key and crashed before the answer came. Asks the service whether it has the submission, before sending again. */
async function sendUnlessSent(
  ctx: AnalysisContext,
  claim: SubmissionRecord,
  artifact: Artifact,
  kind: Kind,
): Promise<Submission> {
  const submissionId = await ctx.analyzer.find(requestFor(ctx, claim.claimedBy, artifact, kind));
  if (submissionId === null) return send(ctx, claim, artifact, kind);
  await remember(ctx, claim, submissionId);
  return accepted(ctx, kind, 'submitted', submissionId);
}

async function send(
  ctx: AnalysisContext,
  claim: SubmissionRecord,
  artifact: Artifact,
  kind: Kind,
): Promise<Submission> {
  try {
    const submissionId = await ctx.analyzer.submit(requestFor(ctx, claim.claimedBy, artifact, kind));
    await remember(ctx, claim, submissionId);
    return accepted(ctx, kind, 'submitted', submissionId);
  } catch (error) {
    // The service may have the submission although no answer came, so the claim stays. With it, this run asks for the submission before it
    // sends again.
    if (error instanceof TransientError) throw error;
    // After any other error, no other run may wait for this claim. A refusal is the result of the submission.
    await ctx.submissions.release(claim.key, claim.claimedBy);
    if (!(error instanceof AnalyzerRefusal)) throw error;
    return failed(accepted(ctx, kind, 'submitted', null), timestamp(ctx), {
      class: error.failureClass,
      detail: error.message,
    });
  }
}

async function remember(ctx: AnalysisContext, claim: SubmissionRecord, submissionId: string): Promise<void> {
  const expiresAtSeconds = Math.ceil(ctx.clock.now() / 1000) + ctx.limits.inFlightSeconds;
  await ctx.submissions.update({ ...claim, submissionId, expiresAtSeconds });
}

/** Returns the request for an artifact. */
export function requestFor(ctx: AnalysisContext, group: string, artifact: Artifact, kind: Kind): AnalysisRequest {
  if (artifact.type === 'url') return { kind: 'url_analysis', id: artifact.id, url: artifact.untrustedUrl, group };
  if (kind === 'url_analysis') throw new TypeError('a file cannot be submitted as a URL');
  const id = submittedIdOf(artifact, kind);
  // The service gets the hash as the name, because the sender's name is hostile input for it too. The extension is ours.
  const filename = `${hashOf(id).slice(0, 16)}.${submittedExtensionOf(artifact) || 'bin'}`;
  return { kind, id, bytes: () => storedBytes(ctx, id), filename, password: passwordOf(artifact), group };
}

async function storedBytes(ctx: AnalysisContext, id: FileId): Promise<Uint8Array> {
  const maxBytes = Math.max(ctx.limits.emailBytes, ctx.limits.memberBytes);
  const sha256 = hashOf(id);
  const bytes = await ctx.blobs.get('work', keys.artifact(sha256), { maxBytes });
  // The report counts for every artifact with this hash, so no other bytes may be judged under it.
  if (sha256Hex(bytes) !== sha256) throw new CorruptDataError(`the stored bytes of artifact ${id} have changed`);
  return bytes;
}

function accepted(ctx: AnalysisContext, kind: Kind, source: SubmissionSource, submissionId: string | null): Submission {
  return {
    kind,
    source,
    engines: null,
    submissionId,
    status: 'accepted',
    verdict: 'unknown',
    score: null,
    untrustedReasons: [],
    untrustedRemoved: [],
    untrustedSanitized: [],
    failure: null,
    readAs: null,
    disarmed: null,
    fetched: false,
    submittedAt: timestamp(ctx),
    finishedAt: null,
  };
}

/** Returns a known report. If its disarmed file is no longer in the work bucket, the artifact is sent again, without a claim. */
async function known(
  ctx: AnalysisContext,
  claimant: Claimant,
  record: SubmissionRecord,
  report: Report,
  artifact: Artifact,
  kind: Kind,
): Promise<Submission> {
  const isThere = !record.disarmed || (await ctx.blobs.has('work', keys.disarmed(record.disarmed.sha256)));
  if (!isThere) {
    const submissionId = await ctx.analyzer.submit(requestFor(ctx, claimant.name, artifact, kind));
    return accepted(ctx, kind, 'submitted', submissionId);
  }
  const found = accepted(ctx, kind, 'known', record.submissionId);
  return withReport(found, timestamp(ctx), report, record.disarmed);
}

/** Returns a wanted analysis that was not sent because the service is away. `poll` sends it. */
export function unsent(ctx: AnalysisContext, kind: Kind): Submission {
  return accepted(ctx, kind, 'submitted', null);
}

/** Returns a submission that has ended without a report. */
export function failed(submission: Submission, finishedAt: string, failure: Failure): Submission {
  return { ...submission, status: 'error', failure, finishedAt, fetched: true };
}

/** Returns a submission with its report. */
export function withReport(
  submission: Submission,
  finishedAt: string,
  report: Report,
  disarmed: SubmissionRecord['disarmed'],
): Submission {
  return {
    ...submission,
    status: report.failure ? 'error' : 'completed',
    verdict: report.verdict,
    score: report.score,
    untrustedReasons: [...report.reasons],
    untrustedRemoved: [...report.removed],
    untrustedSanitized: [...report.sanitized],
    failure: report.failure && { ...report.failure },
    readAs: report.readAs,
    ...(report.isPlain && { isPlain: report.isPlain }),
    ...(report.redirects && { untrustedRedirects: [...report.redirects] }),
    disarmed: disarmed && { ...disarmed },
    fetched: true,
    finishedAt: submission.finishedAt ?? finishedAt,
  };
}

/** Returns the password that opened a container; null for everything else. */
function passwordOf(artifact: Artifact): string | null {
  return artifact.opening?.untrustedPassword ?? null;
}
