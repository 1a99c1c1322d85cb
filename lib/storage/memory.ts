/** The storage ports in memory, for tests, and for submissions that end with their process anyway. */
import { LimitExceededError, NotFoundError } from '../pipeline/errors.ts';
import type { Blobs, Bucket, GetOptions, PutOptions, SubmissionRecord, Submissions } from '../pipeline/ports.ts';

export interface MemoryBlobs extends Blobs {
  /** Returns the sorted keys of a bucket, to see what was written. */
  list(bucket: Bucket): string[];
  /** Loses an object. No code of ours does so. */
  remove(bucket: Bucket, key: string): void;
}

/** Blobs in a map. Versions are not kept: every get returns the newest. */
export function memoryBlobs(): MemoryBlobs {
  const objects = new Map<string, Uint8Array>();
  const id = (bucket: Bucket, key: string) => `${bucket}/${key}`;
  const find = (bucket: Bucket, key: string) => {
    const found = objects.get(id(bucket, key));
    if (!found) throw new NotFoundError(bucket, key);
    return found;
  };
  return {
    async put(bucket, key, body, options: PutOptions = {}) {
      if (options.ifAbsent && objects.has(id(bucket, key))) return false;
      objects.set(id(bucket, key), Uint8Array.from(body));
      return true;
    },
    async get(bucket, key, { maxBytes }: GetOptions) {
      const found = find(bucket, key);
      if (found.length > maxBytes) throw new LimitExceededError('maxBytes', maxBytes, found.length);
      return Uint8Array.from(found);
    },
    async has(bucket, key) {
      return objects.has(id(bucket, key));
    },
    async copy(source, target) {
      objects.set(id(target.bucket, target.key), find(source.bucket, source.key));
    },
    remove(bucket, key) {
      objects.delete(id(bucket, key));
    },
    list(bucket) {
      const prefix = `${bucket}/`;
      return [...objects.keys()]
        .filter((key) => key.startsWith(prefix))
        .map((key) => key.slice(prefix.length))
        .sort();
    },
  };
}

/** Submissions in a map. Beyond `mostRecords`, the oldest known reports are forgotten. They are then requested again. */
export function memorySubmissions(mostRecords = Number.POSITIVE_INFINITY): Submissions {
  const records = new Map<string, SubmissionRecord>();
  const forgetOldest = () => {
    for (const [key, { report }] of records) {
      if (records.size <= mostRecords) return;
      if (report !== null) records.delete(key);
    }
  };
  const live = (key: string, nowSeconds: number) => {
    const found = records.get(key);
    return found && found.expiresAtSeconds > nowSeconds ? found : null;
  };
  return {
    async claim(record, nowSeconds) {
      const holder = live(record.key, nowSeconds);
      if (holder) return { record: holder, won: false };
      records.set(record.key, record);
      if (records.size > mostRecords) forgetOldest();
      return { record, won: true };
    },
    async find(key, nowSeconds) {
      return live(key, nowSeconds);
    },
    async update(record) {
      if (records.get(record.key)?.claimedBy !== record.claimedBy) return false;
      records.set(record.key, record);
      return true;
    },
    async release(key, runId) {
      if (records.get(key)?.claimedBy === runId) records.delete(key);
    },
  };
}
