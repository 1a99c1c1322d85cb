/**
 * A part of the audit trail for a page: the newest records, or those around a number. They are read side by side, so a page takes about the
 * same time whatever the length of the trail. `auditedFrom` reads one record after the other.
 */
import { mapBounded } from '../bounded.ts';
import { isLostRecord } from '../errors.ts';
import { keys } from '../keys.ts';
import { type AuditContext, type Audited, type AuditRecord, findAudited } from './audit.ts';
import { type AuditPlace, readAuditHead } from './audit-head.ts';

/** The most records of a window. They take a second or two on AWS, and a trail that is not longer is checked as a whole. */
export const MAX_WINDOW_RECORDS = 500;
const AT_ONCE = 25;

/** A number of the trail. The record is null when it is missing, differs from what was signed, or does not follow the one before it. */
export interface AuditEntry {
  readonly sequence: number;
  readonly record: AuditRecord | null;
}

export interface AuditWindow {
  /** The newest first. Each of them was checked. */
  readonly entries: readonly AuditEntry[];
  /** The number of the newest record of the trail; 0 when it is empty. */
  readonly newest: number;
  /** True when the head is missing or damaged, or names a record that is not in the trail. */
  readonly isEndMissing: boolean;
}

/** `missing` and `damaged` take the place of a record that cannot be read. */
type Found = Audited | 'missing' | 'damaged';

/**
 * Reads the newest records, or those up to the number `before`. It checks each signature, the link of each record to the one before it in
 * the window, and the end of the trail against the head. Throws TransientError only: damage is in the result.
 */
export async function readAuditWindow(ctx: AuditContext, before: number | null): Promise<AuditWindow> {
  const head = await headOf(ctx);
  const newest = await lastFrom(ctx, head === 'damaged' || head === null ? 0 : head.sequence);
  const to = Math.min(newest, Math.max(before ?? newest, MAX_WINDOW_RECORDS));
  const from = Math.max(1, to - MAX_WINDOW_RECORDS + 1);
  const numbers = Array.from({ length: to - from + 1 }, (_, at) => from + at);
  const found = await mapBounded(numbers, AT_ONCE, (sequence) => read(ctx, sequence));
  const entries = numbers.map((sequence, at) => ({
    sequence,
    record: soundRecord(found[at], found[at - 1], sequence),
  }));
  return { entries: entries.reverse(), newest, isEndMissing: await isEndMissing(ctx, head, newest) };
}

async function headOf(ctx: AuditContext): Promise<AuditPlace | null | 'damaged'> {
  try {
    return await readAuditHead(ctx);
  } catch (error) {
    if (isLostRecord(error)) return 'damaged';
    throw error;
  }
}

/** Returns the last number from this one on that has a record. The steps grow and then halve, so a long trail takes few requests. */
async function lastFrom(ctx: AuditContext, start: number): Promise<number> {
  const isThere = (sequence: number) => ctx.blobs.has('work', keys.audit(sequence));
  let [there, missing, step] = [start, start + 1, 1];
  while (await isThere(missing)) {
    step *= 2;
    [there, missing] = [missing, missing + step];
  }
  while (missing - there > 1) {
    const middle = Math.floor((there + missing) / 2);
    if (await isThere(middle)) there = middle;
    else missing = middle;
  }
  return there;
}

async function read(ctx: AuditContext, sequence: number): Promise<Found> {
  try {
    return (await findAudited(ctx, sequence)) ?? 'missing';
  } catch (error) {
    if (isLostRecord(error)) return 'damaged';
    throw error;
  }
}

/** The first record of a window is based on one that was not read, unless it is the first of the trail. */
function soundRecord(found: Found | undefined, before: Found | undefined, sequence: number): AuditRecord | null {
  if (typeof found !== 'object') return null;
  const { record } = found;
  if (sequence === 1) return record.previous === null ? record : null;
  return typeof before === 'object' && record.previous !== before.hash ? null : record;
}

/** Decides as `cutOff` does. A damaged record that the head names is there: its entry says that it is damaged. */
async function isEndMissing(ctx: AuditContext, head: AuditPlace | null | 'damaged', newest: number): Promise<boolean> {
  if (head === 'damaged') return true;
  if (head === null) return newest > 1;
  const named = await read(ctx, head.sequence);
  return typeof named === 'object' ? named.hash !== head.hash : named === 'missing';
}
