import { Duration } from 'aws-cdk-lib';
import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import type * as lambda from 'aws-cdk-lib/aws-lambda';
import type * as logs from 'aws-cdk-lib/aws-logs';
import type * as sns from 'aws-cdk-lib/aws-sns';
import type * as sqs from 'aws-cdk-lib/aws-sqs';
import type * as sfn from 'aws-cdk-lib/aws-stepfunctions';
import { Construct } from 'constructs';
import type { StageName } from '../../pipeline/model.ts';
import type { Engines } from '../engines/engines.ts';
import { type EngineMetrics, engineMetrics } from '../engines/monitoring.ts';
import type { WayOut } from '../way-out.ts';
import { moneyOf } from './money.ts';
import { RunMetrics } from './run-metrics.ts';

export interface MonitoringProps {
  readonly queue: sqs.IQueue;
  readonly deadLetters: sqs.IQueue;
  readonly unfiled: sqs.IQueue;
  readonly stateMachine: sfn.StateMachine;
  /** The Express machine that the other one runs first. */
  readonly express: sfn.StateMachine;
  /** The log of `stateMachine`, with every event. */
  readonly machineLog: logs.ILogGroup;
  /** The name of this airlock in the metrics of the functions. */
  readonly airlock: string;
  readonly functions: Readonly<Record<StageName, lambda.IFunction>>;
  readonly logGroups: Readonly<Record<StageName, logs.ILogGroup>>;
  /** Null when a service does every kind of analysis. */
  readonly engines: Engines | null;
  /** The policy asks for seals. @default it does not */
  readonly seals?: boolean;
  /** The functions that work after runs have ended. @default nothing does */
  readonly waysOut?: readonly WayOut[];
  /** Queues of mail that doors could not note, by name. @default there is none */
  readonly doorLetters?: Readonly<Record<string, sqs.IQueue>>;
  /** @default alarms change their state and notify nobody */
  readonly alarmTopic?: sns.ITopic | undefined;
}

const PERIOD = Duration.minutes(5);
/** Mail that waits longer than this for its parser is late. */
const LATE_SECONDS = 15 * 60;
/** Quarantine handles its queue at once. A message older than two visibility timeouts has failed there. */
const STUCK_SECONDS = 60 * 60;
/**
 * The number of periods in a row after which somebody should look. A service may be away for a moment, and a burst of mail is throttled.
 */
const SOME_PERIODS = 3;
/** Far more than a day of attacks brings. Something is wrong with the airlock, the service or the policy. */
const QUARANTINED_PERCENT = 25;
const SHARE_PERIOD = Duration.hours(1);

/**
 * Alarms for mail that is late or was not handled, and one dashboard.
 *
 * @example
 * ```ts
 * import { Stack } from 'aws-cdk-lib';
 * import { Topic } from 'aws-cdk-lib/aws-sns';
 *
 * function watch(stack: Stack, props: Omit<MonitoringProps, 'alarmTopic'>): Monitoring {
 *   return new Monitoring(stack, 'Monitoring', { ...props, alarmTopic: new Topic(stack, 'Alarms') });
 * }
 * ```
 */
export class Monitoring extends Construct {
  private readonly alarms: cloudwatch.Alarm[];
  private readonly topic: sns.ITopic | undefined;

