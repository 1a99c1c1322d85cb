/**
 * What is set up in a seed: the policy as it is shipped, or one that holds closed archives until somebody tells a password, or one that has the
 * sandbox asked about few files. Each has mails of its own.
 */
import { type Policy, parsePolicy } from '../../lib/pipeline/policy/policy.ts';
import { MAIL_KINDS, type MailKind } from './mails.ts';
import { roll } from './random.ts';

export interface Setting {
  readonly name: 'shipped' | 'passwords' | 'budget';
  readonly policy: Policy;
  readonly kinds: readonly [MailKind, ...MailKind[]];
}

/** Files that the sandbox is asked about in a day: fewer than come. */
export const SANDBOX_PER_DAY = 2;
/** Files of one mail that it is asked about: fewer than some have. */
export const SANDBOX_PER_MAIL = 1;
const PDF = {
  analyses: ['static', 'cdr', 'sandbox'],
  verdicts: { benign: 'disarm', suspicious: 'disarm', malicious: 'remove', unknown: 'disarm' },
};

const policyOf = (changed: object) => parsePolicy(JSON.stringify(changed));

const SHIPPED: Setting = { name: 'shipped', policy: policyOf({}), kinds: MAIL_KINDS };
const PASSWORDS: Setting = {
  name: 'passwords',
  policy: policyOf({ failures: { encrypted: 'quarantine' } }),
  kinds: ['closed', 'closed', 'closedEvil', 'tells', 'tells', 'tells', 'plain', 'document'],
};
const BUDGET: Setting = {
  name: 'budget',
  policy: policyOf({
    types: { pdf: PDF },
    failures: { not_asked: 'remove' },
    budget: { sandboxPerMail: SANDBOX_PER_MAIL, sandboxPerDay: SANDBOX_PER_DAY },
  }),
  kinds: ['document', 'page', 'malicious', 'hidden', 'hidden', 'two', 'file', 'plain'],
};
const SHARE = 0.2;

/** Mails that may be held or not by what else has come. */
const OPEN_END: readonly MailKind[] = ['closed', 'closedEvil', 'hidden', 'two', 'file'];
const ALONE: readonly MailKind[] = ['plain', 'tells'];

/** What other mail has a say in: whether this one is held, and what is delivered of it. */
export function dependsOnOthers(
  { name }: Setting,
  kind: MailKind,
): { readonly end: boolean; readonly content: boolean } {
  if (name === 'shipped' || (name === 'passwords' && kind === 'document')) return { end: false, content: false };
  return { end: OPEN_END.includes(kind), content: !ALONE.includes(kind) };
}

/** The setting of a seed. */
export function settingOf(seed: number): Setting {
  const found = roll(seed, 'setting');
  return found < SHARE ? PASSWORDS : found < 2 * SHARE ? BUDGET : SHIPPED;
}
