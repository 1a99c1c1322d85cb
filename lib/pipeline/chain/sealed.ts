/**
 * Stage `deliver` puts an ARC set (RFC 8617) in front of the message. It reads nothing of the message: it joins the texts of the plan
 * that `rebuild` made, each of a closed grammar, and signs them with the key of the operator.
 */
import * as z from 'zod/mini';
import type { DeliverContext } from '../context.ts';
import { ConfigError, CorruptDataError, RebuildMismatchError } from '../errors.ts';
import { keys, sha256Hex } from '../keys.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Policy } from '../policy/policy.ts';
import type { Sealer } from '../ports.ts';
import { parseStored } from './ledger-store.ts';

type Names = NonNullable<Policy['authentication']['seal']>;

const text = (pattern: RegExp) => z.string().check(z.regex(pattern));
/** Fields in relaxed form, each on its own line. */
const RELAXED_FIELDS = /^(?:[\w.-]+:[^\r\n]*\r\n)*$/;

const Plan = z.strictObject({
  instance: z.int().check(z.gte(1), z.lte(50)),
  cv: z.enum(['none', 'pass', 'fail']),
  results: z.array(
    text(/^[a-z][a-z0-9-]{0,30}=[a-z]{1,20}(?: (?:smtp|header|body|policy)\.[a-z-]{1,30}=[\w.@+/=-]{1,200})*$/),
  ),
  signedNames: z.array(text(/^[a-z0-9-]{1,60}$/)),
  signedText: text(RELAXED_FIELDS),
  bodyHash: text(/^[A-Za-z0-9+/]{43}=$/),
  earlierText: text(RELAXED_FIELDS),
  lineBreak: z.enum(['\r\n', '\n']),
  sealedAt: z.iso.datetime(),
});
type Plan = z.infer<typeof Plan>;

/**
 * Returns the message with an ARC set in front. Returns it unchanged when the ledger has no plan, and when no key works, which is logged. A
 * message without a seal is just as safe. Throws RebuildMismatchError and CorruptDataError for a plan that `rebuild` did not make, and
 * TransientError when the key cannot be read for now.
 */
export async function withSeal(ctx: DeliverContext, ledger: Ledger, message: Uint8Array): Promise<Uint8Array> {
  const named = ledger.rebuilt?.seal ?? null;
  const { seal } = ctx.policy.authentication;
  if (named === null || seal === null) return message;
  const json = await ctx.blobs.get('work', keys.sealPlan(ledger.runId, named.sha256), { maxBytes: named.size });
  if (sha256Hex(json) !== named.sha256)
    throw new RebuildMismatchError('what is to be sealed has changed since it was prepared');
  const plan = Plan.safeParse(parseStored(json, `plan of the seal of run ${ledger.runId}`));
  if (!plan.success)
    throw new CorruptDataError(`plan of the seal of run ${ledger.runId}: ${plan.error.issues[0]?.message}`);
  try {
    if (ctx.sealer === null) throw new ConfigError('this installation', ['there is no key for ARC']);
    return Buffer.concat([await arcSet(ctx.sealer, plan.data, seal), message]);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    ctx.log.warn('not sealed', { runId: ledger.runId, fault: 'not_sealed', reason: error.message });
    return message;
  }
}

/** Returns the three fields, the seal first. Each signature covers the fields before it (RFC 8617 §5.1.1). */
async function arcSet(sealer: Sealer, plan: Plan, { domain, selector, server }: Names): Promise<Uint8Array> {
  const { instance, cv, lineBreak } = plan;
  const seconds = Math.floor(Date.parse(plan.sealedAt) / 1_000);
  const results = plan.results.length === 0 ? ['none'] : plan.results;
  const found: Field = ['ARC-Authentication-Results', [`i=${instance}`, server, ...results]];
  const by = [`a=rsa-sha256`, `d=${domain}`, `s=${selector}`, `t=${seconds}`];
  const message: Field = [
    'ARC-Message-Signature',
    [`i=${instance}`, ...by, 'c=relaxed/relaxed', `h=${plan.signedNames.join(' : ')}`, `bh=${plan.bodyHash}`],
  ];
  const signedMessage = await signed(sealer, plan.signedText, message);
  const seal: Field = ['ARC-Seal', [`i=${instance}`, ...by, `cv=${cv}`]];
  const earlier = `${plan.earlierText}${relaxed(found)}\r\n${relaxed(signedMessage)}\r\n`;
  const fields = [await signed(sealer, earlier, seal), signedMessage, found];
  return Buffer.from(fields.map((field) => folded(field, lineBreak)).join(''), 'latin1');
}

/** A name and the tags of its value. No tag has two blanks in a row, so the relaxed form of the field equals the text. */
type Field = readonly [name: string, tags: readonly string[]];

const relaxed = ([name, tags]: Field) => `${name.toLowerCase()}:${tags.join('; ')}`;

/** Returns the field with its last tag, the signature over `before` and itself (RFC 6376 §3.7). */
async function signed(sealer: Sealer, before: string, [name, tags]: Field): Promise<Field> {
  const signature = await sealer.sign(Buffer.from(`${before}${relaxed([name, [...tags, 'b=']])}`, 'latin1'));
  const lines =
    Buffer.from(signature)
      .toString('base64')
      .match(/.{1,70}/g) ?? [];
  return [name, [...tags, `b=${lines.join(' ')}`]];
}

/** A line has at most 998 characters (RFC 5322 §2.1.1). 78 are customary. */
const LINE = 78;

/** Returns the field in its written form. A fold replaces a blank, which does not change the relaxed form. */
function folded([name, tags]: Field, lineBreak: string): string {
  const lines = [`${name}:`];
  for (const word of tags.join('; ').split(' ')) {
    const line = lines.at(-1) as string;
    if (line.length + 1 + word.length <= LINE) lines[lines.length - 1] = `${line} ${word}`;
    else lines.push(` ${word}`);
  }
  return `${lines.join(lineBreak)}${lineBreak}`;
}