  constructor(scope: Construct, id: string, props: MonitoringProps) {
    super(scope, id);
    const { queue, deadLetters, unfiled, stateMachine, functions } = props;
    const runs = new RunMetrics(this, 'Runs', {
      logGroups: props.logGroups,
      machineLog: props.machineLog,
      airlock: props.airlock,
      period: PERIOD,
      seals: props.seals === true,
    });
    const { serviceRefuses, serviceAway } = runs;
    const share = runs.quarantinedShare(SHARE_PERIOD);
    const broken = brokenExpress(props.express, runs.expressUnheard);
    const alarms = [
      this.alarm(
        'ServiceRefuses',
        'the service refuses the key, or a secret or setting cannot be used; mail waits',
        serviceRefuses,
        1,
      ),
      this.alarm('ServiceAway', 'the service does not answer; mail waits', serviceAway, 1, SOME_PERIODS),
      this.alarm('HeldByFault', 'mail was held for a fault, not for what is in it', runs.failed, 1),
      this.alarm('QuarantinedShare', 'far more mail is held than usual', share, QUARANTINED_PERCENT),
      this.alarm('IntakeLate', 'mail waits to be parsed', age(queue), LATE_SECONDS),
      this.alarm('CasualtiesWaiting', 'events that parse could not handle', depth(deadLetters), 1),
      this.alarm('CasualtiesStuck', 'quarantine cannot file what failed', age(deadLetters), STUCK_SECONDS),
      this.alarm('UnfiledWaiting', 'quarantine gave up on a message; a person must look at it', depth(unfiled), 1),
      this.alarm('ExecutionsFailed', 'executions failed', stateMachine.metricFailed({ period: PERIOD }), 1),
      this.alarm('ExecutionsTimedOut', 'executions timed out', stateMachine.metricTimedOut({ period: PERIOD }), 1),
      this.alarm('ExecutionsAborted', 'executions were aborted', stateMachine.metricAborted({ period: PERIOD }), 1),
      this.alarm('ExpressBroken', 'the Standard state machine does what the Express one did not do', broken, 1),
      this.alarm(
        'Throttled',
        'functions are refused for lack of concurrency; mail waits',
        throttles(functions),
        1,
        SOME_PERIODS,
      ),
      this.alarm('QuarantineErrors', 'quarantine fails', functions.quarantine.metricErrors({ period: PERIOD }), 1),
    ];
    if (runs.notSealed)
      alarms.push(
        this.alarm('NotSealed', 'mail is delivered without a seal; the key cannot be used', runs.notSealed, 1),
      );
    for (const { node, deadLetters } of props.waysOut ?? [])
      alarms.push(
        this.alarm(`${node.id}Waiting`, `${node.id} gave up on the ends of some runs`, depth(deadLetters), 1),
      );
    for (const [name, letters] of Object.entries(props.doorLetters ?? {}))
      alarms.push(this.waiting(name, 'of mail that came in could not be noted', letters));
    const ofEngines = props.engines && engineMetrics(props.engines, PERIOD);
    for (const { id, what, metric, threshold } of ofEngines?.alarms ?? [])
      alarms.push(this.alarm(id, what, metric, threshold));
    this.alarms = alarms;
    this.topic = props.alarmTopic;
    for (const alarm of alarms) this.notify(alarm);
    this.dashboard(props, runs, alarms, ofEngines?.graphs ?? []);
  }

  /** Makes an alarm for a queue that should be empty, also on the dashboard. `what` follows the name. */
  watchLetters(name: string, what: string, letters: sqs.IQueue): void {
    const alarm = this.waiting(name, what, letters);
    this.notify(alarm);
    this.alarms.push(alarm);
  }

  /** Makes an alarm for any count, also on the dashboard. */
  watch(id: string, what: string, metric: cloudwatch.IMetric): void {
    const alarm = this.alarm(id, what, metric, 1);
    this.notify(alarm);
    this.alarms.push(alarm);
  }

  private waiting(name: string, what: string, letters: sqs.IQueue): cloudwatch.Alarm {
    return this.alarm(`${name}Waiting`, `${name} ${what}`, depth(letters), 1);
  }

  private notify(alarm: cloudwatch.Alarm): void {
    if (this.topic !== undefined) alarm.addAlarmAction(new SnsAction(this.topic));
  }

  private alarm(
    id: string,
    what: string,
    metric: cloudwatch.IMetric,
    threshold: number,
    evaluationPeriods = 1,
  ): cloudwatch.Alarm {
    return new cloudwatch.Alarm(this, id, {
      alarmDescription: `Mail Airlock: ${what}. What to do: docs/alarms.md, ${id}`,
      metric,
      threshold,
      evaluationPeriods,
      comparisonOperator: cloudwatch.ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
      treatMissingData: cloudwatch.TreatMissingData.NOT_BREACHING,
    });
  }

  private dashboard(
    props: MonitoringProps,
    runs: RunMetrics,
    alarms: cloudwatch.Alarm[],
    engineGraphs: EngineMetrics['graphs'],
  ): void {
    const { stateMachine, express, functions } = props;
    const engines = (props.engines?.engines ?? []).map(
      ({ kind, target }) => [`engine_${kind}`, target.function] as const,
    );
    const money = moneyOf({
      functions: { ...functions, ...Object.fromEntries(engines) },
      stateMachine,
      express,
      runs,
      period: PERIOD,
    });
    new cloudwatch.Dashboard(this, 'Dashboard', {
      widgets: [
        [new cloudwatch.AlarmStatusWidget({ title: 'Alarms', alarms, width: 24 })],
        ...mailRows(runs, money),
        ...executionRows(props, runs),
        stageRow(functions),
        ...engineGraphs.map(([title, metrics]) => [graph(title, metrics)]),
      ],
    });
  }
}

