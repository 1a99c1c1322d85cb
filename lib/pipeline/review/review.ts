/**
 * The decisions of a person about a held message: release, delete, rescan. Each decision is a new attempt of the run. It begins with a
 * signed entry that has the person, the time and the reason. Only one of several simultaneous decisions counts.
 */

import { mayBegin } from '../chain/beginning.ts';
import { type Chain, extended, lastOf, putChain, readChain } from '../chain/chain.ts';
import { hashOfLine } from '../chain/chain-text.ts';
import { changeBetween } from '../chain/change.ts';
import { policyHash, timestamp } from '../chain/ledger-store.ts';
import { newRun } from '../chain/new-run.ts';
import { areEnough, refusalOf } from '../chain/release.ts';
import type { ReviewContext } from '../context.ts';
import { FilesAwaitedError, LimitExceededError } from '../errors.ts';
import { entryName } from '../keys.ts';
import { type Attempt, type AttemptReason, Person, type Release, samePerson } from '../ledger/attempt.ts';
import type { ReleaseForm, Run } from '../model.ts';
import { forRun } from '../policy/for-recipients.ts';
import { appendAudit } from './audit.ts';
import { areArtifactsThere, type LastAttempt, parsedOnly, passwordsOf, readBefore } from './redrive.ts';
import { askedText, askOrAgree } from './release-asked.ts';

/** The person who decides, and the reason. */
export type Who = Pick<Person, 'name' | 'why' | 'id'>;

/** The result of a decision. `refused` and `asked` changed nothing about the message. */
export type Decided =
  | { readonly state: 'refused'; readonly why: string }
  /** Somebody released it first, and policy asks for a second person. */
  | { readonly state: 'asked'; readonly message: string }
  | { readonly state: 'begun'; readonly run: Run }
  | { readonly state: 'deleted' };

interface Decision {
  readonly reason: Exclude<AttemptReason, 'redrive' | 'password'>;
  readonly people: Person[];
  readonly release?: Release;
}

const UNSEEN = 'nobody can see it: write at least one visible character';

/** Returns whether a reader sees anything of a text: marks, spaces, signs without a shape and the empty braille cell alone show nothing. */
const isSeen = (text: string): boolean =>
  /\S/u.test(text.replace(/[\p{Default_Ignorable_Code_Point}\p{C}\p{M}\p{Z}\u2800]/gu, ''));

/** Checks a name and a reason. Returns a sentence about their fault, or null. */
export function problemOf(who: Who): string | null {
  const read = Person.safeParse({ ...who, at: '2026-01-01T00:00:00.000Z' });
  if (read.success) {
    // Records of an earlier version may have such a name or reason, and stay readable.
    if (!isSeen(who.name)) return `the name: ${UNSEEN}`;
    return isSeen(who.why) ? null : `the reason: ${UNSEEN}`;
  }
  const [issue] = read.error.issues;
  return `${issue?.path[0] === 'why' ? 'the reason' : 'the name'}: ${issue?.message}`;
}

/**
 * Returns the state of an unfinished attempt whose process was killed. A person began it, or it tries the passwords of other mail. Returns
 * null for any other.
 */
export function unfinished({ chain }: LastAttempt): Run | null {
  const { ledger, attempt, runId } = chain ?? {};
  if (!chain || !ledger || ledger.terminal !== null) return null;
  if (!ledger.attempt.people && ledger.attempt.reason !== 'password') return null;
  return { ...newRun(runId as string, attempt), last: lastOf(chain), polls: ledger.polls };
}

/** Begins the attempt that releases the message. Throws LimitExceededError over `attempts`, TransientError. */
export async function release(given: ReviewContext, last: LastAttempt, form: ReleaseForm, who: Who): Promise<Decided> {
  const held = heldChain(last);
  if ('why' in held) return held;
  const { ledger } = held.chain;
  const ctx = forRun(given, ledger);
  const refusal = refusalOf(ctx.policy, ledger, form);
  if (refusal !== null) return { state: 'refused', why: refusal };
  const parsed = parsedOnly(held.chain);
  if (parsed === null || !(await areArtifactsThere(ctx, parsed)))
    return { state: 'refused', why: 'its files are no longer in the work bucket; rescan it first' };
  const me: Person = { ...who, at: timestamp(ctx) };
  const first = areEnough(ctx.policy, form, [me]) ? null : await askOrAgree(ctx, last, form, me);
  const people = first === null ? [me] : [first, me];
  if (first !== null && !areEnough(ctx.policy, form, [first, me]))
    return { state: 'asked', message: askedText(ctx.policy, first) };
  return begin(ctx, held.chain, parsed, { reason: 'release', people, release: { form, covers: heldFor(held.chain) } });
}

/** Begins the attempt that analyses the message anew, with the present engines and policy. Throws as `release` does. */
export async function rescan(ctx: ReviewContext, last: LastAttempt, who: Who): Promise<Decided> {
  const held = heldChain(last);
  if ('why' in held) return held;
  const people = [{ ...who, at: timestamp(ctx) }];
  const parsed = await readBefore(ctx, held.chain).catch(whyAwaited);
  if (parsed !== null && 'why' in parsed) return parsed;
  const next = { runId: last.runId, attempt: last.number + 1 };
  if (parsed !== null && (await mayBegin(ctx, next, 'begun')))
    return begin(ctx, held.chain, parsed, { reason: 'rescan', people });
  const attempt = await nextAttempt(ctx, held.chain, { reason: 'rescan', people });
  return { state: 'begun', run: await ctx.parseAgain(held.chain.ledger.intake, attempt) };
}

