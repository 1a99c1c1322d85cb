import type { Duration } from 'aws-cdk-lib';
import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import * as logs from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { STAGE_NAMES, type StageName, TYPE_GROUPS, VERDICTS } from '../../pipeline/model.ts';

export interface RunMetricsProps {
  readonly logGroups: Readonly<Record<StageName, logs.ILogGroup>>;
  /** The log of the Standard state machine, which has every event. */
  readonly machineLog: logs.ILogGroup;
  /** The name of this airlock in the metrics of the functions (lambdas/shared/embedded-metrics.ts). */
  readonly airlock: string;
  readonly period: Duration;
  /** The policy asks for seals. @default it does not */
  readonly seals?: boolean;
}

const NAMESPACE = 'MailAirlock';
/** The stages that ask the service. */
const ASKING = ['submit', 'poll', 'fetch'] as const;
/** The stages that log when a secret, a key or a setting cannot be used: those that ask the service, and every stage that signs. */
const SIGNING = STAGE_NAMES;
/**
 * The event types for a state that calls another service and gets no answer. Only the state that runs the Express machine is such a state.
 * The stages are called as functions, and their failures have other event types (`LambdaFunctionFailed`).
 */
const UNANSWERED = ['TaskStartFailed', 'TaskSubmitFailed', 'TaskFailed', 'TaskTimedOut'] as const;

/**
 * Metrics of runs. The last stages log how runs ended (lib/pipeline/results/run-ended.ts, lambdas/embedded-metrics.ts). Filters on logs
 * count the answers of the service (lib/pipeline/analysis/patience.ts), and the events of the Standard state machine.
 *
 * @example
 * ```ts
 * import { Duration, Stack } from 'aws-cdk-lib';
 *
 * function delivered(stack: Stack, logs: Pick<RunMetricsProps, 'logGroups' | 'machineLog' | 'airlock'>) {
 *   return new RunMetrics(stack, 'Runs', { ...logs, period: Duration.minutes(5) }).delivered;
 * }
 * ```
 */
export class RunMetrics extends Construct {
  readonly delivered: cloudwatch.Metric;
  readonly quarantined: cloudwatch.Metric;
  /** Quarantined for a fault of ours or of the service, not for the content of the mail. */
  readonly failed: cloudwatch.Metric;
  readonly disarmed: cloudwatch.Metric;
  readonly removed: cloudwatch.Metric;
  readonly linksOff: cloudwatch.Metric;
  /** The time from the creation of a run to its end. */
  readonly seconds: cloudwatch.Metric;
  /** The time from the first submission of a run to the last answer. */
  readonly analysisSeconds: cloudwatch.Metric;
  /** Outstanding analyses of a run, logged each time that the run waits. */
  readonly outstanding: cloudwatch.Metric;
  /** Files and links by their verdict. */
  readonly verdicts: readonly cloudwatch.Metric[];
  /** Held mail by reason code, for a graph. An alarm cannot search. */
  readonly quarantinedByReason: cloudwatch.IMetric;
  /** Removed parts by group of types. */
  readonly removedByGroup: readonly cloudwatch.Metric[];
  /** States of the Standard machine that were entered. Each is paid for. */
  readonly statesEntered: cloudwatch.Metric;
  readonly serviceAway: cloudwatch.Metric;
  /** A secret, a key or a setting cannot be used. */
  readonly serviceRefuses: cloudwatch.Metric;
  /** Express executions that the Standard machine lost: refused, throttled, or without an answer in time. */
  readonly expressUnheard: cloudwatch.Metric;
  /** Mail delivered without the seal that the policy asks for; null when it asks for none. */
  readonly notSealed: cloudwatch.Metric | null;
  private readonly props: RunMetricsProps;

