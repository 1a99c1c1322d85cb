/** The files of a message that may follow in a second message, and the parts that a first message may contain. Pure. */
import type { Artifact, Submission } from '../ledger/artifact.ts';
import { fileIdOf } from '../ledger/artifact-id.ts';
import { leavesOf, type PartOfFile } from '../ledger/artifacts-of.ts';
import type { Early } from '../ledger/early-record.ts';
import { type Ledger, MEMBER_MARK, type Part } from '../ledger/ledger.ts';

/** Returns true while a requested analysis has no report here. */
const isOpen = (submission: Submission): boolean => !submission.fetched && submission.failure === null;

/** Returns true while its disposition cannot be known. */
export function isStillExamined({ submissions }: Artifact): boolean {
  return submissions.some(isOpen);
}

/**
 * Returns the leaves that wait: files that are still being analysed themselves, or with a content or a link that is. A text does not wait
 * for its links, because they are defanged.
 */
export function waitingLeaves(ledger: Ledger): PartOfFile[] {
  const open = new Set(ledger.artifacts.filter(isStillExamined).map(({ id }) => id));
  const paths = [
    ...ledger.parts.filter(({ sha256 }) => sha256 !== null && open.has(fileIdOf(sha256))).map(({ path }) => path),
    ...ledger.urls.filter(({ artifactId }) => open.has(artifactId)).map(({ path }) => path),
  ];
  const waits = ({ part, artifact }: PartOfFile) =>
    open.has(artifact.id) || (part.role !== 'body' && paths.some((path) => isOrIsIn(path, part)));
  return leavesOf(ledger).filter(waits);
}

const isOrIsIn = (path: string, part: Part) => path === part.path || path.startsWith(`${part.path}${MEMBER_MARK}`);

/**
 * Returns true when a message can be sent without the waiting files. It cannot when the first text that a person reads is among them.
 * Signed mail is delivered whole or not at all. A message with anything malicious is never sent early.
 */
export function canBeSplit(ledger: Ledger): boolean {
  const waiting = waitingLeaves(ledger);
  const asLaterOnes = new Set(waiting.map(({ artifact }) => artifact.id));
  const bodies = leavesOf(ledger).filter(({ part }) => part.role === 'body');
  return (
    ledger.kind === 'email' &&
    ledger.failure === null &&
    ledger.attempt.release === undefined &&
    ledger.signatures.length === 0 &&
    !ledger.artifacts.some(({ submissions }) => submissions.some(({ verdict }) => verdict === 'malicious')) &&
    waiting.length > 0 &&
    waiting.every(isAttachedFile) &&
    bodies.length > 0 &&
    bodies.every(({ artifact }) => !asLaterOnes.has(artifact.id))
  );
}

/**
 * Returns true for a part that people recognise as a file by its name. A part without a name, such as the invitation beside an equal text,
 * is shown instead of the text. A page in its place would hide the text.
 */
const isAttachedFile = ({ part }: PartOfFile): boolean => part.untrustedNames.some((name) => name !== '');

/** Returns the reason why a first message may not go out by this ledger, in words; null when it may. */
export function earlyProblem(ledger: Ledger, { leaves }: Early): string | null {
  const own = leavesOf(ledger);
  if (leaves.length !== own.length || own.some(({ part }, index) => part.path !== leaves[index]?.path))
    return 'the parts are not those of the message';
  if (!canBeSplit(ledger)) return 'something may not go on by itself';
  const waiting = new Set(waitingLeaves(ledger).map(({ part }) => part.path));
  const odd = own.find(({ part }, index) => {
    const leaf = leaves[index];
    const isLeftOut = leaf?.isLater === true && leaf.sha256 !== part.sha256;
    return waiting.has(part.path) ? !isLeftOut : leaf?.isLater === true;
  });
  return odd === undefined ? null : `part ${odd.part.path} was not judged, or follows although it was`;
}
