/** One artifact under the policy: its verdict, its disposition, why, and what of it holds the whole message. Pure. */
import { fileIdOf, shortId } from './artifact-id.ts';
import { type Artifact, isOnlyInside, type Reason, type Submission, submittedIdOf } from './ledger.ts';
import { type Place, passiveLosses } from './letter.ts';
import type { Disposition, Failure, FailureClass, Kind, TypeGroup, Verdict } from './model.ts';
import { isOutstanding } from './outstanding.ts';
import type { Policy } from './policy.ts';
import { kindsWanted } from './wanted.ts';

export interface Judgement {
  readonly artifact: Artifact;
  /** Why the message as a whole must be quarantined on account of this artifact; empty when it need not. */
  readonly holds: readonly Reason[];
  /** An analysis that policy asked for, or the opening of a container, has no result. */
  readonly hasFailed: boolean;
}

/**
 * The verdict, disposition and reasons of an artifact that stands in a place. Whatever is missing, failed or contradictory never ends
 * in `keep`.
 */
export function judgeArtifact(policy: Policy, artifact: Artifact, place: Place): Judgement {
  if (artifact.type === 'file' && artifact.size === 0) return { artifact: judgeEmpty(artifact), ...NO_FAILURE };
  const verdict = worstVerdict(artifact.submissions);
  const failures = failuresOf(policy, artifact);
  if (failures.length > 0) {
    const reasons = failures.map(({ kind, failure }) => explainFailure(kind, failure));
    const holds = failures
      .filter(({ failure }) => policy.failures[failure.class] === 'quarantine')
      .map(({ kind, failure }) => ({
        code: failure.class,
        text: `${nameOf(artifact)}: ${explainFailure(kind, failure)}`,
      }));
    return { artifact: { ...artifact, verdict, disposition: 'remove', reasons }, holds, hasFailed: true };
  }
  const disposition = dispositionOf(policy, artifact, verdict, place);
  return {
    artifact: { ...artifact, verdict, disposition, reasons: explain(artifact, verdict, disposition) },
    ...NO_FAILURE,
  };
}

const NO_FAILURE = { holds: [], hasFailed: false };

/** What policy does with an artifact of this verdict, in this place, whose analyses all have reports. */
export function dispositionOf(policy: Policy, artifact: Artifact, verdict: Verdict, place: Place): Disposition {
  const wanted = policy.types[artifact.typeGroup].verdicts[verdict];
  const hasPlace = artifact.type === 'file' && !isOnlyInside(artifact);
  return wanted === 'disarm' && hasPlace ? dispositionOfDisarmed(artifact, verdict, place) : wanted;
}

/** Groups of which an empty file is harmless under its name. An empty `x.exe` is removed like any other. */
const CARRIES_NOTHING: readonly TypeGroup[] = ['text', 'html', 'image', 'pdf', 'office'];

/** There is nothing to analyse in it; its name and type are all that it could do harm with. */
function judgeEmpty(artifact: Artifact): Artifact {
  if (CARRIES_NOTHING.includes(artifact.typeGroup))
    return { ...artifact, verdict: 'benign', disposition: 'keep', reasons: ['it is empty'] };
  const reasons = [`it is empty, under the name or type of ${artifact.typeGroup}`];
  return { ...artifact, verdict: 'unknown', disposition: 'remove', reasons };
}

function nameOf(artifact: Artifact): string {
  return `${shortId(artifact.id)} in part ${artifact.origins.join(', ')}`;
}

const SEVERITY: readonly Verdict[] = ['benign', 'unknown', 'suspicious', 'malicious'];

/** The worse of two verdicts. */
export function worseOf(one: Verdict, other: Verdict): Verdict {
  return SEVERITY.indexOf(other) > SEVERITY.indexOf(one) ? other : one;
}

/**
 * The worst verdict of the analyses that judge. A disarm does not judge: it may only make a verdict worse. No judgement
 * at all is `unknown`.
 */
function worstVerdict(submissions: readonly Submission[]): Verdict {
  const judging = submissions.filter((submission) => submission.kind !== 'cdr');
  const lifted = submissions.filter(
    ({ kind, verdict }) => kind === 'cdr' && (verdict === 'suspicious' || verdict === 'malicious'),
  );
  const verdicts = [...judging, ...lifted].map((submission) => submission.verdict);
  if (judging.length === 0) verdicts.push('unknown');
  return verdicts.reduce(worseOf);
}

interface KindFailure {
  /** `opening` is not an analysis: it is what parse could not look into. */
  readonly kind: Kind | 'opening';
  readonly failure: Failure;
}

/** Every analysis that policy asks for must be there, finished, and with a report. Asked of what was requested: `[]` is not "all done". */
function failuresOf(policy: Policy, artifact: Artifact): KindFailure[] {
  const missing = kindsWanted(policy, artifact)
    .filter((kind) => !artifact.submissions.some((submission) => submission.kind === kind))
    .map((kind) => ({ kind, failure: { class: 'service_error' as const, detail: 'it was never submitted' } }));
  return [...openingFailureOf(artifact), ...missing, ...artifact.submissions.flatMap(failureOf)];
}

const CLASS_OF_OUTCOME: Readonly<Record<NonNullable<Artifact['opening']>['outcome'], FailureClass | null>> = {
  opened: null,
  encrypted: 'encrypted',
  damaged: 'unreadable',
  over_budget: 'oversize',
  unsupported: 'unsupported',
};

