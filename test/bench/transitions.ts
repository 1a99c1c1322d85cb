/** How often the state machine moves for one mail, and what a million mails cost. */

import { nextWaitSeconds, STEP_FUNCTIONS_SCHEDULE } from '../../lib/pipeline/analysis/poll-schedule.ts';
import { newRun } from '../../lib/pipeline/chain/new-run.ts';
import type { Kind, Run } from '../../lib/pipeline/model.ts';
import { type Cost, costOf, machinesOf, meanRun, total } from './cost.ts';
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
import { ASSUMED_LATENCY_MS, EXPRESS, PER_MILLION } from './prices.ts';
import { type StageMemory, stageMemory } from './stage-memory.ts';
import { execute, type StageHandlers, transitionsOf } from './state-machine.ts';
import { median } from './statistics.ts';

const TARGET_DOLLARS = 480;
const SANDBOX_SECONDS = 180;
const ANALYSIS_SECONDS = { static: 3, cdr: 5, url_analysis: 10, sandbox: SANDBOX_SECONDS } as const;
/** The loop that issues one poll for each artifact: wait, poll, choose, four states around it, every 15 s. */
const NAIVE = { artifacts: 5.5, pollEverySeconds: 15, statesPerPoll: 3, statesAround: 4 } as const;
const RUN_ID = '0'.repeat(32);

export const transitions: Part = {
  name: 'transitions',
  title: 'State machines: transitions per mail, and the cost of a million mails',
  async measure(progress) {
    progress('the deployed machines, by how long an analysis takes');
    const walks: Walk[] = [];
    for (const [kind, seconds] of CASES) walks.push(await walked(kind, seconds));
    progress(`mails with 1 and 2 attachments and ${SANDBOX_SECONDS} s of analysis, time told`);
    // Once before, so that the CPU time that counts is that of a warm function.
    for (const attachments of ATTACHMENTS) await countedRun(attachments, ANALYSIS_SECONDS);
    const runs: CountedRun[] = [];
    for (const attachments of ATTACHMENTS) runs.push(await countedRun(attachments, ANALYSIS_SECONDS));
    progress('synthesizing the stack for the memory of its functions');
    const memory = await stageMemory();
    return reportOf(walks, runs, memory);
  },
};

/** The slowest kind of an analysis, and how many seconds it takes. */
const CASES: readonly (readonly [Kind, number])[] = [
  ['static', 3],
  ['url_analysis', 8],
  ['sandbox', 60],
  ['sandbox', 120],
  ['sandbox', SANDBOX_SECONDS],
  ['sandbox', 300],
  ['sandbox', 600],
];

/** What the deployed schedule and the deployed machines make of an analysis. */
interface Walk {
  readonly kind: Kind;
  readonly seconds: number;
  readonly polls: number;
  readonly heardAt: number;
  readonly transitions: number;
  /** Without the time in which functions work. */
  readonly expressSeconds: number;
  readonly transitionsAlone: number;
}

/** Counts what the real definitions do when the stages say what the schedule says. The time of functions is none. */
async function walked(kind: Kind, seconds: number): Promise<Walk> {
  const [deployed, alone] = [newAnalysis(kind, seconds), newAnalysis(kind, seconds)];
  const execution = await execute(deployed.handlers, newRun(RUN_ID), deployed);
  const { entered } = await execute(alone.handlers, newRun(RUN_ID), { ...alone, isAlone: true });
  return {
    kind,
    seconds,
    ...deployed.heard(),
    transitions: transitionsOf(execution),
    expressSeconds: execution.waits.express,
    // Without the task that runs no Express machine.
    transitionsAlone: entered.standard.length,
  };
}

/** Stages of a run with one analysis that takes so long. */
function newAnalysis(kind: Kind, seconds: number) {
  let [now, polls, heardAt] = [0, 0, 0];
  const withWait = (run: Run): Run => {
    const outstandingKinds = now < seconds ? [kind] : [];
    const facts = { outstandingKinds, polls: run.polls, retryAfterSeconds: null, remainingSeconds: 1e9 };
    return {
      ...run,
      outstanding: outstandingKinds.length,
      waitSeconds: nextWaitSeconds(STEP_FUNCTIONS_SCHEDULE, facts),
    };
  };
  const pass = async (run: Run) => run;
  const handlers: StageHandlers = {
    submit: async (run) => withWait(run),
    poll: async (run) => {
      polls += 1;
      heardAt = now;
      return withWait({ ...run, polls: run.polls + 1 });
    },
    fetch: pass,
    decide: async (run) => ({ ...run, disposition: 'deliver' }),
    rebuild: pass,
    deliver: pass,
    quarantine: pass,
  };
  const onWait = (waited: number) => {
    now += waited;
  };
  return { handlers, onWait, heard: () => ({ polls, heardAt }) };
}

function reportOf(walks: readonly Walk[], runs: readonly CountedRun[], memory: StageMemory): Measured {
  const mean = meanRun(runs, memory);
  const cost = costOf(mean);
  return {
    figures: figuresOf(runs, cost, mean.transitions),
    tables: [scheduleTable(walks), lambdaTable(runs, memory), costTable(cost)],
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
    plain('of Step Functions', dollars(total(machinesOf(cost)))),
    {
      name: 'Step Functions + Lambda + logs, per million mails',
      measured: dollars(total(cost.flow)),
      atMost: TARGET_DOLLARS,
      baselines: [{ name: `${perArtifact}, transitions alone`, value: naive * PER_MILLION.transition }],
    },
    plain('with S3, DynamoDB, SQS and EventBridge', dollars(total([...cost.flow, ...cost.extras]))),
  ];
}

function scheduleTable(walks: readonly Walk[]): Table {
  const rows = walks.map(({ kind, seconds, polls, heardAt, transitions, expressSeconds, ...walk }): Cell[] => {
    const { execution, gigabytes, gigabyteSecond } = EXPRESS;
    const express = execution + expressSeconds * gigabytes * gigabyteSecond;
    return [
      kind,
      quantity(seconds, 's'),
      count(polls),
      quantity(heardAt, 's'),
      count(transitions),
      quantity(expressSeconds, 's'),
      dollars(transitions * PER_MILLION.transition + express),
      dollars(walk.transitionsAlone * PER_MILLION.transition),
    ];
  });
  return {
    title: 'What the deployed schedule and machines make of an analysis (transitions: the start, and every state)',
    columns: [
      'slowest kind',
      'takes',
      'polls',
      'heard of after',
      'transitions',
      'waits in Express',
      '$ per million',
      'Standard alone',
    ],
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
