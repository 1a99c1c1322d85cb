/**
 * One mail through the real stages and the real state machines, in a time that is told and not waited for: what it asks of
 * Step Functions, Lambda, S3 and DynamoDB.
 */

import { OWN_VERSIONS } from '../../lib/engines/threads/versions.ts';
import { createEnginesAnalyzer } from '../../lib/jobs/engines-analyzer.ts';
import type { Job } from '../../lib/jobs/job.ts';
import { type JobContext, runJob } from '../../lib/jobs/run-job.ts';
import { STEP_FUNCTIONS_SCHEDULE, withOwnEngines } from '../../lib/pipeline/analysis/poll-schedule.ts';
import { newRun } from '../../lib/pipeline/chain/new-run.ts';
import { KINDS, type Kind, type Run, type StageName } from '../../lib/pipeline/model.ts';
import { parse } from '../../lib/pipeline/parse.ts';
import { Policy } from '../../lib/pipeline/policy/policy.ts';
import { STAGES } from '../../lib/pipeline/stages.ts';
import { buildPdf } from '../fixtures/build-pdf.ts';
import { createRig, emailWith, type Rig } from '../pipeline/rig.ts';
import { countedAnalyzer, countedBlobs, countedSubmissions, noRequests, type Requests } from './counted-ports.ts';
import { countedEmail } from './mails.ts';
import {
  execute,
  loggedEvents,
  type MachineName,
  type StageHandlers,
  type StateStage,
  transitionsAlone,
  transitionsOf,
} from './state-machine.ts';

/** Attachments of the mails that are counted. One run of each stands for 1.5 per mail. */
export const ATTACHMENTS = [1, 2] as const;

/** How long the service takes for each kind, in seconds. */
export type AnalysisSeconds = Readonly<Record<Kind, number>>;

/** A function of the stack: a stage, or the engine of a kind. */
export type FunctionName = StageName | `engine of ${Kind}`;

export interface Invocation {
  readonly stage: FunctionName;
  /** The state machine that waits for it; null: none does. */
  readonly machine: MachineName | null;
  /** With the assumed latencies. */
  readonly wallMs: number;
  /** Of this machine. */
  readonly cpuMs: number;
}

export interface CountedRun {
  readonly polls: number;
  /** Of the Standard state machine. */
  readonly transitions: number;
  /** What the Standard machine would need without the Express one. */
  readonly transitionsAlone: number;
  /** Seconds in which the Express machine waits, beside those in which it waits for functions. */
  readonly expressWaits: number;
  /** Events that the state machines log. */
  readonly loggedEvents: number;
  readonly invocations: readonly Invocation[];
  readonly requests: Requests;
  readonly attachments: number;
  readonly urls: number;
  readonly bodies: number;
  /** Seconds from creation to delivery by the told time. */
  readonly seconds: number;
}

/** Asks for a sandbox analysis of PDFs beside what the shipped policy asks for. */
const SANDBOX_POLICY = Policy.parse({ types: { pdf: { analyses: ['static', 'sandbox', 'cdr'] } } });

/** Runs a mail with this many attachments and four URLs, which a service analyses. Throws unless it was delivered. */
export function countedRun(attachments: number, seconds: AnalysisSeconds): Promise<CountedRun> {
  const requests = noRequests();
  let elapsedMs = 0;
  const rig = createRig({
    policy: SANDBOX_POLICY,
    script: { polls: 0, answer: ({ kind }) => (elapsedMs < seconds[kind] * 1_000 ? 'pending' : {}) },
    overrides: (base) => ({
      blobs: countedBlobs(base.blobs, requests),
      submissions: countedSubmissions(base.submissions, requests),
      analyzer: countedAnalyzer(base.analyzer, requests),
      schedule: STEP_FUNCTIONS_SCHEDULE,
    }),
  });
  const onTime = (told: number) => {
    elapsedMs = told;
  };
  return counted({ rig, requests, onTime, work: async () => {} }, attachments);
}

