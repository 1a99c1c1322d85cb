/**
 * The audit trail: the decisions of people about held mail, one record after the other. Each record is written once, contains the hash of
 * the record before it, and is signed by `review`. The chain of the run shows how a decision was carried out. Its first entry names the
 * record.
 */
import * as z from 'zod/mini';
import { parseStored } from '../chain/ledger-store.ts';
import { readSignedByReview, signedByReview } from '../chain/signed-text.ts';
import type { StoreContext } from '../context.ts';
import { AuditEndError, CorruptDataError, LimitExceededError, NotFoundError, TransientError } from '../errors.ts';
import { keys } from '../keys.ts';
import { AttemptNumber, Person } from '../ledger/attempt.ts';
import { Sha256 } from '../ledger/fields.ts';
import { RunId } from '../ledger/run-id.ts';
import { RELEASE_FORMS } from '../model.ts';
import { nullIfMissing } from '../null-if-missing.ts';
import { REASON_CODES } from '../reason-codes.ts';
import { AuditPlace, cutOff, readAuditHead, writeAuditHead } from './audit-head.ts';
import { Block } from './block.ts';

/**
 * `ask`: the first of two people releases. `false_alarm`: a person says that it was held for nothing, which changes nothing. `drop`: a
 * person dropped it at the desk. `download`: a person took the original out, to examine it elsewhere.
 */
export const AUDIT_ACTIONS = ['ask', 'release', 'rescan', 'delete', 'false_alarm', 'drop', 'download'] as const;
export const BLOCK_ACTIONS = ['block', 'unblock'] as const;

const HEAD = {
  schema: z.literal('mail-airlock/audit/1'),
  /** From 1, without a gap. */
  sequence: z.int().check(z.positive()),
  /** The hash of the record before it, with its signature; null for the first. */
  previous: z.nullable(Sha256),
  people: z.array(Person).check(z.minLength(1)),
};

/** A decision about a run. */
export const RunRecord = z.strictObject({
  ...HEAD,
  action: z.enum(AUDIT_ACTIONS),
  runId: RunId,
  /** The attempt that the decision begins, or to which it refers. */
  attempt: AttemptNumber,
  /** The form of a release. */
  form: z.nullable(z.enum(RELEASE_FORMS)),
  /** The reasons why the message was held. */
  heldFor: z.array(z.enum(REASON_CODES)),
});
export type RunRecord = z.infer<typeof RunRecord>;

/** A change of the block list. */
export const BlockRecord = z.strictObject({ ...HEAD, action: z.enum(BLOCK_ACTIONS), block: Block });
export type BlockRecord = z.infer<typeof BlockRecord>;

/** A person accepted the end of the trail, although its head named another record, or was missing. */
export const SealRecord = z.strictObject({
  ...HEAD,
  action: z.literal('seal'),
  /** The missing record that the head named; null when no head named the last record. */
  missing: z.nullable(AuditPlace),
});
export type SealRecord = z.infer<typeof SealRecord>;

export const AuditRecord = z.discriminatedUnion('action', [RunRecord, BlockRecord, SealRecord]);
export type AuditRecord = z.infer<typeof AuditRecord>;

type Head = 'schema' | 'sequence' | 'previous';
/** A record without its place in the trail. */
export type NewRecord = Omit<RunRecord, Head> | Omit<BlockRecord, Head>;

/** A record, and the hash with which others refer to it. */
export interface Audited {
  readonly record: AuditRecord;
  readonly hash: string;
}

/**
 * The largest record, in bytes. A record that is too large to be read again would end the trail for everybody. The largest that the schema
 * allows has half of this size: a value of 8,192 characters that are each written as seven.
 */
const MAX_RECORD_BYTES = 128 * 1024;
/** The most other writers that write a record at the same moment. */
export const MAX_TRIES = 50;

export type AuditContext = Pick<StoreContext, 'blobs' | 'signer'>;

/** Returns the place of a record in the trail. */
export const placeOf = ({ record, hash }: Audited): AuditPlace => ({ sequence: record.sequence, hash });

/**
 * Adds a record to the trail, and names it in the head. Returns its hash and its number. Throws CorruptDataError when the end of the trail
 * differs from what was signed, LimitExceededError for a record that is too large, TransientError.
 */
export async function appendAudit(ctx: AuditContext, what: NewRecord): Promise<AuditPlace> {
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const place = await putBehind(ctx, await newestPlace(ctx), what);
    if (place === null) continue;
    try {
      await nameInHead(ctx, place);
    } catch (error) {
      // The decision is on record. The next record mends the head.
      if (!(error instanceof TransientError)) throw error;
    }
    return place;
  }
  throw new TransientError('too many others write to the audit trail just now; try again');
}

