/**
 * One mail through the real stages and the real state machine, in a time that is told and not waited for: what it asks of
 * Step Functions, Lambda, S3 and DynamoDB.
 */

import type { Kind, Run, StageName } from '../../lib/pipeline/model.ts';
import { newRun } from '../../lib/pipeline/new-run.ts';
import { parse } from '../../lib/pipeline/parse.ts';
import { Policy } from '../../lib/pipeline/policy.ts';
import { STEP_FUNCTIONS_SCHEDULE } from '../../lib/pipeline/poll-schedule.ts';
import { STAGES } from '../../lib/pipeline/stages.ts';
import { createRig } from '../pipeline/rig.ts';
import { countedAnalyzer, countedBlobs, countedSubmissions, noRequests, type Requests } from './counted-ports.ts';
import { countedEmail } from './mails.ts';
import { execute, type StageHandlers, type StateStage, transitionsOf } from './state-machine.ts';

/** How long the service takes for each kind, in seconds. */
export type AnalysisSeconds = Readonly<Record<Kind, number>>;

export interface Invocation {
  readonly stage: StageName;
  /** With the assumed latencies. */
  readonly wallMs: number;
  /** Of this machine. */
  readonly cpuMs: number;
}

export interface CountedRun {
  readonly polls: number;
  readonly transitions: number;
  readonly states: number;
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

/** Runs a mail with this many attachments and four URLs. Throws unless it was delivered. */
export async function countedRun(attachments: number, seconds: AnalysisSeconds): Promise<CountedRun> {
  const requests = noRequests();
  const email = countedEmail(attachments);
  let now = 0;
  let createdAt = 0;
  const rig = createRig({
    policy: SANDBOX_POLICY,
    script: { polls: 0, answer: ({ kind }) => (now - createdAt < seconds[kind] * 1_000 ? 'pending' : {}) },
    overrides: (base) => ({
      blobs: countedBlobs(base.blobs, requests),
      submissions: countedSubmissions(base.submissions, requests),
      analyzer: countedAnalyzer(base.analyzer, requests),
      schedule: STEP_FUNCTIONS_SCHEDULE,
    }),
  });
  now = rig.ctx.clock.now();
  createdAt = now;
  const invocations: Invocation[] = [];
  const invoke = async (stage: StageName, work: () => Promise<Run>): Promise<Run> => {
    const started = { wall: performance.now(), cpu: process.cpuUsage() };
    const next = await work();
    const used = process.cpuUsage(started.cpu);
    invocations.push({ stage, wallMs: performance.now() - started.wall, cpuMs: (used.user + used.system) / 1_000 });
    // The Wait state follows: its time passes here.
    rig.advance(next.waitSeconds * 1_000);
    now = rig.ctx.clock.now();
    return next;
  };
  const intake = await rig.intake(email);
  const created = await invoke('parse', () => parse(rig.ctx, intake));
  const names = Object.keys(STAGES) as StateStage[];
  const handlers = Object.fromEntries(
    names.map((name) => [name, (run: Run) => invoke(name, () => STAGES[name](rig.ctx, run))]),
  ) as StageHandlers;
  const execution = await execute(handlers, newRun(created.runId));
  const ledger = await rig.ledger(created.runId);
  if (ledger.terminal?.state !== 'delivered') throw new Error(`not delivered: ${JSON.stringify(ledger.reasons)}`);
  const urls = ledger.artifacts.filter(({ type }) => type === 'url').length;
  return {
    polls: ledger.polls,
    transitions: transitionsOf(execution),
    states: execution.entered.length,
    invocations,
    requests,
    attachments,
    urls,
    bodies: ledger.artifacts.length - urls - attachments,
    seconds: (now - createdAt) / 1_000,
  };
}
