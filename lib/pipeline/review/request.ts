/**
 * A request of a signed-in person to decide, and its execution in a deployment without a session. The request only says what is wanted. The
 * person and the role come from the token, and are checked here.
 */
import * as z from 'zod/mini';
import type { ReviewContext } from '../context.ts';
import { isLostRecord, LimitExceededError } from '../errors.ts';
import { entryName } from '../keys.ts';
import { AttemptNumber, MAX_WHY_LENGTH, samePerson } from '../ledger/attempt.ts';
import { RunId } from '../ledger/run-id.ts';
import type { Role, Run } from '../model.ts';
import { BLOCK_ACTIONS } from './audit.ts';
import { sealAudit } from './audit-seal.ts';
import { BLOCK_KINDS } from './block.ts';
import { type BlockList, changeBlock, noteDownload, noteFalseAlarm } from './block-list.ts';
import { blockOf } from './block-of.ts';
import { actionOf, DECISIONS, MAY, mayBlock, maySeal } from './decision.ts';
import { type LastAttempt, lastAttempt } from './redrive.ts';
import { type Decided, discard, problemOf, release, rescan, unfinished, type Who } from './review.ts';

const Why = z.string().check(z.maxLength(MAX_WHY_LENGTH));
/** Longer than anything that can be blocked. */
const MAX_VALUE_CHARS = 8_192;

const DecisionRequest = z.strictObject({
  action: z.enum(DECISIONS),
  runId: RunId,
  /** The attempt that the person has seen. */
  seen: AttemptNumber,
  why: Why,
});
const BlockRequest = z.strictObject({
  action: z.enum(BLOCK_ACTIONS),
  kind: z.enum(BLOCK_KINDS),
  value: z.string().check(z.maxLength(MAX_VALUE_CHARS)),
  why: Why,
});
const AlarmRequest = z.strictObject({ action: z.literal('false_alarm'), runId: RunId, why: Why });
/** A person wants the original. The function that returns it asks for the record of this request. */
const DownloadRequest = z.strictObject({ action: z.literal('download'), runId: RunId, why: Why });
/** A person accepts that records are missing at the end of the audit trail. */
const SealRequest = z.strictObject({ action: z.literal('seal'), why: Why });

/** A change of the saved views. It decides nothing, so it has no reason and no record of the trail. The desk knows what a view is. */
export const VIEW_ACTIONS = ['save_view', 'remove_view'] as const;
const ViewRequest = z.strictObject({
  action: z.enum(VIEW_ACTIONS),
  name: z.string().check(z.maxLength(MAX_VALUE_CHARS)),
  values: z.record(z.string(), z.string().check(z.maxLength(MAX_VALUE_CHARS))),
});
export type ViewRequest = z.infer<typeof ViewRequest>;

/**
 * The largest file that can be dropped at the desk of a deployment. In base64 it fits into the call of a function, which has at most 6 MB.
 */
export const MAX_DROP_BYTES = 4_000_000;
/** A copy of something that must be analysed. */
const DropRequest = z.strictObject({
  action: z.literal('drop'),
  /** The id of the drop, which the desk generates. A repetition with the same id drops nothing twice. */
  drop: RunId,
  untrustedName: z.string().check(z.maxLength(1_000)),
  /** In base64. */
  bytes: z.string().check(z.maxLength(Math.ceil(MAX_DROP_BYTES / 3) * 4)),
});
export type DropRequest = z.infer<typeof DropRequest>;

/** The requests that have a reason, and a record of the audit trail. */
export const RecordedRequest = z.discriminatedUnion('action', [
  DecisionRequest,
  BlockRequest,
  AlarmRequest,
  DownloadRequest,
  SealRequest,
]);
export type RecordedRequest = z.infer<typeof RecordedRequest>;

export const ReviewRequest = z.discriminatedUnion('action', [RecordedRequest, ViewRequest, DropRequest]);
export type ReviewRequest = z.infer<typeof ReviewRequest>;
type DecisionRequest = z.infer<typeof DecisionRequest>;

/** Why nothing was changed, for programs. */
export const REFUSALS = [
  'not_signed_in',
  'no_role',
  'not_seen',
  'not_decided',
  'views_full',
  'views_unreadable',
  'no_drops',
  'several_mails',
] as const;

export const ReviewAnswer = z.discriminatedUnion('state', [
  /** It is done, or begun. The chain of the run tells its end. */
  z.object({ state: z.literal('done') }),
  /** The block list already agrees, or the audit trail ends where its head says. */
  z.object({ state: z.literal('unchanged') }),
  /** The audit trail has it, as the record of this number. */
  z.object({ state: z.literal('noted'), record: z.int().check(z.positive()) }),
  /** It is stored, and its run has this id. */
  z.object({ state: z.literal('dropped'), runId: RunId }),
  /** Policy asks for a second person. */
  z.object({ state: z.literal('asked'), message: z.string() }),
  z.object({ state: z.literal('refused'), code: z.enum(REFUSALS), message: z.string() }),
]);
export type ReviewAnswer = z.infer<typeof ReviewAnswer>;

/** The signed-in person who asks. */
export interface Reviewer {
  readonly name: string;
  readonly id: string;
  readonly role: Role | null;
}

