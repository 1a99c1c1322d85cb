/**
 * Takes in an object that a person drops at the desk of a deployment. The audit trail names the person before anything is stored, and so
 * before anything is read.
 */

import { isMbox } from '../contents/mbox.ts';
import type { StoreContext } from '../context.ts';
import { runIdOf } from '../keys.ts';
import { droppedObject } from '../ledger/dropped.ts';
import { noteDrop } from './block-list.ts';
import { mayBlock } from './decision.ts';
import { writeDropNote } from './drop-note.ts';
import { type DropRequest, MAX_DROP_BYTES, type ReviewAnswer, type Reviewer, refused } from './request.ts';
import { problemOf } from './review.ts';

export interface DropContext extends Pick<StoreContext, 'blobs' | 'signer' | 'clock'> {
  /** The real name of the intake bucket, as the event about a new object names it. Null when the desk takes no drops. */
  readonly dropsInto: string | null;
}

/**
 * Checks a request and carries it out. A repetition with the same id gives the same run, and another record in the trail. Throws
 * CorruptDataError when the trail was changed, TransientError.
 */
export async function dropIn(
  ctx: DropContext,
  { name, id, role }: Reviewer,
  { drop, untrustedName, bytes }: DropRequest,
): Promise<ReviewAnswer> {
  const who = { name, id, why: 'dropped at the desk' };
  const problem = problemOf(who);
  if (problem !== null) return refused('not_decided', problem);
  if (!mayBlock(role)) return refused('no_role', `the role ${role ?? 'none'} may not do this`);
  if (ctx.dropsInto === null) return refused('no_drops', 'nothing can be dropped at this desk');
  const content = Buffer.from(bytes, 'base64');
  if (content.length > MAX_DROP_BYTES) return refused('not_decided', 'the file is too large');
  if (isMbox(untrustedName, content)) return refused('several_mails', 'the file holds several mails');
  const intake = droppedObject(ctx.dropsInto, drop, untrustedName, content.length);
  const runId = runIdOf(intake);
  await noteDrop(ctx, runId, who);
  await writeDropNote(ctx, runId);
  await ctx.blobs.put('intake', intake.untrustedKey, content, { ifAbsent: true });
  return { state: 'dropped', runId };
}
