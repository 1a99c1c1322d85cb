/**
 * The audit trail: what people decided about held mail, one record after the other. Each record is written once, stands on the hash of the one
 * before it, and is signed by `review`. The chain of the run shows how a decision was carried out, and its first entry names the record.
 */
import * as z from 'zod/mini';
import { AttemptNumber, Person } from './attempt.ts';
import { Block } from './block.ts';
import { chainText, hashOfLine, readChainText, type SignedLine, signedLine } from './chain-text.ts';
import type { StoreContext } from './context.ts';
import { CorruptDataError, LimitExceededError, TransientError } from './errors.ts';
import { Sha256 } from './fields.ts';
import { keys } from './keys.ts';
import { parseStored } from './ledger-store.ts';
import { RELEASE_FORMS } from './model.ts';
import { REASON_CODES } from './reason-codes.ts';
import { RunId } from './run-id.ts';
import { safeJson } from './safe-text.ts';

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

export const AuditRecord = z.discriminatedUnion('action', [RunRecord, BlockRecord]);
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
const MOST_TRIES = 50;

export interface Appended {
  readonly hash: string;
  readonly sequence: number;
}

type AuditContext = Pick<StoreContext, 'blobs' | 'signer'>;

/**
 * Puts a record behind the trail. Returns its hash and its number. Throws CorruptDataError when the last record is not what was signed, LimitExceededError for a
 * record that is too large, TransientError.
 */
export async function appendAudit(ctx: AuditContext, what: NewRecord): Promise<Appended> {
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    const last = await lastSequence(ctx);
    const previous = last === 0 ? null : (await readAudited(ctx, last)).hash;
    const json = safeJson({ schema: 'mail-airlock/audit/1', sequence: last + 1, previous, ...what });
    const { keyId, signature } = await ctx.signer.sign('review', new TextEncoder().encode(json));
    const line = signedLine(json, keyId, signature);
    const bytes = chainText([line]);
    if (bytes.length > MAX_RECORD_BYTES)
      throw new LimitExceededError('auditRecordBytes', MAX_RECORD_BYTES, bytes.length);
    const options = { contentType: 'application/json', ifAbsent: true };
    if (await ctx.blobs.put('work', keys.audit(last + 1), bytes, options))
      return { hash: hashOfLine(line), sequence: last + 1 };
  }
  throw new TransientError('too many others write to the audit trail just now; try again');
}

/** How many records there are. There is no gap in the numbers: twice as far until one is missing, then halfway between. */
export async function lastSequence({ blobs }: AuditContext): Promise<number> {
  const has = (sequence: number) => blobs.has('work', keys.audit(sequence));
  if (!(await has(1))) return 0;
  let [there, missing] = [1, 2];
  while (await has(missing)) [there, missing] = [missing, missing * 2];
  while (missing - there > 1) {
    const middle = Math.floor((there + missing) / 2);
    if (await has(middle)) there = middle;
    else missing = middle;
  }
  return there;
}

/** The record of this number. Throws NotFoundError, or CorruptDataError when it is not what was signed. */
export async function readAudited(ctx: AuditContext, sequence: number): Promise<Audited> {
  const what = `record ${sequence} of the audit trail`;
  const bytes = await ctx.blobs.get('work', keys.audit(sequence), { maxBytes: MAX_RECORD_BYTES });
  const [line, ...more] = readChainText(bytes, what);
  if (line === undefined || more.length > 0) throw new CorruptDataError(`${what} is not one record`);
  await checkSigned(ctx, line, what);
  const read = AuditRecord.safeParse(parseStored(new TextEncoder().encode(line.json), what));
  if (!read.success || read.data.sequence !== sequence) throw new CorruptDataError(`${what} is another record`);
  return { record: read.data, hash: hashOfLine(line) };
}

async function checkSigned({ signer }: AuditContext, { json, keyId, signature }: SignedLine, what: string) {
  const key = await signer.publicKey('review', keyId);
  if (key?.verifies(new TextEncoder().encode(json), signature) !== true)
    throw new CorruptDataError(`${what}: the signature is not that of review`);
}

/** Reads the trail from its beginning. Yields each record, and throws CorruptDataError at the first that does not stand on the one before it. */
export async function* auditTrail(ctx: AuditContext): AsyncGenerator<Audited> {
  const last = await lastSequence(ctx);
  for await (const audited of auditedFrom(ctx, null)) {
    yield audited;
    if (audited.record.sequence === last) return;
  }
}

/** Reads the records behind this one, in their order, as `auditTrail` does. */
export async function* auditedFrom(ctx: AuditContext, last: Audited | null): AsyncGenerator<Audited> {
  let before = last;
  for (;;) {
    const sequence: number = (before?.record.sequence ?? 0) + 1;
    if (!(await ctx.blobs.has('work', keys.audit(sequence)))) return;
    const audited: Audited = await readAudited(ctx, sequence);
    if (audited.record.previous !== (before?.hash ?? null))
      throw new CorruptDataError(`record ${sequence} of the audit trail does not stand on the record before it`);
    yield audited;
    before = audited;
  }
}
