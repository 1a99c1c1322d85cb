/** Reads and writes ledgers, and has the frame that every stage runs in. */
import type { StoreContext } from './context.ts';
import { CorruptDataError } from './errors.ts';
import { keys } from './keys.ts';
import { type IntakeObject, Ledger } from './ledger.ts';
import type { StageName } from './model.ts';
import { safeJson } from './safe-text.ts';

const JSON_TYPE = { contentType: 'application/json' } as const;

/** The JSON form of a ledger, as stored and as shown. */
export function ledgerJson(ledger: Ledger): Uint8Array {
  return new TextEncoder().encode(`${safeJson(ledger, 1)}\n`);
}

/** Reads a run's ledger. Throws NotFoundError, or CorruptDataError when it is not one. */
export async function readLedger(ctx: StoreContext, runId: string): Promise<Ledger> {
  const bytes = await ctx.blobs.get('work', keys.ledger(runId), { maxBytes: ctx.limits.ledgerBytes });
  const parsed = Ledger.safeParse(parseStored(bytes, `ledger of run ${runId}`));
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    throw new CorruptDataError(`ledger of run ${runId}: ${issue?.path.join('.')}: ${issue?.message}`);
  }
  return parsed.data;
}

/**
 * The intake object, in the version that the ledger names. Throws NotFoundError, also when other bytes were put over it in a bucket
 * without versions, or LimitExceededError over `emailBytes`.
 */
export function intakeBytes(ctx: StoreContext, { untrustedKey, versionId, upload }: IntakeObject): Promise<Uint8Array> {
  const which = { ...(versionId && { versionId }), ...(upload && { etag: upload.etag }) };
  const options = { maxBytes: ctx.limits.emailBytes, ...which };
  return ctx.blobs.get('intake', untrustedKey, options);
}

/** Parses the JSON of a stored document. Throws CorruptDataError when it is not JSON. */
export function parseStored(bytes: Uint8Array, what: string): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    throw new CorruptDataError(`${what} is not JSON`);
  }
}

/** Writes a run's ledger. */
export async function writeLedger(ctx: StoreContext, ledger: Ledger): Promise<void> {
  await ctx.blobs.put('work', keys.ledger(ledger.runId), ledgerJson(ledger), JSON_TYPE);
}

/** Writes the ledger of a new run. Returns false, and changes nothing, when the run has one already. */
export function createLedger(ctx: StoreContext, ledger: Ledger): Promise<boolean> {
  return ctx.blobs.put('work', keys.ledger(ledger.runId), ledgerJson(ledger), { ...JSON_TYPE, ifAbsent: true });
}

/** The current time, in the form that the ledger uses. */
export function timestamp(ctx: StoreContext): string {
  return new Date(ctx.clock.now()).toISOString();
}

/**
 * The frame of a stage: it reads the ledger, runs the stage on it, notes how long that took, and writes the ledger back. When the
 * stage throws, the ledger does not change, so that the repeated stage starts from the same facts.
 */
export async function onLedger(
  ctx: StoreContext,
  stage: StageName,
  runId: string,
  work: (ledger: Ledger) => Promise<Ledger>,
): Promise<Ledger> {
  const started = ctx.clock.now();
  const worked = await work(await readLedger(ctx, runId));
  const durationMs = ctx.clock.now() - started;
  const entry = { stage, startedAt: new Date(started).toISOString(), durationMs };
  const ledger = { ...worked, stages: [...worked.stages, entry] };
  await writeLedger(ctx, ledger);
  ctx.log.info('stage done', { stage, runId, durationMs });
  return ledger;
}
