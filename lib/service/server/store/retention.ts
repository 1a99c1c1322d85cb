/** Keeps a store within its bounds: the oldest finished submissions are forgotten, with the bytes that nobody else needs. */

import type { ServiceLimits } from '../limits.ts';
import { ServiceError } from '../service-error.ts';
import type { BlobStore } from './blobs.ts';
import type { SubmissionStore } from './submission-store.ts';

export interface RetentionDeps {
  readonly store: SubmissionStore;
  readonly blobs: BlobStore;
  readonly limits: Pick<ServiceLimits, 'storedSubmissions' | 'storedBytes'>;
  readonly isHeld: (sha256: string) => boolean;
}

export interface Retention {
  /** Makes room for one more submission of this size. Throws ServiceError STORAGE_UNAVAILABLE when nothing can go. */
  makeRoom(bytes: number): Promise<void>;
}

/** Seconds after which something may have finished, and so can be forgotten. */
const RETRY_AFTER_SECONDS = 30;

/** Retention of one store. What is stored is counted from the store itself, so a restart changes nothing. */
export function createRetention({ store, blobs, limits, isHeld }: RetentionDeps): Retention {
  const isFull = async (bytes: number) => {
    const usage = await store.usage();
    return usage.submissions >= limits.storedSubmissions || usage.bytes + bytes > limits.storedBytes;
  };
  return {
    makeRoom: async (bytes) => {
      while (await isFull(bytes)) {
        const unneeded = await store.forgetOldest();
        if (unneeded === null)
          throw new ServiceError('STORAGE_UNAVAILABLE', { retryAfterSeconds: RETRY_AFTER_SECONDS });
        for (const sha256 of unneeded) if (!isHeld(sha256)) await blobs.remove(sha256);
      }
    },
  };
}
