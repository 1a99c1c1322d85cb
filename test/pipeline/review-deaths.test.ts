/**
 * A process is killed before each write to the store and after the last, while it does what a person decided. To die before a write is to die
 * after the write before it, and to die at a read is the same as well: nothing but a write changes what the next process finds.
 */
import { beforeAll, expect, test } from 'vitest';
import { type Action, reviewed } from '../../lib/local/session/review.ts';
import type { Context } from '../../lib/pipeline/context.ts';
import { keys } from '../../lib/pipeline/keys.ts';
import type { Bucket } from '../../lib/pipeline/ports.ts';
import { auditTrail } from '../../lib/pipeline/review/audit.ts';
import type { MemoryBlobs } from '../../lib/storage/memory.ts';
import { dyingAt } from './dying-blobs.ts';
import { decided, PAT, partsOf } from './review-rig.ts';
import { createRig, emailWith, PDF, type Rig } from './rig.ts';

const MAIL = emailWith({ text: 'Hello', files: [{ name: 'a.pdf', bytes: PDF }] });
const BUCKETS: readonly Bucket[] = ['intake', 'work', 'clean', 'quarantine'];
const ROOM = { maxBytes: 10_000_000 };

/** The store of a mail that is held. */
let held: MemoryBlobs;
let runId: string;

beforeAll(async () => {
  const rig = newRig();
  ({ runId } = await rig.scan(MAIL));
  held = rig.blobs;
});

const newRig = () => createRig({ script: { polls: 0, answer: () => ({ verdict: 'malicious' }) } });

async function copyOfHeld(): Promise<Rig> {
  const rig = newRig();
  for (const bucket of BUCKETS)
    for (const key of held.list(bucket)) await rig.blobs.put(bucket, key, await held.get(bucket, key, ROOM));
  return rig;
}

async function countWrites(action: Action): Promise<number> {
  const rig = await copyOfHeld();
  const { blobs, writes } = dyingAt(rig.blobs, Number.POSITIVE_INFINITY);
  const ctx: Context = { ...rig.ctx, blobs };
  await reviewed(partsOf(ctx, rig.blobs), runId, { action, form: 'rebuilt', who: PAT });
  return writes();
}

/** Dies before this write, and leaves the store as it is then. */
async function died(action: Action, write: number): Promise<Rig> {
  const rig = await copyOfHeld();
  const { blobs } = dyingAt(rig.blobs, write);
  const parts = partsOf({ ...rig.ctx, blobs }, rig.blobs);
  await reviewed(parts, runId, { action, form: 'rebuilt', who: PAT }).catch(() => {});
  return rig;
}

test('a release is there once or not at all, the chain says which, and asked again it is there once', async () => {
  const writes = await countWrites('release');
  expect(writes).toBeGreaterThan(10);
  for (let write = 1; write <= writes + 1; write += 1) {
    const rig = await died('release', write);
    const { attempt, terminal } = await rig.ledger(runId);
    const isDelivered = rig.blobs.list('clean').includes(keys.cleanMessage(runId));
    // Nobody has a mail of which the chain does not say who released it.
    if (isDelivered) expect([write, attempt.people?.[0]?.name]).toEqual([write, 'pat']);
    if (attempt.number === 1) expect([write, terminal?.state]).toEqual([write, 'quarantined']);
    const again = await decided(rig, runId, 'release');
    expect([write, again.state]).toEqual([write, 'delivered']);
    const after = await rig.ledger(runId);
    expect([write, after.attempt.number, after.terminal?.state]).toEqual([write, 2, 'delivered']);
    expect(rig.blobs.list('clean').filter((key) => key.endsWith('.eml'))).toHaveLength(1);
    // The record that the attempt names is in the trail, and at most one more, of what died before it began.
    const hashes: string[] = [];
    for await (const { hash } of auditTrail(rig.ctx)) hashes.push(hash);
    expect([write, hashes.includes(after.attempt.audit ?? ''), hashes.length <= 2]).toEqual([write, true, true]);
  }
});

test('a delete is done or not, the chain says which, and asked again it is done', async () => {
  const writes = await countWrites('delete');
  for (let write = 1; write <= writes + 1; write += 1) {
    const rig = await died('delete', write);
    const { terminal } = await rig.ledger(runId);
    if (terminal?.state === 'quarantined')
      expect(rig.blobs.list('quarantine')).toContain(keys.quarantinedOriginal(runId));
    expect((await decided(rig, runId, 'delete')).state).toBe('deleted');
    expect(rig.blobs.list('quarantine')).toEqual([]);
  }
});
