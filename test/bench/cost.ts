/** What a million mails cost, from counted runs and list prices. Pure arithmetic. */
import type { Requests } from './counted-ports.ts';
import type { CountedRun, FunctionName, Invocation } from './counted-run.ts';
import {
  EVENTS_PER_MAIL,
  EXPRESS,
  LOG_BYTES_PER_EVENT,
  LOG_BYTES_PER_INVOCATION,
  LOGS_PER_GIGABYTE,
  ONE_CPU_MB,
  PER_MILLION,
  SQS_REQUESTS_PER_MESSAGE,
} from './prices.ts';

/** The mean of what several runs used: one with 1 and one with 2 attachments stand for 1.5. */
export interface MeanRun {
  readonly transitions: number;
  /** How long the Express execution lasts. */
  readonly expressSeconds: number;
  /** Events in the log of the state machines. */
  readonly loggedEvents: number;
  readonly invocations: number;
  readonly requests: Requests;
  readonly gigabyteSeconds: number;
}

/** One line of the bill: how many per mail, and dollars per million mails. */
export interface CostLine {
  readonly name: string;
  readonly perMail: number;
  readonly dollars: number;
}

export interface Cost {
  /** Step Functions, Lambda and the logs of both: what the target is about. */
  readonly flow: readonly CostLine[];
  readonly extras: readonly CostLine[];
}

/** Billed ms of an invocation: CPU that takes 10 ms here takes longer where the function has a share of a CPU. */
export function billedMs({ wallMs, cpuMs }: Invocation, memoryMb: number): number {
  return wallMs + cpuMs * Math.max(0, ONE_CPU_MB / memoryMb - 1);
}

/** How long the Express execution of a run is billed: its waits, and the functions that it waits for. */
export function expressSeconds(
  { expressWaits, invocations }: CountedRun,
  memoryMb: Readonly<Record<FunctionName, number>>,
): number {
  const own = invocations.filter(({ machine }) => machine === 'express');
  const seconds = own.reduce((sum, one) => sum + billedMs(one, memoryMb[one.stage]) / 1_000, expressWaits);
  return Math.ceil(seconds / EXPRESS.stepSeconds) * EXPRESS.stepSeconds;
}

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

/** The mean run; `memoryMb` says how much memory each stage has. */
export function meanRun(runs: readonly CountedRun[], memoryMb: Readonly<Record<FunctionName, number>>): MeanRun {
  const of = (pick: (run: CountedRun) => number) => mean(runs.map(pick));
  const gigabyteSeconds = (run: CountedRun) =>
    run.invocations.reduce((sum, invocation) => {
      const memory = memoryMb[invocation.stage];
      return sum + (billedMs(invocation, memory) / 1_000) * (memory / 1_024);
    }, 0);
  return {
    transitions: of((run) => run.transitions),
    expressSeconds: of((run) => expressSeconds(run, memoryMb)),
    loggedEvents: of((run) => run.loggedEvents),
    invocations: of((run) => run.invocations.length),
    gigabyteSeconds: of(gigabyteSeconds),
    requests: {
      s3Writes: of((run) => run.requests.s3Writes),
      s3Reads: of((run) => run.requests.s3Reads),
      dynamoWriteUnits: of((run) => run.requests.dynamoWriteUnits),
      dynamoReadUnits: of((run) => run.requests.dynamoReadUnits),
      service: of((run) => run.requests.service),
      jobs: of((run) => run.requests.jobs),
    },
  };
}

/** Dollars per million mails. */
export function costOf(run: MeanRun): Cost {
  const line = (name: string, perMail: number, perMillion: number): CostLine => ({
    name,
    perMail,
    dollars: perMail * perMillion,
  });
  const { s3Writes, s3Reads, dynamoWriteUnits, dynamoReadUnits, jobs } = run.requests;
  const logBytes = run.invocations * LOG_BYTES_PER_INVOCATION + run.loggedEvents * LOG_BYTES_PER_EVENT;
  return {
    flow: [
      line('Step Functions: transitions of the Standard machine', run.transitions, PER_MILLION.transition),
      line('Step Functions: Express executions', 1, EXPRESS.execution),
      line('Step Functions: seconds of Express', run.expressSeconds, EXPRESS.gigabytes * EXPRESS.gigabyteSecond),
      line('Lambda: requests', run.invocations, PER_MILLION.lambdaRequest),
      line('Lambda: GB-seconds', run.gigabyteSeconds, PER_MILLION.gigabyteSecond),
      line('CloudWatch Logs: kB', logBytes / 1_000, LOGS_PER_GIGABYTE),
    ],
    extras: [
      line('S3: PUT and COPY', s3Writes, PER_MILLION.s3Write),
      line('S3: GET and HEAD', s3Reads, PER_MILLION.s3Read),
      line('DynamoDB: write units', dynamoWriteUnits, PER_MILLION.dynamoWrite),
      line('DynamoDB: read units', dynamoReadUnits, PER_MILLION.dynamoRead),
      line('SQS: requests of the intake queue', SQS_REQUESTS_PER_MESSAGE, PER_MILLION.sqsRequest),
      line('SQS: requests of the queues of the engines', jobs * SQS_REQUESTS_PER_MESSAGE, PER_MILLION.sqsRequest),
      line('EventBridge: events', EVENTS_PER_MAIL, PER_MILLION.event),
    ],
  };
}

/** What of a cost is Step Functions. */
export function machinesOf({ flow }: Cost): CostLine[] {
  return flow.filter(({ name }) => name.startsWith('Step Functions'));
}

/** Dollars of all lines. */
export function total(lines: readonly CostLine[]): number {
  return lines.reduce((sum, { dollars }) => sum + dollars, 0);
}
