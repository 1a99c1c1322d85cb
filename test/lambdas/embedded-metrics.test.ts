/** What CloudWatch needs of a line to count it: every metric and dimension that `_aws` names is a field of the line, a number or a text. */
import { describe, expect, test } from 'vitest';
import { OUTSTANDING, withMetrics } from '../../lambdas/shared/embedded-metrics.ts';
import { RUN_ENDED } from '../../lib/pipeline/results/run-ended.ts';

interface Embedded {
  readonly Timestamp: number;
  readonly CloudWatchMetrics: readonly {
    readonly Namespace: string;
    readonly Dimensions: readonly (readonly string[])[];
    readonly Metrics: readonly { readonly Name: string }[];
  }[];
}
type Line = Readonly<Record<string, unknown>> & { readonly _aws: Embedded };

/** What is written for a line, as it stands in the log. */
function written(message: string, fields: Readonly<Record<string, string | number>>): Line {
  const lines: object[] = [];
  const note = (_: string, line: object) => void lines.push(line);
  withMetrics({ info: note, warn: note }, 'a1b2c3d4').info(message, fields);
  return JSON.parse(JSON.stringify(lines[0])) as Line;
}

const directives = ({ _aws }: Line) =>
  _aws.CloudWatchMetrics.map(({ Dimensions, Metrics }) => [Dimensions, Metrics.map(({ Name }) => Name)]);

const END = { runId: 'ab', state: 'delivered', reason: 'none', seconds: 4.5, removed_office: 2, verdict_benign: 3 };

describe('the line of the end of a run', () => {
  test('counts a delivered mail and every number of it', () => {
    const line = written(RUN_ENDED, END);
    expect(line).toMatchObject({ ...END, delivered: 1, airlock: 'a1b2c3d4' });
    expect(directives(line)).toEqual([[[['airlock']], ['seconds', 'removed_office', 'verdict_benign', 'delivered']]]);
  });

  test('counts a held mail by its reason, too', () => {
    const line = written(RUN_ENDED, { ...END, state: 'quarantined', reason: 'malicious' });
    expect(line).toMatchObject({ quarantined: 1, reason: 'malicious' });
    expect(line).not.toHaveProperty('heldByFault');
    expect(directives(line)[1]).toEqual([[['airlock', 'reason']], ['quarantined']]);
  });

  test.each(['run_failed', 'timeout', 'service_error'])(
    'counts a mail that is held as %s as held by a fault',
    (reason) => {
      const line = written(RUN_ENDED, { ...END, state: 'quarantined', reason });
      expect(line.heldByFault).toBe(1);
      expect(directives(line)[0]?.[1]).toContain('heldByFault');
    },
  );
});

test('every metric is a number of its line, and every dimension a text', () => {
  for (const line of [
    written(RUN_ENDED, END),
    written(RUN_ENDED, { ...END, state: 'quarantined', reason: 'timeout' }),
    written(OUTSTANDING, { outstanding: 2 }),
  ]) {
    // CloudWatch drops lines that are older than two weeks, or newer than two hours.
    expect(Math.abs(Date.now() - line._aws.Timestamp)).toBeLessThan(60_000);
    expect(line._aws.CloudWatchMetrics).not.toEqual([]);
    for (const { Namespace, Dimensions, Metrics } of line._aws.CloudWatchMetrics) {
      expect(Namespace).toBe('MailAirlock');
      expect(Metrics.map(({ Name }) => typeof line[Name])).toEqual(Metrics.map(() => 'number'));
      expect(Dimensions.flat().map((name) => typeof line[name])).toEqual(Dimensions.flat().map(() => 'string'));
    }
  }
});

test('what is outstanding is a metric, and every other line stays as it is', () => {
  expect(directives(written(OUTSTANDING, { outstanding: 2 }))).toEqual([[[['airlock']], ['outstanding']]]);
  expect(written('the service is away', { fault: 'away', polls: 3 })).toEqual({ fault: 'away', polls: 3 });
});
