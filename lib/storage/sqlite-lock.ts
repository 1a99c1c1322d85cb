/** A lock that ends with its process, however that ends: an open transaction on a database that holds nothing. */
import Database from 'libsql';
import { privateFile } from './private-file.ts';

export interface Lock {
  close(): Promise<void>;
}

/** Takes the lock in a file, which is made when it is not there. Null when it is held, by another process or by this one. */
export function holdLock(path: string): Lock | null {
  const db = new Database(privateFile(path));
  try {
    db.exec('BEGIN EXCLUSIVE');
  } catch {
    db.close();
    return null;
  }
  return {
    close: async () => {
      db.exec('ROLLBACK');
      db.close();
    },
  };
}
