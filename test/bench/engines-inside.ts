/** What a million mails cost when the engines are in the stack, where the money goes, and how many mails so many Lambdas carry. */
import { createEnginePool } from '../../lib/engines/threads/pool.ts';
import { billedMs, type Cost, costOf, machinesOf, meanRun, total } from './cost.ts';
import { ATTACHMENTS, type CountedRun, countedRunWithEngines, type FunctionName } from './counted-run.ts';
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
import { ASSUMED_LATENCY_MS, LOG_BYTES_PER_EVENT, PER_MILLION } from './prices.ts';
import { type StageMemory, stageMemory } from './stage-memory.ts';

/** State machines, Lambda and logs. */
const TARGET_DOLLARS = 180;
/** Lambdas at the same time: what a new account has, and what accounts have. */
const CONCURRENT = [10, 100, 1_000] as const;

export const enginesInside: Part = {
  name: 'engines-inside',
  title: 'Engines in the stack: the cost of a million mails, and what Lambdas carry',
  async measure(progress) {
    progress('synthesizing the stack for the memory of its functions');
    const memory = await stageMemory();
    const pool = createEnginePool({ threads: 1 });
    try {
      const runs: CountedRun[] = [];
      // Once before, so that the CPU time that counts is that of warm functions.
      for (const isWarm of [false, true])
        for (const attachments of ATTACHMENTS) {
          progress(`${isWarm ? 'measured' : 'warm'}: a mail with ${attachments} PDF`);
          const run = await countedRunWithEngines(attachments, pool.run);
          if (isWarm) runs.push(run);
        }
      return reportOf(runs, memory);
    } finally {
      await pool.close();
    }
  },
};

function reportOf(runs: readonly CountedRun[], memory: StageMemory): Measured {
  const mean = meanRun(runs, memory);
  const cost = costOf(mean);
  const seconds = lambdaSeconds(runs, memory);
  return {
    figures: figuresOf(runs, cost, seconds),
    tables: [costTable(cost), functionTable(runs, memory), carriedTable(seconds)],
    notes: [
      'Two real runs with real engines, with 1 and 2 PDFs and four URLs, under the shipped policy. Nothing was known before, and nothing was retried.',
      `Latencies of ${ASSUMED_LATENCY_MS.s3} ms for S3 and ${ASSUMED_LATENCY_MS.dynamo} ms for DynamoDB are assumed; CPU time is that of this machine, stretched to the share of a CPU that the memory buys. Cold starts are not in it.`,
      `The Express machine is billed for 64 MB, its waits and the functions that it waits for. An event in the log of a state machine is ${LOG_BYTES_PER_EVENT} bytes (assumed); the Express machine logs errors only.`,
    ],
  };
}

/** Seconds of all Lambdas for one mail. */
function lambdaSeconds(runs: readonly CountedRun[], memory: StageMemory): number {
  const all = runs.flatMap(({ invocations }) => invocations.map((one) => billedMs(one, memory[one.stage])));
  return all.reduce((sum, each) => sum + each, 0) / 1_000 / runs.length;
}

function figuresOf(runs: readonly CountedRun[], cost: Cost, seconds: number): Figure[] {
  const told = runs.reduce((sum, run) => sum + run.seconds, 0) / runs.length;
  const each = (pick: (run: CountedRun) => number) => runs.reduce((sum, run) => sum + pick(run), 0) / runs.length;
  const machines = total(machinesOf(cost));
  const alone = each((run) => run.transitionsAlone) * PER_MILLION.transition;
  return [
    {
      ...plain('Step Functions + Lambda + logs, per million mails', dollars(total(cost.flow))),
      atMost: TARGET_DOLLARS,
      baselines: [{ name: 'the same by the Standard machine alone', value: total(cost.flow) - machines + alone }],
    },
    plain('of it the state machines', dollars(machines)),
    plain('with S3, DynamoDB, SQS and EventBridge', dollars(total([...cost.flow, ...cost.extras]))),
    plain('transitions per mail', count(each((run) => run.transitions))),
    plain('S3 writes per mail', count(each((run) => run.requests.s3Writes))),
    plain('S3 reads per mail', count(each((run) => run.requests.s3Reads))),
    plain('seconds of Lambdas per mail', quantity(seconds, 's')),
    plain('seconds from arrival to delivery, without the work of functions', quantity(told, 's')),
  ];
}

function costTable(cost: Cost): Table {
  const lines = [...cost.flow, ...cost.extras].sort((one, other) => other.dollars - one.dollars);
  return {
    title: `Where the money goes (a transition is $${PER_MILLION.transition} per million)`,
    columns: ['', 'per mail', 'per million'],
    rows: lines.map(({ name, perMail, dollars: amount }): Cell[] => [name, count(perMail), dollars(amount)]),
  };
}

function functionTable(runs: readonly CountedRun[], memory: StageMemory): Table {
  const all = runs.flatMap(({ invocations }) => invocations);
  const names = [...new Set(all.map(({ stage }) => stage))];
  const rows = names.map((name: FunctionName): Cell[] => {
    const own = all.filter(({ stage }) => stage === name);
    const billed = own.reduce((sum, one) => sum + billedMs(one, memory[name]), 0) / runs.length;
    const amount = (billed / 1_000) * (memory[name] / 1_024) * PER_MILLION.gigabyteSecond;
    return [name, count(own.length / runs.length), `${memory[name]} MB`, ms(billed), dollars(amount)];
  });
  return { title: 'Functions', columns: ['function', 'times', 'memory', 'billed per mail', 'per million'], rows };
}

function carriedTable(seconds: number): Table {
  return {
    title: 'Mails that so many Lambdas at the same time carry',
    columns: ['Lambdas', 'mails per second'],
    rows: CONCURRENT.map((lambdas): Cell[] => [String(lambdas), quantity(lambdas / seconds, '/s')]),
  };
}
