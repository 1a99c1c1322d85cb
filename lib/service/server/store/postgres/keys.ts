/** Keys in PostgreSQL. Every request asks for its key, so a new or revoked key takes effect at once in all processes. */
import { digestOf, type KeyRecord, type KeyStore } from '../api-keys.ts';
import type { Database } from './database.ts';
import { openDatabase } from './schema.ts';

interface KeyRow {
  readonly key_id: string;
  readonly digest: string;
  readonly name: string;
  readonly workspace: string;
  readonly per_minute: number;
  readonly per_day: number;
  readonly concurrent: number;
  readonly created: number;
  readonly revoked: number | null;
}

/** The driver gives a bigint as text. These are whole numbers below 2^53. */
const COLUMNS = `key_id, digest, name, workspace, requests_per_minute::float8 AS per_minute, submissions_per_day::float8 AS per_day,
  concurrent_submissions::float8 AS concurrent, created_ms::float8 AS created, revoked_ms::float8 AS revoked`;

/** Returns the keys of a database alone. Rejects with DatabaseRefusedError. */
export async function openPostgresKeys(url: string): Promise<KeyStore> {
  const database = await openDatabase(url);
  return { ...createPostgresKeys(database), close: () => database.close() };
}

/** Returns the keys of a database. Closing them does not close the database. */
export function createPostgresKeys({ run }: Database): KeyStore {
  return {
    add: async ({ keyId, digest, name, workspace, quotas, createdAtMs, revokedAtMs }) => {
      const { requestsPerMinute, submissionsPerDay, concurrentSubmissions } = quotas;
      const limits = [requestsPerMinute, submissionsPerDay, concurrentSubmissions];
      await run('INSERT INTO airlock.keys VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)', [
        ...[keyId, digest, name, workspace, ...limits],
        createdAtMs,
        revokedAtMs,
      ]);
    },
    list: async () =>
      (await run<KeyRow>(`SELECT ${COLUMNS} FROM airlock.keys ORDER BY created_ms, key_id`)).map(recordOf),
    find: async (presented) => {
      // The time for this only depends on the digest of a guess, which says nothing about a key.
      const sql = `SELECT ${COLUMNS} FROM airlock.keys WHERE digest = $1 AND revoked_ms IS NULL`;
      const [row] = await run<KeyRow>(sql, [digestOf(presented)]);
      return row ? recordOf(row) : null;
    },
    revoke: async (keyId, nowMs) => {
      const sql = 'UPDATE airlock.keys SET revoked_ms = $1 WHERE key_id = $2 AND revoked_ms IS NULL RETURNING key_id';
      return (await run(sql, [nowMs, keyId])).length > 0;
    },
    close: async () => undefined,
  };
}

function recordOf(row: KeyRow): KeyRecord {
  return {
    keyId: row.key_id,
    digest: row.digest,
    name: row.name,
    workspace: row.workspace,
    quotas: {
      requestsPerMinute: row.per_minute,
      submissionsPerDay: row.per_day,
      concurrentSubmissions: row.concurrent,
    },
    createdAtMs: row.created,
    revokedAtMs: row.revoked,
  };
}
