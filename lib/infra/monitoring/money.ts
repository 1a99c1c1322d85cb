import type { Duration } from 'aws-cdk-lib';
import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import * as lambda from 'aws-cdk-lib/aws-lambda';
import type * as sfn from 'aws-cdk-lib/aws-stepfunctions';
import { EXPRESS, PER_MILLION } from './list-prices.ts';
import type { RunMetrics } from './run-metrics.ts';

export interface MoneyProps {
  /** Functions that cost money, by a name of small letters, digits and underscores. */
  readonly functions: Readonly<Record<string, lambda.IFunction>>;
  readonly stateMachine: sfn.StateMachine;
  readonly express: sfn.StateMachine;
  readonly runs: RunMetrics;
  readonly period: Duration;
}

/** The cost of the airlock by list price. */
export interface Money {
  readonly ofFunctions: cloudwatch.IMetric;
  readonly ofMachines: cloudwatch.IMetric;
  /** Both costs, divided by the mails that ended in the same time. */
  readonly perMail: cloudwatch.IMetric;
}

const DEFAULT_MEMORY_MB = 128;
const MILLION = 1_000_000;
/** The number of mails that ended in the period, as an expression of CloudWatch. */
const ENDED = 'FILL(delivered, 0) + FILL(quarantined, 0)';

/**
 * Computes the cost of functions and state machines, from their CloudWatch metrics and the memory of each function. It leaves out starts of
 * functions, storage, logs, and requests of S3, DynamoDB, SQS and EventBridge. AWS charges extra to count those.
 *
 * @example
 * ```ts
 * import type { IMetric } from 'aws-cdk-lib/aws-cloudwatch';
 *
 * const dollarsPerMail = (props: MoneyProps): IMetric => moneyOf(props).perMail;
 * ```
 */
export function moneyOf({ functions, stateMachine, express, runs, period }: MoneyProps): Money {
  const sum = (expression: string, usingMetrics: Record<string, cloudwatch.IMetric>, label: string) =>
    new cloudwatch.MathExpression({ expression, usingMetrics, label, period });
  const each = Object.entries(functions);
  // Gigabyte-milliseconds of memory.
  const held = each.map(([name, target]) => `FILL(${name}Ms, 0) * ${memoryMb(target) / 1_024}`).join(' + ');
  const times = each.map(([name]) => `FILL(${name}Times, 0)`).join(' + ');
  const ofFunctions = sum(
    `${perMillion(`(${held}) / 1000`, PER_MILLION.gigabyteSecond)} + ${perMillion(times, PER_MILLION.lambdaRequest)}`,
    Object.fromEntries(
      each.flatMap(([name, target]) => [
        [`${name}Ms`, target.metricDuration({ period, statistic: 'Sum' })],
        [`${name}Times`, target.metricInvocations({ period })],
      ]),
    ),
    'Lambda, dollars',
  );
  const ofMachines = sum(
    [
      // The start of an execution counts as a transition, too.
      perMillion('FILL(entered, 0) + FILL(begun, 0)', PER_MILLION.transition),
      perMillion('FILL(expressBegun, 0)', EXPRESS.execution),
      perMillion(`FILL(expressMs, 0) / 1000 * ${EXPRESS.gigabytes}`, EXPRESS.gigabyteSecond),
    ].join(' + '),
    {
      entered: runs.statesEntered,
      begun: stateMachine.metricStarted({ period }),
      expressBegun: express.metricStarted({ period }),
      expressMs: express.metricTime({ period, statistic: 'Sum' }),
    },
    'Step Functions, dollars',
  );
  const perMail = sum(
    `IF(${ENDED} > 0, (functions + machines) / (${ENDED}), 0)`,
    { functions: ofFunctions, machines: ofMachines, delivered: runs.delivered, quarantined: runs.quarantined },
    'Lambda and Step Functions, dollars per mail',
  );
  return { ofFunctions, ofMachines, perMail };
}

const perMillion = (count: string, dollars: number) => `(${count}) * ${dollars} / ${MILLION}`;

function memoryMb({ node }: lambda.IFunction): number {
  const made = node.defaultChild;
  return (made instanceof lambda.CfnFunction ? made.memorySize : undefined) ?? DEFAULT_MEMORY_MB;
}