/**
 * Writes a record that follows this one. Returns null when somebody else has written a record there. Throws LimitExceededError,
 * TransientError.
 */
export async function putBehind(
  ctx: AuditContext,
  previous: AuditPlace | null,
  what: NewRecord | Omit<SealRecord, Head>,
): Promise<AuditPlace | null> {
  const sequence = (previous?.sequence ?? 0) + 1;
  const record = { schema: 'mail-airlock/audit/1', sequence, previous: previous?.hash ?? null, ...what };
  const { bytes, hash } = await signedByReview(ctx, record);
  if (bytes.length > MAX_RECORD_BYTES) throw new LimitExceededError('auditRecordBytes', MAX_RECORD_BYTES, bytes.length);
  const options = { contentType: 'application/json', ifAbsent: true };
  return (await ctx.blobs.put('work', keys.audit(sequence), bytes, options)) ? { sequence, hash } : null;
}

/** Returns the end of the trail. Mends an old head. Throws CorruptDataError when records are missing that the head names. */
async function newestPlace(ctx: AuditContext): Promise<AuditPlace | null> {
  const head = await readAuditHead(ctx);
  let newest = head === null ? null : await namedBy(ctx, head);
  for await (const audited of auditedFrom(ctx, newest)) newest = placeOf(audited);
  const missing = cutOff(head, newest);
  if (missing !== null) throw new AuditEndError(missing);
  if (newest !== null && newest.sequence > (head?.sequence ?? 0)) await writeAuditHead(ctx, newest);
  return newest;
}

async function namedBy(ctx: AuditContext, head: AuditPlace): Promise<AuditPlace> {
  const found = await findAudited(ctx, head.sequence);
  if (found === null)
    throw new AuditEndError(`record ${head.sequence} of the audit trail, which its head names, is missing`);
  const named = placeOf(found);
  if (named.hash !== head.hash)
    throw new AuditEndError(`the head of the audit trail names another record ${head.sequence}`);
  return named;
}

/**
 * Names a record in the head. A slow process may replace a later record there by an earlier one. So each process checks afterwards, and
 * names the last record that it finds. The record itself is kept in any case. Throws TransientError.
 */
export async function nameInHead(ctx: AuditContext, mine: AuditPlace): Promise<void> {
  let named: AuditPlace | null = null;
  let newest = mine;
  while (named !== newest) {
    await writeAuditHead(ctx, newest);
    named = newest;
    for await (const audited of auditedFrom(ctx, named)) newest = placeOf(audited);
  }
}

/** Returns the record of this number. Throws NotFoundError, or CorruptDataError when it differs from what was signed. */
export async function readAudited(ctx: AuditContext, sequence: number): Promise<Audited> {
  const found = await findAudited(ctx, sequence);
  if (found === null) throw new NotFoundError('work', keys.audit(sequence));
  return found;
}

/** Returns the record of this number; null when there is none. Throws CorruptDataError when it differs from what was signed. */
export async function findAudited(ctx: AuditContext, sequence: number): Promise<Audited | null> {
  const what = `record ${sequence} of the audit trail`;
  const bytes = await nullIfMissing(ctx.blobs.get('work', keys.audit(sequence), { maxBytes: MAX_RECORD_BYTES }));
  if (bytes === null) return null;
  const { json, hash } = await readSignedByReview(ctx, bytes, what);
  const read = AuditRecord.safeParse(parseStored(json, what));
  if (!read.success || read.data.sequence !== sequence) throw new CorruptDataError(`${what} is another record`);
  return { record: read.data, hash };
}

/**
 * Reads the trail from its beginning. Yields each record. Throws CorruptDataError at the first record that does not follow the one before
 * it, and at the end when records are missing there.
 */
export async function* auditTrail(ctx: AuditContext): AsyncGenerator<Audited> {
  const head = await readAuditHead(ctx);
  let newest: AuditPlace | null = null;
  for await (const audited of auditedFrom(ctx, null)) {
    yield audited;
    newest = placeOf(audited);
  }
  const missing = cutOff(head, newest);
  if (missing !== null) throw new AuditEndError(missing);
}

/** Reads the records after this one, in order. Throws CorruptDataError at the first record that does not follow the one before it. */
export async function* auditedFrom(ctx: AuditContext, last: AuditPlace | null): AsyncGenerator<Audited> {
  let before = last;
  for (;;) {
    const sequence: number = (before?.sequence ?? 0) + 1;
    const audited: Audited | null = await findAudited(ctx, sequence);
    if (audited === null) return;
    if (audited.record.previous !== (before?.hash ?? null))
      throw new CorruptDataError(`record ${sequence} of the audit trail does not stand on the record before it`);
    yield audited;
    before = placeOf(audited);
  }
}
