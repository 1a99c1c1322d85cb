/** Takes the report of a submission into the ledger, and remembers it for the next mail with the same hash. */
import { timestamp } from '../chain/ledger-store.ts';
import type { AnalysisContext } from '../context.ts';
import type { Artifact, Submission } from '../ledger/artifact.ts';
import type { Report } from '../model.ts';
import type { SubmissionRecord } from '../ports.ts';
import { submissionKeyOf, withReport } from './submission-of.ts';

/** Returns the submission with its report, which is remembered first. Throws TransientError. */
export async function taken(
  ctx: AnalysisContext,
  claimant: string,
  artifact: Artifact,
  submission: Submission,
  report: Report,
  disarmed: SubmissionRecord['disarmed'],
): Promise<Submission> {
  await remember(ctx, claimant, artifact, submission, report, disarmed);
  return withReport(submission, timestamp(ctx), report, disarmed);
}

/** A temporary fault is not remembered, so that the next mail with this artifact can ask again. */
async function remember(
  ctx: AnalysisContext,
  claimedBy: string,
  artifact: Artifact,
  submission: Submission,
  report: Report,
  disarmed: SubmissionRecord['disarmed'],
): Promise<void> {
  if (submission.source !== 'submitted') return;
  const key = await submissionKeyOf(ctx, artifact, submission.kind);
  const isPassing = report.failure?.class === 'timeout' || report.failure?.class === 'service_error';
  if (isPassing) return ctx.submissions.release(key, claimedBy);
  const expiresAtSeconds = Math.ceil(ctx.clock.now() / 1000) + ctx.limits.knownSeconds;
  const { submissionId } = submission;
  await ctx.submissions.update({ key, claimedBy, submissionId, report, disarmed, expiresAtSeconds });
}
