/** Storage that several processes share: PostgreSQL, and files in a directory or in S3 that all of them reach. */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { S3Client } from '@aws-sdk/client-s3';
import type { ServiceLimits } from '../../limits.ts';
import type { BlobStore } from '../blobs.ts';
import { openDirectoryBlobs } from '../directory-blobs.ts';
import type { S3Place } from '../s3-blobs.ts';
import type { Storage } from '../storage.ts';
import type { Database } from './database.ts';
import { createJobPlaces } from './job-places.ts';
import { createClaims } from './jobs.ts';
import { createPostgresKeys } from './keys.ts';
import { createSharedQuotas } from './quotas.ts';
import { createRecentBlobs } from './recent-blobs.ts';
import { openDatabase, type Part } from './schema.ts';
import { createPostgresStore } from './store.ts';

/** The place of the files that all processes reach. */
export type FilesPlace = { readonly directory: string } | (S3Place & { readonly client: S3Client });

/** Opens the storage, and makes the tables in an empty database. Rejects with DatabaseRefusedError. */
export async function openSharedStorage(url: string, files: FilesPlace, limits: ServiceLimits): Promise<Storage> {
  const [analysisBlobs, cdrBlobs] = [await openFiles(files, 'analysis', limits), await openFiles(files, 'cdr', limits)];
  const database = await openDatabase(url);
  const { jobLeaseMs, queuedJobs, storedSubmissions, storedBytes } = limits;
  const process = randomUUID();
  const quotas = createSharedQuotas(database, process, jobLeaseMs);
  const places = createJobPlaces(database.run, queuedJobs);
  const analysis = partOf(database, 'airlock_analysis', analysisBlobs);
  const cdr = partOf(database, 'airlock_cdr', cdrBlobs);
  return {
    analysis,
    cdr,
    keys: createPostgresKeys(database),
    bounds: { storedSubmissions, storedBytes },
    shared: {
      claims: createClaims(database, process, jobLeaseMs),
      quotas,
      places,
      beat: async () => {
        for (const part of [quotas.renew, places.count, analysis.sweep, cdr.sweep]) await part();
      },
    },
    close: () => database.close(),
  };
}

function partOf(database: Database, part: Part, files: BlobStore) {
  const { blobs, sweep } = createRecentBlobs(database, part, files);
  return { store: createPostgresStore(database, part), blobs, sweep };
}

async function openFiles(files: FilesPlace, folder: string, { requestMs }: ServiceLimits): Promise<BlobStore> {
  if ('directory' in files) return await openDirectoryBlobs(join(files.directory, folder), 2 * requestMs);
  const { client, bucket, prefix } = files;
  const { openS3Blobs } = await import('../s3-blobs.ts');
  return await openS3Blobs(client, { bucket, prefix: prefix === '' ? folder : `${prefix}/${folder}` });
}
