/** What a million mails cost, from counted runs and list prices. Pure arithmetic. */
import type { Requests } from './counted-ports.ts';
import type { CountedRun, FunctionName, Invocation } from './counted-run.ts';
import {
  EVENTS_PER_MAIL,
  LOG_BYTES_PER_INVOCATION,
  LOGS_PER_GIGABYTE,
  ONE_CPU_MB,
  PER_MILLION,
  SQS_REQUESTS_PER_MESSAGE,
} from './prices.ts';

/** The mean of what several runs used: one with 1 and one with 2 attachments stand for 1.5. */
export interface MeanRun {
  readonly transitions: number;
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
  /** Step Functions, Lambda and its logs: what the target is about. */
  readonly flow: readonly CostLine[];
  readonly extras: readonly CostLine[];
}

/** Billed ms of an invocation: CPU that takes 10 ms here takes longer where the function has a share of a CPU. */
export function billedMs({ wallMs, cpuMs }: Invocation, memoryMb: number): number {
  return wallMs + cpuMs * Math.max(0, ONE_CPU_MB / memoryMb - 1);
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
  return {
    flow: [
      line('Step Functions: transitions', run.transitions, PER_MILLION.transition),
      line('Lambda: requests', run.invocations, PER_MILLION.lambdaRequest),
      line('Lambda: GB-seconds', run.gigabyteSeconds, PER_MILLION.gigabyteSecond),
      line('CloudWatch Logs: kB', (run.invocations * LOG_BYTES_PER_INVOCATION) / 1_000, LOGS_PER_GIGABYTE),
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

/** Dollars of all lines. */
export function total(lines: readonly CostLine[]): number {
  return lines.reduce((sum, { dollars }) => sum + dollars, 0);
}
