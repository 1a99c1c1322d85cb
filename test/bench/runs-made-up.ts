/** Runs that nobody sent, for an index of many. */
import Database from 'libsql';
import { sha256Hex } from '../../lib/pipeline/keys.ts';
import { reasonsText } from '../../lib/pipeline/runs/hold.ts';
import type { Fact, FactKind, IndexedRun } from '../../lib/pipeline/runs/row.ts';
import { referenceOf } from '../../lib/words/reference.ts';
import type { Progress } from './figure.ts';

/** When the first came in. Each next one came a second later. */
export const BORN = Date.UTC(2026, 0, 1);

export const fact = (kind: FactKind, value: string): Fact => ({ kind, value });

/** Every run has a file and a subject word of its own, and shares the rest. One in three is held, and one in 1,000 has a virus. */
export function madeUp(number: number): IndexedRun {
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
    ['address', `user${number % 5_000}@sender.example`],
    ['address', `user${number % 700}@corp.example`],
    ['message-id', `${number}@sender.example`],
    ['hash', sha256Hex(`file ${number}`)],
    ['host', `www${number % 2_000}.example`],
    ['url', sha256Hex(`link ${number % 20_000}`)],
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
    holds: reasons.map((code) => ({ at: times.endedAt, reasons: [code] })),
  } as const;
  return { row, facts: facts.map(([kind, value]) => ({ kind, value })) };
}

/**
 * Writes all runs in one transaction, and sorts each table before it is written, which takes minutes instead of an hour: how long a run takes to be
 * written is not asked here.
 */
export function fillIndex(path: string, runs: number, progress: Progress): void {
  const db = new Database(path);
  db.exec(`
    PRAGMA cache_size = -400000; PRAGMA temp_store = FILE; BEGIN; DROP INDEX facts_of; DROP INDEX by_time;
    CREATE TEMP TABLE unsorted (kind TEXT, value TEXT, born INTEGER, run TEXT);
  `);
  const run = db.prepare('INSERT INTO runs (run, born, row) VALUES (?, ?, ?)');
  const hold = db.prepare('INSERT INTO holds (at, run, reasons) VALUES (?, ?, ?)');
  const each = db.prepare(`INSERT INTO unsorted VALUES ${Array(FACTS_OF_ONE).fill('(?, ?, ?, ?)').join(', ')}`);
  for (let number = 0; number < runs; number += 1) {
    const { row, facts } = madeUp(number);
    run.run(row.runId, row.bornAt, JSON.stringify(row));
    const values = facts.flatMap(({ kind, value }) => [kind, value, row.bornAt, row.runId]);
    const missing = Array(Math.max(0, 4 * FACTS_OF_ONE - values.length)).fill(null);
    each.run(...values, ...missing);
    for (const { at, reasons } of row.holds ?? []) hold.run(at, row.runId, reasonsText(reasons));
    if (number % 100_000 === 0) progress(`${number.toLocaleString('en-US')} runs are made up`);
  }
  progress('their facts are sorted');
  db.exec(`
    INSERT INTO facts SELECT * FROM unsorted WHERE kind IS NOT NULL ORDER BY kind, value, born, run;
    DROP TABLE unsorted;
    CREATE INDEX facts_of ON facts (run); CREATE INDEX by_time ON runs (born, run); COMMIT
  `);
  db.close();
}

/** The facts of a run that is held for one reason. */
const FACTS_OF_ONE = 14;
