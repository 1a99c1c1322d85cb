/**
 * Seals the end of the audit trail: a person accepts, on record, that records are missing there, or the head. Until then all new mail is held,
 * because nobody knows what is blocked.
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
  MOST_TRIES,
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

/** `mended`: the same person had sealed it for the same reason, and the head was not written then. */
export type Sealed =
  | { readonly state: 'sealed' | 'mended'; readonly sequence: number; readonly missing: AuditPlace | null }
  | { readonly state: 'unchanged' };

type SealContext = AuditContext & Pick<StoreContext, 'clock'>;

/** The content of the head; damaged when nobody can read it. */
type Head = AuditPlace | null | 'damaged';

/** The trail as it is there, and what its records say is blocked. */
interface Trail {
  readonly last: Audited | null;
  /** The hash of the record that has the number which the head names. */
  readonly named: string | undefined;
  readonly blockings: Map<string, Blocking>;
}

/** So many numbers behind the end are looked at for records that stand behind a gap. */
const LOOKED_BEHIND = 1_000;
const AT_ONCE = 50;

/**
 * Puts a seal behind the last record that is there, and names it in the head. Changes nothing while the two agree. Safe to repeat: what a killed
 * process has left is finished. Throws CorruptDataError when a record is damaged or is missing in the middle, TransientError.
 */
export async function sealAudit(ctx: SealContext, who: Who): Promise<Sealed> {
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
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

/** As `cutOff` and `appendAudit` see it: the record that the head names is there, or there is one record at most and no head yet. */
function agrees(head: Head, { last, named }: Trail): boolean {
  if (head === 'damaged') return false;
  return head === null ? (last?.record.sequence ?? 0) <= 1 : named === head.hash;
}

/** False when the summary of the block list is damaged, or stands on a record that is lost. */
async function isSummaryInOrder(ctx: SealContext): Promise<boolean> {
  try {
    await readBlockSummary(ctx);
    return true;
  } catch (error) {
    if (isLostRecord(error)) return false;
    throw error;
  }
}

/** Records behind a seal that do not stand on it would read as damage. */
async function refuseGap(ctx: SealContext, end: number, head: AuditPlace | null): Promise<void> {
  const to = Math.max(head?.sequence ?? 0, end) + LOOKED_BEHIND;
  const behind = Array.from({ length: to - end - 1 }, (_, index) => end + 2 + index);
  const isThere = await mapBounded(behind, AT_ONCE, (sequence) => ctx.blobs.has('work', keys.audit(sequence)));
  const first = behind.find((_, index) => isThere[index]);
  // Others may write records meanwhile, and then there is none missing.
  if (first !== undefined && !(await ctx.blobs.has('work', keys.audit(end + 1))))
    throw new CorruptDataError(
      `record ${end + 1} of the audit trail is missing, and record ${first} behind it is there; a gap in the middle cannot be sealed`,
    );
}

/** The seal that a killed process of the same person has left without a head. */
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

/** The summary may stand on a lost record, so it is written anew. The head comes last: until then everybody sees that this is not done. */
async function finish(ctx: SealContext, last: Audited, { blockings }: Trail): Promise<void> {
  if (await ctx.blobs.has('work', keys.blockSummary()))
    await writeBlockSummary(ctx, { last, records: [...blockings.values()].map(({ record }) => record) });
  await nameInHead(ctx, placeOf(last));
}
