/** The stage that reads an email, over storage in memory: what an attack has to get past, to its end. */

import type { Ledger } from '../../lib/pipeline/ledger.ts';
import { readLedger } from '../../lib/pipeline/ledger-store.ts';
import { DEFAULT_LIMITS } from '../../lib/pipeline/limits.ts';
import { parse } from '../../lib/pipeline/parse.ts';
import { memoryBlobs } from '../../lib/storage/memory.ts';
import { createCodeReader } from '../../lib/unpacking/codes/code-reader.ts';
import { createUnpacker } from '../../lib/unpacking/unpacker.ts';

/** The ledger of an email, with everything in it: both readings, containers, URLs. */
export async function ledgerOf(email: Uint8Array): Promise<Ledger> {
  const [unpacker, codes, blobs] = [createUnpacker(), createCodeReader(), memoryBlobs()];
  const base = {
    blobs,
    limits: DEFAULT_LIMITS,
    clock: { now: () => Date.now() },
    log: { info: () => {}, warn: () => {} },
  };
  const key = 'mail.eml';
  await blobs.put('intake', key, email);
  const ctx = { ...base, unpacker, codes, executions: { start: async () => {} } };
  try {
    const run = await parse(ctx, { bucket: 'intake', untrustedKey: key, versionId: '', size: email.length });
    return await readLedger(base, run.runId);
  } finally {
    await unpacker.close();
    await codes.close();
  }
}
