/**
 * Stage `deliver`: the only writer of the clean bucket.
 *
 * It trusts no earlier stage: the ledger must say `deliver`, every leaf must have its delivered form, and the rebuilt bytes must
 * have the hash that `rebuild` checked. Files and the signed evidence are written first and the message last, so that a message in the
 * bucket always has all of them. Safe to repeat: the same run writes the same bytes under the same keys.
 */
import { mapBounded } from './bounded.ts';
import type { Chain } from './chain/chain.ts';
import { writeEvidence } from './chain/evidence.ts';
import { onLedger, timestamp } from './chain/ledger-store.ts';
import { isOriginalReleased, voidRelease } from './chain/release.ts';
import { withSeal } from './chain/sealed.ts';
import { claimEnd } from './chain/terminal.ts';
import type { DeliverContext, EndContext } from './context.ts';
import { RebuildMismatchError, StageOrderError } from './errors.ts';
import { entryName, keys, sha256Hex } from './keys.ts';
import { checkConservation } from './ledger/conservation.ts';
import { isLeaf, type Ledger, type Part, type Terminal } from './ledger/ledger.ts';
import type { Run } from './model.ts';
import { forRun } from './policy/for-recipients.ts';
import { type DeliveryKeys, deliveryKeys, writtenKeys } from './results/delivery-keys.ts';
import { logRunEnded } from './results/run-ended.ts';
import { runEvent } from './results/run-event.ts';

/**
 * Writes message and files to the clean bucket. Throws StageOrderError or RebuildMismatchError before it writes anything.
 *
 * @example
 * ```ts
 * import type { Run } from './lib/pipeline/model.ts';
 * import type { DeliverContext } from './lib/pipeline/context.ts';
 * import { quarantine } from './lib/pipeline/quarantine.ts';
 *
 * async function deliverOrHold(ctx: DeliverContext, run: Run): Promise<Run> {
 *   return run.disposition === 'deliver' ? await deliver(ctx, run) : await quarantine(ctx, run);
 * }
 * ```
 */
export async function deliver(ctx: DeliverContext, run: Run): Promise<Run> {
  let delivery: Delivery | null = null;
  const work = async (ledger: Ledger) => {
    delivery = await prepared(forRun(ctx, ledger), ledger);
    const claim = await claimEnd(ctx, run, 'delivered');
    if (claim.state !== 'delivered') throw new StageOrderError(`run ${run.runId} was quarantined before`);
    if (claim.stoppedAt !== undefined)
      throw new StageOrderError(`the delivery of run ${run.runId} was given up before`);
    const { where, sealed } = delivery;
    return { terminal: { state: 'delivered' as const, at: timestamp(ctx), keys: writtenKeys(where), ...sealed } };
  };
  const done = await onLedger(ctx, 'deliver', { ...run, last: REBUILT }, work, async (signed) => {
    if (delivery === null) return;
    await write(ctx, signed, delivery);
    // The event is sent before the end is noted: if sending fails, the repeated stage sends it again.
    const detail = runEvent(ctx, signed.ledger, { bucket: 'clean', keys: writtenKeys(delivery.where) });
    await ctx.events.emit({ type: 'MessageDelivered', runId: run.runId, detail });
  });
  logRunEnded(ctx, done.ledger, 'delivered');
  return { ...done.run, disposition: 'deliver' };
}

/**
 * A delivery is always about the rebuilt message, whichever entry its caller knows. An execution whose earlier stages ran elsewhere knows
 * of no entry.
 */
const REBUILT = entryName('rebuild', 1);

/** The message to deliver, and its place. */
interface Delivery {
  readonly where: DeliveryKeys;
  /** The rebuilt message. It is sealed when policy asks for that. */
  readonly message: Uint8Array;
  readonly sealed: Pick<Terminal, 'sealed'>;
}

async function prepared(ctx: DeliverContext, ledger: Ledger): Promise<Delivery> {
  const rebuilt = await readChecked(ctx, ledger);
  const where = deliveryKeys(ledger);
  if (!where) throw new StageOrderError(`run ${ledger.runId} has no file to deliver`);
  const message = ledger.kind === 'email' ? await withSeal(ctx, ledger, rebuilt) : rebuilt;
  const sealed = message === rebuilt ? {} : { sealed: { sha256: sha256Hex(message), size: message.length } };
  return { where, message, sealed };
}

