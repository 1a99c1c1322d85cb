import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import type * as events from 'aws-cdk-lib/aws-events';
import * as logs from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import type { Engines } from './engines/engines.ts';
import type { Monitoring } from './monitoring/monitoring.ts';
import { Scheduled, type ScheduledChoice } from './scheduled.ts';
import { allowSendingAs } from './ses-sender.ts';
import type { ServiceSecrets } from './stages/service-secrets.ts';

export interface RecheckProps extends ScheduledChoice {
  /** Null when no service is asked. */
  readonly secrets: ServiceSecrets | null;
  /** Null when a service does every kind of analysis. */
  readonly engines: Engines | null;
  readonly eventBus: events.IEventBus;
  /** Only files of mail that came in within this number of days are checked. */
  readonly days: number;
  /** The most files that are checked in a day. */
  readonly budget: number;
  /** The sender of mails to recipients, and the most mails of a day; null when nobody is told. */
  readonly mails: { readonly from: string; readonly most: number } | null;
  /** The name that separates the metrics of two airlocks in one account. */
  readonly airlock: string;
}

/** The names that it reads: chains with their keys, files to check, the block list of people, and its own notes. */
const READS = ['runs/*.json', 'keys/*', 'artifacts/*', 'audit/*', 'worse/*', 'rechecked/*', 'recalled/*'];
/** The reports of the engines of the stack. */
const REPORTS = 'reports/*';
/** Its notes: which files are worse, which files it checked, and whom it told of which runs. */
const WRITES = ['worse/*', 'rechecked/*', 'recalled/*'];

/**
 * Asks the engines, or the service, again about delivered files. It tells of the runs that delivered a file that is worse now, or that
 * people have blocked. Like `submit`, it passes bytes on and opens none. Its notes decide nothing. It sends mail to recipients only if the
 * owner says so.
 *
 * @example
 * ```ts
 * import type { Stack } from 'aws-cdk-lib';
 *
 * const lettersOf = (stack: Stack, props: RecheckProps) => new Recheck(stack, 'Recheck', props).deadLetters;
 * ```
 */
export class Recheck extends Scheduled {
  /** How many runs were reported, and how many recipients could not be told. */
  private readonly recalled: cloudwatch.Metric;
  private readonly unmailed: cloudwatch.Metric | null;

  constructor(scope: Construct, id: string, props: RecheckProps) {
    const { days, budget, secrets, engines, eventBus, mails } = props;
    const reads = engines === null ? READS : [...READS, REPORTS];
    const environment = {
      AIRLOCK_RECHECK_DAYS: String(days),
      AIRLOCK_RECHECK_BUDGET: String(budget),
      AIRLOCK_RECALL_MAILS: String(mails?.most ?? 0),
    };
    super(scope, id, { ...props, name: 'recheck', environment, reads, writes: WRITES });
    this.allow(['events:PutEvents'], [eventBus.eventBusArn]);
    secrets?.grantAnalysisTo(this);
    engines?.letAsk(this);
    this.function.addEnvironment('AIRLOCK_EVENT_BUS', eventBus.eventBusName);
    if (mails !== null) allowSendingAs(this, mails.from);
    this.recalled = this.counted('Recalled', props.airlock);
    this.unmailed = mails === null ? null : this.counted('Unmailed', props.airlock);
  }

  /** Returns a count that each round writes into the log. */
  private counted(name: string, airlock: string): cloudwatch.Metric {
    const filter = new logs.MetricFilter(this, name, {
      logGroup: this.logGroup,
      filterPattern: logs.FilterPattern.stringValue('$.message', '=', 'rechecked'),
      metricNamespace: 'MailAirlock',
      metricName: `${name}-${airlock}`,
      metricValue: `$.${name.toLowerCase()}`,
    });
    return filter.metric({ statistic: cloudwatch.Stats.SUM });
  }

  /** Makes alarms for delivered mail that must be recalled, and for a day on which nobody was asked. */
  tell(monitoring: Monitoring): void {
    monitoring.watch('MailRecalled', 'delivered mail has a file that is worse now, or blocked', this.recalled);
    if (this.unmailed !== null)
      monitoring.watch('RecallUnmailed', 'recipients of harmful mail are not told of it', this.unmailed);
    monitoring.watchLetters('Recheck', 'of a day could not be done', this.deadLetters);
  }
}
