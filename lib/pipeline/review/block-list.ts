/**
 * The list of what people have blocked. It is the audit trail itself: each block and unblock is a signed record, and the list follows from
 * them. Nothing can be on the list, or leave it, without a record that says who wanted it and why.
 */

import { timestamp } from '../chain/ledger-store.ts';
import type { StoreContext } from '../context.ts';
import { AuditEndError } from '../errors.ts';
import { FIRST_ATTEMPT } from '../ledger/attempt.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Policy } from '../policy/policy.ts';
import { type Audited, appendAudit, auditedFrom, type BlockRecord, findAudited, placeOf } from './audit.ts';
import { type AuditPlace, cutOff, readAuditHead } from './audit-head.ts';
import { type Block, withBlocks } from './block.ts';
import { readBlockSummary, writeBlockSummary } from './block-summary.ts';
import type { Who } from './review.ts';

/** A block, and the record that made it. */
export interface Blocking {
  readonly block: Block;
  readonly record: BlockRecord;
}

export interface BlockList {
  /** The blocks that count now. Only records that are new are read. Throws CorruptDataError when the trail is not as it was signed. */
  current(): Promise<readonly Blocking[]>;
  /** Signs a summary when the trail has become long since the last one, so that others need not read it whole. Only `review` can. */
  summarise(): Promise<void>;
}

/** So many records are read in a second or two, which a stage can wait. */
const SUMMARISED_AFTER = 100;

/** Changes what is blocked as a record says. */
export function noteBlock(blockings: Map<string, Blocking>, record: BlockRecord): void {
  const name = `${record.block.kind} ${record.block.value}`;
  if (record.action === 'block') blockings.set(name, { block: record.block, record });
  else blockings.delete(name);
}

/** False when the last record that somebody has read is lost: others may stand under its number since the end of the trail was sealed. */
async function stillStands(
  ctx: Pick<StoreContext, 'blobs' | 'signer'>,
  head: AuditPlace | null,
  { sequence, hash }: AuditPlace,
): Promise<boolean> {
  return head?.hash === hash || (await findAudited(ctx, sequence))?.hash === hash;
}

/** The list over the trail of these stores. The same array is given while nothing changes. */
export function createBlockList(ctx: Pick<StoreContext, 'blobs' | 'signer'>): BlockList {
  const blockings = new Map<string, Blocking>();
  let last: Audited | null = null;
  let summarised = 0;
  let list: readonly Blocking[] = [];
  const begin = async () => {
    const summary = await readBlockSummary(ctx);
    if (summary === null) return;
    for (const record of summary.records) noteBlock(blockings, record);
    last = summary.last;
    summarised = last.record.sequence;
  };
  const read = async () => {
    const before = last;
    // Read first: what is written meanwhile is then behind it.
    const head = await readAuditHead(ctx);
    if (last !== null && !(await stillStands(ctx, head, placeOf(last)))) {
      blockings.clear();
      last = null;
      summarised = 0;
    }
    if (last === null) await begin();
    for await (const audited of auditedFrom(ctx, last && placeOf(last))) {
      last = audited;
      if ('block' in audited.record) noteBlock(blockings, audited.record);
    }
    const missing = cutOff(head, last && placeOf(last));
    if (missing !== null) throw new AuditEndError(missing);
    if (last !== before) list = [...blockings.values()];
    return list;
  };
  let reading: Promise<readonly Blocking[]> = Promise.resolve(list);
  return {
    // One after the other: two that read at once would both go on from the same record.
    current: () => {
      reading = reading.then(read, read);
      return reading;
    },
    async summarise() {
      await this.current();
      if (last === null || last.record.sequence < summarised + SUMMARISED_AFTER) return;
      await writeBlockSummary(ctx, { last, records: list.map(({ record }) => record) });
      summarised = last.record.sequence;
    },
  };
}

/** A policy with what people have blocked when it was refreshed last. */
export function blockingPolicy(own: Policy, list: Pick<BlockList, 'current'>) {
  let known: readonly Blocking[] = [];
  let policy = own;
  return {
    policy: () => policy,
    /** Throws CorruptDataError when nobody knows what is blocked. */
    refresh: async () => {
      const current = await list.current();
      if (current === known) return;
      known = current;
      policy = withBlocks(
        own,
        current.map(({ block }) => block),
      );
    },
  };
}

/** Puts a block or an unblock behind the trail. False when the list says that already. Throws CorruptDataError, TransientError. */
export async function changeBlock(
  ctx: Pick<StoreContext, 'blobs' | 'signer' | 'clock'>,
  list: BlockList,
  action: BlockRecord['action'],
  { block, who }: { readonly block: Block; readonly who: Who },
): Promise<boolean> {
  const isThere = (await list.current()).some(
    ({ block: { kind, value } }) => kind === block.kind && value === block.value,
  );
  if (isThere === (action === 'block')) return false;
  await appendAudit(ctx, { action, block, people: [{ ...who, at: timestamp(ctx) }] });
  return true;
}

/** Notes in the trail that somebody says that a message was held for nothing. It changes nothing about the message. */
export async function noteFalseAlarm(
  ctx: Pick<StoreContext, 'blobs' | 'signer' | 'clock'>,
  { runId, attempt, reasons }: Ledger,
  who: Who,
): Promise<void> {
  const heldFor = [...new Set(reasons.map(({ code }) => code))];
  const people = [{ ...who, at: timestamp(ctx) }];
  await appendAudit(ctx, { action: 'false_alarm', runId, attempt: attempt.number, people, form: null, heldFor });
}

/** Notes in the trail who takes the original of a message out, and why. Returns the number of the record. Throws as `appendAudit` does. */
export async function noteDownload(
  ctx: Pick<StoreContext, 'blobs' | 'signer' | 'clock'>,
  { runId, attempt, reasons }: Ledger,
  who: Who,
): Promise<number> {
  const heldFor = [...new Set(reasons.map(({ code }) => code))];
  const people = [{ ...who, at: timestamp(ctx) }];
  const about = { runId, attempt: attempt.number, people, form: null, heldFor };
  return (await appendAudit(ctx, { action: 'download', ...about })).sequence;
}

/** Notes in the trail who brought something in at the desk. */
export async function noteDrop(
  ctx: Pick<StoreContext, 'blobs' | 'signer' | 'clock'>,
  runId: string,
  who: Who,
): Promise<void> {
  const people = [{ ...who, at: timestamp(ctx) }];
  await appendAudit(ctx, { action: 'drop', runId, attempt: FIRST_ATTEMPT, people, form: null, heldFor: [] });
}