async function readChecked(ctx: DeliverContext, ledger: Ledger): Promise<Uint8Array> {
  if (ledger.disposition !== 'deliver' || ledger.rebuilt === null || ledger.failure !== null)
    throw new StageOrderError(`run ${ledger.runId} has nothing that may be delivered`);
  const refusal = voidRelease(ctx.policy, ledger);
  if (refusal !== null) throw new StageOrderError(`the release of run ${ledger.runId} does not count: ${refusal}`);
  const isOpen = (part: Part) => isLeaf(part) && (part.delivered === null || part.disposition === null);
  if (!isOriginalReleased(ledger) && ledger.parts.some(isOpen))
    throw new StageOrderError(`run ${ledger.runId} has parts without a disposition`);
  const [problem] = deliveryProblems(ledger);
  if (problem !== undefined) throw new RebuildMismatchError(`the ledger does not hold together: ${problem}`);
  const rebuilt = await ctx.blobs.get('work', keys.rebuilt(ledger.runId, ledger.rebuilt.sha256), {
    maxBytes: ledger.rebuilt.size,
  });
  if (sha256Hex(rebuilt) !== ledger.rebuilt.sha256)
    throw new RebuildMismatchError('the rebuilt bytes have changed since they were checked');
  return rebuilt;
}

/**
 * Returns the reason why this ledger does not allow the rebuilt message to be delivered, in words. A released original must have exactly
 * the bytes that came in. Nothing of it was disarmed, so its parts are not checked.
 *
 * @example
 * ```ts
 * import type { Ledger } from './lib/pipeline/ledger/ledger.ts';
 *
 * const holdsTogether = (ledger: Ledger) => deliveryProblems(ledger).length === 0;
 * ```
 */
export function deliveryProblems(ledger: Ledger): string[] {
  if (isOriginalReleased(ledger))
    return ledger.rebuilt?.sha256 === ledger.sha256 ? [] : ['what is released as the original is another message'];
  return [...checkConservation(ledger, true), ...changedParts(ledger)];
}

/**
 * Returns kept leaves that the message does not contain with their judged bytes, and a bare file with another hash. A body may have our
 * banner in it.
 */
function changedParts({ kind, parts, rebuilt }: Ledger): string[] {
  const changed = parts.filter(
    (part) =>
      isLeaf(part) &&
      part.disposition === 'keep' &&
      part.delivered?.sha256 !== part.sha256 &&
      !(part.role === 'body' && part.delivered?.hasOurWords === true),
  );
  if (kind === 'file' && parts[0]?.delivered?.sha256 !== rebuilt?.sha256)
    return ['the rebuilt file is not the one that its part names'];
  return changed.map(({ path }) => `part ${path} is kept, and is not what was judged`);
}

const TAGS = { airlock: 'clean' } as const;

/** Writes the files and the evidence, and then the message. */
async function write(ctx: EndContext, signed: Chain, { where, message }: Delivery): Promise<void> {
  const { ledger } = signed;
  await mapBounded(where.files, ctx.limits.concurrentSubmissions, ({ part, key }) => writeFile(ctx, part, key));
  await writeEvidence(ctx, signed, keys.cleanEvidence(ledger.runId));
  const type = ledger.kind === 'email' ? 'message/rfc822' : ledger.parts[0]?.delivered?.type;
  await ctx.blobs.put('clean', where.last, message, { ...(type && { contentType: type }), tags: TAGS });
}

async function writeFile(ctx: EndContext, part: Part, key: string): Promise<void> {
  const { sha256, size, type } = part.delivered as NonNullable<Part['delivered']>;
  const source = part.disposition === 'keep' ? keys.artifact(sha256) : keys.disarmed(sha256);
  const bytes = await ctx.blobs.get('work', source, { maxBytes: size });
  if (sha256Hex(bytes) !== sha256) throw new RebuildMismatchError(`the file of part ${part.path} has changed`);
  await ctx.blobs.put('clean', key, bytes, { contentType: type, tags: TAGS });
}
