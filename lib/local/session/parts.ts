/** The parts with which the stages of a local session work: stores below a folder, the state machine, and the index. */
import { join } from 'node:path';
import { createSemaphore } from '../../engines/threads/semaphore.ts';
import { threadClock } from '../../formats/threads/thread-time.ts';
import { GATEWAY_SCHEDULE, LOCAL_SCHEDULE } from '../../pipeline/analysis/poll-schedule.ts';
import type { Context } from '../../pipeline/context.ts';
import type { Early } from '../../pipeline/ledger/early-record.ts';
import { DEFAULT_LIMITS } from '../../pipeline/limits.ts';
import type { Run, StageName } from '../../pipeline/model.ts';
import type { Policy } from '../../pipeline/policy/policy.ts';
import type { Events, Sealer } from '../../pipeline/ports.ts';
import { early } from '../../pipeline/rebuilding/early.ts';
import { blockingPolicy, createBlockList } from '../../pipeline/review/block-list.ts';
import { STAGES } from '../../pipeline/stages.ts';
import { directoryBlobs } from '../../storage/directory/directory.ts';
import { directorySubmissions } from '../../storage/directory/submissions.ts';
import { memorySubmissions } from '../../storage/memory.ts';
import { createSigner } from '../../storage/signer.ts';
import { fileSecrets } from '../../storage/stage-secrets.ts';
import type { OperatorLists } from '../operator-lists.ts';
import type { Analysis } from './analysis.ts';
import { type RunBlobs, runBlobs } from './run-blobs.ts';
import { openRunIndex, type RunIndex } from './run-index.ts';
import { openRunLocks, type RunLocks } from './run-lock.ts';
import { createWorkflow, type Workflow } from './workflow.ts';

export interface LocalOptions {
  /** Everything is written below this folder. */
  readonly out: string;
  readonly policy: Policy;
  /** The lists of the operator. @default there are none */
  readonly lists?: OperatorLists;
  /** Seals delivered mail, when the policy asks for it. @default nothing is sealed */
  readonly sealer?: Sealer;
  /** Receives the end of each run. @default nobody is told */
  readonly events?: Events;
  /**
   * True in a process that runs for weeks. It waits for a service that is away, and writes runs into the index together. @default false: a
   * person waits for each input
   */
  readonly isLasting?: boolean;
  /**
   * The number of stages with bytes of a mail that run at the same time, so that hundreds of mails may wait for a service. @default no
   * limit
   */
  readonly concurrentStages?: number;
  /** Called when a stage of an input is done, and its findings are stored. */
  readonly onStage: (input: string, stage: StageName) => void;
  /** Called when a stage of an input begins. @default nobody is told */
  readonly onBegun?: (input: string, stage: StageName) => void;
}

/** Milliseconds between attempts of a stage whose service is away. Few, because a person is waiting. */
const RETRY_INTERVAL_MS = 500;
/**
 * The most submissions that are remembered, at some kilobytes each. A forgotten submission is found again in the reports below the folder.
 */
const MAX_SUBMISSIONS = 1_000;

type Told = <T>(stage: StageName, runId: string, work: () => Promise<T>) => Promise<T>;

export interface Local {
  readonly out: string;
  readonly blobs: RunBlobs;
  readonly index: RunIndex;
  readonly locks: RunLocks;
  readonly ctx: Context;
  readonly workflow: Workflow;
  /** The input of each run, for progress. */
  readonly labels: Map<string, string>;
  /** The functions that send the first message of a run on, when there is one. */
  readonly firsts: Map<string, (early: Early) => Promise<void>>;
  /** Does the work of a stage, and reports its beginning and end to the observer of the input. */
  readonly told: Told;
  /** Reads new blocks of people, and changed lists of the operator. Rejects with CorruptDataError when the block list cannot be known. */
  refreshBlocks(): Promise<void>;
}

/** Puts the parts together. Nothing is read or written yet. */
export function createLocal(
  options: LocalOptions,
  analysis: Analysis,
  readers: Required<Pick<Context, 'unpacker' | 'codes' | 'signatures' | 'secondLook'>>,
): Local {
  const labels = new Map<string, string>();
  const blobs = runBlobs(directoryBlobs(options.out));
  const inTurn = createSemaphore(options.concurrentStages ?? Number.POSITIVE_INFINITY);
  const told: Told = async (stage, runId, work) => {
    const label = labels.get(runId);
    if (label !== undefined) options.onBegun?.(label, stage);
    const result = await (stage === 'poll' ? work() : inTurn(work));
    if (label !== undefined) options.onStage(label, stage);
    return result;
  };
  const signer = createSigner({ blobs, secretOf: fileSecrets(options.out) });
  const blocks = blockingPolicy(options.policy, createBlockList({ blobs, signer }));
  const ctx: Context = {
    blobs,
    signer,
    // Jobs of the engines end with this process. Submissions to a service outlive an interrupted run.
    submissions: analysis.isInProcess
      ? memorySubmissions(MAX_SUBMISSIONS)
      : directorySubmissions(join(options.out, 'submissions')),
    analyzer: analysis.analyzerFor(blobs),
    ...readers,
    sealer: options.sealer ?? null,
    // The runner starts the execution itself, so that it can wait for its end.
    executions: { start: async () => {} },
    events: options.events ?? { emit: async () => {} },
    get policy() {
      return blocks.policy();
    },
    get lists() {
      return options.lists?.current;
    },
    limits: DEFAULT_LIMITS,
    schedule: options.isLasting ? GATEWAY_SCHEDULE : LOCAL_SCHEDULE,
    // A stage has ended when its run continues, and the lock of the run keeps other processes away.
    longestStageMs: 0,
    clock: { now: () => Date.now() },
    work: threadClock,
    log: { info: () => {}, warn: () => {} },
  };
  const firsts: Local['firsts'] = new Map();
  const names = Object.keys(STAGES) as (keyof typeof STAGES)[];
  const stages = Object.fromEntries(
    names.map((name) => [
      name,
      (run: Run) =>
        told(name, run.runId, async () => {
          const done = await STAGES[name](ctx, run);
          return BEFORE_WAITS.includes(name) ? betweenPolls(ctx, blobs, firsts, done) : done;
        }),
    ]),
  ) as Record<keyof typeof STAGES, (run: Run) => Promise<Run>>;
  const refreshBlocks = async () => {
    options.lists?.refresh();
    await blocks.refresh();
  };
  const workflow = createWorkflow({ stages, ...(!options.isLasting && { retryIntervalMs: RETRY_INTERVAL_MS }) });
  const own = { index: openRunIndex(options.out, options.isLasting), locks: openRunLocks(options.out) };
  return { out: options.out, blobs, ...own, ctx, workflow, labels, firsts, told, refreshBlocks };
}

/** The stages behind which a run waits. */
const BEFORE_WAITS: readonly StageName[] = ['submit', 'poll'];

/** Looks for a first message before each wait, if somebody sends first messages on, until there is one or there will be none. */
async function betweenPolls(ctx: Context, blobs: RunBlobs, firsts: Local['firsts'], run: Run): Promise<Run> {
  const tell = firsts.get(run.runId);
  if (tell === undefined) return run;
  const between = await early(ctx, run);
  if (between.early !== null) {
    // Another process sends it, and must find it.
    await blobs.release(run.runId);
    await tell(between.early);
  }
  if (between.isOver) firsts.delete(run.runId);
  return between.run;
}
