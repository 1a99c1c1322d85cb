/** A person deletes a mail while an earlier try of `quarantine` is still at work, which its caller has given up: nothing of the mail comes back. */
import { expect, test } from 'vitest';
import { createBlockList } from '../../lib/pipeline/block-list.ts';
import { keys } from '../../lib/pipeline/keys.ts';
import { parse } from '../../lib/pipeline/parse.ts';
import { parsePolicy } from '../../lib/pipeline/policy.ts';
import type { Blobs } from '../../lib/pipeline/ports.ts';
import { quarantine } from '../../lib/pipeline/quarantine.ts';
import { carryOut } from '../../lib/pipeline/review-request.ts';
import { carryOutRig } from './carry-out-rig.ts';
import { createRig, emailWith, PDF, type Rig } from './rig.ts';
import { runUpTo } from './way.ts';

const MAIL = emailWith({ files: [{ name: 'a.pdf', bytes: PDF }] });
const PAT = { name: 'pat@example.org', id: 'id-of-pat', role: 'admin' } as const;
const policy = parsePolicy('{"notices":{"notify":"admin","from":"airlock@example.org","admin":"ops@example.org"}}');

/** A mail that is about to be held, and what a person does once it is. */
async function aboutToBeHeld() {
  const rig = createRig({ policy, script: { polls: 0, answer: () => ({ verdict: 'malicious' }) } });
  const on = carryOutRig(rig);
  const run = await runUpTo(rig.ctx, await parse(rig.ctx, await rig.intake(MAIL)), 'rebuild');
  const { runId } = run;
  const remove = () =>
    carryOut(on.review, createBlockList(on.review), PAT, { action: 'delete', runId, seen: 1, why: 'it is odd' });
  const holdAndDelete = async (ctx = rig.ctx) => {
    await quarantine(ctx, run);
    expect(await remove()).toEqual({ state: 'done' });
  };
  return { rig, run, remove, holdAndDelete };
}

/** Everything in the quarantine bucket that has something in it. */
async function left(rig: Rig): Promise<string[]> {
  const sizes = rig.blobs.list('quarantine').map(async (key) => {
    const { length } = await rig.blobs.get('quarantine', key, { maxBytes: 1_000_000 });
    return length > 0 ? [key] : [];
  });
  return (await Promise.all(sizes)).flat();
}

/** The store, which does something before its call of this number. */
function interrupted(real: Blobs, at: number, work: () => Promise<void>): { blobs: Blobs; calls: () => number } {
  let calls = 0;
  const before =
    <A extends unknown[], R>(call: (...args: A) => Promise<R>) =>
    async (...args: A): Promise<R> => {
      calls += 1;
      if (calls === at) await work();
      return call(...args);
    };
  const { put, get, has, copy } = real;
  return { blobs: { put: before(put), get: before(get), has: before(has), copy: before(copy) }, calls: () => calls };
}

test('whenever it is deleted meanwhile, nothing of it is held', async () => {
  const first = await aboutToBeHeld();
  const { blobs, calls } = interrupted(first.rig.blobs, 0, async () => {});
  await quarantine({ ...first.rig.ctx, blobs }, first.run);
  expect((await left(first.rig)).sort()).toEqual(
    [keys.quarantineNotice, keys.quarantinedOriginal, keys.quarantineRecord].map((key) => key(first.run.runId)).sort(),
  );
  for (let at = 1; at <= calls(); at += 1) {
    const { rig, run, holdAndDelete } = await aboutToBeHeld();
    const late = interrupted(rig.blobs, at, holdAndDelete);
    await quarantine({ ...rig.ctx, blobs: late.blobs }, run);
    expect([at, await left(rig)]).toEqual([at, []]);
    expect([at, (await rig.ledger(run.runId)).terminal?.state]).toEqual([at, 'deleted']);
  }
});

test.each([
  ['told of by both tries', policy],
  // Of the notices about a sender in one hour only some are written, so one try may write one where the other did not.
  ['told of by the late try alone', parsePolicy('{}')],
])('a try that is killed behind its last write is repeated, and takes that back: %s', async (_, policyOfOther) => {
  const { rig, run, holdAndDelete } = await aboutToBeHeld();
  const record = keys.quarantineRecord(run.runId);
  let [isHeld, isDead] = [false, false];
  const { put, get, has, copy } = rig.blobs;
  const alive =
    <A extends unknown[], R>(call: (...args: A) => Promise<R>) =>
    async (...args: A): Promise<R> => {
      if (isDead) throw new Error('killed');
      return call(...args);
    };
  const blobs: Blobs = {
    ...{ get: alive(get), has: alive(has), copy: alive(copy) },
    put: async (...given) => {
      if (given[0] === 'quarantine' && !isHeld) {
        isHeld = true;
        await holdAndDelete({ ...rig.ctx, policy: policyOfOther });
      }
      const isPut = await alive(put)(...given);
      isDead ||= given[1] === record;
      return isPut;
    },
  };
  await expect(quarantine({ ...rig.ctx, blobs }, run)).rejects.toThrow('killed');
  expect((await left(rig)).sort()).toEqual([keys.quarantineNotice(run.runId), record]);
  await quarantine(rig.ctx, run);
  expect(await left(rig)).toEqual([]);
});

test('a mail that nobody deleted stays held when it is filed again, and when its next attempt cannot be read', async () => {
  const { rig, run } = await aboutToBeHeld();
  await quarantine(rig.ctx, run);
  const before = await left(rig);
  await rig.blobs.put('work', keys.entry(run.runId, 2, 'begun'), new TextEncoder().encode('nonsense'));
  await quarantine(rig.ctx, run);
  expect([before.length, await left(rig)]).toEqual([3, before]);
});