const graph = (title: string, left: cloudwatch.IMetric[]) => new cloudwatch.GraphWidget({ title, left, width: 12 });

/** The graphs of what became of mail, and of what it cost. */
function mailRows(runs: RunMetrics, money: ReturnType<typeof moneyOf>): cloudwatch.IWidget[][] {
  return [
    [
      graph('How mail ended', [runs.delivered, runs.quarantined, runs.failed]),
      graph('What was done to it', [runs.disarmed, runs.removed, runs.linksOff]),
    ],
    [
      graph('What was found in files and links', [...runs.verdicts]),
      graph('Held, by reason', [runs.quarantinedByReason]),
    ],
    [
      graph('Dollars by list price (us-east-1), without storage and requests of S3 and the like', [
        money.ofFunctions,
        money.ofMachines,
      ]),
      graph('Dollars per mail', [money.perMail]),
    ],
    [
      graph('Removed, by group of types', [...runs.removedByGroup]),
      graph('Analyses that one mail waits for, at most', [runs.outstanding]),
    ],
    [
      graph('Seconds from arrival to the end, and of it analysis', [runs.seconds, runs.analysisSeconds]),
      graph('Service', [runs.serviceAway, runs.serviceRefuses]),
    ],
  ];
}

/** The graphs of the two state machines and the queues in front of them. */
function executionRows(
  { queue, deadLetters, stateMachine, express, functions }: MonitoringProps,
  runs: RunMetrics,
): cloudwatch.IWidget[][] {
  return [
    [
      graph('Executions', [
        stateMachine.metricStarted({ period: PERIOD }),
        stateMachine.metricSucceeded({ period: PERIOD }),
        stateMachine.metricFailed({ period: PERIOD }),
      ]),
      graph('Waiting, and refused for lack of concurrency', [depth(queue), depth(deadLetters), throttles(functions)]),
    ],
    [
      // If the Express machine fails, the other machine does its work, at the price of its transitions.
      graph('Express executions', [
        express.metricStarted({ period: PERIOD }),
        express.metricSucceeded({ period: PERIOD }),
        express.metricFailed({ period: PERIOD }),
        express.metricTimedOut({ period: PERIOD }),
      ]),
      graph('Express executions that broke or were not heard of', [brokenExpress(express, runs.expressUnheard)]),
    ],
    [graph('Time of Express executions', [express.metricTime({ period: PERIOD, statistic: 'p95' })])],
  ];
}

function stageRow(functions: MonitoringProps['functions']): cloudwatch.IWidget[] {
  const stages = Object.values(functions);
  const errors = stages.map((stage) => stage.metricErrors({ period: PERIOD }));
  const durations = stages.map((stage) => stage.metricDuration({ period: PERIOD, statistic: 'p95' }));
  return [graph('Errors by stage', errors), graph('Duration by stage', durations)];
}

/** Counts executions of the Express machine that ended badly, and executions whose end their caller did not learn. */
function brokenExpress(express: sfn.StateMachine, unheard: cloudwatch.Metric): cloudwatch.MathExpression {
  const failed = express.metricFailed({ period: PERIOD });
  const timedOut = express.metricTimedOut({ period: PERIOD });
  return new cloudwatch.MathExpression({
    expression: 'FILL(failed, 0) + FILL(timedOut, 0) + FILL(unheard, 0)',
    usingMetrics: { failed, timedOut, unheard },
    label: 'broken or not heard of',
    period: PERIOD,
  });
}

/** Counts how often a stage was refused because the account had no concurrency left. An alarm takes at most ten metrics. */
function throttles(functions: MonitoringProps['functions']): cloudwatch.MathExpression {
  const usingMetrics = Object.fromEntries(
    Object.entries(functions).map(([stage, target]) => [stage, target.metricThrottles({ period: PERIOD })]),
  );
  const terms = Object.keys(usingMetrics).map((stage) => `FILL(${stage}, 0)`);
  return new cloudwatch.MathExpression({
    expression: terms.join(' + '),
    usingMetrics,
    label: 'throttled',
    period: PERIOD,
  });
}

function depth(queue: sqs.IQueue): cloudwatch.IMetric {
  return queue.metricApproximateNumberOfMessagesVisible({ period: PERIOD, statistic: 'Maximum' });
}

function age(queue: sqs.IQueue): cloudwatch.IMetric {
  return queue.metricApproximateAgeOfOldestMessage({ period: PERIOD, statistic: 'Maximum' });
}
