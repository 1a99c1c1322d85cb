/**
 * Stage `deliver`: the only writer of the clean bucket.
 *
 * It believes nobody: the ledger must say `deliver`, every leaf must have what stands for it, the rebuilt bytes must hash to
 * what `rebuild` checked. Files go first and the message last, so that where a message is, all of its files are. Safe to
 * repeat: same run, same keys, same bytes.
 */
import { mapBounded } from './bounded.ts';
import type { EndContext } from './context.ts';
import { RebuildMismatchError, StageOrderError } from './errors.ts';
import { keys, sha256Hex } from './keys.ts';
import { isLeaf, type Ledger, type Part } from './ledger.ts';
import { onLedger, timestamp } from './ledger-store.ts';
import type { Run } from './model.ts';
import { claimEnd } from './terminal.ts';

/** Writes message and files to the clean bucket. Throws StageOrderError or RebuildMismatchError before it writes anything. */
export async function deliver(ctx: EndContext, run: Run): Promise<Run> {
  const ledger = await onLedger(ctx, 'deliver', run.runId, async (found) => {
    const rebuilt = await readChecked(ctx, found);
    const claim = await claimEnd(ctx, run.runId, 'delivered');
    if (claim.state !== 'delivered') throw new StageOrderError(`run ${run.runId} was quarantined before`);
    const written =
      found.kind === 'email' ? await writeEmail(ctx, found, rebuilt) : await writeFile(ctx, found, rebuilt);
    return { ...found, terminal: { state: 'delivered' as const, at: timestamp(ctx), keys: written } };
  });
  await ctx.events.emit({ type: 'MessageDelivered', runId: run.runId, detail: { keys: ledger.terminal?.keys ?? [] } });
  return { ...run, disposition: 'deliver' };
}

async function readChecked(ctx: EndContext, ledger: Ledger): Promise<Uint8Array> {
  if (ledger.disposition !== 'deliver' || ledger.rebuilt === null || ledger.failure !== null)
    throw new StageOrderError(`run ${ledger.runId} has nothing that may be delivered`);
  if (ledger.parts.filter(isLeaf).some((part) => part.delivered === null || part.disposition === null))
    throw new StageOrderError(`run ${ledger.runId} has parts without a disposition`);
  const rebuilt = await ctx.blobs.get('work', keys.rebuilt(ledger.runId), { maxBytes: ledger.rebuilt.size });
  if (sha256Hex(rebuilt) !== ledger.rebuilt.sha256)
    throw new RebuildMismatchError('the rebuilt bytes have changed since they were checked');
  return rebuilt;
}

const TAGS = { airlock: 'clean' } as const;

async function writeEmail(ctx: EndContext, ledger: Ledger, rebuilt: Uint8Array): Promise<string[]> {
  const files = ledger.parts.filter((part) => part.role === 'attachment' && part.disposition !== 'remove');
  const distinct = [...new Map(files.map((part) => [part.delivered?.sha256, part])).values()];
  const written = await mapBounded(distinct, ctx.limits.concurrentSubmissions, (part) => writePart(ctx, ledger, part));
  const key = keys.cleanMessage(ledger.runId);
  await ctx.blobs.put('clean', key, rebuilt, { contentType: 'message/rfc822', tags: TAGS });
  return [key, ...written];
}

async function writePart(ctx: EndContext, ledger: Ledger, part: Part): Promise<string> {
  const { sha256, size, extension, type } = part.delivered as NonNullable<Part['delivered']>;
  const source = part.disposition === 'keep' ? keys.artifact(sha256) : keys.disarmed(sha256);
  const bytes = await ctx.blobs.get('work', source, { maxBytes: size });
  if (sha256Hex(bytes) !== sha256) throw new RebuildMismatchError(`the file of part ${part.path} has changed`);
  const key = keys.cleanFile(ledger.runId, sha256, extension);
  await ctx.blobs.put('clean', key, bytes, { contentType: type, tags: TAGS });
  return key;
}

async function writeFile(ctx: EndContext, ledger: Ledger, rebuilt: Uint8Array): Promise<string[]> {
  const delivered = ledger.parts[0]?.delivered;
  if (!delivered) throw new StageOrderError(`run ${ledger.runId} has no file to deliver`);
  const key = keys.cleanFile(ledger.runId, delivered.sha256, delivered.extension);
  await ctx.blobs.put('clean', key, rebuilt, { contentType: delivered.type, tags: TAGS });
  return [key];
}
