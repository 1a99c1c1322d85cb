/** How long a page of the index takes when a million runs are in it. */
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import Database from 'libsql';
import { sha256Hex } from '../../lib/pipeline/keys.ts';
import { overviewOf } from '../../lib/pipeline/overview.ts';
import type { RunQuery } from '../../lib/pipeline/ports.ts';
import type { Fact, FactKind, IndexedRun } from '../../lib/pipeline/run-row.ts';
import { openSqliteRuns, type SqliteRuns } from '../../lib/storage/sqlite-runs.ts';
import { referenceOf } from '../../lib/words/reference.ts';
import { count, type Figure, ms, type Part, type Progress } from './figure.ts';
import { firstPageFigures } from './runs-desk.ts';
import { median, percentile, timed } from './statistics.ts';

const RUNS = 1_000_000;
const TIMES = 40;
const PAGE = 50;
const PAGE_TARGET_MS = 30;
const HASH_TARGET_MS = 5;
const OVERVIEW_TARGET_MS = 300;
const BORN = Date.UTC(2026, 0, 1);

export const runs: Part = {
  name: 'runs',
  title: 'A page of the index of 1,000,000 made-up runs, in SQLite',
  async measure(progress) {
    const folder = await mkdtemp(join(tmpdir(), 'airlock-bench-runs-'));
    const path = join(folder, 'index', 'runs.sqlite');
    await mkdir(dirname(path));
    openSqliteRuns(path).close();
    fill(path, progress);
    const index = openSqliteRuns(path);
    try {
      const pages = await figures(index);
      progress('a desk is started over them');
      return { figures: [...pages, ...(await firstPageFigures(folder, PAGE))], tables: [], notes: NOTES };
    } finally {
      index.close();
      await rm(folder, { recursive: true });
    }
  },
};

const NOTES = [
  `Each figure: ${TIMES} pages of ${PAGE} rows, p50. A page of several filters looks at 2,500 runs of the rarest, and then ends with the place to go on.`,
];

/** Writes all runs in one transaction, which takes minutes instead of an hour: how long a run takes to be written is not asked here. */
function fill(path: string, progress: Progress): void {
  const db = new Database(path);
  db.exec('BEGIN; DROP INDEX facts_of');
  const run = db.prepare('INSERT INTO runs (run, born, row) VALUES (?, ?, ?)');
  const fact = db.prepare('INSERT INTO facts (kind, value, born, run) VALUES (?, ?, ?, ?)');
  for (let number = 0; number < RUNS; number += 1) {
    const { row, facts } = madeUp(number);
    run.run(row.runId, row.bornAt, JSON.stringify(row));
    for (const { kind, value } of facts) fact.run(kind, value, row.bornAt, row.runId);
    if (number % 100_000 === 0) progress(`${number.toLocaleString('en-US')} runs are in the index`);
  }
  db.exec('CREATE INDEX facts_of ON facts (run); COMMIT');
  db.close();
}

/** Every run has a file and a subject word of its own, and shares the rest. One in three is held, and one in 1,000 has a virus. */
function madeUp(number: number): IndexedRun {
  const runId = sha256Hex(`run ${number}`).slice(0, 32);
  const state = number % 3 === 0 ? 'quarantined' : 'delivered';
  const reason = number % 1_000 === 0 ? 'malicious' : 'suspicious';
  const reasons = state === 'quarantined' ? [reason] : [];
  const facts: readonly (readonly [FactKind, string])[] = [
    ['reference', referenceOf(runId)],
    ['state', state],
    ...reasons.map((code): [FactKind, string] => ['reason', code]),
    ['sender', `user${number % 5_000}@sender.example`],
    ['recipient', `user${number % 700}@corp.example`],
    ['domain', 'corp.example'],
    ['word', 'invoice'],
    ['word', `w${number}`],
    ['hash', sha256Hex(`file ${number}`)],
    ['host', `www${number % 2_000}.example`],
  ];
  const texts = { from: 'a', to: 'b', subject: `Invoice ${number}`, messageId: '', reference: referenceOf(runId) };
  const times = { bornAt: BORN + number * 1_000, endedAt: BORN + number * 1_000 + 500 };
  const row = {
    runId,
    attempt: 1,
    state,
    reasons,
    ...texts,
    ...times,
    size: 9_000,
    parts: { keep: 1, disarm: 1, remove: 0 },
  } as const;
  return { row, facts: facts.map(([kind, value]) => ({ kind, value })) };
}

async function figures(index: SqliteRuns): Promise<Figure[]> {
  const fact = (kind: FactKind, value: string): Fact => ({ kind, value });
  const queries: readonly (readonly [string, readonly Fact[], number, number | null])[] = [
    ['everything', [], PAGE_TARGET_MS, PAGE],
    ['by state', [fact('state', 'quarantined')], PAGE_TARGET_MS, PAGE],
    ['by reason', [fact('reason', 'malicious')], PAGE_TARGET_MS, PAGE],
    ['by sender', [fact('sender', 'user77@sender.example')], PAGE_TARGET_MS, PAGE],
    ['by recipient', [fact('recipient', 'user77@corp.example')], PAGE_TARGET_MS, PAGE],
    ['by a word of every subject', [fact('word', 'invoice')], PAGE_TARGET_MS, PAGE],
    ['by host', [fact('host', 'www77.example')], PAGE_TARGET_MS, PAGE],
    [
      'by state and sender',
      [fact('state', 'quarantined'), fact('sender', 'user78@sender.example')],
      PAGE_TARGET_MS,
      null,
    ],
    [
      'by two frequent facts that never occur together',
      [fact('state', 'delivered'), fact('reason', 'suspicious')],
      PAGE_TARGET_MS,
      0,
    ],
    ['by hash', [fact('hash', sha256Hex('file 500000'))], HASH_TARGET_MS, 1],
  ];
  const all: Figure[] = [];
  for (const [name, facts, atMost, expected] of queries) {
    const found = (await index.list(queryOf(facts))).rows.length;
    if (expected !== null && found !== expected) throw new Error(`${name}: ${found} rows, not ${expected}`);
    const times: number[] = [];
    for (let time = 0; time < TIMES; time += 1) times.push(await timed(() => index.list(queryOf(facts))));
    const slow = { name: 'p95', value: percentile(times, 0.95) };
    all.push({ name: `a page ${name}`, measured: ms(median(times)), atMost, baselines: [slow] });
  }
  const slots: number[] = [];
  for (let time = 0; time < TIMES; time += 1) slots.push(await timed(() => overviewOf(index, 1, BORN + RUNS * 1_000)));
  const slow = { name: 'p95', value: percentile(slots, 0.95) };
  const name = 'the overview of 24 hours with 86,400 of them';
  all.push({ name, measured: ms(median(slots)), atMost: OVERVIEW_TARGET_MS, baselines: [slow] });
  return [...all, { name: 'runs in the index', measured: count(RUNS), atMost: null, baselines: [] }];
}

const queryOf = (facts: readonly Fact[]): RunQuery => ({ facts, since: null, until: null, after: null, most: PAGE });
