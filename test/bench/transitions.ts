/** How often the state machine moves for one mail, and what a million mails cost. */

import type { Run } from '../../lib/pipeline/model.ts';
import { newRun } from '../../lib/pipeline/new-run.ts';
import { nextWaitSeconds, STEP_FUNCTIONS_SCHEDULE } from '../../lib/pipeline/poll-schedule.ts';
import { type Cost, costOf, meanRun, total } from './cost.ts';
import { ATTACHMENTS, type CountedRun, countedRun } from './counted-run.ts';
import {
  type Cell,
  count,
  dollars,
  type Figure,
  type Measured,
  ms,
  type Part,
  plain,
  quantity,
  type Table,
} from './figure.ts';
import { ASSUMED_LATENCY_MS, PER_MILLION } from './prices.ts';
import { type StageMemory, stageMemory } from './stage-memory.ts';
import { execute, transitionsOf } from './state-machine.ts';
import { median } from './statistics.ts';

const TARGET_DOLLARS = 480;
const MOST_POLLS = 8;
const SANDBOX_SECONDS = 180;
const ANALYSIS_SECONDS = { static: 3, cdr: 5, url_analysis: 10, sandbox: SANDBOX_SECONDS } as const;
/** The loop that issues one poll for each artifact: wait, poll, choose, four states around it, every 15 s. */
const NAIVE = { artifacts: 5.5, pollEverySeconds: 15, statesPerPoll: 3, statesAround: 4 } as const;
const RUN_ID = '0'.repeat(32);

export const transitions: Part = {
  name: 'transitions',
  title: 'State machine: transitions per mail, and the cost of a million mails',
  async measure(progress) {
    progress(`scan-email.asl.json with 0 to ${MOST_POLLS} polls`);
    const byPolls: number[] = [];
    for (let polls = 0; polls <= MOST_POLLS; polls += 1) byPolls.push(await transitionsFor(polls));
    progress(`mails with 1 and 2 attachments and ${SANDBOX_SECONDS} s of analysis, time told`);
    // Once before, so that the CPU time that counts is that of a warm function.
    for (const attachments of ATTACHMENTS) await countedRun(attachments, ANALYSIS_SECONDS);
    const runs: CountedRun[] = [];
    for (const attachments of ATTACHMENTS) runs.push(await countedRun(attachments, ANALYSIS_SECONDS));
    progress('synthesizing the stack for the memory of its functions');
    const memory = await stageMemory();
    return reportOf(byPolls, runs, memory);
  },
};

/** Counts what the real definition does when the stages say that `polls` polls are needed. */
async function transitionsFor(polls: number): Promise<number> {
  const pass = async (run: Run) => run;
  const outstanding = (made: number) => (made < polls ? 1 : 0);
  const handlers = {
    submit: async (run: Run) => ({ ...run, outstanding: outstanding(0) }),
    poll: async (run: Run) => ({ ...run, polls: run.polls + 1, outstanding: outstanding(run.polls + 1) }),
    fetch: pass,
    decide: async (run: Run) => ({ ...run, disposition: 'deliver' as const }),
    rebuild: pass,
    deliver: pass,
    quarantine: pass,
  };
  const execution = await execute(handlers, newRun(RUN_ID));
  if (execution.end.polls !== polls) throw new Error(`${execution.end.polls} polls instead of ${polls}`);
  return transitionsOf(execution);
}

/** Polls until an analysis of this length is heard of, and when that is, by the deployed schedule alone. */
function polled(kind: 'sandbox' | 'url_analysis' | 'static', seconds: number): { polls: number; heardAt: number } {
  let [polls, heardAt] = [0, 0];
  while (heardAt < seconds) {
    heardAt += nextWaitSeconds(STEP_FUNCTIONS_SCHEDULE, {
      outstandingKinds: [kind],
      polls,
      retryAfterSeconds: null,
      remainingSeconds: Number.POSITIVE_INFINITY,
    });
    polls += 1;
  }
  return { polls, heardAt };
}

function reportOf(byPolls: readonly number[], runs: readonly CountedRun[], memory: StageMemory): Measured {
  const mean = meanRun(runs, memory);
  const cost = costOf(mean);
  return {
    figures: figuresOf(runs, cost, mean.transitions),
    tables: [pollsTable(byPolls), scheduleTable(byPolls), lambdaTable(runs, memory), costTable(cost)],
    notes: notesOf(runs),
  };
}

