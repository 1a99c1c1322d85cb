/** A PostgreSQL database: its connections, its transactions, and the errors that mean that it is away. */
import pg from 'pg';
import { ServiceError } from '../../service-error.ts';
import { DatabaseRefusedError } from '../database-refused.ts';

export type SqlValue = string | number | boolean | null | readonly string[] | readonly number[];

/** Runs one statement and returns its rows. Values are always bound and never written into the text. */
export type Run = <Row extends object>(sql: string, values?: readonly SqlValue[]) => Promise<readonly Row[]>;

/** Every call rejects with ServiceError STORAGE_UNAVAILABLE while the database is away, full or about to stop. */
export interface Database {
  readonly run: Run;
  /** Runs `work` as one transaction. It may run more than once, when the database requires that. */
  transaction<T>(work: (run: Run) => Promise<T>): Promise<T>;
  /**
   * Calls `onNotice` for each NOTIFY on the channel, and `onLost` once when the connection has ended. The returned function ends listening.
   */
  listen(channel: string, onNotice: () => void, onLost: () => void): Promise<() => Promise<void>>;
  close(): Promise<void>;
}

/** The connections of one process. PostgreSQL takes 100 as shipped, and several processes share it. */
const MAX_CONNECTIONS = 10;
/** Milliseconds for a connection, and for one statement on either side of it. Nothing here takes seconds. */
const CONNECT_MS = 5_000;
const STATEMENT_MS = 30_000;
const ANSWER_MS = 35_000;
/** How often a transaction is repeated that PostgreSQL ended because of another one. */
const ATTEMPTS = 5;
const RETRY_AFTER_SECONDS = 5;

/** Classes of SQLSTATE for a database that is away, full, about to stop, or a copy that may only be read. */
const AWAY = /^(08|53|57|58)|^25006$|^55P03$/;
/** The code of a transaction that another one blocked. */
const REPEATABLE = /^40(001|P01)$/;

/** Returns a database by its URL. The first call connects. */
export function connect(url: string): Database {
  const settings = {
    connectionString: url,
    connectionTimeoutMillis: CONNECT_MS,
    query_timeout: ANSWER_MS,
    keepAlive: true,
    application_name: 'mail-airlock',
  };
  const pool = new pg.Pool({
    ...settings,
    max: MAX_CONNECTIONS,
    statement_timeout: STATEMENT_MS,
    idle_in_transaction_session_timeout: STATEMENT_MS,
  });
  // A connection that ends while nobody uses it. The next call opens another one.
  pool.on('error', () => undefined);
  return {
    run: (sql, values) => withClient(pool, (client) => runOn(client)(sql, values)),
    transaction: (work) => repeated(() => withClient(pool, (client) => inTransaction(client, work))),
    listen: (channel, onNotice, onLost) => listening(new pg.Client(settings), channel, onNotice, onLost),
    close: () => pool.end(),
  };
}

async function withClient<T>(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect().catch(unavailable);
  try {
    const result = await work(client);
    client.release();
    return result;
  } catch (error) {
    // Nobody knows the state of a connection after a failed call.
    client.release(true);
    throw error;
  }
}

const runOn =
  (client: pg.ClientBase): Run =>
  async <Row extends object>(sql: string, values: readonly SqlValue[] = []) => {
    const { rows } = await client.query<Row>(sql, values.map(storable)).catch(unavailable);
    return rows;
  };

/**
 * Checks for a zero byte, which no text of PostgreSQL can have. Stored texts that are compared have none, so such a text of a caller equals
 * none.
 */
function storable(value: SqlValue): SqlValue {
  return typeof value === 'string' ? value.replaceAll('\0', '\uFFFD') : value;
}

async function inTransaction<T>(client: pg.ClientBase, work: (run: Run) => Promise<T>): Promise<T> {
  const run = runOn(client);
  await run('BEGIN');
  try {
    const result = await work(run);
    await run('COMMIT');
    return result;
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined);
    throw error;
  }
}

async function repeated<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (!REPEATABLE.test(stateOf(error)) || attempt === ATTEMPTS) throw error;
    }
  }
}

async function listening(
  client: pg.Client,
  channel: string,
  onNotice: () => void,
  onLost: () => void,
): Promise<() => Promise<void>> {
  client.on('error', () => undefined);
  client.on('notification', onNotice);
  try {
    await client.connect();
    await client.query(`LISTEN ${client.escapeIdentifier(channel)}`);
  } catch (error) {
    await client.end().catch(() => undefined);
    return unavailable(error);
  }
  client.once('end', onLost);
  return async () => {
    client.off('end', onLost);
    await client.end().catch(() => undefined);
  };
}

/** Returns the SQLSTATE of an error of the database; an empty text for any other error. */
const stateOf = (error: unknown): string => (error instanceof pg.DatabaseError ? (error.code ?? '') : '');

/** Throws STORAGE_UNAVAILABLE when the database is away. An error without SQLSTATE comes from the connection. */
function unavailable(error: unknown): never {
  if (error instanceof pg.DatabaseError && !AWAY.test(stateOf(error))) throw error;
  const away = new ServiceError('STORAGE_UNAVAILABLE', { retryAfterSeconds: RETRY_AFTER_SECONDS });
  throw Object.assign(away, { cause: error });
}

/** Returns the error of a start, as a DatabaseRefusedError if a person can mend it. */
export function refusalOf(error: unknown): unknown {
  if (error instanceof DatabaseRefusedError) return error;
  const cause = error instanceof ServiceError ? error.cause : error;
  const message = cause instanceof Error ? cause.message || cause.name : String(cause);
  const state = stateOf(cause);
  if (state === '42501')
    return new DatabaseRefusedError(`the user of the database may not make its tables: ${message}`);
  if (error instanceof ServiceError || /^(28|3D)/.test(state)) {
    return new DatabaseRefusedError(`the database cannot be reached: ${message}`);
  }
  return error;
}
