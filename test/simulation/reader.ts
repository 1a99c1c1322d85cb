/** Reads what a simulation has left behind, as everybody can read it: the chains, the audit trail, and the proof of a delivery. */

import { newestAttempt, newestChain } from '../../lib/pipeline/chain/newest-chain.ts';
import { NotFoundError } from '../../lib/pipeline/errors.ts';
import { keys } from '../../lib/pipeline/keys.ts';
import type { Ledger } from '../../lib/pipeline/ledger/ledger.ts';
import { DEFAULT_LIMITS } from '../../lib/pipeline/limits.ts';
import { verifyDelivery } from '../../lib/pipeline/results/verify-delivery.ts';
import { auditTrail } from '../../lib/pipeline/review/audit.ts';
import { createSigner } from './signer.ts';
import type { Objects } from './stores.ts';

export interface Reader {
  /** The ledger of each attempt; null when there is none. */
  attemptsOf(runId: string): Promise<(Ledger | null)[]>;
  /** The hash of each record of the audit trail, or what is wrong with the trail. */
  audited(): Promise<ReadonlySet<string> | string>;
  /** Why the object that was delivered under this key does not prove itself; null when it does. */
  problemOf(runId: string, key: string): Promise<string | null>;
}

/** A reader that changes nothing. */
export function createReader(objects: Objects): Reader {
  const never = () => Promise.reject(new Error('the observer only reads'));
  const blobs = {
    put: never,
    copy: never,
    has: async (...[bucket, key]: Parameters<Objects['has']>) => objects.has(bucket, key),
    get: async (...wanted: Parameters<Objects['get']>) => objects.get(...wanted),
  };
  const ctx = {
    blobs,
    signer: createSigner(),
    limits: DEFAULT_LIMITS,
    clock: { now: () => 0 },
    log: { info: () => {}, warn: () => {} },
  };
  const ledgerOf = async (runId: string, attempt: number) => {
    try {
      return (await newestChain(ctx, runId, attempt)).ledger;
    } catch (error) {
      if (error instanceof NotFoundError) return null;
      throw error;
    }
  };
  return {
    async attemptsOf(runId) {
      const count = await newestAttempt(ctx, runId);
      return Promise.all(Array.from({ length: count }, (_, index) => ledgerOf(runId, index + 1)));
    },
    async audited() {
      const hashes = new Set<string>();
      try {
        for await (const { hash } of auditTrail(ctx)) hashes.add(hash);
      } catch (error) {
        return String(error);
      }
      return hashes;
    },
    async problemOf(runId, key) {
      const [message, evidence] = [objects.find('clean', key), objects.find('clean', keys.cleanEvidence(runId))];
      if (message === null || evidence === null) return 'it has no evidence';
      const proof = await verifyDelivery(ctx, { message, evidence, files: null });
      return proof.fits ? null : proof.problems.join(', ');
    },
  };
}
