/** What must hold of passwords that are told, and of analyses that a budget has no room for. */

import { kindsWanted } from '../../lib/pipeline/judging/wanted.ts';
import type { Ledger } from '../../lib/pipeline/ledger/ledger.ts';
import { attemptLabel } from './executions.ts';
import { PASSWORD } from './mails.ts';
import { SANDBOX_PER_DAY, SANDBOX_PER_MAIL } from './setting.ts';
import type { Invariant, View } from './view.ts';

const CLOSED: readonly string[] = ['closed', 'closedEvil'];
/** Mails with which a password comes. */
const OF_PASSWORDS: readonly string[] = ['tells', ...CLOSED];

const keptToItself: Invariant = {
  name: 'a password stands nowhere but where mail is kept',
  onSaid: (_, where, text) => (text.includes(PASSWORD) ? `the password stands in ${where}` : null),
  onWritten: ({ mails }, { bucket, key, bytes }) => {
    if (!mails.some(({ kind }) => OF_PASSWORDS.includes(kind))) return null;
    const isMail = bucket !== 'work' || key.startsWith('artifacts/') || key.includes('/rebuilt-');
    const found = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    if (isMail || !found.includes(PASSWORD)) return null;
    // The one that opened an archive is a finding about it.
    const said = found.toString().replaceAll(`"untrustedPassword":"${PASSWORD}"`, '');
    return said.includes(PASSWORD) ? `the password stands in ${key}` : null;
  },
};

const openings = (ledger: Ledger) => ledger.artifacts.flatMap(({ opening }) => opening ?? []);

const toldBySomebody: Invariant = {
  name: 'an archive is opened only with the words of a mail that its attempt names',
  atEnd(view, { label }, attempts) {
    for (const [index, ledger] of attempts.entries()) {
      const from = ledger?.attempt.passwordsFrom ?? [];
      const one = (ledger === null ? [] : openings(ledger)).find(({ outcome }) => outcome === 'opened');
      if (one === undefined || one.untrustedPassword === null) continue;
      if (one.passwordFrom === undefined || !from.includes(one.passwordFrom))
        return `${attemptLabel(label, index + 1)} was opened, and names nobody who told the password`;
      if (view.mailOf(one.passwordFrom)?.kind !== 'tells')
        return `${attemptLabel(label, index + 1)} says that ${view.mailOf(one.passwordFrom)?.label} told the password`;
    }
    return null;
  },
};

const triedWhenTold: Invariant = {
  name: 'a closed archive is tried with the words of a mail that tells its password',
  atEnd(view, { kind, label, answers, excuse }, attempts) {
    const isTold = view.mails.some((mail) => mail.kind === 'tells' && view.index.find(mail.runId)?.row.endedAt);
    if (!CLOSED.includes(kind) || !isTold || excuse !== null || answers.length > 0 || view.isTroubled()) return null;
    const isTried = attempts.some((ledger) => ledger?.attempt.passwordsFrom !== undefined);
    return isTried ? null : `${label} is held, and nobody tried the words of the mail that tells its password`;
  },
};

/** A file of which an analysis that policy wants has neither an answer nor a failure is not judged. */
function unasked({ policy }: View, ledger: Ledger): string | null {
  for (const artifact of ledger.artifacts)
    for (const kind of artifact.type === 'file' && artifact.size > 0 ? kindsWanted(policy, artifact) : []) {
      const asked = artifact.submissions.find((one) => one.kind === kind);
      if (asked === undefined) return `${artifact.id} was never asked about (${kind})`;
      const isSpared = asked.failure?.class === 'not_asked';
      if (isSpared && artifact.disposition !== policy.failures.not_asked)
        return `the budget had no room for ${artifact.id}, and it is not ${policy.failures.not_asked}`;
    }
  return null;
}

const notAskedNotClean: Invariant = {
  name: 'nothing passes as clean about which nobody was asked',
  atEnd(view, { label }, attempts) {
    for (const [index, ledger] of attempts.entries()) {
      if (ledger?.terminal?.state !== 'delivered' || ledger.attempt.release) continue;
      const says = unasked(view, ledger);
      if (says !== null) return `${attemptLabel(label, index + 1)} was delivered: ${says}`;
    }
    return null;
  },
};

const budgetKept: Invariant = {
  name: 'no more files are sent to the sandbox in a day than its budget has room for',
  onSubmit(view, request) {
    if (request.kind !== 'sandbox') return null;
    view.sandboxed.add(request.id);
    const { size } = view.sandboxed;
    return size > SANDBOX_PER_DAY ? `${size} files were sent to the sandbox` : null;
  },
};

const mailBudgetKept: Invariant = {
  name: 'no more files of a mail are sent to the sandbox than its budget has room for, over all attempts',
  onSubmit(view, request) {
    const mail = view.mailOf(request.group);
    if (request.kind !== 'sandbox' || mail === undefined) return null;
    mail.sandboxed.add(request.id);
    const { size } = mail.sandboxed;
    return size > SANDBOX_PER_MAIL ? `${size} files of ${mail.label} were sent to the sandbox` : null;
  },
};

export const SETTING_INVARIANTS: readonly Invariant[] = [
  keptToItself,
  toldBySomebody,
  triedWhenTold,
  notAskedNotClean,
  budgetKept,
  mailBudgetKept,
];
