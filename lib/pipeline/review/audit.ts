/**
 * The audit trail: what people decided about held mail, one record after the other. Each record is written once, stands on the hash of the one
 * before it, and is signed by `review`. The chain of the run shows how a decision was carried out, and its first entry names the record.
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
 * `ask`: the first of two people who release. `false_alarm`: somebody says that it was held for nothing; that changes nothing. `drop`: somebody
 * brought it in at the desk. `download`: somebody took the original out, to look at it elsewhere.
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
  /** The attempt that the decision begins, or that it is about. */
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

/** Somebody accepted the end of the trail as it was, although its head named another, or was missing. */
export const SealRecord = z.strictObject({
  ...HEAD,
  action: z.literal('seal'),
  /** The record that the head named and that is not there; null when no head said which was the last. */
  missing: z.nullable(AuditPlace),
});
export type SealRecord = z.infer<typeof SealRecord>;

export const AuditRecord = z.discriminatedUnion('action', [RunRecord, BlockRecord, SealRecord]);
export type AuditRecord = z.infer<typeof AuditRecord>;

type Head = 'schema' | 'sequence' | 'previous';
/** A record without what its place in the trail says. */
export type NewRecord = Omit<RunRecord, Head> | Omit<BlockRecord, Head>;

/** A record, and the hash by which others name it. */
export interface Audited {
  readonly record: AuditRecord;
  readonly hash: string;
}

/**
 * A record that is so large that nobody reads it again would end the trail for everybody. The largest that the schema allows, with a value of
 * 8,192 characters that are each written as seven, has half of it.
 */
const MAX_RECORD_BYTES = 128 * 1024;
/** So many others at most write a record in the moment in which this one is written. */
export const MOST_TRIES = 50;

export type AuditContext = Pick<StoreContext, 'blobs' | 'signer'>;

/** The place of a record in the trail. */
export const placeOf = ({ record, hash }: Audited): AuditPlace => ({ sequence: record.sequence, hash });

/**
 * Puts a record behind the trail, and names it in the head. Returns its hash and its number. Throws CorruptDataError when the end of the trail is not
 * what was signed, LimitExceededError for a record that is too large, TransientError.
 */
export async function appendAudit(ctx: AuditContext, what: NewRecord): Promise<AuditPlace> {
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
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

/** Writes a record that stands on this one. Null when somebody else has written one there. Throws LimitExceededError, TransientError. */
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

/** Where the trail ends. A head that is behind is mended. Throws CorruptDataError when records are missing that the head names. */
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
 * Names a record in the head. A slow process may have put an earlier record over that of another, so each looks afterwards, and names the record
 * that it finds there. The record stands in any case. Throws TransientError.
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

/** The record of this number. Throws NotFoundError, or CorruptDataError when it is not what was signed. */
export async function readAudited(ctx: AuditContext, sequence: number): Promise<Audited> {
  const found = await findAudited(ctx, sequence);
  if (found === null) throw new NotFoundError('work', keys.audit(sequence));
  return found;
}

/** The record of this number; null when there is none. Throws CorruptDataError when it is not what was signed. */
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
 * Reads the trail from its beginning. Yields each record, and throws CorruptDataError at the first that does not stand on the one before it, and
 * at the end when records are missing there.
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

/** Reads the records behind this one, in their order. Throws CorruptDataError at the first that does not stand on the one before it. */
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
