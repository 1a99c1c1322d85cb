/** Quotas that hold over all processes of a service. The clock is that of the database, which they share. */
import { randomUUID } from 'node:crypto';
import { type Quotas, tooManyInProgress, tooManyRequests, tooManyToday } from '../../jobs/quotas.ts';
import type { Caller } from '../api-keys.ts';
import type { Database, Run } from './database.ts';
import { PARTS } from './schema.ts';

export interface SharedQuotas extends Quotas {
  /** Extends the tickets of this process. Those of a killed process run out. */
  renew(): Promise<void>;
}

const DAY_MS = 86_400_000;
const NOW_MS = `(extract(epoch FROM clock_timestamp()) * 1000)::float8`;
const MINUTE = `floor(extract(epoch FROM now()) / 60)::bigint`;

/** Makes the quotas for one process, whose name no other has. `leaseMs` is how long a ticket counts after each sign of life. */
export function createSharedQuotas({ run, transaction }: Database, process: string, leaseMs: number): SharedQuotas {
  return {
    request: async ({ keyId, quotas: { requestsPerMinute } }) => {
      const rows = await run(
        `INSERT INTO airlock.request_counts AS c VALUES ($1, ${MINUTE}, 1) ON CONFLICT (key_id) DO UPDATE
         SET minute = excluded.minute, requests = CASE WHEN c.minute = excluded.minute THEN c.requests + 1 ELSE 1 END
         WHERE c.minute <> excluded.minute OR $2 = 0 OR c.requests < $2 RETURNING 1`,
        [keyId, requestsPerMinute],
      );
      if (rows.length > 0) return;
      const [row] = await run<{ seconds: number }>(
        'SELECT ceil(60 - extract(epoch FROM now())::numeric % 60)::int AS seconds',
      );
      throw tooManyRequests(requestsPerMinute, row?.seconds ?? 1);
    },
    submission: async (caller) => {
      const { submissionsPerDay, concurrentSubmissions } = caller.quotas;
      if (submissionsPerDay === 0 && concurrentSubmissions === 0)
        return { use: () => undefined, release: () => undefined };
      const id = randomUUID();
      await transaction((on) => takeTicket(on, caller, { id, process, leaseMs }));
      return {
        // From now on the submission itself counts. Until `release` the ticket counts, too, so the limit is rather too strict than too
        // loose.
        use: () => undefined,
        release: async () => {
          await run('DELETE FROM airlock.tickets WHERE id = $1', [id]);
        },
      };
    },
    ended: () => undefined,
    usage: async ({ keyId }) => {
      const [row] = await run<{ requests: number }>(
        `SELECT requests::float8 AS requests FROM airlock.request_counts WHERE key_id = $1 AND minute = ${MINUTE}`,
        [keyId],
      );
      const { daily, concurrent } = await usedBy(run, keyId);
      return { requests: row?.requests ?? 0, dailySubmissions: daily, concurrentSubmissions: concurrent };
    },
    renew: async () => {
      await run(`UPDATE airlock.tickets SET until = now() + $2 * interval '1 millisecond' WHERE process = $1`, [
        process,
        leaseMs,
      ]);
      await run('DELETE FROM airlock.tickets WHERE until < now()');
    },
  };
}

interface Ticket {
  readonly id: string;
  readonly process: string;
  readonly leaseMs: number;
}

async function takeTicket(run: Run, { keyId, quotas }: Caller, ticket: Ticket): Promise<void> {
  // Processes decide for a key one after the other, so that two never take the last place.
  await run('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`tickets ${keyId}`]);
  const { submissionsPerDay, concurrentSubmissions } = quotas;
  const { daily, concurrent, nowMs } = await usedBy(run, keyId);
  if (submissionsPerDay > 0 && daily >= submissionsPerDay) throw tooManyToday(submissionsPerDay, nowMs);
  if (concurrentSubmissions > 0 && concurrent >= concurrentSubmissions) throw tooManyInProgress(concurrentSubmissions);
  await run(`INSERT INTO airlock.tickets VALUES ($1, $2, $3, now() + $4 * interval '1 millisecond')`, [
    ...[ticket.id, ticket.process, keyId],
    ticket.leaseMs,
  ]);
}

interface Used {
  readonly daily: number;
  readonly concurrent: number;
  readonly nowMs: number;
}

/** Returns the use of the key: submissions, and tickets for submissions that are being read. */
async function usedBy(run: Run, keyId: string): Promise<Used> {
  const sum = (where: string) =>
    PARTS.map((part) => `(SELECT count(*) FROM ${part}.submissions WHERE key_id = $1 AND ${where})`).join(' + ');
  const today = `created_ms >= floor(${NOW_MS} / ${DAY_MS})::bigint * ${DAY_MS}`;
  const open = '(SELECT count(*) FROM airlock.tickets WHERE key_id = $1 AND until > now())';
  const [row] = await run<Used>(
    `SELECT (${sum(today)} + ${open})::float8 AS daily, (${sum('NOT finished')} + ${open})::float8 AS concurrent, ${NOW_MS} AS "nowMs"`,
    [keyId],
  );
  return row ?? { daily: 0, concurrent: 0, nowMs: 0 };
}
