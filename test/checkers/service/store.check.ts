/** The stores of submissions and keys over PostgreSQL: the suite of all adapters, and what only several processes can do. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newKey } from '../../../lib/service/server/store/api-keys.ts';
import { DatabaseRefusedError } from '../../../lib/service/server/store/database-refused.ts';
import type { Database } from '../../../lib/service/server/store/postgres/database.ts';
import { createPostgresKeys } from '../../../lib/service/server/store/postgres/keys.ts';
import { openDatabase } from '../../../lib/service/server/store/postgres/schema.ts';
import { createPostgresStore } from '../../../lib/service/server/store/postgres/store.ts';
import type { SubmissionFilter, SubmissionStore } from '../../../lib/service/server/store/submission-store.ts';
import { scheduledReport, withReport } from '../../../lib/service/server/store/submissions.ts';
import { storeContract } from '../../service/store-contract.ts';
import { storedSubmission } from '../../service/stored-submission.ts';
import { execute } from './cluster.ts';
import { newDatabase } from './database.ts';

storeContract('PostgreSQL', async () => {
  const database = await openDatabase(await newDatabase());
  const store = createPostgresStore(database, 'airlock_analysis');
  return { ...store, close: () => database.close() };
});

describe('one database for several processes', () => {
  let url: string;
  let first: Database;
  let second: Database;
  beforeAll(async () => {
    url = await newDatabase();
    // Both find it empty at the same time.
    [first, second] = await Promise.all([openDatabase(url), openDatabase(url)]);
  });
  afterAll(() => Promise.all([first.close(), second.close()]));

  test('gives one what the other wrote', async () => {
    await createPostgresStore(first, 'airlock_analysis').add(storedSubmission({ uuid: 'shared' }), 'p\0w "ü"');
    const other = createPostgresStore(second, 'airlock_analysis');
    expect((await other.pending('shared'))?.password).toBe('p\0w "ü"');
    expect(await createPostgresStore(second, 'airlock_cdr').get('shared')).toBeNull();
  });

  test('loses no change of two that change the same submission, and counts every one', async () => {
    const stores = [first, second].map((database) => createPostgresStore(database, 'airlock_cdr'));
    const uuids = Array.from({ length: 20 }, (_, n) => `s${n}`);
    await Promise.all(uuids.map((uuid, n) => stores[n % 2]?.add(storedSubmission({ uuid }), null)));
    const more = uuids.flatMap((uuid) => [0, 1, 0, 1].map((n) => ({ uuid, store: stores[n] })));
    await Promise.all(
      more.map(({ uuid, store }) => store?.update(uuid, (kept) => ({ ...kept, attempts: kept.attempts + 1 }))),
    );
    const level = (n: number) => (n % 2 === 0 ? 'malicious' : 'benign');
    await Promise.all(
      uuids.map((uuid, n) =>
        stores[n % 2]?.update(uuid, (kept) =>
          withReport(kept, { ...scheduledReport('static'), status: 'completed', level: level(n) }, 1),
        ),
      ),
    );
    const { items, total } = (await stores[0]?.list({}, { offset: 0, limit: 50 })) ?? { items: [], total: 0 };
    expect([total, new Set(items.map(({ attempts }) => attempts))]).toEqual([20, new Set([4])]);
    expect((await stores[1]?.list({ levels: ['malicious'] }, { offset: 0, limit: 1 }))?.total).toBe(10);
    const forgotten = await Promise.all(uuids.map((_, n) => stores[n % 2]?.forgetOldest()));
    expect(forgotten.filter((blobs) => blobs !== null).length).toBeGreaterThan(0);
    while ((await stores[0]?.forgetOldest()) !== null);
    expect(await stores[1]?.usage()).toEqual({ submissions: 0, bytes: 0 });
  });

  test('knows a new key and a revoked one at once in both', async () => {
    const [one, other] = [createPostgresKeys(first), createPostgresKeys(second)];
    const { key, record } = newKey(
      {
        name: 'ci',
        workspace: 'lab',
        quotas: { requestsPerMinute: 1, submissionsPerDay: 2, concurrentSubmissions: 3 },
      },
      Date.UTC(2026, 0, 1),
    );
    await one.add(record);
    expect(await other.find(key)).toEqual(record);
    expect(await other.list()).toEqual([record]);
    expect(await other.revoke(record.keyId, 5)).toBe(true);
    expect(await one.revoke(record.keyId, 6)).toBe(false);
    expect(await one.find(key)).toBeNull();
    expect(await one.list()).toEqual([{ ...record, revokedAtMs: 5 }]);
  });

  test.each(['a\0b', "'; DROP TABLE keys; --", '\\', '%_', '\ud800', 'ﷺ'])(
    'takes %j for nothing but a text',
    async (text) => {
      const store = createPostgresStore(first, 'airlock_analysis');
      await store.add(storedSubmission({ uuid: `name ${text}`, filename: `${text}.doc` }), text);
      expect(await store.get(`nobody ${text}`)).toBeNull();
      const filters: SubmissionFilter[] = [
        { filename: text },
        { tags: [text] },
        { workspace: text },
        { visibleTo: text },
      ];
      for (const filter of filters) {
        const { items, total } = await store.list(filter, { offset: 0, limit: 100 });
        expect(items).toHaveLength(total);
      }
    },
  );
});

test('a database of another version, and one that is not there, are refused with what to do', async () => {
  const url = await newDatabase();
  await (await openDatabase(url)).close();
  await execute(url, 'UPDATE airlock.schema_version SET version = 99');
  await expect(openDatabase(url)).rejects.toThrow(DatabaseRefusedError);
  await expect(openDatabase(url)).rejects.toThrow(/version 99.*version 1/);
  await expect(openDatabase(url.replace(/suite_\d+_\d+/, 'nowhere'))).rejects.toThrow(/"nowhere" does not exist/);
  await expect(openDatabase('postgres://airlock@127.0.0.1:1/x')).rejects.toThrow(/cannot be reached/);
});

describe('a store of many submissions', () => {
  const COUNT = 20_000;
  let url: string;
  let database: Database;
  let store: SubmissionStore;
  beforeAll(async () => {
    url = await newDatabase();
    database = await openDatabase(url);
    store = createPostgresStore(database, 'airlock_analysis');
    await store.add(
      storedSubmission({ uuid: 'seed', filename: 'needle.docx', level: 'malicious', findings: ['rare'] }),
      null,
    );
    // Copies of a row that the store wrote. A second of processor time, where the store would take minutes.
    await execute(
      url,
      `INSERT INTO airlock_analysis.submissions (uuid, workspace, key_id, private, type, level, md5, sha1, sha256, filename, created_ms,
         finished, bytes, document)
       SELECT 'n' || n, 'w' || n % 50, 'key', n % 3 = 0, type, CASE WHEN n % 100 = 0 THEN 'suspicious' ELSE 'benign' END,
         md5(n::text), sha1, encode(sha256(n::text::bytea), 'hex'), 'report ' || n || '.pdf', created_ms + n, true, bytes, document
       FROM airlock_analysis.submissions, generate_series(1, ${COUNT}) n WHERE uuid = 'seed'`,
    );
    await execute(
      url,
      `INSERT INTO airlock_analysis.tags SELECT 'common', created_ms, id, private, workspace FROM airlock_analysis.submissions WHERE id % 2 = 0`,
    );
    await execute(url, 'VACUUM ANALYZE');
  });
  afterAll(() => database.close());

  const from = Date.UTC(2026, 0, 5);
  const page = { offset: 0, limit: 20 };
  /** How often the whole table was read. */
  const scans = async () => {
    // Otherwise the server adds up later what the connection did.
    await database.run('SELECT pg_stat_force_next_flush()');
    const [row] = await execute<{ seq_scan: string }>(
      url,
      `SELECT seq_scan FROM pg_stat_user_tables WHERE schemaname = 'airlock_analysis' AND relname = 'submissions'`,
    );
    return Number(row?.seq_scan);
  };

  test('is read as a whole by a statement that no index serves, and that is noticed', async () => {
    const before = await scans();
    await database.run(`SELECT count(*) FROM airlock_analysis.submissions WHERE document = ''`);
    expect(await scans()).toBeGreaterThan(before);
  });

  test.each<[string, SubmissionFilter]>([
    ['nothing', {}],
    ['what a workspace may see', { visibleTo: 'w3' }],
    ['a workspace', { workspace: 'w3' }],
    ['a rare level', { levels: ['malicious'] }],
    ['two levels', { levels: ['malicious', 'suspicious'], visibleTo: 'w1' }],
    ['a hash', { hash: { algorithm: 'sha256', value: 'a'.repeat(64) } }],
    ['the start of a hash', { hash: { algorithm: 'md5', value: 'abc' } }],
    ['a name', { filename: 'needle' }],
    ['a rare tag', { tags: ['rare'] }],
    ['a common tag', { tags: ['common'], visibleTo: 'w1' }],
    ['private ones', { private: true }],
    ['a time', { createdFromMs: from + 500, createdToMs: from + 800 }],
  ])('lists by %s without reading the whole table', async (_, filter) => {
    const before = await scans();
    for (const order of ['asc', 'desc'] as const) {
      await store.list(filter, { ...page, order });
    }
    expect(await scans()).toBe(before);
  });
});
