/**
 * Judges one artifact under the policy: its verdict, its disposition, the reasons, and the reasons to quarantine the whole message. Pure.
 */

import { isOutstanding } from '../analysis/outstanding.ts';
import { type Artifact, type Submission, submittedIdOf } from '../ledger/artifact.ts';
import { fileIdOf, shortId } from '../ledger/artifact-id.ts';
import { isOnlyInContainers, type Ledger, type Reason } from '../ledger/ledger.ts';
import type { Disposition, Failure, FailureClass, Kind, TypeGroup, Verdict } from '../model.ts';
import type { Policy } from '../policy/policy.ts';
import type { RemovalCode } from '../reason-codes.ts';
import { loadsFromElsewhere, type Place, passiveLosses } from './body-removals.ts';
import { isOverLimit, kindsWanted } from './wanted.ts';

export interface Judgement {
  readonly artifact: Artifact;
  /** Why this artifact quarantines the whole message; empty when it does not. */
  readonly holds: readonly Reason[];
  /** True when a requested analysis, or the opening of a container, has no result. */
  readonly hasFailed: boolean;
}

/**
 * Returns the verdict, disposition and reasons of an artifact in a place. A missing, failed or contradictory analysis never leads to
 * `keep`.
 */
export function judgeArtifact(
  policy: Policy,
  artifact: Artifact,
  place: Place,
  message: Pick<Ledger, 'warnings'> = { warnings: [] },
): Judgement {
  if (artifact.type === 'file' && artifact.size === 0) return { artifact: judgeEmpty(artifact), ...NO_FAILURE };
  const verdict = worstVerdict(artifact.submissions);
  const failures = failuresOf(policy, artifact, message);
  if (failures.length > 0) {
    const reasons = failures.map(({ kind, failure }) => explainFailure(kind, failure));
    const holds = failures
      .filter(({ failure }) => policy.failures[failure.class] === 'quarantine')
      .map(({ kind, failure }) => ({
        code: failure.class,
        text: `${nameOf(artifact)}: ${explainFailure(kind, failure)}`,
      }));
    const removedFor = failures[0]?.failure.class ?? null;
    return { artifact: { ...artifact, verdict, disposition: 'remove', removedFor, reasons }, holds, hasFailed: true };
  }
  const disposition = dispositionOf(policy, artifact, verdict, place);
  const removedFor = disposition === 'remove' ? removalCodeOf(artifact, verdict) : null;
  const reasons = explain(artifact, verdict, disposition);
  return { artifact: { ...artifact, verdict, disposition, removedFor, reasons }, ...NO_FAILURE };
}

const NO_FAILURE = { holds: [], hasFailed: false };

/** Returns the disposition that policy has for an artifact of this verdict in this place, when all of its analyses have reports. */
export function dispositionOf(policy: Policy, artifact: Artifact, verdict: Verdict, place: Place): Disposition {
  const wanted = policy.types[artifact.typeGroup].verdicts[verdict];
  const hasPlace = artifact.type === 'file' && !isOnlyInContainers(artifact);
  if (wanted !== 'disarm') return wanted;
  if (hasPlace) return dispositionOfDisarmed(policy, artifact, verdict, place);
  // A container is written anew without the code in it.
  return artifact.typeGroup === 'script' ? 'remove' : 'disarm';
}

/** Groups in which an empty file is harmless. An empty `x.exe` is removed like any other. */
const CARRIES_NOTHING: readonly TypeGroup[] = ['text', 'html', 'image', 'media', 'pdf', 'office', 'data', 'script'];

/** The kind of file that an empty file of another group claims to be, in words for people. */
const CLAIMED: Partial<Readonly<Record<TypeGroup, string>>> = {
  archive: 'an archive',
  email: 'a message',
  executable: 'a program',
};

/** Judges an empty file. It has nothing to analyse, so only its name and its type could do harm. */
function judgeEmpty(artifact: Artifact): Artifact {
  if (CARRIES_NOTHING.includes(artifact.typeGroup))
    return { ...artifact, verdict: 'benign', disposition: 'keep', removedFor: null, reasons: ['it is empty'] };
  const claimed = CLAIMED[artifact.typeGroup] ?? 'a file of another kind';
  const reasons = [`it is empty, but its name or its header says that it is ${claimed}`];
  return { ...artifact, verdict: 'unknown', disposition: 'remove', removedFor: 'type_not_allowed', reasons };
}

