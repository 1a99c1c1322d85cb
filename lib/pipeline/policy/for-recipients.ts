/** The policy that counts for the recipients of a message. */
import { CorruptDataError } from '../errors.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { Policy } from './policy.ts';
import { overlaid, recipientRule } from './recipients.ts';

const made = new WeakMap<Policy, Map<string, Policy>>();

/**
 * Returns the policy for a run. All recipients of a run belong to one rule, because mail is split before it. Throws CorruptDataError when
 * it was not split, because then no single policy is right.
 */
export function policyFor(policy: Policy, { intake }: Pick<Ledger, 'intake'>): Policy {
  const recipients = intake.envelope?.recipients ?? [];
  const rules = new Set(recipients.map((address) => recipientRule(policy.recipients, address)));
  if (rules.size > 1)
    throw new CorruptDataError(
      `the recipients are under different policies (${[...rules].map((name) => name || 'the base').join(', ')}), and the message was not split`,
    );
  const [rule = ''] = rules;
  return rule === '' ? policy : underRule(policy, rule);
}

/** Returns the context of a stage, with the policy for its run. */
export function forRun<Ctx extends { readonly policy: Policy }>(ctx: Ctx, ledger: Pick<Ledger, 'intake'>): Ctx {
  const policy = policyFor(ctx.policy, ledger);
  return policy === ctx.policy ? ctx : { ...ctx, policy };
}

function underRule(policy: Policy, rule: string): Policy {
  const known = made.get(policy) ?? new Map<string, Policy>();
  const found =
    known.get(rule) ?? Policy.parse({ ...(overlaid(policy, policy.recipients[rule]) as object), recipients: {} });
  made.set(policy, known.set(rule, found));
  return found;
}