export interface CarryOutContext extends ReviewContext {
  /** Removes the stored objects of a deleted run once more, when no function can be filing it any more. */
  readonly removeAgain: (runId: string) => Promise<void>;
  /** Updates the index for a run about which no event comes. */
  readonly noted: (runId: string, attempt: number) => Promise<void>;
}

/** Returns the answer that nothing was changed. */
export const refused = (code: (typeof REFUSALS)[number], message: string): ReviewAnswer => ({
  state: 'refused',
  code,
  message,
});

/**
 * Checks a request and carries it out. Safe to repeat: an earlier request of the same person is not decided again, and its unfinished work
 * is done. Throws CorruptDataError when a chain or the audit trail was changed, TransientError.
 */
export async function carryOut(
  ctx: CarryOutContext,
  list: BlockList,
  { name, id, role }: Reviewer,
  request: RecordedRequest,
): Promise<ReviewAnswer> {
  const who: Who = { name, id, why: request.why };
  const problem = problemOf(who);
  if (problem !== null) return refused('not_decided', problem);
  if (!mayAsk(role, request)) return refused('no_role', `the role ${role ?? 'none'} may not do this`);
  if (request.action === 'seal') return sealEnd(ctx, who);
  if ('kind' in request) return changeList(ctx, list, request, who);
  const last = await lastAttempt(ctx, request.runId);
  if (request.action !== 'false_alarm' && request.action !== 'download') return decide(ctx, last, request, who);
  if (last.chain === null) return refused('not_decided', 'there is no such mail, or its chain cannot be read');
  if (request.action === 'download') return { state: 'noted', record: await noteDownload(ctx, last.chain.ledger, who) };
  await noteFalseAlarm(ctx, last.chain.ledger, who);
  return { state: 'done' };
}

function mayAsk(role: Role | null, { action }: RecordedRequest): boolean {
  if (action === 'seal') return maySeal(role);
  const decision = DECISIONS.find((name) => name === action);
  return decision === undefined ? mayBlock(role) : role !== null && MAY[role].includes(decision);
}

async function sealEnd(ctx: CarryOutContext, who: Who): Promise<ReviewAnswer> {
  try {
    return { state: (await sealAudit(ctx, who)).state === 'unchanged' ? 'unchanged' : 'done' };
  } catch (error) {
    if (isLostRecord(error)) return refused('not_decided', error.message);
    throw error;
  }
}

async function changeList(
  ctx: CarryOutContext,
  list: BlockList,
  { action, kind, value }: z.infer<typeof BlockRequest>,
  who: Who,
): Promise<ReviewAnswer> {
  const block = blockOf(kind, value);
  if (block === null) return refused('not_decided', 'this is nothing that can be blocked as that kind');
  return { state: (await changeBlock(ctx, list, action, { block, who })) ? 'done' : 'unchanged' };
}

async function decide(
  ctx: CarryOutContext,
  last: LastAttempt,
  request: DecisionRequest,
  who: Who,
): Promise<ReviewAnswer> {
  const isAgain = last.number === request.seen + 1 && isOf(last, request, who);
  if (last.number !== request.seen && !isAgain) return refused('not_seen', 'something was decided since; look again');
  const { action, form } = actionOf(request.action);
  const open = unfinished(last);
  if (open !== null) await startBegun(ctx, open);
  // The same request was made before, or a process ended after it had begun the attempt and before it could start it.
  if (action !== 'delete' && (isAgain || (open !== null && isOf(last, request, null)))) return { state: 'done' };
  try {
    if (action === 'release') return await answered(ctx, await release(ctx, last, form, who));
    return await answered(ctx, await (action === 'rescan' ? rescan(ctx, last, who) : discarded(ctx, last, who)));
  } catch (error) {
    if (error instanceof LimitExceededError) return refused('not_decided', error.message);
    throw error;
  }
}

/** Returns true when the attempt began with this decision, and by this person when one is given. */
function isOf({ chain }: LastAttempt, request: DecisionRequest, who: Who | null): boolean {
  const { reason, release: released, people = [] } = chain?.ledger.attempt ?? {};
  const { action, form } = actionOf(request.action);
  const isSame = reason === action && (released === undefined || released.form === form);
  return isSame && people.length > 0 && (who === null || people.some((person) => samePerson(person, who)));
}

async function discarded(ctx: CarryOutContext, last: LastAttempt, who: Who): Promise<Decided> {
  // This is requested first, so that it also happens when this process is killed at any moment.
  await ctx.removeAgain(last.runId);
  const decided = await discard(ctx, last, who);
  if (decided.state === 'deleted') {
    const isNew = last.chain?.ledger.terminal?.state !== 'deleted';
    await ctx.noted(last.runId, isNew ? last.number + 1 : last.number);
  }
  return decided;
}

async function answered(ctx: CarryOutContext, decided: Decided): Promise<ReviewAnswer> {
  switch (decided.state) {
    case 'refused':
      return refused('not_decided', decided.why);
    case 'asked':
      return decided;
    case 'begun':
      await startBegun(ctx, decided.run);
      return { state: 'done' };
    case 'deleted':
      return { state: 'done' };
  }
}

/** Starts an attempt that has its beginning. If `parse` must read again, it writes the first entry and starts the attempt. */
async function startBegun({ executions }: CarryOutContext, run: Run): Promise<void> {
  const { runId, attempt, last } = run;
  if (last === entryName('review', 1)) await executions.start({ runId, attempt, input: run });
}
