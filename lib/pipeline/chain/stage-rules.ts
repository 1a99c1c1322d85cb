/** The allowed changes of the fields that a stage may change, and the order in which stages follow each other. Pure. */
import { isDeepStrictEqual } from 'node:util';
import { earlyProblem } from '../judging/early-leaves.ts';
import type { Artifact, Submission } from '../ledger/artifact.ts';
import { isAsStrict } from '../ledger/conservation.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Writer } from '../model.ts';

/** The stages that may follow a stage in a chain; null is the beginning. Nothing follows an end. */
const NEXT: ReadonlyMap<Writer | null, readonly Writer[]> = new Map([
  [null, ['parse', 'quarantine']],
  ['parse', ['submit', 'redrive', 'review', 'quarantine']],
  ['redrive', ['submit', 'quarantine']],
  ['review', ['submit', 'quarantine']],
  ['submit', ['poll', 'fetch', 'early', 'decide', 'quarantine']],
  ['poll', ['poll', 'fetch', 'early', 'decide', 'quarantine']],
  // Finished analyses are fetched before a first message is written, while other files are still polled.
  ['fetch', ['poll', 'fetch', 'early', 'decide', 'quarantine']],
  ['early', ['poll', 'fetch', 'decide', 'quarantine']],
  ['decide', ['rebuild', 'quarantine']],
  ['rebuild', ['deliver', 'quarantine']],
]);

/** Returns true when the entry of one stage may follow the entry of the other. */
export function mayFollow(before: Writer | null, stage: Writer): boolean {
  return NEXT.get(before)?.includes(stage) ?? false;
}

/** Returns the reason why a stage may not have made this change of the ledger, in words; null when it may. */
export function ruleBroken(stage: Writer, before: Ledger, after: Ledger): string | null {
  return RULES[stage]?.(before, after) ?? null;
}

type Rule = (before: Ledger, after: Ledger) => string | null;

/** Pairs of one artifact, before and after. */
const everyArtifact = (before: Ledger, after: Ledger, holds: (old: Artifact, now: Artifact) => boolean) =>
  before.artifacts.every((old, index) => holds(old, after.artifacts[index] as Artifact));

const onlyAdds: Rule = (before, after) =>
  everyArtifact(before, after, (old, now) =>
    old.submissions.every((one, index) => isSettled(one, now.submissions[index])),
  )
    ? null
    : 'changes a submission that was made before';

/** A fetched report is final: neither a later poll nor a later fetch may change it. */
const onlyFinishes: Rule = (before, after) => {
  const isKept = (old: Submission, now: Submission | undefined) =>
    now?.kind === old.kind && (!old.fetched || isSettled(old, now));
  const areKept = everyArtifact(
    before,
    after,
    (old, now) =>
      old.submissions.length === now.submissions.length &&
      old.submissions.every((one, index) => isKept(one, now.submissions[index])),
  );
  return areKept && after.polls >= before.polls ? null : 'changes what was known of a submission that has ended';
};

const isSettled = (old: Submission, now: Submission | undefined) => old === now || isDeepStrictEqual(old, now);

/** The rebuilt message may only have less than was decided. */
const onlyStricter: Rule = (before, after) => {
  const isStricter = (old: Pick<Artifact, 'disposition'>, now: Pick<Artifact, 'disposition'> | undefined) =>
    old.disposition === now?.disposition ||
    (old.disposition !== null && !!now?.disposition && isAsStrict(now.disposition, old.disposition));
  const areStricter =
    everyArtifact(before, after, isStricter) &&
    before.parts.every((part, index) => isStricter(part, after.parts[index]));
  return areStricter ? null : 'is milder than what was decided';
};

/** A first message is written once. It states the replacement of each leaf. It contains only leaves whose every analysis has a report. */
const onlyJudged: Rule = (before, { early }) => {
  if (before.early !== undefined || early === undefined) return 'writes no first message, or writes a second one';
  const problem = earlyProblem(before, early);
  return problem === null ? null : `writes a first message in which ${problem}`;
};

/** Returns whether the attempt is based on a reading with exactly these passwords. */
const hasSamePasswords = (before: Ledger, { attempt }: Ledger) =>
  isDeepStrictEqual(before.attempt.passwordsFrom, attempt.passwordsFrom);

/** A temporary fault is nobody's decision about the message. */
const onlyAgain: Rule = (before, after) => {
  const { attempt } = after;
  if (attempt.number <= before.attempt.number || attempt.reason === null) return 'begins no new attempt';
  if (!hasSamePasswords(before, after)) return 'says that other passwords were tried';
  return attempt.reason === 'redrive' && !attempt.release && !attempt.people ? null : 'decides what only a person may';
};

/** The decision of a person is signed with names. Only a deletion ends a message by it. */
const onlyDecided: Rule = (before, after) => {
  const { attempt, terminal, disposition } = after;
  if (attempt.number <= before.attempt.number || attempt.reason === null) return 'begins no new attempt';
  const isPersonal = attempt.reason !== 'redrive' && attempt.reason !== 'password';
  if (!isPersonal || !attempt.people || !attempt.audit) return 'names nobody who decided';
  if (!hasSamePasswords(before, after)) return 'says that other passwords were tried';
  if ((attempt.reason === 'release') !== (attempt.release !== undefined)) return 'releases and does not release';
  const isDeleted = terminal?.state === 'deleted' && disposition === 'quarantine';
  const isOpen = terminal === null && disposition === null;
  return (attempt.reason === 'delete' ? isDeleted : isOpen) ? null : 'ends in another way than was decided';
};

const RULES: Readonly<Partial<Record<Writer, Rule>>> = {
  redrive: onlyAgain,
  review: onlyDecided,
  submit: onlyAdds,
  poll: onlyFinishes,
  fetch: onlyFinishes,
  early: onlyJudged,
  rebuild: onlyStricter,
  deliver: (_, after) => (after.terminal?.state === 'delivered' ? null : 'says of a delivery that it is none'),
  quarantine: (_, { terminal, disposition }) =>
    terminal !== null &&
    (terminal.state === 'delivered' || (terminal.state === 'quarantined' && disposition === 'quarantine'))
      ? null
      : 'says neither that the message is held nor that it was delivered',
};
