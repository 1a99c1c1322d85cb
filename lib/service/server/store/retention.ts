/** Keeps a store within its limits. It deletes the oldest finished submissions, with the bytes that no other submission needs. */

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
  /** Makes room for one more submission of this size. Throws ServiceError STORAGE_UNAVAILABLE when nothing can be deleted. */
  makeRoom(bytes: number): Promise<void>;
}

/** The seconds after which a submission may have finished and can be deleted. */
const RETRY_AFTER_SECONDS = 30;

/** Makes the retention of one store. The store itself knows its contents, so a restart changes nothing. */
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
