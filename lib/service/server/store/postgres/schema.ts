/**
 * The tables of the PostgreSQL storage. A list reads an index in the order of the list and stops at its page. So each index ends with the
 * time and the number of the submission, and includes the columns that decide who may see it.
 */
import { DatabaseRefusedError } from '../database-refused.ts';
import { connect, type Database, refusalOf } from './database.ts';

/** The version of the tables. Every change of the tables raises it. A database of another version is not touched. */
export const SCHEMA_VERSION = 1;

/** The schemas of the two services. The analysis service does not list submissions that were given to the CDR service. */
export type Part = 'airlock_analysis' | 'airlock_cdr';
export const PARTS: readonly Part[] = ['airlock_analysis', 'airlock_cdr'];

/** The number of the lock under which one of several starting processes makes the tables. It has no other meaning. */
const CREATION_LOCK = 1_794_061_427;

const SHARED_TABLES = `
  CREATE EXTENSION IF NOT EXISTS pg_trgm;
  CREATE SCHEMA airlock;
  CREATE TABLE airlock.schema_version (version integer NOT NULL);
  INSERT INTO airlock.schema_version VALUES (${SCHEMA_VERSION});
  CREATE TABLE airlock.keys (
    key_id text PRIMARY KEY,
    digest text NOT NULL UNIQUE,
    name text NOT NULL,
    workspace text NOT NULL,
    requests_per_minute bigint NOT NULL,
    submissions_per_day bigint NOT NULL,
    concurrent_submissions bigint NOT NULL,
    created_ms bigint NOT NULL,
    revoked_ms bigint
  );
  CREATE UNLOGGED TABLE airlock.request_counts (
    key_id text COLLATE "C" PRIMARY KEY,
    minute bigint NOT NULL,
    requests bigint NOT NULL
  );
  CREATE TABLE airlock.tickets (
    id text PRIMARY KEY,
    process text NOT NULL,
    key_id text COLLATE "C" NOT NULL,
    until timestamptz NOT NULL
  );
  CREATE INDEX tickets_of_key ON airlock.tickets (key_id);
  CREATE INDEX tickets_of_process ON airlock.tickets (process);
`;

/** Returns the tables of one service. Texts that are compared have the collation of bytes, so that the start of a hash is a range. */
const partTables = (part: Part) => `
  CREATE SCHEMA ${part};
  CREATE TABLE ${part}.submissions (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    uuid text COLLATE "C" NOT NULL UNIQUE,
    workspace text COLLATE "C" NOT NULL,
    key_id text COLLATE "C" NOT NULL,
    private boolean NOT NULL,
    type text COLLATE "C" NOT NULL,
    level text COLLATE "C" NOT NULL,
    md5 text COLLATE "C",
    sha1 text COLLATE "C",
    sha256 text COLLATE "C",
    filename text COLLATE "C",
    created_ms bigint NOT NULL,
    finished boolean NOT NULL,
    bytes bigint NOT NULL,
    sanitized_sha256 text COLLATE "C",
    file_id text COLLATE "C",
    document text NOT NULL
  );
  CREATE TABLE ${part}.passwords (
    id bigint PRIMARY KEY REFERENCES ${part}.submissions ON DELETE CASCADE,
    password text NOT NULL
  );
  CREATE TABLE ${part}.jobs (
    id bigint PRIMARY KEY REFERENCES ${part}.submissions ON DELETE CASCADE,
    uuid text NOT NULL,
    group_name text COLLATE "C" NOT NULL,
    turn bigint NOT NULL,
    worker text,
    lease_until timestamptz NOT NULL DEFAULT '-infinity'
  ) WITH (fillfactor = 50);
  CREATE INDEX jobs_in_turn ON ${part}.jobs (turn, id);
  CREATE INDEX jobs_of_group ON ${part}.jobs (group_name, turn);
  CREATE INDEX jobs_of_worker ON ${part}.jobs (worker);
  CREATE TABLE ${part}.recent_blobs (
    sha256 text COLLATE "C" PRIMARY KEY,
    until timestamptz NOT NULL
  );
  CREATE INDEX recent_until ON ${part}.recent_blobs (until);
  CREATE TABLE ${part}.tags (
    value text COLLATE "C" NOT NULL,
    created_ms bigint NOT NULL,
    id bigint NOT NULL REFERENCES ${part}.submissions ON DELETE CASCADE,
    private boolean NOT NULL,
    workspace text COLLATE "C" NOT NULL,
    PRIMARY KEY (value, created_ms, id) INCLUDE (private, workspace)
  );
  CREATE INDEX tags_of ON ${part}.tags (id, value);
  CREATE TABLE ${part}.produced (
    sha256 text COLLATE "C" NOT NULL,
    id bigint NOT NULL REFERENCES ${part}.submissions ON DELETE CASCADE,
    PRIMARY KEY (sha256, id)
  );
  CREATE INDEX produced_of ON ${part}.produced (id);
  ${tallies(part)}
  ${submissionIndexes(part)}
`;

