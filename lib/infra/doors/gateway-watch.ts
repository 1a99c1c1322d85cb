import { Duration } from 'aws-cdk-lib';
import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import * as logs from 'aws-cdk-lib/aws-logs';
import type * as sns from 'aws-cdk-lib/aws-sns';
import { Construct } from 'constructs';

/**
 * Returns a program for `node -e`. It reads the metrics at a given interval in seconds, and prints the waiting mail of the spool as a JSON
 * line. When the gateway does not answer, it prints nothing, and the missing line rings an alarm.
 *
 * @example
 * ```ts
 * const command = ['node', '-e', watchScript('http://127.0.0.1:9100/metrics', 60)];
 * ```
 */
export const watchScript = (url: string, seconds: number): string => `
const look = async () => {
  const text = await (await fetch(${JSON.stringify(url)}, { signal: AbortSignal.timeout(10000) })).text();
  const value = (name) => Number(new RegExp('^airlock_gateway_' + name + ' (\\\\S+)$', 'm').exec(text)?.[1] ?? 0);
  const states = (...names) => names.reduce((sum, name) => sum + value('queue\\\\{state="' + name + '"\\\\}'), 0);
  const waiting = states('judging', 'sending');
  const line = { airlockGateway: 'watch', waiting, undelivered: states('undelivered'), oldestSeconds: value('oldest_seconds') };
  console.log(JSON.stringify(line));
};
const again = () => look().catch(() => undefined);
setInterval(again, ${seconds * 1000});
again();
process.on('SIGTERM', () => process.exit(0));
`;

export interface GatewayWatchProps {
  /** The log that gets the lines of the script. */
  readonly logGroup: logs.ILogGroup;
  readonly mostQueued: number;
  readonly alarmTopic?: sns.ITopic | undefined;
}

const PERIOD = Duration.minutes(5);
/** Mail that is older than this waits for its judgement, or for the next server. Seconds. */
const LATE_SECONDS = 15 * 60;

/**
 * Alarms about one spool: mail that waits, is late or could not be delivered, and a gateway that is silent.
 *
 * @example
 * ```ts
 * import type { Stack } from 'aws-cdk-lib';
 *
 * const watch = (stack: Stack, props: GatewayWatchProps) => new GatewayWatch(stack, 'Watch', props).alarms;
 * ```
 */
export class GatewayWatch extends Construct {
  readonly alarms: readonly cloudwatch.Alarm[];

  constructor(scope: Construct, id: string, { logGroup, mostQueued, alarmTopic }: GatewayWatchProps) {
    super(scope, id);
    const metric = (name: string, statistic = 'Maximum') =>
      new logs.MetricFilter(this, name, {
        logGroup,
        metricNamespace: 'MailAirlock/Gateway',
        // Each spool has its own metrics.
        metricName: `${this.node.addr.slice(-8)}-${name}`,
        metricValue: `$.${name}`,
        filterPattern: logs.FilterPattern.stringValue('$.airlockGateway', '=', 'watch'),
      }).metric({ statistic, period: PERIOD });
    const oldest = metric('oldestSeconds');
    this.alarms = [
      this.alarm('QueueLong', 'many messages wait', metric('waiting'), mostQueued),
      this.alarm('MailLate', 'mail waits to be judged or sent', oldest, LATE_SECONDS),
      this.alarm('Undelivered', 'a person must look at mail that could not be delivered', metric('undelivered'), 1),
      new cloudwatch.Alarm(this, 'Silent', {
        alarmDescription: described('Silent', 'nothing is heard of it'),
        metric: oldest.with({ statistic: 'SampleCount' }),
        threshold: 1,
        evaluationPeriods: 2,
        comparisonOperator: cloudwatch.ComparisonOperator.LESS_THAN_THRESHOLD,
        treatMissingData: cloudwatch.TreatMissingData.BREACHING,
      }),
    ];
    if (alarmTopic !== undefined) for (const alarm of this.alarms) alarm.addAlarmAction(new SnsAction(alarmTopic));
  }

  private alarm(id: string, what: string, metric: cloudwatch.IMetric, threshold: number): cloudwatch.Alarm {
    return new cloudwatch.Alarm(this, id, {
      alarmDescription: described(id, what),
      metric,
      threshold,
      evaluationPeriods: 1,
      comparisonOperator: cloudwatch.ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
      treatMissingData: cloudwatch.TreatMissingData.NOT_BREACHING,
    });
  }
}

const described = (id: string, what: string) => `Mail Airlock gateway: ${what}. What to do: docs/alarms.md, ${id}`;