  constructor(scope: Construct, id: string, props: RunMetricsProps) {
    super(scope, id);
    this.props = props;
    const { stringValue, any } = logs.FilterPattern;
    this.delivered = this.ended('delivered');
    this.quarantined = this.ended('quarantined');
    this.failed = this.ended('heldByFault');
    this.disarmed = this.ended('disarmed');
    this.removed = this.ended('removed');
    this.linksOff = this.ended('linksOff');
    this.seconds = this.ended('seconds').with({ statistic: 'p95' });
    this.analysisSeconds = this.ended('analysisSeconds').with({ statistic: 'p95' });
    this.outstanding = this.ended('outstanding').with({ statistic: 'Maximum' });
    this.verdicts = VERDICTS.map((verdict) => this.ended(`verdict_${verdict}`));
    this.quarantinedByReason = this.byReason('quarantined');
    this.removedByGroup = TYPE_GROUPS.map((group) => this.ended(`removed_${group}`));
    this.serviceAway = this.metric('ServiceAway', ASKING, stringValue('$.fault', '=', 'away'));
    this.serviceRefuses = this.metric('ServiceRefuses', SIGNING, stringValue('$.fault', '=', 'misconfigured'));
    const unanswered = any(...UNANSWERED.map((type) => stringValue('$.type', '=', type)));
    this.expressUnheard = this.metricOf('ExpressUnheard', {
      InLog: { logGroup: props.machineLog, filterPattern: unanswered },
    });
    this.statesEntered = this.metricOf('StatesEntered', {
      InLog: { logGroup: props.machineLog, filterPattern: stringValue('$.type', '=', '*StateEntered') },
    });
    this.notSealed = props.seals
      ? this.metric('NotSealed', ['deliver'], stringValue('$.fault', '=', 'not_sealed'))
      : null;
  }

  /**
   * Returns the percentage of runs that ended in quarantine. It is 0 while fewer than ten runs ended, because one mail must not ring an
   * alarm.
   */
  quarantinedShare(period: Duration): cloudwatch.MathExpression {
    return new cloudwatch.MathExpression({
      expression:
        'IF(FILL(held, 0) + FILL(passed, 0) >= 10, 100 * FILL(held, 0) / (FILL(held, 0) + FILL(passed, 0)), 0)',
      usingMetrics: { held: this.quarantined.with({ period }), passed: this.delivered.with({ period }) },
      label: 'quarantined, percent',
      period,
    });
  }

  /** Makes a metric of one number in the log lines of the stages. */
  private ended(metricName: string): cloudwatch.Metric {
    const { airlock, period } = this.props;
    return new cloudwatch.Metric({
      namespace: NAMESPACE,
      metricName,
      dimensionsMap: { airlock },
      statistic: 'Sum',
      period,
    });
  }

  /** Makes a metric of one number in the log lines, for each reason. */
  private byReason(name: string): cloudwatch.IMetric {
    const { airlock, period } = this.props;
    const found = `{${NAMESPACE},airlock,reason} airlock="${airlock}" MetricName="${name}"`;
    const expression = `SEARCH('${found}', 'Sum', ${period.toSeconds()})`;
    return new cloudwatch.MathExpression({ expression, usingMetrics: {}, label: '', period });
  }

  private metric(name: string, stages: readonly StageName[], filterPattern: logs.IFilterPattern): cloudwatch.Metric {
    const filters = stages.map(
      (stage) => [`In${stage}`, { logGroup: this.props.logGroups[stage], filterPattern }] as const,
    );
    return this.metricOf(name, Object.fromEntries(filters));
  }

  /** Makes a metric. Each of the filters adds the lines that it finds. */
  private metricOf(name: string, filters: Readonly<Record<string, Filter>>): cloudwatch.Metric {
    // The metrics of two airlocks in one account must not add up.
    const metricName = `${name}-${this.node.addr.slice(-8)}`;
    for (const [where, filter] of Object.entries(filters))
      new logs.MetricFilter(this, `${name}${where}`, { metricNamespace: NAMESPACE, metricName, ...filter });
    return new cloudwatch.Metric({ namespace: NAMESPACE, metricName, statistic: 'Sum', period: this.props.period });
  }
}

type Filter = Pick<logs.MetricFilterProps, 'logGroup' | 'filterPattern'>;
