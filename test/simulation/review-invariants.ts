/** What must hold of the decisions that people make about held mail, whatever goes wrong and whoever decides at the same moment. */

import { keys } from '../../lib/pipeline/keys.ts';
import { samePerson } from '../../lib/pipeline/ledger/attempt.ts';
import type { Ledger } from '../../lib/pipeline/ledger/ledger.ts';
import { PASSING_REASONS } from '../../lib/pipeline/reason-codes.ts';
import { actionOf } from '../../lib/pipeline/review/decision.ts';
import type { Answered } from './analyst.ts';
import { attemptLabel } from './executions.ts';
import type { Invariant, Mail, View } from './view.ts';

const told = ({ by, action, seen, answer }: Answered) => {
  const words = 'message' in answer ? ` (${answer.message})` : '';
  return `${by.name}, who had seen attempt ${seen} and asked for ${action}, was told: ${answer.state}${words}`;
};

/** Where `parse` has to read the mail again, several requests for that are one: of two people, or of one and redrive or told passwords. */
const isReadAgain = (ledger: Ledger | null | undefined, { action }: Answered) =>
  action === 'rescan' && ['rescan', 'redrive', 'password'].includes(ledger?.attempt.reason ?? '');

/** True when the attempt began with this decision of this person. */
function isBegunBy(ledger: Ledger | null | undefined, { action, by }: Answered): boolean {
  const { reason, release, people = [] } = ledger?.attempt ?? {};
  const wanted = actionOf(action);
  const isSame = reason === wanted.action && (release === undefined || release.form === wanted.form);
  return isSame && people.some((person) => samePerson(person, by));
}

const answersAreTrue: Invariant = {
  name: 'what a person is told of a decision is what the chain says',
  atEnd({ objects }, { label, runId, answers }, attempts) {
    for (const answered of answers) {
      const { answer, seen, action } = answered;
      const isBegun = isBegunBy(attempts[seen], answered);
      if (answer.state === 'done' && !isBegun && !isReadAgain(attempts[seen], answered))
        return `${told(answered)}; and no attempt of ${label} began with it`;
      // `not_seen` is true whenever a later attempt has followed his own.
      if (answer.state === 'refused' && answer.code === 'not_decided' && isBegun)
        return `${told(answered)}; and ${attemptLabel(label, seen + 1)} began with it`;
      const note = keys.asked(runId, seen + 1, actionOf(action).form);
      if (answer.state === 'asked' && !objects.has('work', note))
        return `${told(answered)}; and there is no note of it`;
    }
    return null;
  },
};

const deletedForGood: Invariant = {
  name: 'what a person deleted is gone and never delivered',
  onWritten: (_, { bucket, key }, mail) =>
    bucket === 'clean' && mail?.decided.get(mail.attempt) === 'delete' ? `${key} was delivered, and was deleted` : null,
  atEnd({ objects }, { label, runId }, attempts) {
    const at = attempts.findIndex((ledger) => ledger?.terminal?.state === 'deleted');
    if (at < 0) return null;
    if (at < attempts.length - 1) return `${label} was deleted, and another attempt followed`;
    const isFull = (key: string) => (objects.find('quarantine', key)?.length ?? 0) > 0;
    const left = objects.keys('quarantine').filter((key) => key.startsWith(keys.held(runId)) && isFull(key));
    return left.length > 0 ? `${label} was deleted, and ${left.join(', ')} is there` : null;
  },
};

const releasedOrSaid: Invariant = {
  name: 'a release is delivered, or the chain says why not',
  atEnd(_, { label }, attempts) {
    const passing: readonly string[] = [...PASSING_REASONS, 'release_refused'];
    for (const [index, ledger] of attempts.entries()) {
      if (ledger?.attempt.release === undefined || ledger.terminal?.state === 'delivered') continue;
      const codes = ledger.reasons.map(({ code }) => code);
      if (!codes.some((code) => passing.includes(code)))
        return `${attemptLabel(label, index + 1)} was released and is held, only because of: ${codes.join(', ')}`;
    }
    return null;
  },
};

const coversAll: Invariant = {
  name: 'nothing malicious is released of which nobody knew at the release',
  atEnd(_, { label }, attempts) {
    const at = attempts.findIndex(
      (ledger) =>
        ledger?.attempt.release?.covers.includes('malicious') === false &&
        ledger.terminal?.state === 'delivered' &&
        ledger.artifacts.some(({ verdict }) => verdict === 'malicious'),
    );
    return at < 0 ? null : `${attemptLabel(label, at + 1)} was delivered, and nobody knew that it is malicious`;
  },
};

const audited: Invariant = {
  name: 'each decision is in the audit trail, which can be read',
  atEnd({ audited }, { label }, attempts) {
    if (typeof audited === 'string') return audited;
    const at = attempts.findIndex((ledger) => ledger?.attempt.people && !audited.has(ledger.attempt.audit ?? ''));
    return at < 0 ? null : `${attemptLabel(label, at + 1)} began with a decision that is not in the audit trail`;
  },
};

const proven: Invariant = {
  name: 'what is delivered proves itself',
  atEnd: (view: View, { label, runId }: Mail) => {
    const problem = view.problems.get(runId) ?? null;
    return problem === null ? null : `${label} was delivered, and does not prove itself: ${problem}`;
  },
};

export const REVIEW_INVARIANTS: readonly Invariant[] = [
  answersAreTrue,
  deletedForGood,
  releasedOrSaid,
  coversAll,
  audited,
  proven,
];