/** The sums that the page of figures shows. */
const tallies = (part: Part) => `
  CREATE TABLE ${part}.tallies (
    workspace text COLLATE "C" NOT NULL,
    private boolean NOT NULL,
    type text COLLATE "C" NOT NULL,
    level text COLLATE "C" NOT NULL,
    amount bigint NOT NULL,
    bytes bigint NOT NULL,
    PRIMARY KEY (workspace, private, type, level)
  ) WITH (fillfactor = 50);
`;

const submissionIndexes = (part: Part) => `
  CREATE INDEX by_created ON ${part}.submissions (created_ms, id) INCLUDE (private, workspace, type, level);
  CREATE INDEX by_level ON ${part}.submissions (level, created_ms, id) INCLUDE (private, workspace, type);
  CREATE INDEX by_type ON ${part}.submissions (type, created_ms, id) INCLUDE (private, workspace, level);
  CREATE INDEX by_private ON ${part}.submissions (private, created_ms, id) INCLUDE (workspace, type, level);
  CREATE INDEX by_workspace ON ${part}.submissions (workspace, created_ms, id) INCLUDE (private, type, level);
  CREATE INDEX by_sha256 ON ${part}.submissions (sha256, created_ms, id);
  CREATE INDEX by_sha1 ON ${part}.submissions (sha1, created_ms, id);
  CREATE INDEX by_md5 ON ${part}.submissions (md5, created_ms, id);
  CREATE INDEX by_filename ON ${part}.submissions USING gin (filename gin_trgm_ops);
  CREATE INDEX by_sanitized ON ${part}.submissions (sanitized_sha256) WHERE sanitized_sha256 IS NOT NULL;
  CREATE UNIQUE INDEX by_file ON ${part}.submissions (file_id) WHERE file_id IS NOT NULL;
  CREATE INDEX by_key ON ${part}.submissions (key_id, created_ms);
  CREATE INDEX unfinished ON ${part}.submissions (created_ms, id) WHERE NOT finished;
  CREATE INDEX unfinished_of_key ON ${part}.submissions (key_id) WHERE NOT finished;
  CREATE INDEX finished ON ${part}.submissions (created_ms, id) WHERE finished;
`;

/**
 * Connects, and makes the tables when the database is empty. `url` is `postgres://user@host/name`, or
 * `postgres:///name?host=/var/run/postgresql` for a socket. Rejects with DatabaseRefusedError.
 */
export async function openDatabase(url: string): Promise<Database> {
  const database = connect(url);
  try {
    await createTables(database);
    return database;
  } catch (error) {
    await database.close();
    throw refusalOf(error);
  }
}

async function createTables({ transaction }: Database): Promise<void> {
  const found = await transaction(async (run) => {
    await run('SELECT pg_advisory_xact_lock($1)', [CREATION_LOCK]);
    const [known] = await run<{ isThere: boolean }>(
      `SELECT to_regclass('airlock.schema_version') IS NOT NULL AS "isThere"`,
    );
    if (!known?.isThere) for (const tables of [SHARED_TABLES, ...PARTS.map(partTables)]) await run(tables);
    const [row] = await run<{ version: number }>('SELECT version FROM airlock.schema_version');
    return row?.version;
  });
  if (found === SCHEMA_VERSION) return;
  throw new DatabaseRefusedError(
    `its tables have version ${found}, and this program writes version ${SCHEMA_VERSION}; use the program that made them, or an empty database`,
  );
}
