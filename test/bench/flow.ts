/** Whole runs through the real stages and the real state machine, in this process, with the time of every stage noted. */

import { createUnpacker } from '../../lib/formats/archives/unpacker.ts';
import { threadClock } from '../../lib/formats/threads/thread-time.ts';
import { createWorkflow } from '../../lib/local/session/workflow.ts';
import { LOCAL_SCHEDULE } from '../../lib/pipeline/analysis/poll-schedule.ts';
import { readLedger } from '../../lib/pipeline/chain/ledger-store.ts';
import type { Context } from '../../lib/pipeline/context.ts';
import { runIdOf, sha256Hex } from '../../lib/pipeline/keys.ts';
import type { IntakeObject } from '../../lib/pipeline/ledger/intake-object.ts';
import type { Ledger } from '../../lib/pipeline/ledger/ledger.ts';
import { DEFAULT_LIMITS } from '../../lib/pipeline/limits.ts';
import type { Run, StageName } from '../../lib/pipeline/model.ts';
import { parse } from '../../lib/pipeline/parse.ts';
import { DEFAULT_POLICY } from '../../lib/pipeline/policy/policy.ts';
import type { Analyzer, Blobs } from '../../lib/pipeline/ports.ts';
import { STAGES } from '../../lib/pipeline/stages.ts';
import { memorySubmissions } from '../../lib/storage/memory.ts';
import { createSigner } from '../../lib/storage/signer.ts';
import type { Span } from './statistics.ts';

export interface StageSpan extends Span {
  readonly stage: StageName;
}

export interface Delivered extends Span {
  readonly ledger: Ledger;
  readonly stages: readonly StageSpan[];
}

export interface Flow {
  /** Puts the email into the intake and runs it to its end. Throws unless it was delivered. The span is parse to delivery. */
  deliver(email: Uint8Array): Promise<Delivered>;
}

type StateStage = keyof typeof STAGES;

/** The flow as `airlock scan` runs it, over the given blobs and analyzer. */
export function createFlow(blobs: Blobs, analyzer: Analyzer): Flow {
  const ctx = contextOver(blobs, analyzer);
  const spans = new Map<string, StageSpan[]>();
  const noted = (stage: StageName, runId: string, work: Promise<Run>): Promise<Run> => {
    const from = performance.now();
    return work.finally(() => spans.get(runId)?.push({ stage, from, to: performance.now() }));
  };
  const names = Object.keys(STAGES) as StateStage[];
  const stages = Object.fromEntries(
    names.map((name) => [name, (run: Run) => noted(name, run.runId, STAGES[name](ctx, run))]),
  ) as Record<StateStage, (run: Run) => Promise<Run>>;
  const workflow = createWorkflow({ stages });
  const never = new AbortController().signal;
  return {
    async deliver(email) {
      const intake = await bringIn(blobs, email);
      const runId = runIdOf(intake);
      const own: StageSpan[] = [];
      spans.set(runId, own);
      const from = performance.now();
      await workflow.run(await noted('parse', runId, parse(ctx, intake)), never);
      const to = performance.now();
      spans.delete(runId);
      const ledger = await readLedger(ctx, runId);
      if (ledger.terminal?.state !== 'delivered')
        throw new Error(`not delivered: ${JSON.stringify(ledger.reasons)} in run ${runId}`);
      assertAnalysed(ledger);
      return { from, to, ledger, stages: own };
    },
  };
}

const UNPACKER = createUnpacker();

function contextOver(blobs: Blobs, analyzer: Analyzer): Context {
  return {
    blobs,
    signer: createSigner({ blobs, secretOf: async (stage) => stage }),
    submissions: memorySubmissions(),
    analyzer,
    unpacker: UNPACKER,
    secondLook: null,
    sealer: null,
    executions: { start: async () => {} },
    events: { emit: async () => {} },
    policy: DEFAULT_POLICY,
    limits: DEFAULT_LIMITS,
    schedule: LOCAL_SCHEDULE,
    longestStageMs: 0,
    clock: { now: () => Date.now() },
    work: threadClock,
    log: { info: () => {}, warn: () => {} },
  };
}

async function bringIn(blobs: Blobs, email: Uint8Array): Promise<IntakeObject> {
  const versionId = sha256Hex(email);
  const untrustedKey = `${versionId.slice(0, 24)}.eml`;
  await blobs.put('intake', untrustedKey, email);
  return { bucket: 'intake', untrustedKey, versionId, size: email.length };
}

/** A submission that failed, or a file that was taken out, would have been less work than the figure claims. */
function assertAnalysed(ledger: Ledger): void {
  const failed = ledger.artifacts
    .flatMap(({ submissions }) => submissions)
    .find(({ status }) => status !== 'completed');
  if (failed) throw new Error(`a ${failed.kind} submission failed: ${failed.failure?.detail}`);
  const removed = ledger.parts.find(({ disposition }) => disposition === 'remove');
  if (removed) throw new Error(`part ${removed.path} (${removed.detectedType}) was removed`);
}

/** How many submissions of a ledger came from where. */
export function sourcesOf(ledger: Ledger): Readonly<Record<string, number>> {
  const sources: Record<string, number> = { submitted: 0, joined: 0, known: 0 };
  for (const { source } of ledger.artifacts.flatMap((artifact) => artifact.submissions))
    sources[source] = (sources[source] ?? 0) + 1;
  return sources;
}