/** The same with the shipped policy and the engines of the stack, which `run` has do their work. */
export function countedRunWithEngines(attachments: number, run: JobContext['run']): Promise<CountedRun> {
  const requests = noRequests();
  const jobs: Job[] = [];
  const send = async (job: Job) => {
    requests.jobs += 1;
    jobs.push(job);
  };
  const rig = createRig({
    overrides: (base) => {
      const blobs = countedBlobs(base.blobs, requests);
      const analyzer = createEnginesAnalyzer({ blobs, queue: { send }, versions: OWN_VERSIONS });
      const submissions = countedSubmissions(base.submissions, requests);
      return { blobs, submissions, analyzer, schedule: withOwnEngines(STEP_FUNCTIONS_SCHEDULE, KINDS) };
    },
  });
  const context = { blobs: rig.ctx.blobs, run, versions: OWN_VERSIONS, maxBytes: rig.ctx.limits.emailBytes };
  const work = async (measured: Measure) => {
    for (const job of jobs.splice(0)) await measured(`engine of ${job.kind}`, () => runJob(context, job));
  };
  return counted({ rig, requests, onTime: () => {}, work }, attachments);
}

type Measure = <T>(name: FunctionName, work: () => Promise<T>, machine?: MachineName) => Promise<T>;

interface Counting {
  readonly rig: Rig;
  readonly requests: Requests;
  /** Told how many milliseconds ago the mail came. */
  readonly onTime: (elapsedMs: number) => void;
  /** Does what waits for engines. */
  readonly work: (measured: Measure) => Promise<void>;
}

/**
 * Counts a mail that is not the first: a function publishes its key and reads those of others once in many mails. The first one has a file,
 * because without one `fetch` has nothing to sign.
 */
async function counted(counting: Counting, attachments: number): Promise<CountedRun> {
  const files = [{ name: 'first.pdf', type: 'application/pdf', bytes: buildPdf({ text: 'The first one' }) }];
  await oneMail(counting, 1, emailWith({ subject: 'First', text: 'See https://first.example/one', files }));
  Object.assign(counting.requests, noRequests());
  return oneMail(counting, attachments, countedEmail(attachments));
}

async function oneMail(
  { rig, requests, onTime, work }: Counting,
  attachments: number,
  email: Uint8Array | string,
): Promise<CountedRun> {
  onTime(0);
  const createdAt = rig.ctx.clock.now();
  let now = createdAt;
  const invocations: Invocation[] = [];
  const measured: Measure = async (stage, run, machine) => {
    const started = { wall: performance.now(), cpu: process.cpuUsage() };
    const done = await run();
    const used = process.cpuUsage(started.cpu);
    const cpuMs = (used.user + used.system) / 1_000;
    invocations.push({ stage, machine: machine ?? null, wallMs: performance.now() - started.wall, cpuMs });
    return done;
  };
  const invoke = async (stage: StageName, run: () => Promise<Run>, machine?: MachineName): Promise<Run> => {
    const next = await measured(stage, run, machine);
    await work(measured);
    return next;
  };
  const onWait = (seconds: number) => {
    rig.advance(seconds * 1_000);
    now = rig.ctx.clock.now();
    onTime(now - createdAt);
  };
  const intake = await rig.intake(email, `mail-${attachments}.eml`);
  const created = await invoke('parse', () => parse(rig.ctx, intake));
  const names = Object.keys(STAGES) as StateStage[];
  const handlers = Object.fromEntries(
    names.map((name) => [
      name,
      (run: Run, machine: MachineName) => invoke(name, () => STAGES[name](rig.ctx, run), machine),
    ]),
  ) as StageHandlers;
  const execution = await execute(handlers, newRun(created.runId), { onWait });
  const ledger = await rig.ledger(created.runId);
  if (ledger.terminal?.state !== 'delivered') throw new Error(`not delivered: ${JSON.stringify(ledger.reasons)}`);
  const urls = ledger.artifacts.filter(({ type }) => type === 'url').length;
  return {
    polls: ledger.polls,
    transitions: transitionsOf(execution),
    transitionsAlone: transitionsAlone(execution),
    expressWaits: execution.waits.express,
    loggedEvents: loggedEvents(execution),
    invocations,
    requests,
    attachments,
    urls,
    bodies: ledger.artifacts.length - urls - attachments,
    seconds: (now - createdAt) / 1_000,
  };
}
