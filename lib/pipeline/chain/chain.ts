/**
 * Chains of signed entries in the work bucket. The object of an entry contains the whole chain up to it. So a stage reads one object and
 * writes one, however long the run is. Copies of earlier entries prove nothing by themselves. Each is checked by its signature, by the hash
 * in the next entry, and by the fold.
 */

import type { StoreContext } from '../context.ts';
import { CorruptDataError, LimitExceededError, NotFoundError, StageOrderError } from '../errors.ts';
import { entryName, keys } from '../keys.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Limits } from '../limits.ts';
import { isBeginner, type Writer } from '../model.ts';
import { nullIfMissing } from '../null-if-missing.ts';
import type { Signer } from '../ports.ts';
import { safeJson } from '../safe-text.ts';
import { type Chain, rememberChain, rememberedChain } from './chain-memory.ts';
import { chainText, hashOfLine, linesOfChain, readLine, type SignedLine, signedLine } from './chain-text.ts';
import type { VerifyingKey } from './ed25519.ts';
import { ENTRY_SCHEMA, type Entry, readEntry } from './entry.ts';
import { fold, withEntry } from './fold.ts';
import type { Change } from './may-change.ts';
import { mayFollow } from './stage-rules.ts';

export type { Chain };

/** Returns the name of the newest entry of a chain. */
export function lastOf({ entries }: Chain): string {
  const stage = entries.at(-1)?.stage as Writer;
  return entryName(stage, entries.filter((entry) => entry.stage === stage).length);
}

/**
 * Returns the chain of an attempt up to the entry of this name. Throws NotFoundError, LimitExceededError, or CorruptDataError when anything
 * in it differs from what was signed.
 */
export async function readChain(ctx: StoreContext, runId: string, attempt: number, name: string): Promise<Chain> {
  const found = await findChain(ctx, runId, attempt, name);
  if (found === null) throw new NotFoundError('work', keys.entry(runId, attempt, name));
  return found;
}

/** Does the same as `readChain`, but returns null when there is no such entry. */
export async function findChain(
  ctx: StoreContext,
  runId: string,
  attempt: number,
  name: string,
): Promise<Chain | null> {
  const what = `entry ${name} of run ${runId}`;
  const maxBytes = ctx.limits.chainBytes;
  const bytes = await nullIfMissing(ctx.blobs.get('work', keys.entry(runId, attempt, name), { maxBytes }));
  if (bytes === null) return null;
  const chain = await checkedChain(ctx, { runId, attempt }, bytes, what);
  if (lastOf(chain) !== name) throw new CorruptDataError(`${what} ends with the entry ${lastOf(chain)}`);
  return chain;
}

/** Checks a whole chain: its spelling, the signers, the order, the hashes, and the content of each entry. */
export async function checkedChain(
  ctx: ChecksChains,
  of: { readonly runId: string; readonly attempt: number },
  bytes: Uint8Array,
  what: string,
): Promise<Chain> {
  const texts = linesOfChain(bytes, what);
  if (texts.length > ctx.limits.chainEntries)
    throw new LimitExceededError('chainEntries', ctx.limits.chainEntries, texts.length);
  const known = rememberedChain(of, texts);
  const lines = texts.map((text, index) => known?.lines[index] ?? readLine(text, `${what}: line ${index + 1}`));
  const entries = lines.map(
    ({ json }, index) => known?.entries[index] ?? readEntry(json, `${what}: line ${index + 1}`),
  );
  for (const [index, entry] of entries.entries()) {
    const line = lines[index] as SignedLine;
    const key = await keyOf(ctx, line, entry.stage, `${what}: line ${index + 1}`);
    if (index < (known?.lines.length ?? 0)) continue;
    if (!key.verifies(new TextEncoder().encode(line.json), line.signature))
      throw new CorruptDataError(`${what}: line ${index + 1}: the signature is not that of ${entry.stage}`);
    // An attempt that was begun again is based on the reading of an earlier one.
    const isEarlier = index === 0 && isBeginner(entries[1]?.stage) && entry.attempt < of.attempt;
    checkPlace(isEarlier ? { ...of, attempt: entry.attempt } : of, entry, index, lines[index - 1], what);
  }
  const ledger = fold(entries, known);
  if (ledger.attempt.number !== of.attempt) throw new CorruptDataError(`${what} is of another attempt`);
  const { runId, attempt } = of;
  const chain = { runId, attempt, lines, entries, ledger };
  rememberChain(chain);
  return chain;
}

/** The public keys and limits for checking a chain. */
export interface ChecksChains {
  readonly signer: Pick<Signer, 'publicKey'>;
  readonly limits: Pick<Limits, 'chainEntries'>;
}

/** The key is requested each time. A chain that was checked before is no longer valid when one of its keys is gone. */
async function keyOf(
  { signer }: ChecksChains,
  { keyId }: SignedLine,
  stage: Writer,
  what: string,
): Promise<VerifyingKey> {
  const key = await signer.publicKey(stage, keyId);
  if (key === null) throw new CorruptDataError(`${what}: ${stage} has no key ${keyId}`);
  return key;
}

function checkPlace(
  { runId, attempt }: { readonly runId: string; readonly attempt: number },
  entry: Entry,
  index: number,
  before: SignedLine | undefined,
  what: string,
): void {
  if (entry.runId !== runId || entry.attempt !== attempt)
    throw new CorruptDataError(`${what}: line ${index + 1} is of another run or attempt`);
  const previous = before === undefined ? null : hashOfLine(before);
  if (entry.sequence !== index + 1 || entry.previous !== previous)
    throw new CorruptDataError(`${what}: line ${index + 1} does not stand on the entry before it`);
}

/** An entry that a stage adds to a chain. */
export interface NewEntry {
  readonly stage: Writer;
  readonly startedAt: string;
  readonly durationMs: number;
  readonly policy: string | null;
  readonly start: Ledger | null;
  readonly change: Change;
}

/** Returns the chain with one more entry, signed. Throws StageOrderError when the stage may not follow, TransientError. */
export async function extended(
  ctx: Pick<StoreContext, 'signer'>,
  of: { readonly runId: string; readonly attempt: number },
  chain: Chain | null,
  { stage, ...rest }: NewEntry,
): Promise<Chain> {
  const { runId, attempt } = of;
  const before = chain?.entries.at(-1)?.stage ?? null;
  if (!mayFollow(before, stage))
    throw new StageOrderError(`${stage} may not follow ${before ?? 'nothing'} in run ${runId}`);
  const [lines, entries] = [chain?.lines ?? [], chain?.entries ?? []];
  const last = lines.at(-1);
  const previous = last === undefined ? null : hashOfLine(last);
  const entry: Entry = { schema: ENTRY_SCHEMA, runId, attempt, stage, sequence: lines.length + 1, previous, ...rest };
  const ledger = withEntry(chain?.ledger ?? null, entry);
  const json = safeJson(entry);
  const { keyId, signature } = await ctx.signer.sign(stage, new TextEncoder().encode(json));
  return {
    runId,
    attempt,
    lines: [...lines, signedLine(json, keyId, signature)],
    entries: [...entries, entry],
    ledger,
  };
}

/** Stores a chain under the name of its newest entry, once. Returns false, and changes nothing, when that name is taken. */
export function putChain(ctx: StoreContext, chain: Chain): Promise<boolean> {
  const key = keys.entry(chain.runId, chain.attempt, lastOf(chain));
  return ctx.blobs.put('work', key, chainText(chain.lines), { contentType: 'application/json', ifAbsent: true });
}
