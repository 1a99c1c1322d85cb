/**
 * The tables of the SQLite store. Rows are numbered in the order of their creation, which is the order of every list. A list reads an
 * index in that order and stops at its page. The document of a submission is in another table, so that a list reads small rows.
 */
import { openSqlite, type Sqlite } from '../../../storage/sqlite/sqlite.ts';
import { ServiceError } from '../service-error.ts';

/** The version of the tables. Every change of the tables raises it. A database of another version is not touched. */
const SCHEMA_VERSION = 1;
/**
 * The bytes of the file that are read without a system call. They are in the cache of the system, which takes them back when it needs to.
 */
const MAPPED_BYTES = 256 * 1024 * 1024;

const SUBMISSION_TABLES = `
  CREATE TABLE submissions (
    id INTEGER PRIMARY KEY,
    uuid TEXT NOT NULL UNIQUE,
    workspace TEXT NOT NULL,
    key_id TEXT NOT NULL,
    private INTEGER NOT NULL,
    type TEXT NOT NULL,
    level TEXT NOT NULL,
    md5 TEXT,
    sha1 TEXT,
    sha256 TEXT,
    filename TEXT,
    created_ms INTEGER NOT NULL,
    finished INTEGER NOT NULL,
    bytes INTEGER NOT NULL,
    sanitized_sha256 TEXT,
    file_id TEXT
  );
  CREATE TABLE documents (id INTEGER PRIMARY KEY, document TEXT NOT NULL);
  CREATE TABLE passwords (id INTEGER PRIMARY KEY, password TEXT NOT NULL);
  CREATE TABLE tags (value TEXT NOT NULL, id INTEGER NOT NULL, PRIMARY KEY (value, id)) WITHOUT ROWID;
  CREATE INDEX tags_of ON tags (id);
  CREATE TABLE tallies (
    workspace TEXT NOT NULL,
    private INTEGER NOT NULL,
    type TEXT NOT NULL,
    level TEXT NOT NULL,
    amount INTEGER NOT NULL,
    PRIMARY KEY (workspace, private, type, level)
  ) WITHOUT ROWID;
  CREATE VIRTUAL TABLE names USING fts5 (
    name, tokenize = 'trigram', content = '', contentless_delete = 1
  );
  CREATE INDEX by_order ON submissions (id, private, workspace, type, level);
  CREATE INDEX by_level ON submissions (level, id, private, workspace, type);
  CREATE INDEX by_type ON submissions (type, id, private, workspace, level);
  CREATE INDEX by_private ON submissions (private, id, workspace, type, level);
  CREATE INDEX by_workspace ON submissions (workspace, id, private, type, level);
  CREATE INDEX by_created ON submissions (created_ms, id);
  CREATE INDEX by_sha256 ON submissions (sha256, id, private, workspace);
  CREATE INDEX by_sha1 ON submissions (sha1, id, private, workspace);
  CREATE INDEX by_md5 ON submissions (md5, id, private, workspace);
  CREATE INDEX by_sanitized ON submissions (sanitized_sha256) WHERE sanitized_sha256 IS NOT NULL;
  CREATE UNIQUE INDEX by_file ON submissions (file_id) WHERE file_id IS NOT NULL;
  CREATE INDEX by_key ON submissions (key_id, created_ms);
  CREATE INDEX unfinished ON submissions (id) WHERE finished = 0;
  CREATE INDEX finished ON submissions (id) WHERE finished = 1;
`;

/** The blobs that analyses produced, by submission. Databases of this version may lack the table, which is then made. */
const PRODUCED_TABLE = `
  CREATE TABLE IF NOT EXISTS produced (sha256 TEXT NOT NULL, id INTEGER NOT NULL, PRIMARY KEY (sha256, id)) WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS produced_of ON produced (id);
`;

/** Opens a database of submissions, and makes its tables when it is new. Throws Error for one of another version. */
export function openSubmissionDatabase(path: string): Sqlite {
  const db = openDatabase(path, SUBMISSION_TABLES);
  db.exec(PRODUCED_TABLE);
  return db;
}

/** Opens a SQLite database with these tables. Throws Error for one of another version. */
export function openDatabase(path: string, tables: string): Sqlite {
  const db = openSqlite(path, { sql: tables, version: SCHEMA_VERSION });
  // Passwords of archives are deleted when their job ends. This setting overwrites their bytes, too.
  db.pragma('secure_delete = ON');
  db.pragma(`mmap_size = ${MAPPED_BYTES}`);
  return db;
}

/** Errors of the disk, which are no fault of the request. */
const REFUSED_BY_DISK = /^SQLITE_(FULL|IOERR|BUSY|CANTOPEN|READONLY)/;
const RETRY_AFTER_SECONDS = 30;

/** Runs a call of a store. Rejects with ServiceError STORAGE_UNAVAILABLE when the disk is full, gone or held by others. */
export async function storageCall<T>(work: () => T): Promise<T> {
  try {
    return work();
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    if (!REFUSED_BY_DISK.test(code)) throw error;
    throw new ServiceError('STORAGE_UNAVAILABLE', { retryAfterSeconds: RETRY_AFTER_SECONDS });
  }
}
