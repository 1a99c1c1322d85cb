/** The frame in which every stage runs. It reads the chain of its run, and adds the entry of the stage. */

import type { StoreContext } from '../context.ts';
import { CorruptDataError } from '../errors.ts';
import { sha256Hex } from '../keys.ts';
import type { IntakeObject } from '../ledger/intake-object.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { NUMBERED_STAGES, type Run, type StageName } from '../model.ts';
import type { Policy } from '../policy/policy.ts';
import { safeJson } from '../safe-text.ts';
import { type Chain, extended, lastOf, putChain, readChain } from './chain.ts';
import { changeBetween, isNothing } from './change.ts';
import type { ChangedBy } from './may-change.ts';
import { newestAttempt, newestChain } from './newest-chain.ts';

/** Returns the JSON form of a ledger, as it is shown. */
export function ledgerJson(ledger: Ledger): Uint8Array {
  return new TextEncoder().encode(`${safeJson(ledger, 1)}\n`);
}

/** Returns the current ledger of the newest attempt. Throws NotFoundError, or CorruptDataError when its chain is damaged or forged. */
export async function readLedger(ctx: StoreContext, runId: string): Promise<Ledger> {
  return (await newestChain(ctx, runId, await newestAttempt(ctx, runId))).ledger;
}

/** The parts that are needed to read the intake object. */
interface IntakeContext {
  readonly blobs: Pick<StoreContext['blobs'], 'get'>;
  readonly limits: Pick<StoreContext['limits'], 'emailBytes'>;
}

/**
 * Returns the intake object, in the version that the ledger names. Throws NotFoundError, also when other bytes have replaced it in a bucket
 * without versions. Throws LimitExceededError over `emailBytes`.
 */
export function intakeBytes(ctx: IntakeContext, intake: IntakeObject): Promise<Uint8Array> {
  const { bucket: source, untrustedKey, versionId, upload } = intake;
  const which = { source, ...(versionId && { versionId }), ...(upload && { etag: upload.etag }) };
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

/** Returns the current time, in the form that the ledger uses. */
export function timestamp(ctx: Pick<StoreContext, 'clock'>): string {
  return new Date(ctx.clock.now()).toISOString();
}

/** The result of a stage: the ledger with its changes, and the run that names its entry. */
export interface Done {
  readonly ledger: Ledger;
  readonly run: Run;
}

/**
 * Runs a stage in its frame. It reads the chain up to the entry that the run names, runs the stage on its ledger, and adds the changes of
 * the stage to the chain. When the stage throws, the chain stays unchanged, so the repeated stage starts from the same facts. If the entry
 * of the stage already exists, that entry counts. A poll or a fetch that changed nothing leaves no entry. `beforeStored` gets the chain
 * with the signed entry before anybody else can read it.
 */
export async function onLedger<S extends StageName | 'early'>(
  ctx: StoreContext & { readonly policy?: Policy },
  stage: S,
  run: Run,
  work: (ledger: Ledger) => Promise<ChangedBy<S>>,
  beforeStored: (signed: Chain) => Promise<void> = async () => {},
): Promise<Done> {
  const started = ctx.clock.now();
  const chain = await readChain(ctx, run.runId, run.attempt, run.last);
  const isNumbered = NUMBERED_STAGES.includes(stage);
  if (!isNumbered && chain.entries.some((entry) => entry.stage === stage)) return { ledger: chain.ledger, run };
  const change = changeBetween(stage, chain.ledger, await work(chain.ledger));
  const durationMs = ctx.clock.now() - started;
  ctx.log.info('stage done', { stage, runId: run.runId, durationMs });
  if (isNumbered && (isNothing(change) || isOnlyCount(change)))
    return { ledger: { ...chain.ledger, ...change.ledger }, run };
  const entry = {
    stage,
    startedAt: new Date(started).toISOString(),
    durationMs,
    policy: policyHash(ctx),
    start: null,
    change,
  };
  const signed = await extended(ctx, run, chain, entry);
  await beforeStored(signed);
  const stored = await store(ctx, chain, signed);
  return { ledger: stored.ledger, run: { ...run, last: lastOf(stored) } };
}

/** A new count of polls alone needs no entry, because the next entry has it. */
const isOnlyCount = (change: object): boolean => Object.keys(change).join() === 'ledger';

/** Stores a chain with a new entry. Returns the stored chain: this one, or the one of an earlier try. */
async function store(ctx: StoreContext, before: Chain, signed: Chain): Promise<Chain> {
  if (await putChain(ctx, signed)) return signed;
  const { runId, attempt } = signed;
  const found = await readChain(ctx, runId, attempt, lastOf(signed));
  if (found.lines[before.lines.length - 1]?.line !== before.lines.at(-1)?.line)
    throw new CorruptDataError(`entry ${lastOf(found)} of run ${runId} does not stand on entry ${lastOf(before)}`);
  return found;
}

const HASHES = new WeakMap<Policy, string>();

/** Returns the hash of the policy of a context; null when it has none. */
export function policyHash({ policy }: { readonly policy?: Policy }): string | null {
  if (policy === undefined) return null;
  const hash = HASHES.get(policy) ?? sha256Hex(JSON.stringify(policy));
  HASHES.set(policy, hash);
  return hash;
}