function figuresOf(runs: readonly CountedRun[], cost: Cost, perMail: number): Figure[] {
  const naivePolls = Math.ceil(SANDBOX_SECONDS / NAIVE.pollEverySeconds);
  const naive = NAIVE.artifacts * (NAIVE.statesAround + NAIVE.statesPerPoll * naivePolls);
  const perArtifact = 'a loop per artifact, every 15 s';
  return [
    plain(`polls, ${SANDBOX_SECONDS} s of analysis`, count(Math.max(...runs.map(({ polls }) => polls)))),
    {
      ...plain('transitions per mail', count(perMail)),
      baselines: [{ name: perArtifact, value: naive }],
    },
    {
      name: 'Step Functions + Lambda + logs, per million mails',
      measured: dollars(total(cost.flow)),
      atMost: TARGET_DOLLARS,
      baselines: [{ name: `${perArtifact}, transitions alone`, value: naive * PER_MILLION.transition }],
    },
    plain('with S3, DynamoDB, SQS and EventBridge', dollars(total([...cost.flow, ...cost.extras]))),
  ];
}

function pollsTable(byPolls: readonly number[]): Table {
  return {
    title: 'Transitions by polls (counted: the start, and every state the interpreter enters)',
    columns: ['polls', ...byPolls.map((_, polls) => String(polls))],
    rows: [
      ['transitions', ...byPolls.map(count)],
      ['$ per million', ...byPolls.map((found) => dollars(found * PER_MILLION.transition))],
    ],
  };
}

function scheduleTable(byPolls: readonly number[]): Table {
  const cases = [
    ['static', 3],
    ['url_analysis', 8],
    ['sandbox', 60],
    ['sandbox', 120],
    ['sandbox', SANDBOX_SECONDS],
    ['sandbox', 300],
    ['sandbox', 600],
  ] as const;
  const rows = cases.map(([kind, seconds]): Cell[] => {
    const { polls, heardAt } = polled(kind, seconds);
    const cost = byPolls[polls];
    return [kind, quantity(seconds, 's'), count(polls), quantity(heardAt, 's'), cost === undefined ? '' : count(cost)];
  });
  return {
    title: 'What the deployed schedule makes of an analysis',
    columns: ['slowest kind', 'takes', 'polls', 'heard of after', 'transitions'],
    rows,
  };
}

function lambdaTable(runs: readonly CountedRun[], memory: StageMemory): Table {
  const invocations = runs.flatMap((run) => run.invocations);
  const stages = [...new Set(invocations.map(({ stage }) => stage))];
  const rows = stages.map((stage): Cell[] => {
    const own = invocations.filter((invocation) => invocation.stage === stage);
    return [
      stage,
      count(own.length / runs.length),
      `${memory[stage]} MB`,
      ms(median(own.map(({ wallMs }) => wallMs))),
      ms(median(own.map(({ cpuMs }) => cpuMs))),
    ];
  });
  return { title: 'Invocations per mail', columns: ['stage', 'times', 'memory', 'lasts', 'CPU here'], rows };
}

function costTable(cost: Cost): Table {
  const lines = (parts: Cost['flow']) =>
    parts.map(({ name, perMail, dollars: amount }): Cell[] => [name, count(perMail), dollars(amount)]);
  return {
    title: 'Cost of a million mails',
    columns: ['', 'per mail', 'per million'],
    rows: [
      ...lines(cost.flow),
      ['= Step Functions + Lambda + logs', '', dollars(total(cost.flow))],
      ...lines(cost.extras),
      ['= everything above', '', dollars(total([...cost.flow, ...cost.extras]))],
    ],
  };
}

function notesOf(runs: readonly CountedRun[]): string[] {
  const { s3, dynamo, service } = ASSUMED_LATENCY_MS;
  const attachments = runs.reduce((sum, run) => sum + run.attachments, 0) / runs.length;
  return [
    `Two real runs, with 1 and 2 PDFs, stand for ${attachments} attachments; with ${runs[0]?.urls} URLs that is 5.5 artifacts. The body of each mail is one more, and is in every count. Nothing was known before, and nothing was retried.`,
    `A function lasts as long as its requests make it at ${s3} ms for S3, ${dynamo} ms for DynamoDB and ${service} ms for the service (assumed), in the order and the parallelism the code really has, plus its CPU time here, stretched to the share of a CPU its memory buys. Memory and arm64 are read from the synthesized stack.`,
    'Prices of us-east-1. Not in it: cold starts, X-Ray, KMS, the analysis service, receiving by SES ($460 for mails of 1 MB) and sending 0.6 MB of attachments out of AWS ($54).',
  ];
}