function nameOf(artifact: Artifact): string {
  return `${shortId(artifact.id)} in part ${artifact.origins.join(', ')}`;
}

const SEVERITY: readonly Verdict[] = ['benign', 'unknown', 'suspicious', 'malicious'];

/** Returns the worse of two verdicts. */
export function worseOf(one: Verdict, other: Verdict): Verdict {
  return SEVERITY.indexOf(other) > SEVERITY.indexOf(one) ? other : one;
}

/**
 * Returns the worst verdict of the analyses that judge. A disarm does not judge: it can only make a verdict worse. Without any judgement
 * the verdict is `unknown`.
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
  /** Two of these are no analysis: `opening` is a container that parse could not open, `message` a message over a limit. */
  readonly kind: Kind | 'opening' | 'message';
  readonly failure: Failure;
}

/**
 * Returns the failures among the analyses that policy asks for. Each of them must be finished and have a report. The list comes from
 * policy, so `[]` does not mean "all done".
 */
function failuresOf(policy: Policy, artifact: Artifact, message: Pick<Ledger, 'warnings'>): KindFailure[] {
  const missing = kindsWanted(policy, artifact).filter(
    (kind) => !artifact.submissions.some((submission) => submission.kind === kind),
  );
  const unasked = isOverLimit(message) ? missing.slice(0, 1).map(() => LEFT_OUT) : missing.map(neverSubmitted);
  return [...openingFailureOf(artifact), ...unasked, ...artifact.submissions.flatMap(failureOf)];
}

const neverSubmitted = (kind: Kind): KindFailure => ({
  kind,
  failure: { class: 'service_error', detail: 'it was never submitted' },
});

/** A message that its sender made too large is no fault of the service. */
const LEFT_OUT: KindFailure = {
  kind: 'message',
  failure: { class: 'oversize', detail: 'the message is over a limit, so only its first parts were analysed' },
};

const CLASS_OF_OUTCOME: Readonly<Record<NonNullable<Artifact['opening']>['outcome'], FailureClass | null>> = {
  opened: null,
  encrypted: 'encrypted',
  damaged: 'unreadable',
  over_budget: 'oversize',
  unsupported: 'unsupported',
};

/** Returns the failure of a container that was not read completely, for any analyses of its outside. */
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
 * Decides about an artifact whose disarm changed nothing that counts. A disarm that returns the same bytes found nothing to remove. A
 * disarm of a page may also have removed only passive content. A benign file stays in the first case, a benign body in both, unless policy
 * forbids loaded content. A suspicious artifact is removed, because its suspicious content is still there. An unknown artifact is written
 * anew, so that it loses the header and the name of its sender.
 */
function dispositionOfDisarmed(policy: Policy, artifact: Artifact, verdict: Verdict, place: Place): Disposition {
  if (disarmedFileOf(artifact) === null) return 'remove';
  const reading = readingOf(artifact);
  if (reading === 'another') return 'remove';
  // This disarm only changes the name, so equal bytes prove nothing.
  if (artifact.typeGroup === 'script') return 'disarm';
  const isUnchanged = cameBackUnchanged(artifact);
  if (!isUnchanged && passiveLosses(artifact) === null) return 'disarm';
  const mayLoad = policy.remoteContent === 'keep' || !loadsFromElsewhere(artifact);
  if (verdict === 'benign')
    return reading === 'judged' && (isUnchanged || (place === 'body' && mayLoad)) ? 'keep' : 'disarm';
  return verdict === 'unknown' ? 'disarm' : 'remove';
}

/**
 * Compares the group as which the disarm read the file with the group that policy judged. A file that it read as another group is removed,
 * because the stricter result counts when two readers disagree. When the service does not tell the group, its disarmed file is used and the
 * original is never kept.
 */
function readingOf({ typeGroup, submissions }: Artifact): 'judged' | 'another' | 'unsaid' {
  const readAs = submissions.find(({ kind }) => kind === 'cdr')?.readAs ?? null;
  if (readAs === null) return 'unsaid';
  return readAs === typeGroup ? 'judged' : 'another';
}

