/** Writes chains that no stage would write: every entry is signed with the key of its stage, and says what a test wants it to say. */
import { chainText, hashOfLine, type SignedLine, signedLine } from '../../lib/pipeline/chain/chain-text.ts';
import { ENTRY_SCHEMA } from '../../lib/pipeline/chain/entry.ts';
import { MAY_CHANGE } from '../../lib/pipeline/chain/may-change.ts';
import { newestChain } from '../../lib/pipeline/chain/newest-chain.ts';
import type { StoreContext } from '../../lib/pipeline/context.ts';
import { entryName, keys } from '../../lib/pipeline/keys.ts';
import type { Ledger } from '../../lib/pipeline/ledger/ledger.ts';
import type { Writer } from '../../lib/pipeline/model.ts';
import type { Rig } from './rig.ts';

type Fields = Record<string, unknown>;

/** An entry as a test wants it, before it is signed. */
export interface Forged {
  readonly stage: Writer;
  readonly start?: unknown;
  readonly change?: unknown;
  /** Other fields of the entry. */
  readonly head?: Fields;
  /** Who signs it. @default its stage */
  readonly signer?: Writer;
}

/** Signs entries one behind the other. */
export async function forgedLines(
  ctx: Pick<StoreContext, 'signer'>,
  runId: string,
  entries: readonly Forged[],
  begun: readonly SignedLine[] = [],
): Promise<SignedLine[]> {
  const lines = [...begun];
  for (const { stage, start = null, change = {}, head, signer } of entries) {
    const last = lines.at(-1);
    const json = JSON.stringify({
      schema: ENTRY_SCHEMA,
      runId,
      attempt: 1,
      stage,
      sequence: lines.length + 1,
      previous: last === undefined ? null : hashOfLine(last),
      startedAt: '2026-11-20T12:00:00.000Z',
      durationMs: 0,
      policy: null,
      start,
      change,
      ...head,
    });
    const { keyId, signature } = await ctx.signer.sign(signer ?? stage, new TextEncoder().encode(json));
    lines.push(signedLine(json, keyId, signature));
  }
  return lines;
}

/** Puts lines under the name of an entry, whatever is there. */
export async function putLines(rig: Pick<Rig, 'ctx'>, runId: string, name: string, lines: readonly SignedLine[]) {
  await rig.ctx.blobs.put('work', keys.entry(runId, 1, name), chainText(lines));
}

/** Replaces the chain of a run by one of the same stages, or of others, that says this ledger. Every stage lies as far as it can. */
export async function writeLedger(
  rig: Rig,
  ledger: Ledger,
  others?: readonly Writer[],
  runId = ledger.runId,
): Promise<void> {
  const stages = others ?? (await newestChain(rig.ctx, runId, 1)).entries.map(({ stage }) => stage);
  const kept = stages.filter((stage) => ledger.terminal !== null || (stage !== 'deliver' && stage !== 'quarantine'));
  for (const end of ['deliver', 'quarantine']) rig.blobs.remove('work', keys.entry(runId, 1, end));
  const entries = kept.map((stage, index) =>
    index === 0
      ? { stage, start: blank(ledger), change: lieOf(stage, ledger) }
      : { stage, change: lieOf(stage, ledger) },
  );
  const lines = await forgedLines(rig.ctx, runId, entries);
  for (const [index, stage] of kept.entries()) {
    const number = kept.slice(0, index + 1).filter((each) => each === stage).length;
    await putLines(rig, runId, entryName(stage, number), lines.slice(0, index + 1));
  }
}

/** Everything that a stage may change, as the ledger has it. */
function lieOf(stage: Writer, ledger: Ledger): unknown {
  const { ledger: own, ...lists } = MAY_CHANGE[stage] as Record<string, readonly string[]>;
  const pick = (from: Fields, names: readonly string[]) => Object.fromEntries(names.map((name) => [name, from[name]]));
  const items = Object.entries(lists).map(([list, names]) => {
    const name = list === 'artifacts' ? 'id' : 'path';
    const entries = (ledger as unknown as Record<string, readonly Fields[] | undefined>)[list];
    return [list, Array.isArray(entries) ? entries.map((entry) => pick(entry, [name, ...names])) : undefined] as const;
  });
  return { ...(own && { ledger: pick(ledger as unknown as Fields, own) }), ...Object.fromEntries(items) };
}

/** The ledger at its beginning. What is missing in it stays missing. */
function blank(ledger: Ledger): unknown {
  const without = (fields: unknown, values: Fields): unknown => {
    if (typeof fields !== 'object' || fields === null || Array.isArray(fields)) return fields;
    return { ...fields, ...Object.fromEntries(Object.entries(values).filter(([name]) => name in fields)) };
  };
  const each = (list: unknown, values: Fields): unknown =>
    Array.isArray(list) ? list.map((entry) => without(entry, values)) : list;
  const judged = { disposition: null, verdict: 'unknown', reasons: [], removedFor: null, submissions: [] };
  return without(ledger, {
    disposition: null,
    reasons: [],
    rebuilt: null,
    terminal: null,
    stages: [],
    polls: 0,
    parts: each(ledger.parts, { disposition: null, delivered: null }),
    artifacts: each(ledger.artifacts, judged),
    signatures: each(ledger.signatures, { isDelivered: null }),
  });
}
