import type { Duration } from 'aws-cdk-lib';
import type * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import type { Engines } from './engines.ts';

/** Jobs that wait longer than this delay mail. */
const LATE_SECONDS = 10 * 60;

/** A metric, the meaning of its threshold, and the name of its alarm. */
export interface WatchedMetric {
  readonly id: string;
  readonly what: string;
  readonly metric: cloudwatch.IMetric;
  readonly threshold: number;
}

/** The watched metrics of the engines of the stack. */
export interface EngineMetrics {
  readonly alarms: readonly WatchedMetric[];
  /** Graphs of the dashboard: a title, and its metrics. */
  readonly graphs: readonly (readonly [title: string, metrics: cloudwatch.IMetric[]])[];
}

/**
 * Returns the metrics of the engines: waiting jobs, killed engines, and jobs that no engine could do.
 *
 * @example
 * ```ts
 * import { Duration } from 'aws-cdk-lib';
 * import type { Engines } from './lib/infra/engines/engines.ts';
 *
 * const titles = (engines: Engines) => engineMetrics(engines, Duration.minutes(5)).graphs.map(([title]) => title);
 * ```
 */
export function engineMetrics({ engines, failed, unanswered, deadLetters }: Engines, period: Duration): EngineMetrics {
  const most = { period, statistic: 'Maximum' };
  const ages = engines.map(({ queue }) => queue.metricApproximateAgeOfOldestMessage(most));
  const each = (metric: (target: (typeof engines)[number]) => cloudwatch.IMetric) => engines.map(metric);
  const late = engines.map(({ kind }, index) => ({
    id: `EngineLate-${kind}`,
    what: `files wait for the engine of ${kind}`,
    metric: ages[index] as cloudwatch.IMetric,
    threshold: LATE_SECONDS,
  }));
  const unfinished = unanswered.metricApproximateNumberOfMessagesVisible(most);
  return {
    alarms: [
      ...late,
      {
        id: 'EngineFailed',
        what: 'a file killed its engine each time, or an engine cannot start',
        metric: failed.function.metricInvocations({ period }),
        threshold: 1,
      },
      {
        id: 'JobsUnanswered',
        what: 'jobs of the engines that have no report; a person must look at them',
        metric: unfinished,
        threshold: 1,
      },
    ],
    graphs: [
      ['Seconds that jobs wait for engines', ages],
      ['Jobs', each(({ target }) => target.function.metricInvocations({ period }))],
      ['Engines that were killed', each(({ target }) => target.function.metricErrors({ period }))],
      ['Jobs that nobody could do', [deadLetters.metricApproximateNumberOfMessagesVisible(most), unfinished]],
    ],
  };
}
