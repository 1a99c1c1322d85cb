/** `airlock keys`: the users of the service, and their quotas. A key is shown once, when it is made. */
import type { Command } from 'commander';
import { safeJson } from '../../pipeline/safe-text.ts';
import {
  DEFAULT_WORKSPACE,
  type KeyQuotas,
  type KeyRecord,
  type KeyStore,
  newKey,
} from '../../service/server/store/api-keys.ts';
import { DatabaseRefusedError } from '../../service/server/store/database-refused.ts';
import { openKeys } from '../../service/server/store/storage.ts';
import { type Console, UsageError, writeLine } from '../console.ts';
import { DEFAULT_DATA_DIRECTORY } from '../options/service.ts';
import { EXIT } from '../outcome.ts';
import { databaseUrl } from '../session/shared-storage.ts';

interface KeysOptions {
  readonly data: string;
  readonly database?: string;
  readonly json?: boolean;
}

interface CreateOptions extends KeysOptions {
  readonly name: string;
  readonly workspace: string;
  readonly requestsPerMinute: string;
  readonly submissionsPerDay: string;
  readonly concurrent: string;
}

/** Adds the verb to the program. */
export function addKeys(program: Command, console: Console, done: (code: number) => void): void {
  const keys = program
    .command('keys')
    .description('make, list and revoke keys of the analysis service')
    .addHelpText(
      'after',
      `
A running service knows a new key, and a revoked one, at once. What a workspace keeps private, others do not see.

Examples:
  airlock keys create --name ci --workspace research --submissions-per-day 500
  airlock keys list
  airlock keys revoke 1f0c7a52-7f0e-4a59-8a0b-6d6f5c1d2e3f`,
    );
  const withData = (command: Command) =>
    command
      .option('--data <dir>', 'the data directory of the service', DEFAULT_DATA_DIRECTORY)
      .option('--database <url>', 'the database of the service, instead of --data: postgres://user@host/name')
      .option('--json', 'print JSON on stdout');
  withData(keys.command('create').description('make a key; it is printed once and not stored'))
    .requiredOption('--name <name>', 'what the key is for, or whose it is')
    .option('--workspace <name>', 'keys of the same workspace see its private submissions', DEFAULT_WORKSPACE)
    .option('--requests-per-minute <number>', 'quota; 0 means no limit', '0')
    .option('--submissions-per-day <number>', 'quota; 0 means no limit', '0')
    .option('--concurrent <number>', 'most submissions in progress at the same time; 0 means no limit', '0')
    .action(async (options: CreateOptions) => done(await createVerb(console, options)));
  withData(keys.command('list').description('list the keys, without their secrets')).action(
    async (options: KeysOptions) => done(await listVerb(console, options)),
  );
  withData(keys.command('revoke').description('make a key invalid'))
    .argument('<id>', 'the id that list shows')
    .action(async (id: string, options: KeysOptions) => done(await revokeVerb(console, id, options)));
}

async function createVerb(console: Console, options: CreateOptions): Promise<number> {
  const quotas: KeyQuotas = {
    requestsPerMinute: quota('--requests-per-minute', options.requestsPerMinute),
    submissionsPerDay: quota('--submissions-per-day', options.submissionsPerDay),
    concurrentSubmissions: quota('--concurrent', options.concurrent),
  };
  const name = label('--name', options.name);
  const workspace = label('--workspace', options.workspace);
  const { key, record } = newKey({ name, workspace, quotas }, Date.now());
  await withKeys(console, options, (store) => store.add(record));
  if (options.json) await writeLine(console.stdout, safeJson({ ...shown(record), key }));
  else {
    await writeLine(console.stdout, `id   ${record.keyId}`);
    await writeLine(console.stdout, `key  ${key}`);
    await writeLine(console.stdout, 'The key is not stored: it cannot be shown again.');
  }
  return EXIT.delivered;
}

async function listVerb(console: Console, options: KeysOptions): Promise<number> {
  const records = await withKeys(console, options, (store) => store.list());
  if (options.json) {
    await writeLine(console.stdout, safeJson(records.map(shown)));
    return EXIT.delivered;
  }
  if (records.length === 0)
    await writeLine(console.stdout, 'No keys yet. Make one with airlock keys create --name ...');
  const head = ['ID', 'STATE', 'WORKSPACE', 'PER MINUTE', 'PER DAY', 'CONCURRENT', 'CREATED', 'NAME'];
  const rows = records.map((record) => {
    const { requestsPerMinute, submissionsPerDay, concurrentSubmissions } = record.quotas;
    const limits = [requestsPerMinute, submissionsPerDay, concurrentSubmissions].map((limit) => String(limit || '-'));
    const created = new Date(record.createdAtMs).toISOString().slice(0, 10);
    const state = record.revokedAtMs === null ? 'valid' : 'revoked';
    return [record.keyId, state, record.workspace, ...limits, created, record.name];
  });
  if (records.length > 0) for (const line of table([head, ...rows])) await writeLine(console.stdout, line);
  return EXIT.delivered;
}

async function revokeVerb(console: Console, id: string, options: KeysOptions): Promise<number> {
  const isRevoked = await withKeys(console, options, (store) => store.revoke(id, Date.now()));
  if (!isRevoked)
    throw new UsageError(`There is no valid key with the id ${JSON.stringify(id)}. See airlock keys list.`);
  await writeLine(console.stdout, options.json ? JSON.stringify({ keyId: id, state: 'revoked' }) : `revoked  ${id}`);
  return EXIT.delivered;
}

/** Returns the facts of a key that may be shown. Neither the key nor its digest is among them. */
function shown({ keyId, name, workspace, quotas, createdAtMs, revokedAtMs }: KeyRecord) {
  const iso = (ms: number) => new Date(ms).toISOString();
  return {
    keyId,
    name,
    workspace,
    quotas,
    createdAt: iso(createdAtMs),
    revokedAt: revokedAtMs === null ? null : iso(revokedAtMs),
  };
}

async function keysOf(console: Console, { data, database }: KeysOptions): Promise<KeyStore> {
  if (database !== undefined) {
    const { openPostgresKeys } = await import('../../service/server/store/postgres/keys.ts');
    return await openPostgresKeys(databaseUrl(console, database)).catch((error: unknown) => {
      throw error instanceof DatabaseRefusedError ? new UsageError(`--database: ${error.message}.`) : error;
    });
  }
  return await openKeys(data).catch((error: NodeJS.ErrnoException) => {
    if (error.code === undefined || error.code.startsWith('SQLITE')) throw error;
    throw new UsageError(`--data ${JSON.stringify(data)} cannot be used: ${error.code}.`);
  });
}

async function withKeys<T>(console: Console, options: KeysOptions, work: (store: KeyStore) => Promise<T>): Promise<T> {
  const store = await keysOf(console, options);
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

/** The largest quota. A larger number is a typing error. */
const MAX_QUOTA = 1_000_000_000;
const MAX_LABEL_LENGTH = 100;

function quota(option: string, text: string): number {
  const value = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
  if (value <= MAX_QUOTA) return value;
  throw new UsageError(`${option} takes a whole number, 0 for no limit, not ${JSON.stringify(text)}.`);
}

/** Checks a name. It is shown in tables, JSON and logs, so it must be one line, without characters that act on a terminal. */
function label(option: string, text: string): string {
  const name = text.trim();
  if (name !== '' && name.length <= MAX_LABEL_LENGTH && !/[\p{Cc}\p{Cf}]/u.test(name)) return name;
  throw new UsageError(`${option} takes a name of 1 to ${MAX_LABEL_LENGTH} printable characters.`);
}

function table(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}
