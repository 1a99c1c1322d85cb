/** Opens SQLite files that several processes share, and writes them in transactions. */
import type Database from 'libsql';
import { privateFile } from '../directory/private-file.ts';
import { openDatabase } from './libsql.ts';

export type Sqlite = Database.Database;

/** The tables of a database. */
export interface Tables {
  /** The statements that make them. */
  readonly sql: string;
  /** Every change of the tables raises it. A database of another version is not touched. */
  readonly version: number;
  /** The statements that turn a database of version 1 into version 2, and so on. */
  readonly changes?: readonly string[];
}

/** The milliseconds for which a process waits while another one writes. A write takes few of them. */
const BUSY_TIMEOUT_MS = 2_000;

/**
 * Pages of the log before they are copied into the database. Runs change the same pages again and again, and each copy of a page takes as
 * long as its write. The log takes 16 MB of the disk.
 */
const LOG_PAGES = 4_000;

/**
 * Opens a database in WAL mode, makes its tables when it is new, and changes those of an earlier version. Throws Error for a broken file
 * and for one of another version.
 */
export function openSqlite(path: string, { sql, version, changes = [] }: Tables): Sqlite {
  // A database in memory has no file.
  const db = openDatabase(path === ':memory:' ? path : privateFile(path));
  try {
    db.pragma(`busy_timeout = ${BUSY_TIMEOUT_MS}`);
    db.pragma('journal_mode = WAL');
    db.pragma(`wal_autocheckpoint = ${LOG_PAGES}`);
    // With WAL, a killed process loses no answered write. A power cut may lose the last moments, and keeps the order.
    db.pragma('synchronous = NORMAL');
    inTransaction(db, () => {
      const before = versionOf(db);
      const missing = before === 0 ? [sql] : before < version ? changes.slice(before - 1) : [];
      if (missing.length > 0) db.exec(`${missing.join(' ')} PRAGMA user_version = ${version};`);
    });
    const found = versionOf(db);
    if (found === version) return db;
    throw new Error(`the database ${path} has version ${found}, this program writes version ${version}`);
  } catch (error) {
    db.close();
    throw error;
  }
}

/**
 * Closes a database, and frees the room of its log, which is many megabytes after some hundred writes. If another process uses the
 * database, the log stays.
 */
export function closeSqlite(db: Sqlite): void {
  try {
    db.pragma('busy_timeout = 0');
    db.pragma('wal_checkpoint(TRUNCATE)');
  } catch {
    // A database that cannot be written is closed nevertheless.
  }
  db.close();
}

function versionOf(db: Sqlite): number {
  const row = db.prepare('PRAGMA user_version').get() as { user_version: number };
  return row.user_version;
}

const STATEMENTS = new WeakMap<Sqlite, Map<string, Database.Statement>>();
/** A query may have any number of conditions, and each number needs its own statement. */
const MAX_STATEMENTS = 100;

/**
 * Returns the statement of this SQL, which is compiled once. Use it at once, and do not keep it while another user may have the same SQL.
 */
export function prepared(db: Sqlite, sql: string): Database.Statement {
  const known = STATEMENTS.get(db) ?? new Map<string, Database.Statement>();
  STATEMENTS.set(db, known);
  if (known.size >= MAX_STATEMENTS) known.clear();
  const statement = known.get(sql) ?? db.prepare(sql);
  known.set(sql, statement);
  return statement;
}

/** Runs `work` as one transaction that may write from its start. */
export function inTransaction<T>(db: Sqlite, work: () => T): T {
  db.exec('BEGIN IMMEDIATE');
  try {
    const result = work();
    db.exec('COMMIT');
    return result;
  } catch (error) {
    // Some failures, such as a full disk, have already ended the transaction.
    if (db.inTransaction) db.exec('ROLLBACK');
    throw error;
  }
}
