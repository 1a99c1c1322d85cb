/** The counters of the gateway, in the text format of Prometheus. No label holds a value of a sender. */

const COUNTERS = {
  accepted_total: 'Messages that were answered with 250.',
  accepted_bytes_total: 'Bytes of these messages.',
  refused_total: 'Commands and messages that were refused, by the enhanced status code.',
  cut_total: 'Connections that their client cut in the middle of something, by what.',
  milter_answers_total: 'Messages that were offered by milter, by what the mail server was told.',
  judged_total: 'Judgements, by their end.',
  sent_total: 'Messages that the next hop took for all of their recipients.',
  first_messages_total: 'Messages of which the text went on while files were still examined.',
  recipients_total: 'Recipients that reached an end, by it.',
  deferred_total: 'Tries after which a message waits for the next one.',
  possible_duplicates_total:
    'Messages that were sent again though the next hop may have them, because its answer was lost.',
  notices_total: 'Notices to people, by what became of them.',
  faults_total: 'Faults of the gateway itself.',
} as const;
const GAUGES = {
  connections: 'Open connections.',
  queue: 'Messages in the spool, by state.',
  oldest_seconds: 'Age of the oldest message that is still to be judged or sent.',
  free_disk_bytes: 'Bytes that the spool may still write.',
} as const;
/** Upper bounds in seconds. A held message has none. */
const BUCKETS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1800];

export type Counter = keyof typeof COUNTERS;
export type Gauge = keyof typeof GAUGES;

export interface Metrics {
  /** `label` is a word of ours. */
  count(counter: Counter, by?: number, label?: string): void;
  set(gauge: Gauge, value: number, label?: string): void;
  /** Records the seconds from acceptance to the answer of the next hop. */
  passed(seconds: number): void;
  text(): string;
}

const LABELS: Readonly<Partial<Record<Counter | Gauge, string>>> = {
  refused_total: 'status',
  cut_total: 'during',
  milter_answers_total: 'answer',
  judged_total: 'end',
  recipients_total: 'end',
  notices_total: 'end',
  queue: 'state',
};

/** Returns counters at zero. */
export function openMetrics(): Metrics {
  const values = new Map<string, Map<string, number>>();
  const of = (name: string) => {
    const found = values.get(name) ?? new Map<string, number>();
    values.set(name, found);
    return found;
  };
  const buckets = BUCKETS.map(() => 0);
  let [sum, total] = [0, 0];
  return {
    count(counter, by = 1, label = '') {
      of(counter).set(label, (of(counter).get(label) ?? 0) + by);
    },
    set(gauge, value, label = '') {
      of(gauge).set(label, value);
    },
    passed(seconds) {
      sum += seconds;
      total += 1;
      for (const [index, bound] of BUCKETS.entries()) if (seconds <= bound) buckets[index] = (buckets[index] ?? 0) + 1;
    },
    text() {
      const plain = [...Object.entries(COUNTERS), ...Object.entries(GAUGES)].flatMap(([name, help]) => {
        const type = name in COUNTERS ? 'counter' : 'gauge';
        const label = LABELS[name as Counter | Gauge];
        const found = [...of(name)];
        const lines = found.length > 0 || label !== undefined ? found : ([['', 0]] as const);
        return [
          `# HELP airlock_gateway_${name} ${help}`,
          `# TYPE airlock_gateway_${name} ${type}`,
          ...lines.map(([word, value]) => `airlock_gateway_${name}${label ? `{${label}="${word}"}` : ''} ${value}`),
        ];
      });
      const name = 'airlock_gateway_seconds';
      return [
        ...plain,
        `# HELP ${name} Seconds from acceptance until the next hop took the message.`,
        `# TYPE ${name} histogram`,
        ...BUCKETS.map((bound, index) => `${name}_bucket{le="${bound}"} ${buckets[index]}`),
        `${name}_bucket{le="+Inf"} ${total}`,
        `${name}_sum ${sum}`,
        `${name}_count ${total}`,
        '',
      ].join('\n');
    },
  };
}
