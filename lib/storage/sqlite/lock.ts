/** A lock that always ends with its process: an open transaction on an empty database. */

import { privateFile } from '../directory/private-file.ts';
import { openDatabase } from './libsql.ts';

export interface Lock {
  close(): Promise<void>;
}

/** Takes the lock in a file, which is created if it is absent. Returns null when another process, or this one, has it. */
export function holdLock(path: string): Lock | null {
  const db = openDatabase(privateFile(path));
  try {
    db.exec('BEGIN EXCLUSIVE');
  } catch {
    db.close();
    return null;
  }
  return {
    // The transaction ends with its connection.
    close: async () => {
      db.close();
    },
  };
}
