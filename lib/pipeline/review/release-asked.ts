/** Releases that need a second person by policy. A signed note beside the future attempt names the first person. */
import * as z from 'zod/mini';
import { chainText, hashOfLine, readChainText, signedLine } from '../chain/chain-text.ts';
import { parseStored } from '../chain/ledger-store.ts';
import { countsUntil } from '../chain/release.ts';
import type { ReviewContext } from '../context.ts';
import { CorruptDataError, LimitExceededError, NotFoundError } from '../errors.ts';
import { keys } from '../keys.ts';
import { Person } from '../ledger/attempt.ts';
import { RELEASE_FORMS, type ReleaseForm } from '../model.ts';
import { nullIfMissing } from '../null-if-missing.ts';
import type { Policy } from '../policy/policy.ts';
import { safeJson } from '../safe-text.ts';
import { appendAudit } from './audit.ts';
import type { LastAttempt } from './redrive.ts';

const Asked = z.strictObject({
  schema: z.literal('mail-airlock/asked/1'),
  runId: z.string(),
  attempt: z.number(),
  /** The hash of the entry that held the message. Both people thus agree about the same state. */
  held: z.string(),
  form: z.enum(RELEASE_FORMS),
  person: Person,
});
type Asked = z.infer<typeof Asked>;

const MAX_BYTES = 10_000;

/**
 * Notes that this person released the message, unless an earlier release still counts. Returns the first person whose note counts. Throws
 * CorruptDataError when a note differs from what was signed, LimitExceededError over `releaseAsks`, TransientError.
 */
export async function askOrAgree(
  ctx: ReviewContext,
  { runId, number, chain }: LastAttempt,
  form: ReleaseForm,
  person: Person,
): Promise<Person> {
  const line = chain?.lines.at(-1);
  const held = line === undefined ? '' : hashOfLine(line);
  const mine: Asked = { schema: 'mail-airlock/asked/1', runId, attempt: number + 1, held, form, person };
  const json = safeJson(mine);
  const { keyId, signature } = await ctx.signer.sign('review', new TextEncoder().encode(json));
  for (let time = 1; time <= ctx.limits.releaseAsks; time += 1) {
    const key = keys.asked(runId, number + 1, form, time);
    if (!(await ctx.blobs.has('work', key))) {
      const heldFor = [...new Set(chain?.ledger.reasons.map(({ code }) => code))];
      await appendAudit(ctx, { action: 'ask', runId, attempt: number + 1, people: [person], form, heldFor });
    }
    const options = { contentType: 'application/json', ifAbsent: true };
    if (await ctx.blobs.put('work', key, chainText([signedLine(json, keyId, signature)]), options)) return person;
    const { person: first, ...about } = await readAsked(ctx, key);
    const { person: _, ...same } = mine;
    if (JSON.stringify(about) !== JSON.stringify(same))
      throw new CorruptDataError(`the note of who released run ${runId} first is about something else`);
    if (Date.parse(person.at) <= countsUntil(ctx.policy, first)) return first;
  }
  throw new LimitExceededError('releaseAsks', ctx.limits.releaseAsks, ctx.limits.releaseAsks + 1);
}

/** Returns true when a person released the message in some form, and a second person may still agree. Throws as `askOrAgree` does. */
export async function isAsked(ctx: AskedContext, { runId, number }: LastAttempt): Promise<boolean> {
  for (const form of RELEASE_FORMS)
    for (let time = 1; time <= ctx.limits.releaseAsks; time += 1) {
      const key = keys.asked(runId, number + 1, form, time);
      const asked = await findAsked(ctx, key);
      if (asked === null) break;
      if (ctx.clock.now() <= countsUntil(ctx.policy, asked.person)) return true;
    }
  return false;
}

/** Returns the sentence for the person who released it first, or who asks again. */
export function askedText(policy: Policy, { name, at }: Person): string {
  const until = new Date(countsUntil(policy, { at })).toISOString();
  return `${name} has released it at ${at}. Policy asks for a second person, until ${until}.`;
}

type AskedContext = Pick<ReviewContext, 'blobs' | 'signer' | 'limits' | 'clock' | 'policy'>;

async function readAsked(ctx: Pick<AskedContext, 'blobs' | 'signer'>, key: string): Promise<Asked> {
  const found = await findAsked(ctx, key);
  if (found === null) throw new NotFoundError('work', key);
  return found;
}

async function findAsked(ctx: Pick<AskedContext, 'blobs' | 'signer'>, key: string): Promise<Asked | null> {
  const what = `the note ${key}`;
  const bytes = await nullIfMissing(ctx.blobs.get('work', key, { maxBytes: MAX_BYTES }));
  if (bytes === null) return null;
  const [line, ...rest] = readChainText(bytes, what);
  if (line === undefined || rest.length > 0) throw new CorruptDataError(`${what} is not one note`);
  const json = new TextEncoder().encode(line.json);
  const signer = await ctx.signer.publicKey('review', line.keyId);
  if (signer?.verifies(json, line.signature) !== true)
    throw new CorruptDataError(`${what}: the signature is not that of review`);
  const asked = Asked.safeParse(parseStored(json, what));
  if (!asked.success) throw new CorruptDataError(`${what} cannot be read`);
  return asked.data;
}
