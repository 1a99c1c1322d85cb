/**
 * The storage of a running service: memory until it ends, a directory that the next service finds again, or a storage that several services
 * share.
 */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { ServiceLimits } from '../limits.ts';
import type { SharedState } from '../shared-state.ts';
import type { KeyStore } from './api-keys.ts';
import type { BlobStore } from './blobs.ts';
import { openDirectoryBlobs } from './directory-blobs.ts';
import { createMemoryBlobs } from './memory-blobs.ts';
import { createMemoryStore } from './memory-store.ts';
import type { SubmissionStore } from './submission-store.ts';

/** The storage of one of the two services. */
export interface ServiceStorage {
  readonly store: SubmissionStore;
  readonly blobs: BlobStore;
}

export interface Storage {
  readonly analysis: ServiceStorage;
  /** Kept apart, because the analysis service must not list the submissions of the CDR service. */
  readonly cdr: ServiceStorage;
  /** Issued keys; null where none can be kept. */
  readonly keys: KeyStore | null;
  /** How much is kept before the oldest is forgotten. */
  readonly bounds: Pick<ServiceLimits, 'storedSubmissions' | 'storedBytes'>;
  /** Absent when one process has the storage to itself. */
  readonly shared?: SharedState;
  close(): Promise<void>;
}

/** The directory is in use by another service. Two services would run every job twice. */
export class StorageLockedError extends Error {
  override readonly name = 'StorageLockedError';
  constructor(readonly directory: string) {
    super(`another service keeps its data in ${directory}`);
  }
}

const DIRECTORY_MODE = 0o700;

/** Makes storage that ends with the process. */
export function memoryStorage(limits: ServiceLimits): Storage {
  const bounds = { storedSubmissions: limits.rememberedSubmissions, storedBytes: limits.rememberedBytes };
  const part = () => ({ store: createMemoryStore(), blobs: createMemoryBlobs(limits.rememberedBytes) });
  return { analysis: part(), cdr: part(), keys: null, bounds, close: async () => undefined };
}

/** Opens storage in a directory, which is made when it is missing. Rejects with StorageLockedError. */
export async function openStorage(directory: string, limits: ServiceLimits): Promise<Storage> {
  await mkdir(directory, { recursive: true, mode: DIRECTORY_MODE });
  const lock = await lockDirectory(directory);
  const analysis = await openPart(join(directory, 'analysis'));
  const cdr = await openPart(join(directory, 'cdr'));
  const keys = await openKeys(directory);
  const { storedSubmissions, storedBytes } = limits;
  return {
    analysis,
    cdr,
    keys,
    bounds: { storedSubmissions, storedBytes },
    close: async () => {
      for (const part of [analysis.store, cdr.store, keys, lock]) await part.close();
    },
  };
}

/** Opens only the keys of a storage directory. A running service may use them at the same time. */
export async function openKeys(directory: string): Promise<KeyStore> {
  await mkdir(directory, { recursive: true, mode: DIRECTORY_MODE });
  // Loaded on first use: a service in memory needs no database.
  const { openSqliteKeys } = await import('./sqlite-keys.ts');
  return openSqliteKeys(join(directory, 'keys.db'));
}

async function openPart(directory: string): Promise<ServiceStorage> {
  await mkdir(directory, { recursive: true, mode: DIRECTORY_MODE });
  const { openSqliteStore } = await import('./sqlite-store.ts');
  const blobs = await openDirectoryBlobs(join(directory, 'blobs'));
  return { store: openSqliteStore(join(directory, 'submissions.db')), blobs };
}

async function lockDirectory(directory: string): Promise<{ close(): Promise<void> }> {
  const { holdLock } = await import('../../../storage/sqlite/lock.ts');
  const lock = holdLock(join(directory, 'lock.db'));
  if (!lock) throw new StorageLockedError(directory);
  return lock;
}
