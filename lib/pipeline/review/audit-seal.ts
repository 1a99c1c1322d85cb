/**
 * Seals the end of the audit trail. A person accepts, on record, that records or the head are missing there. Until then all new mail is
 * held, because the block list is not known.
 */

import { mapBounded } from '../bounded.ts';
import { timestamp } from '../chain/ledger-store.ts';
import type { StoreContext } from '../context.ts';
import { CorruptDataError, isLostRecord, TransientError } from '../errors.ts';
import { keys } from '../keys.ts';
import { samePerson } from '../ledger/attempt.ts';
import {
  type AuditContext,
  type Audited,
  auditedFrom,
  MAX_TRIES,
  nameInHead,
  placeOf,
  putBehind,
  readAudited,
  type SealRecord,
} from './audit.ts';
import { type AuditPlace, readAuditHead } from './audit-head.ts';
import { type Blocking, noteBlock } from './block-list.ts';
import { readBlockSummary, writeBlockSummary } from './block-summary.ts';
import type { Who } from './review.ts';

/** `mended`: the same person had sealed it for the same reason, but the head was not written then. */
export type Sealed =
  | { readonly state: 'sealed' | 'mended'; readonly sequence: number; readonly missing: AuditPlace | null }
  | { readonly state: 'unchanged' };

type SealContext = AuditContext & Pick<StoreContext, 'clock'>;

/** The content of the head; damaged when it cannot be read. */
type Head = AuditPlace | null | 'damaged';

/** The existing trail, and the block list in its records. */
interface Trail {
  readonly last: Audited | null;
  /** The hash of the record whose number the head names. */
  readonly named: string | undefined;
  readonly blockings: Map<string, Blocking>;
}

/** How many numbers behind the end are searched for records after a gap. */
const LOOKED_BEHIND = 1_000;
const AT_ONCE = 50;

/**
 * Adds a seal after the last existing record, and names it in the head. Changes nothing while both agree. Safe to repeat: it finishes the
 * work of a killed process. Throws CorruptDataError when a record is damaged or is missing in the middle, TransientError.
 */
export async function sealAudit(ctx: SealContext, who: Who): Promise<Sealed> {
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const head = await headOf(ctx);
    const trail = await readTrail(ctx, head);
    // Others may have sealed it since the head was read.
    if (!isSameHead(head, await headOf(ctx))) continue;
    await refuseGap(ctx, trail.last?.record.sequence ?? 0, head === 'damaged' ? null : head);
    const isThere = agrees(head, trail);
    if (isThere && (await isSummaryInOrder(ctx))) return { state: 'unchanged' };
    const missing = head === 'damaged' || isThere ? null : head;
    const begun = begunSeal(trail.last, missing, who);
    const sealed = begun ?? (await putSeal(ctx, trail.last, missing, who));
    if (sealed === null) continue;
    await finish(ctx, sealed, trail);
    return { state: begun === null ? 'sealed' : 'mended', sequence: sealed.record.sequence, missing };
  }
  throw new TransientError('too many others write to the audit trail just now; try again');
}

async function headOf(ctx: SealContext): Promise<Head> {
  try {
    return await readAuditHead(ctx);
  } catch (error) {
    if (isLostRecord(error)) return 'damaged';
    throw error;
  }
}

function isSameHead(one: Head, other: Head): boolean {
  if (one === null || other === null || one === 'damaged' || other === 'damaged') return one === other;
  return one.sequence === other.sequence && one.hash === other.hash;
}

async function readTrail(ctx: SealContext, head: Head): Promise<Trail> {
  const blockings = new Map<string, Blocking>();
  let last: Audited | null = null;
  let named: string | undefined;
  for await (const audited of auditedFrom(ctx, null)) {
    last = audited;
    if (head !== null && head !== 'damaged' && audited.record.sequence === head.sequence) named = audited.hash;
    if ('block' in audited.record) noteBlock(blockings, audited.record);
  }
  return { last, named, blockings };
}

/** Decides as `cutOff` and `appendAudit` do. The record that the head names exists, or there is at most one record and no head yet. */
function agrees(head: Head, { last, named }: Trail): boolean {
  if (head === 'damaged') return false;
  return head === null ? (last?.record.sequence ?? 0) <= 1 : named === head.hash;
}

/** Returns false when the summary of the block list is damaged, or is based on a lost record. */
async function isSummaryInOrder(ctx: SealContext): Promise<boolean> {
  try {
    await readBlockSummary(ctx);
    return true;
  } catch (error) {
    if (isLostRecord(error)) return false;
    throw error;
  }
}

/** Refuses records behind a seal that are not based on it. They would be damage for readers of the trail. */
async function refuseGap(ctx: SealContext, end: number, head: AuditPlace | null): Promise<void> {
  const to = Math.max(head?.sequence ?? 0, end) + LOOKED_BEHIND;
  const behind = Array.from({ length: to - end - 1 }, (_, index) => end + 2 + index);
  const isThere = await mapBounded(behind, AT_ONCE, (sequence) => ctx.blobs.has('work', keys.audit(sequence)));
  const first = behind.find((_, index) => isThere[index]);
  // Others may write records meanwhile. Then no record is missing.
  if (first !== undefined && !(await ctx.blobs.has('work', keys.audit(end + 1))))
    throw new CorruptDataError(
      `record ${end + 1} of the audit trail is missing, and record ${first} behind it is there; a gap in the middle cannot be sealed`,
    );
}

/** Returns the seal that a killed process of the same person has left without a head. */
function begunSeal(last: Audited | null, missing: AuditPlace | null, who: Who): Audited | null {
  if (last?.record.action !== 'seal' || !isSameHead(last.record.missing, missing)) return null;
  return last.record.people.some((person) => samePerson(person, who) && person.why === who.why) ? last : null;
}

async function putSeal(
  ctx: SealContext,
  last: Audited | null,
  missing: AuditPlace | null,
  who: Who,
): Promise<Audited | null> {
  const seal: Pick<SealRecord, 'action' | 'people' | 'missing'> = {
    action: 'seal',
    people: [{ ...who, at: timestamp(ctx) }],
    missing,
  };
  const place = await putBehind(ctx, last && placeOf(last), seal);
  return place === null ? null : readAudited(ctx, place.sequence);
}

/**
 * Writes the summary anew, because it may be based on a lost record. The head is written last. Until then everybody sees that the work is
 * not done.
 */
async function finish(ctx: SealContext, last: Audited, { blockings }: Trail): Promise<void> {
  if (await ctx.blobs.has('work', keys.blockSummary()))
    await writeBlockSummary(ctx, { last, records: [...blockings.values()].map(({ record }) => record) });
  await nameInHead(ctx, placeOf(last));
}