/** A container that was not looked into as a whole has failed, whatever its analyses say of its outside. */
function openingFailureOf({ opening }: Artifact): KindFailure[] {
  const failureClass = opening === null ? null : CLASS_OF_OUTCOME[opening.outcome];
  if (opening === null || failureClass === null) return [];
  return [{ kind: 'opening', failure: { class: failureClass, detail: opening.detail } }];
}

function failureOf(submission: Submission): KindFailure[] {
  const { kind, failure } = submission;
  if (failure) return [{ kind, failure }];
  if (isOutstanding(submission)) return [{ kind, failure: { class: 'timeout', detail: 'no report came' } }];
  if (submission.status === 'error' || !submission.fetched)
    return [{ kind, failure: { class: 'service_error', detail: 'it ended without a report' } }];
  if (kind === 'cdr' && submission.disarmed === null)
    return [{ kind, failure: { class: 'service_error', detail: 'its report has no disarmed file' } }];
  return [];
}

/**
 * A disarm that gave back the same bytes found nothing to take out, and one of a page that only lost what cannot act took out nothing
 * that counts: a benign file of the first kind stays as it is, and so does a benign letter of either. Whatever made another analysis
 * suspicious is then still in it; and what nobody could judge loses the header and the name that its sender gave it.
 */
function dispositionOfDisarmed(artifact: Artifact, verdict: Verdict, place: Place): Disposition {
  if (disarmedFileOf(artifact) === null) return 'remove';
  const reading = readingOf(artifact);
  if (reading === 'another') return 'remove';
  const isUnchanged = cameBackUnchanged(artifact);
  if (!isUnchanged && passiveLosses(artifact) === null) return 'disarm';
  if (verdict === 'benign') return reading === 'judged' && (isUnchanged || place === 'body') ? 'keep' : 'disarm';
  return verdict === 'unknown' ? 'disarm' : 'remove';
}

/**
 * Whether the disarm read the very group that policy judged. What it found harmless as another is removed: of two opinions of what a
 * file is, the stricter one rules. Where the service does not say, its file is made anew and never kept.
 */
function readingOf({ typeGroup, submissions }: Artifact): 'judged' | 'another' | 'unsaid' {
  const readAs = submissions.find(({ kind }) => kind === 'cdr')?.readAs ?? null;
  if (readAs === null) return 'unsaid';
  return readAs === typeGroup ? 'judged' : 'another';
}

/** True when the disarm gave back the very bytes it was sent. */
function cameBackUnchanged(artifact: Artifact): boolean {
  const disarmed = disarmedFileOf(artifact);
  return disarmed !== null && fileIdOf(disarmed.sha256) === submittedIdOf(artifact, 'cdr');
}

/** The disarmed form of an artifact, or null when there is none. */
export function disarmedFileOf(artifact: Artifact): { sha256: string; size: number } | null {
  return artifact.submissions.find((submission) => submission.kind === 'cdr')?.disarmed ?? null;
}

const KIND_WORDS: Record<Kind, string> = {
  static: 'static analysis',
  sandbox: 'sandbox analysis',
  cdr: 'disarm',
  url_analysis: 'URL analysis',
};

const FAILURE_WORDS: Record<Failure['class'], string> = {
  timeout: 'did not finish in time',
  service_error: 'failed',
  encrypted: 'cannot look inside: it is encrypted',
  unsupported: 'cannot handle this type of file',
  oversize: 'refused it as too large',
  unreadable: 'could not read it: it is damaged or not what it claims to be',
};

function explainFailure(kind: KindFailure['kind'], failure: Failure): string {
  if (kind === 'opening') return `what is inside was not wholly looked at: ${failure.detail}`;
  return `${KIND_WORDS[kind]} ${FAILURE_WORDS[failure.class]} (${failure.detail})`;
}

function explain(artifact: Artifact, verdict: Verdict, disposition: Disposition): string[] {
  const found = artifact.submissions.flatMap((submission) => submission.untrustedReasons);
  const removed = artifact.submissions.flatMap((submission) => submission.untrustedRemoved);
  const sanitized = artifact.submissions.flatMap((submission) => submission.untrustedSanitized);
  const reasons = [...new Set(found)];
  if (verdict === 'unknown' && found.length === 0) reasons.push('no analysis could judge it');
  if (verdict === 'benign' && found.length === 0) reasons.push('nothing was found');
  if (disposition === 'disarm' && artifact.type === 'url') reasons.push('made unclickable');
  if (disposition === 'disarm' && removed.length > 0) reasons.push(`removed: ${[...new Set(removed)].join(', ')}`);
  if (disposition === 'disarm' && sanitized.length > 0)
    reasons.push(`rewritten: ${[...new Set(sanitized)].join(', ')}`);
  if (disposition === 'disarm' && artifact.type === 'file' && removed.length + sanitized.length === 0)
    reasons.push(isOnlyInside(artifact) ? 'policy asks for its disarmed form' : 'made anew from its safe content');
  const losses = passiveLosses(artifact);
  if (disposition === 'keep' && losses !== null)
    reasons.push(`nothing in it can act; left in it: ${losses.join(', ')}`);
  if (disposition === 'remove') reasons.push(explainRemoval(artifact, verdict));
  return reasons;
}

function explainRemoval(artifact: Artifact, verdict: Verdict): string {
  if (disarmedFileOf(artifact) !== null && readingOf(artifact) === 'another')
    return `it is two things at once: judged as ${artifact.typeGroup}, and read by the disarm as another`;
  if (verdict === 'suspicious' && cameBackUnchanged(artifact)) return 'the disarm took nothing out of it';
  if (verdict === 'suspicious' && passiveLosses(artifact) !== null)
    return 'the disarm took nothing out of it that can act';
  return `policy removes ${artifact.typeGroup} that is ${verdict}`;
}
