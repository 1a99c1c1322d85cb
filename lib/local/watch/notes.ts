/** The finished files of a watched folder, so that a killed and restarted process does none twice. */
import { join } from 'node:path';
import { openSqlite } from '../../storage/sqlite/sqlite.ts';
import type { WatchedFile } from './watched-folder.ts';

export interface WatchNotes {
  /** Returns true when the file was done with its present content. A file with other content is a new one. */
  isDone(file: WatchedFile): boolean;
  /** Returns true when a file of this name was done. */
  isKnown(key: string): boolean;
  done(file: WatchedFile): void;
  close(): void;
}

const SCHEMA_VERSION = 1;
const TABLES = 'CREATE TABLE files (key TEXT PRIMARY KEY, stamp TEXT NOT NULL) WITHOUT ROWID;';

const stampOf = ({ size, modifiedMs }: WatchedFile) => `${size} ${modifiedMs}`;

/** Opens the notes in the folder of the results. Throws Error for a broken file. */
export function openWatchNotes(out: string): WatchNotes {
  const db = openSqlite(join(out, 'watched.db'), { sql: TABLES, version: SCHEMA_VERSION });
  const known = db.prepare('SELECT stamp FROM files WHERE key = ?');
  const note = db.prepare('INSERT INTO files VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET stamp = excluded.stamp');
  const stampNoted = (key: string) => (known.get(key) as { readonly stamp: string } | undefined)?.stamp;
  return {
    isDone: (file) => stampNoted(file.key) === stampOf(file),
    isKnown: (key) => stampNoted(key) !== undefined,
    done: (file) => void note.run(file.key, stampOf(file)),
    close: () => void db.close(),
  };
}