/**
 * Returns whether a container can be delivered without members that must go. Its disarm must have written a different file, which `rebuild`
 * opens again. A file that is only inside another container is written anew with it.
 */
export function isWrittenAnew(artifact: Artifact): boolean {
  const { typeGroup, opening } = artifact;
  if ((typeGroup !== 'archive' && typeGroup !== 'email') || opening?.outcome !== 'opened') return false;
  if (isOnlyInContainers(artifact)) return true;
  return disarmedFileOf(artifact) !== null && readingOf(artifact) !== 'another' && !cameBackUnchanged(artifact);
}

/** Returns true when the disarm returned exactly the bytes that it was sent. */
export function cameBackUnchanged(artifact: Artifact): boolean {
  const disarmed = disarmedFileOf(artifact);
  return disarmed !== null && fileIdOf(disarmed.sha256) === submittedIdOf(artifact, 'cdr');
}

/** Returns the disarmed form of an artifact, or null when there is none. */
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
  unsafe_output: 'made a file of it that did not pass the last check',
  not_asked: 'was not asked for it',
};

function explainFailure(kind: KindFailure['kind'], failure: Failure): string {
  if (kind === 'message') return `nobody was asked about it: ${failure.detail}`;
  if (kind === 'opening') return `not everything inside it was looked at: ${failure.detail}`;
  return `${KIND_WORDS[kind]} ${FAILURE_WORDS[failure.class]} (${failure.detail})`;
}

function explain(artifact: Artifact, verdict: Verdict, disposition: Disposition): string[] {
  const found = artifact.submissions.flatMap((submission) => submission.untrustedReasons);
  const removed = artifact.submissions.flatMap((submission) => submission.untrustedRemoved);
  const sanitized = artifact.submissions.flatMap((submission) => submission.untrustedSanitized);
  const reasons = [...new Set(found)];
  if (verdict === 'unknown' && found.length === 0) reasons.push('no analysis could judge it');
  if (verdict === 'benign' && found.length === 0) reasons.push('nothing was found');
  if (disposition === 'disarm' && artifact.type === 'url') reasons.push('switched off');
  if (disposition === 'disarm' && removed.length > 0) reasons.push(`removed: ${[...new Set(removed)].join(', ')}`);
  if (disposition === 'disarm' && sanitized.length > 0)
    reasons.push(`rewritten: ${[...new Set(sanitized)].join(', ')}`);
  if (disposition === 'disarm' && artifact.type === 'file' && removed.length + sanitized.length === 0)
    reasons.push(
      isOnlyInContainers(artifact) ? 'policy asks for its disarmed form' : 'made anew from its safe content',
    );
  const losses = passiveLosses(artifact);
  if (disposition === 'keep' && losses !== null)
    reasons.push(`nothing in it can act; left in it: ${losses.join(', ')}`);
  if (disposition === 'remove') reasons.push(explainRemoval(artifact, verdict));
  return reasons;
}

/** Groups of which the shipped policy removes all files. Their verdict is not the reason. */
const RARELY_ALLOWED: readonly TypeGroup[] = ['script', 'executable', 'other'];

/** Returns the reason why a file with this verdict is removed, when nothing failed. */
export function removalCodeOf(artifact: Artifact, verdict: Verdict): RemovalCode {
  if (disarmedFileOf(artifact) !== null && readingOf(artifact) === 'another') return 'read_differently';
  if (verdict === 'benign') return 'type_not_allowed';
  return verdict === 'unknown' && RARELY_ALLOWED.includes(artifact.typeGroup) ? 'type_not_allowed' : verdict;
}

function explainRemoval(artifact: Artifact, verdict: Verdict): string {
  if (disarmedFileOf(artifact) !== null && readingOf(artifact) === 'another')
    return `it was judged as ${artifact.typeGroup}, but the disarm read it as another type`;
  if (verdict === 'suspicious' && cameBackUnchanged(artifact)) return 'the disarm took nothing out of it';
  if (verdict === 'suspicious' && passiveLosses(artifact) !== null)
    return 'the disarm took nothing out of it that can act';
  return `policy removes ${artifact.typeGroup} that is ${verdict}`;
}
