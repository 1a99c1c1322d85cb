/** The times at which mail was held, in the index of runs in a SQLite file, and their number in each hour. */

import { type HoldCount, reasonsIn, reasonsText } from '../../pipeline/runs/hold.ts';
import type { RunRow } from '../../pipeline/runs/row.ts';
import { prepared, type Sqlite } from './sqlite.ts';

const HOUR_MS = 3_600_000;

/**
 * Triggers keep the counts, so a count always equals the stored times. Counting years of mail then reads one row for each hour of the span.
 */
export const HOLD_TABLES = `
  CREATE TABLE holds (at INTEGER NOT NULL, run TEXT NOT NULL, reasons TEXT NOT NULL, PRIMARY KEY (at, run)) WITHOUT ROWID;
  CREATE INDEX holds_of ON holds (run);
  CREATE TABLE hold_hours (
    hour INTEGER NOT NULL, reasons TEXT NOT NULL, holds INTEGER NOT NULL, PRIMARY KEY (hour, reasons)
  ) WITHOUT ROWID;
  CREATE TRIGGER hold_came AFTER INSERT ON holds BEGIN
    INSERT INTO hold_hours VALUES (new.at / ${HOUR_MS}, new.reasons, 1) ON CONFLICT DO UPDATE SET holds = holds + 1;
  END;
  CREATE TRIGGER hold_went AFTER DELETE ON holds BEGIN
    UPDATE hold_hours SET holds = holds - 1 WHERE hour = old.at / ${HOUR_MS} AND reasons = old.reasons;
    DELETE FROM hold_hours WHERE hour = old.at / ${HOUR_MS} AND reasons = old.reasons AND holds = 0;
  END;
`;

/** Fills these tables in an older index that lacks them, with the mail that is held now. */
export const HELD_NOW = `
  INSERT INTO holds
    SELECT json_extract(row, '$.endedAt'), run, (SELECT ifnull(group_concat(value, ','), '') FROM json_each(row, '$.reasons'))
    FROM runs WHERE json_extract(row, '$.endedAt') IS NOT NULL
      AND run IN (SELECT run FROM facts WHERE kind = 'state' AND value = 'quarantined');
`;

/** Writes the times at which a run was held, unless the index has them. */
export function insertHolds(db: Sqlite, { runId, holds = [] }: RunRow): void {
  const insert = prepared(db, 'INSERT INTO holds (at, run, reasons) VALUES (?, ?, ?) ON CONFLICT DO NOTHING');
  for (const { at, reasons } of holds) insert.run(at, runId, reasonsText(reasons));
}

/**
 * Returns how often mail was held at each of these times or later, for each set of reasons. It adds the counts of whole hours and the
 * single times in the rest of the first hour.
 */
export function holdsSince(db: Sqlite, sinces: readonly number[]): HoldCount[] {
  const counts = new Map<string, number[]>();
  const count = prepared(
    db,
    `SELECT reasons, sum(holds) AS holds FROM (
       SELECT reasons, holds FROM hold_hours WHERE hour >= ?
       UNION ALL SELECT reasons, 1 FROM holds WHERE at >= ? AND at < ?
     ) GROUP BY reasons ORDER BY reasons`,
  );
  for (const [number, since] of sinces.entries()) {
    const hour = Math.ceil(since / HOUR_MS);
    for (const { reasons, holds } of count.all(hour, since, hour * HOUR_MS) as { reasons: string; holds: number }[]) {
      const known = counts.get(reasons) ?? sinces.map(() => 0);
      counts.set(reasons, known);
      known[number] = holds;
    }
  }
  return [...counts].map(([reasons, holds]) => ({ reasons: reasonsIn(reasons), holds }));
}
