/** The stage that reads an email, to its end: what an attack has to get past. */

import { createUnpacker } from '../../lib/formats/archives/unpacker.ts';
import { createCodeReader } from '../../lib/formats/codes/reader.ts';
import { threadClock } from '../../lib/formats/threads/thread-time.ts';
import { readLedger } from '../../lib/pipeline/chain/ledger-store.ts';
import type { Ledger } from '../../lib/pipeline/ledger/ledger.ts';
import { DEFAULT_LIMITS } from '../../lib/pipeline/limits.ts';
import { parse } from '../../lib/pipeline/parse.ts';
import { DEFAULT_POLICY } from '../../lib/pipeline/policy/policy.ts';
import type { Blobs } from '../../lib/pipeline/ports.ts';
import { memoryBlobs } from '../../lib/storage/memory.ts';
import { createSigner } from '../../lib/storage/signer.ts';

/** Buckets are elsewhere: the email comes in once, and what is taken out of it leaves the process. Kept here, both would count. */
function bucketsWith(email: Uint8Array): Blobs {
  const blobs = memoryBlobs();
  return {
    ...blobs,
    get: async (bucket, key, options) => (bucket === 'intake' ? email : await blobs.get(bucket, key, options)),
    put: async (bucket, key, bytes, options) =>
      key.startsWith('artifacts/') ? true : await blobs.put(bucket, key, bytes, options),
  };
}

/** The ledger of an email, with everything in it: both readings, containers, URLs. */
export async function ledgerOf(email: Uint8Array): Promise<Ledger> {
  const [unpacker, codes, blobs] = [createUnpacker(), createCodeReader(), bucketsWith(email)];
  const base = {
    blobs,
    signer: createSigner({ blobs, secretOf: async (stage) => stage }),
    limits: DEFAULT_LIMITS,
    clock: { now: () => Date.now() },
    log: { info: () => {}, warn: () => {} },
  };
  const key = 'mail.eml';
  const ctx = {
    ...base,
    unpacker,
    codes,
    policy: DEFAULT_POLICY,
    work: threadClock,
    executions: { start: async () => {} },
  };
  try {
    const run = await parse(ctx, { bucket: 'intake', untrustedKey: key, versionId: '', size: email.length });
    return await readLedger(base, run.runId);
  } finally {
    await unpacker.close();
    await codes.close();
  }
}
