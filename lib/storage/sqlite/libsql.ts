/** Loads SQLite with the first database. It is a native program, and most verbs of the command line do not need it. */
import { createRequire } from 'node:module';
import type Database from 'libsql';
import { missingPackage } from '../../formats/missing-package.ts';

/** Opens a database file. Throws MissingPackageError when SQLite is not installed. */
export function openDatabase(path: string): Database.Database {
  return new (loadLibrary())(path);
}

function loadLibrary(): typeof Database {
  try {
    return createRequire(import.meta.url)('libsql') as typeof Database;
  } catch (error) {
    throw missingPackage(error) ?? error;
  }
}
