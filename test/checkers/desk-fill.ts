/** Fills the index of a desk with made-up runs, in one transaction: mail of the last week, as an office of some hundred people has it. */
import { join } from 'node:path';
import Database from 'libsql';
import { sha256Hex } from '../../lib/pipeline/keys.ts';
import type { FactKind, RunRow } from '../../lib/pipeline/runs/row.ts';
import { openSqliteRuns } from '../../lib/storage/sqlite/runs.ts';
import { referenceOf } from '../../lib/words/reference.ts';

const HOUR_MS = 3_600_000;
/** Nothing of the last day is made up, so that what looks into ledgers there (another policy, say) finds those of real mail. */
const [NEWEST_HOURS, OLDEST_HOURS] = [26, 150];
/** How much mail comes in each hour of a day, in parts of the busiest. */
const BUSY = [1, 1, 1, 1, 1, 2, 4, 8, 10, 10, 9, 7, 6, 8, 9, 9, 8, 6, 4, 3, 2, 2, 1, 1];
/** Some are more frequent than others. */
const REASONS = [
  ...Array(9).fill('malicious'),
  ...Array(5).fill('suspicious'),
  ...Array(4).fill('encrypted'),
  'timeout',
  'readings_disagree',
  'unsupported',
] as string[];
const SUBJECTS = ['Invoice', 'Order', 'Meeting', 'Delivery', 'Application', 'Contract', 'Reminder', 'Report'] as const;

/** Writes the runs. The index must be there. */
export function fillIndex(out: string, runs: number, now: number): void {
  const path = join(out, 'index', 'runs.sqlite');
  openSqliteRuns(path).close();
  const db = new Database(path);
  db.exec('BEGIN');
  const run = db.prepare('INSERT INTO runs (run, born, row) VALUES (?, ?, ?)');
  const fact = db.prepare('INSERT INTO facts (kind, value, born, run) VALUES (?, ?, ?, ?)');
  const hours = hoursOf(now);
  for (let number = 0; number < runs; number += 1) {
    const row = rowOf(number, hours[number % hours.length] ?? now);
    run.run(row.runId, row.bornAt, JSON.stringify(row));
    for (const [kind, value] of factsOf(row, number)) fact.run(kind, value, row.bornAt, row.runId);
  }
  db.exec('COMMIT');
  db.close();
}

/** Beginnings of hours, each as often as it is busy. */
function hoursOf(now: number): number[] {
  const all: number[] = [];
  for (let back = NEWEST_HOURS; back < OLDEST_HOURS; back += 1) {
    const at = now - back * HOUR_MS;
    const busy = BUSY[new Date(at).getUTCHours()] ?? 1;
    for (let time = 0; time < busy; time += 1) all.push(at);
  }
  return all;
}

function rowOf(number: number, hour: number): RunRow {
  const runId = sha256Hex(`made up ${number}`).slice(0, 32);
  const isHeld = number % 8 === 0;
  const bornAt = hour + ((number * 7_919) % HOUR_MS);
  return {
    runId,
    reference: referenceOf(runId),
    attempt: 1,
    state: isHeld ? 'quarantined' : 'delivered',
    reasons: isHeld ? [REASONS[Math.floor(number / 8) % REASONS.length] ?? 'malicious'] : [],
    bornAt,
    endedAt: bornAt + 900,
    from: `p${number % 400}[@]firm${number % 90}[.]example`,
    to: `reader${number % 250}[@]corp[.]example`,
    subject: `${SUBJECTS[number % SUBJECTS.length]} ${20_000 + number}`,
    messageId: '',
    size: 2_000 + ((number * 977) % 90_000),
    parts: { keep: 1, disarm: number % 3, remove: isHeld ? 1 : 0 },
    stages: {
      parse: 9 + (number % 30),
      submit: 4,
      poll: 40 + (number % 300),
      fetch: 3,
      decide: 2,
      rebuild: 30 + (number % 90),
    },
  };
}

const factsOf = (row: RunRow, number: number): readonly (readonly [FactKind, string])[] => [
  ['reference', row.reference],
  ['state', row.state],
  ...row.reasons.map((code) => ['reason', code] as const),
  ['sender', row.from.replaceAll('[', '').replaceAll(']', '')],
  ['recipient', row.to.replaceAll('[', '').replaceAll(']', '')],
  ...row.subject
    .toLowerCase()
    .split(' ')
    .map((word) => ['word', word] as const),
  ['hash', sha256Hex(`file ${number % 3_000}`)],
  ['host', `www${number % 500}.example`],
];
