/**
 * The list of what people have blocked. It is the audit trail itself: each block and unblock is a signed record, and the list follows from
 * them. Nothing can be on the list, or leave it, without a record that says who wanted it and why.
 */
import { FIRST_ATTEMPT } from './attempt.ts';
import { type Audited, appendAudit, auditedFrom, type BlockRecord } from './audit.ts';
import type { Block } from './block.ts';
import type { StoreContext } from './context.ts';
import type { Ledger } from './ledger.ts';
import { timestamp } from './ledger-store.ts';
import type { Who } from './review.ts';

/** A block, and the record that made it. */
export interface Blocking {
  readonly block: Block;
  readonly record: BlockRecord;
}

export interface BlockList {
  /** What is blocked now. Only records that are new are read. Throws CorruptDataError when the trail is not as it was signed. */
  current(): Promise<readonly Blocking[]>;
}

/** The list over the trail of these stores. The same array is given while nothing changes. */
export function createBlockList(ctx: Pick<StoreContext, 'blobs' | 'signer'>): BlockList {
  const blockings = new Map<string, Blocking>();
  let last: Audited | null = null;
  let list: readonly Blocking[] = [];
  const read = async () => {
    const before = last;
    for await (const audited of auditedFrom(ctx, last)) {
      last = audited;
      const { record } = audited;
      if (!('block' in record)) continue;
      const name = `${record.block.kind} ${record.block.value}`;
      if (record.action === 'block') blockings.set(name, { block: record.block, record });
      else blockings.delete(name);
    }
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

/** Notes in the trail who brought something in at the desk. */
export async function noteDrop(
  ctx: Pick<StoreContext, 'blobs' | 'signer' | 'clock'>,
  runId: string,
  who: Who,
): Promise<void> {
  const people = [{ ...who, at: timestamp(ctx) }];
  await appendAudit(ctx, { action: 'drop', runId, attempt: FIRST_ATTEMPT, people, form: null, heldFor: [] });
}
