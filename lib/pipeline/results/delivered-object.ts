/** Reads the delivered object of a run again from the clean bucket, for the functions that use it after the end of the run. */
import type { StoreContext } from '../context.ts';
import { CorruptDataError, RebuildMismatchError } from '../errors.ts';
import { keys, sha256Hex } from '../keys.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { deliveryKeys } from './delivery-keys.ts';

/** One object of a delivery. */
export interface DeliveredObject {
  readonly key: string;
  readonly sha256: string;
  readonly size: number;
  /** MIME type. */
  readonly type: string;
}

/**
 * Returns every object of a delivery except the evidence. The message or the bare file is the last one. Throws CorruptDataError for another
 * ledger.
 */
export function deliveredObjects(ledger: Ledger): DeliveredObject[] {
  const where = deliveryKeys(ledger);
  const written = ledger.terminal?.sealed ?? ledger.rebuilt;
  if (where === null || written === null || written === undefined)
    throw new CorruptDataError(`nothing says which bytes run ${ledger.runId} delivered`);
  const files = where.files.flatMap(({ part: { delivered }, key }) =>
    delivered === null ? [] : [{ key, sha256: delivered.sha256, size: delivered.size, type: delivered.type }],
  );
  const type = ledger.kind === 'email' ? 'message/rfc822' : ledger.parts[0]?.delivered?.type;
  const { sha256, size } = written;
  return [...files, { key: where.last, sha256, size, type: type ?? 'application/octet-stream' }];
}

/** Returns the bytes of such an object. Throws RebuildMismatchError when they differ from the delivered bytes. */
export async function deliveredBytes(
  ctx: Pick<StoreContext, 'blobs'>,
  { key, sha256, size }: Omit<DeliveredObject, 'type'>,
): Promise<Uint8Array> {
  const bytes = await ctx.blobs.get('clean', key, { maxBytes: size });
  if (sha256Hex(bytes) === sha256) return bytes;
  throw new RebuildMismatchError(`what lies under ${key} is not what was delivered`);
}

/** Returns the delivered message of a run. Throws CorruptDataError when nothing tells its bytes. */
export function deliveredMessage(ctx: Pick<StoreContext, 'blobs'>, ledger: Ledger): Promise<Uint8Array> {
  const written = ledger.terminal?.sealed ?? ledger.rebuilt;
  if (!written) throw new CorruptDataError(`nothing says which bytes run ${ledger.runId} delivered`);
  return deliveredBytes(ctx, { key: keys.cleanMessage(ledger.runId), ...written });
}
