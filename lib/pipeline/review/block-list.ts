/**
 * The block list of people. It is the audit trail itself: each block and unblock is a signed record, and the list follows from them. Every
 * change of the list has a record with the person and the reason.
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
  /** Returns the current blocks. Only new records are read. Throws CorruptDataError when the trail differs from what was signed. */
  current(): Promise<readonly Blocking[]>;
  /** Signs a summary when the trail has grown long since the last one, so that others need not read all of it. Only `review` can sign. */
  summarise(): Promise<void>;
}

/** The number of records that are read in a second or two, which a stage can wait. */
const SUMMARISED_AFTER = 100;

/** Changes the blocks as a record says. */
export function noteBlock(blockings: Map<string, Blocking>, record: BlockRecord): void {
  const name = `${record.block.kind} ${record.block.value}`;
  if (record.action === 'block') blockings.set(name, { block: record.block, record });
  else blockings.delete(name);
}

/** Returns false when the last record that was read is lost. After a seal, other records may have its number. */
async function stillStands(
  ctx: Pick<StoreContext, 'blobs' | 'signer'>,
  head: AuditPlace | null,
  { sequence, hash }: AuditPlace,
): Promise<boolean> {
  return head?.hash === hash || (await findAudited(ctx, sequence))?.hash === hash;
}

/** Makes the list over the trail of these stores. It returns the same array while nothing changes. */
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
    // The head is read first. Records that are written meanwhile then come after it.
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
    // Reads follow each other. Two reads at once would both continue from the same record.
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

/** Makes a policy that includes the block list of its last refresh. */
export function blockingPolicy(own: Policy, list: Pick<BlockList, 'current'>) {
  let known: readonly Blocking[] = [];
  let policy = own;
  return {
    policy: () => policy,
    /** Throws CorruptDataError when the block list is not known. */
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

/** Adds a block or an unblock to the trail. Returns false when the list already agrees. Throws CorruptDataError, TransientError. */
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

/** Notes in the trail that a person calls a held message a false alarm. It changes nothing about the message. */
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

/** Notes in the trail who dropped something at the desk. */
export async function noteDrop(
  ctx: Pick<StoreContext, 'blobs' | 'signer' | 'clock'>,
  runId: string,
  who: Who,
): Promise<void> {
  const people = [{ ...who, at: timestamp(ctx) }];
  await appendAudit(ctx, { action: 'drop', runId, attempt: FIRST_ATTEMPT, people, form: null, heldFor: [] });
}
