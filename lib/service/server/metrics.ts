/** The counters of the service, in the text format of Prometheus. No label holds anything that a caller chose. */
import type { AccessLogEntry } from './routing.ts';
import type { StoredSubmission } from './store/submissions.ts';

/** Every counter and gauge with its explanation and the names of its labels. */
const SERIES = {
  requests_total: { type: 'counter', help: 'Requests, by route and status.', labels: ['route', 'status'] },
  request_seconds_total: { type: 'counter', help: 'Seconds until the answer, by route.', labels: ['route'] },
  reports_total: { type: 'counter', help: 'Reports that have ended, by type and status.', labels: ['type', 'status'] },
  report_seconds_total: { type: 'counter', help: 'Seconds that the engines took, by type.', labels: ['type'] },
  webhooks_total: { type: 'counter', help: 'Webhooks, by what became of them.', labels: ['outcome'] },
  faults_total: { type: 'counter', help: 'Faults of the service itself.', labels: [] },
  pending: { type: 'gauge', help: 'Submissions that wait or run, and uploads that are being read.', labels: [] },
  ready: { type: 'gauge', help: '1 when the service takes requests, else 0.', labels: [] },
} as const;
type Series = keyof typeof SERIES;

/** Counters that start at zero. */
export class ServiceMetrics {
  readonly #values = new Map<Series, Map<string, number>>();

  request({ route, status, durationMs }: AccessLogEntry): void {
    this.#add('requests_total', 1, route, String(status));
    this.#add('request_seconds_total', durationMs / 1_000, route);
  }

  /** Counts the reports of a submission that has ended. */
  ended({ reports }: StoredSubmission): void {
    for (const { type, status, durationSeconds } of reports) {
      this.#add('reports_total', 1, type, status);
      this.#add('report_seconds_total', durationSeconds ?? 0, type);
    }
  }

  webhook(outcome: string): void {
    this.#add('webhooks_total', 1, outcome);
  }

  fault(): void {
    this.#add('faults_total', 1);
  }

  /** Writes the text of the endpoint, with the present values of the gauges. */
  text(gauges: { readonly pending: number; readonly ready: boolean }): string {
    this.#values.set('pending', new Map([['', gauges.pending]]));
    this.#values.set('ready', new Map([['', gauges.ready ? 1 : 0]]));
    const lines = (Object.keys(SERIES) as Series[]).flatMap((series) => {
      const { type, help, labels } = SERIES[series];
      const name = `airlock_service_${series}`;
      const values = [...(this.#values.get(series) ?? (labels.length === 0 ? [['', 0] as const] : []))];
      return [
        `# HELP ${name} ${help}`,
        `# TYPE ${name} ${type}`,
        ...values.map(([at, value]) => `${name}${at} ${value}`),
      ];
    });
    return `${lines.join('\n')}\n`;
  }

  #add(series: Series, by: number, ...words: readonly string[]): void {
    const at = SERIES[series].labels.map((label, index) => `${label}="${words[index]}"`).join(',');
    const values = this.#values.get(series) ?? new Map<string, number>();
    this.#values.set(series, values);
    const key = at === '' ? '' : `{${at}}`;
    values.set(key, (values.get(key) ?? 0) + by);
  }
}
