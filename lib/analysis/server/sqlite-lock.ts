/** A lock that ends with its process, however that ends: an open transaction on a database that holds nothing. */
import Database from 'libsql';

/** Takes the lock, or returns null when another process holds it. */
export function holdLock(path: string): { close(): Promise<void> } | null {
  const db = new Database(path);
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