function whyAwaited(error: unknown): Extract<Decided, { state: 'refused' }> {
  if (!(error instanceof FilesAwaitedError)) throw error;
  return { state: 'refused', why: error.message };
}

/**
 * Ends the run for good, and then removes the held original. The chain stays. A repetition after an interruption removes the rest. Throws
 * as `release` does.
 */
export async function discard(ctx: ReviewContext, last: LastAttempt, who: Who): Promise<Decided> {
  const before = last.chain?.ledger;
  if (before?.terminal?.state !== 'deleted') {
    const held = heldChain(last);
    if ('why' in held) return held;
    const parsed = parsedOnly(held.chain);
    if (parsed === null) return { state: 'refused', why: 'it was never read; rescan it first' };
    const people = [{ ...who, at: timestamp(ctx) }];
    const begun = await begin(ctx, held.chain, parsed, { reason: 'delete', people });
    if (begun.state === 'refused') return begun;
  }
  await ctx.removeHeld(last.runId, last.chain?.ledger.intake ?? null);
  return { state: 'deleted' };
}

/** Returns the chain of a held message, or the reason why nothing can be decided about it. */
function heldChain({ chain }: LastAttempt): { readonly chain: Chain } | Extract<Decided, { state: 'refused' }> {
  const refused = (why: string) => ({ state: 'refused' as const, why });
  if (chain === null) return refused('its chain cannot be read; begin it again with airlock redrive');
  const { terminal, attempt } = chain.ledger;
  if (terminal === null) return refused('it has not ended');
  const by = attempt.people === undefined ? '' : ` by ${attempt.people.map(({ name }) => name).join(' and ')}`;
  if (terminal.state === 'deleted') return refused(`it was deleted${by} at ${terminal.at}`);
  const word = attempt.release === undefined ? 'delivered' : 'released';
  return terminal.state === 'delivered' ? refused(`it was ${word}${by} at ${terminal.at}`) : { chain };
}

/** Returns the attempt that a decision begins, when the decision is in the audit trail. */
async function nextAttempt(ctx: ReviewContext, before: Chain, decided: Decision): Promise<Attempt> {
  const number = before.attempt + 1;
  if (number > ctx.limits.attempts) throw new LimitExceededError('attempts', ctx.limits.attempts, number);
  const line = before.lines.at(-1);
  const earlier = line === undefined ? null : hashOfLine(line);
  const { reason: action, people, release } = decided;
  const about = { runId: before.runId, attempt: number, form: release?.form ?? null, heldFor: heldFor(before) };
  const { hash: audit } = await appendAudit(ctx, { action, people, ...about });
  return { number, begunAt: timestamp(ctx), earlier, audit, ...passwordsOf(before), ...decided };
}

const heldFor = ({ ledger }: Chain) => [...new Set(ledger.reasons.map(({ code }) => code))];

/**
 * Writes the first entry of the attempt after the entry of `parse`. Only the first of several simultaneous writes succeeds. That one may be
 * this very decision, if its answer was lost, or if an earlier try of the same person had sent it.
 */
async function begin(
  ctx: ReviewContext,
  before: Chain,
  parsed: Chain,
  decided: Decision,
): Promise<Extract<Decided, { state: 'begun' | 'refused' }>> {
  const attempt = await nextAttempt(ctx, before, decided);
  const at = attempt.begunAt;
  const deadlineAt = new Date(Date.parse(at) + ctx.limits.deadlineSeconds * 1000).toISOString();
  const deleted = { disposition: 'quarantine' as const, terminal: { state: 'deleted' as const, at, keys: [] } };
  const { early } = before.ledger;
  const changed = { attempt, deadlineAt, disposition: null, terminal: null, ...(early && { early }) };
  const change = changeBetween('review', parsed.ledger, {
    ...changed,
    ...(attempt.reason === 'delete' && deleted),
  });
  const of = { runId: parsed.runId, attempt: attempt.number };
  const entry = { startedAt: at, durationMs: 0, policy: policyHash(ctx), start: null, change };
  const signed = await extended(ctx, of, parsed, { stage: 'review', ...entry });
  if (!(await mayBegin(ctx, of, 'begun')))
    return { state: 'refused', why: 'it is being read again just now; look at it again in a minute, or rescan it' };
  const begun = (await putChain(ctx, signed)) ? signed : await begunBefore(ctx, of, decided);
  if (begun === null)
    return { state: 'refused', why: 'somebody else decided about it at the same moment; look at it again' };
  if (attempt.reason === 'delete') return { state: 'begun', run: newRun(of.runId, of.attempt) };
  return { state: 'begun', run: { ...newRun(of.runId, of.attempt), last: lastOf(begun) } };
}

/** Returns the beginning of an existing attempt, if the last of these people began it with the same decision. */
async function begunBefore(
  ctx: ReviewContext,
  { runId, attempt }: Pick<Run, 'runId' | 'attempt'>,
  { reason, release, people }: Decision,
): Promise<Chain | null> {
  const there = await readChain(ctx, runId, attempt, entryName('review', 1));
  const { attempt: begun } = there.ledger;
  const isSame = begun.reason === reason && begun.release?.form === release?.form;
  const me = people.at(-1);
  return isSame && me !== undefined && begun.people?.some((person) => samePerson(person, me)) ? there : null;
}
