/**
 * Stage `rebuild` prepares the ARC set of a message, when the policy asks for one. It reads the message and has no key. `deliver` signs the
 * texts of the plan (sealed.ts), and reads no message.
 */
import { planSeal } from '../../message/arc/seal-plan.ts';
import type { MessageReading, WarningCode } from '../../message/model.ts';
import type { DecideContext } from '../context.ts';
import { keys, sha256Hex } from '../keys.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { timestamp } from './ledger-store.ts';

const CODE = 'not_sealed' satisfies WarningCode;

/** Returns the ledger with the hash of the stored plan, or with a warning that says why there is no plan. */
export async function withSealPlan(
  ctx: DecideContext,
  ledger: Ledger,
  { bytes, reading }: { readonly bytes: Uint8Array; readonly reading: MessageReading },
): Promise<Ledger> {
  const { seal, servers } = ctx.policy.authentication;
  if (seal === null || ledger.rebuilt === null) return ledger;
  const warnings = ledger.warnings.filter(({ code }) => code !== CODE);
  const plan = planSeal(bytes, reading, servers);
  if ('noSeal' in plan) return { ...ledger, warnings: [...warnings, { code: CODE, path: null, detail: plan.noSeal }] };
  const sealedAt = timestamp(ctx);
  const json = new TextEncoder().encode(JSON.stringify({ ...plan, sealedAt }));
  const sha256 = sha256Hex(json);
  await ctx.blobs.put('work', keys.sealPlan(ledger.runId, sha256), json, { contentType: 'application/json' });
  return { ...ledger, warnings, rebuilt: { ...ledger.rebuilt, seal: { sha256, size: json.length } } };
}
