/** Keys in their own SQLite database. Several processes may open it, so a new or revoked key takes effect at once. */
import { digestOf, type KeyRecord, type KeyStore } from './api-keys.ts';
import { openDatabase } from './sqlite-schema.ts';

const KEY_TABLES = `
  CREATE TABLE keys (
    key_id TEXT PRIMARY KEY,
    digest TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    workspace TEXT NOT NULL,
    requests_per_minute INTEGER NOT NULL,
    submissions_per_day INTEGER NOT NULL,
    concurrent_submissions INTEGER NOT NULL,
    created_ms INTEGER NOT NULL,
    revoked_ms INTEGER
  );
`;

interface KeyRow {
  readonly key_id: string;
  readonly digest: string;
  readonly name: string;
  readonly workspace: string;
  readonly requests_per_minute: number;
  readonly submissions_per_day: number;
  readonly concurrent_submissions: number;
  readonly created_ms: number;
  readonly revoked_ms: number | null;
}

/** Opens the keys in a file, and makes the file when it does not exist. */
export function openSqliteKeys(path: string): KeyStore {
  const db = openDatabase(path, KEY_TABLES);
  const insert = db.prepare('INSERT INTO keys VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)');
  // A key is looked up by its digest. The time for that depends only on the digest of a guess, which tells nothing about a key.
  const byDigest = db.prepare('SELECT * FROM keys WHERE digest = ? AND revoked_ms IS NULL');
  const all = db.prepare('SELECT * FROM keys ORDER BY created_ms, key_id');
  const revoke = db.prepare('UPDATE keys SET revoked_ms = ? WHERE key_id = ? AND revoked_ms IS NULL');
  return {
    add: async ({ keyId, digest, name, workspace, quotas, createdAtMs, revokedAtMs }) => {
      const { requestsPerMinute, submissionsPerDay, concurrentSubmissions } = quotas;
      const limits = [requestsPerMinute, submissionsPerDay, concurrentSubmissions];
      insert.run(keyId, digest, name, workspace, ...limits, createdAtMs, revokedAtMs);
    },
    list: async () => (all.all() as KeyRow[]).map(recordOf),
    find: async (presented) => {
      const row = byDigest.get(digestOf(presented)) as KeyRow | undefined;
      return row ? recordOf(row) : null;
    },
    revoke: async (keyId, nowMs) => revoke.run(nowMs, keyId).changes > 0,
    close: async () => void db.close(),
  };
}

function recordOf(row: KeyRow): KeyRecord {
  return {
    keyId: row.key_id,
    digest: row.digest,
    name: row.name,
    workspace: row.workspace,
    quotas: {
      requestsPerMinute: row.requests_per_minute,
      submissionsPerDay: row.submissions_per_day,
      concurrentSubmissions: row.concurrent_submissions,
    },
    createdAtMs: row.created_ms,
    revokedAtMs: row.revoked_ms,
  };
}
