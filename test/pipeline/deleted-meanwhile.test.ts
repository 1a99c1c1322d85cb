/**
 * A person decides about a mail while an earlier try of `quarantine` is still at work, which its caller has given up. Nothing of a deleted mail comes back,
 * and the end of a later attempt stays what it is.
 */
import { describe, expect, test } from 'vitest';
import { keys } from '../../lib/pipeline/keys.ts';
import { parse } from '../../lib/pipeline/parse.ts';
import { type Policy, parsePolicy } from '../../lib/pipeline/policy/policy.ts';
import type { Blobs } from '../../lib/pipeline/ports.ts';
import { quarantine } from '../../lib/pipeline/quarantine.ts';
import { createBlockList } from '../../lib/pipeline/review/block-list.ts';
import type { DecisionName } from '../../lib/pipeline/review/decision.ts';
import { removalOf, removalRequest, removeDeleted } from '../../lib/pipeline/review/removal.ts';
import { carryOut } from '../../lib/pipeline/review/request.ts';
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
  const decide = (action: DecisionName, review = on.review) =>
    carryOut(review, createBlockList(review), PAT, { action, runId, seen: 1, why: 'it is odd' });
  const remove = (review = on.review) => decide('delete', review);
  const holdAndDelete = async (ctx = rig.ctx) => {
    await quarantine(ctx, run);
    expect(await remove()).toEqual({ state: 'done' });
  };
  /** The mail is held, and the next attempt comes to its end. */
  const holdAndGoOn = async (action: DecisionName) => {
    await quarantine(rig.ctx, run);
    expect(await decide(action)).toEqual({ state: 'done' });
    await on.toItsEnd();
  };
  return { rig, run, on, remove, holdAndDelete, holdAndGoOn };
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
    [keys.quarantineNotice, keys.quarantinedOriginal, keys.quarantineRecord]
      .map((key) => key(first.run.runId, 1))
      .sort(),
  );
  for (let at = 1; at <= calls(); at += 1) {
    const { rig, run, holdAndDelete } = await aboutToBeHeld();
    const late = interrupted(rig.blobs, at, holdAndDelete);
    await quarantine({ ...rig.ctx, blobs: late.blobs }, run);
    expect([at, await left(rig)]).toEqual([at, []]);
    expect([at, (await rig.ledger(run.runId)).terminal?.state]).toEqual([at, 'deleted']);
  }
});

test('deleted before it is filed, nothing of it is written for a moment either', async () => {
  const { rig, run, holdAndDelete } = await aboutToBeHeld();
  const { put, copy } = rig.blobs;
  const filed: string[] = [];
  let isDeleted = false;
  const blobs: Blobs = {
    ...rig.blobs,
    copy: async (source, target) => {
      if (isDeleted) filed.push(target.key);
      await copy(source, target);
    },
    put: async (...given) => {
      // It has read the chain by then, which had no end, and has not begun to file.
      if (!isDeleted && given[1] === keys.terminal(run.runId, 1)) {
        await holdAndDelete();
        isDeleted = true;
      }
      if (isDeleted && given[0] === 'quarantine' && given[2].length > 0) filed.push(given[1]);
      return put(...given);
    },
  };
  await quarantine({ ...rig.ctx, blobs }, run);
  expect([isDeleted, filed]).toEqual([true, []]);
});

/** A late try that is killed behind its last write, before it looks whether the mail was deleted meanwhile. */
async function killedLate(policyOfOther: Policy) {
  const one = await aboutToBeHeld();
  const { rig, run, holdAndDelete } = one;
  const record = keys.quarantineRecord(run.runId, 1);
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
  expect((await left(rig)).sort()).toEqual([keys.quarantineNotice(run.runId, 1), record]);
  return one;
}

test.each([
  ['told of by both tries', policy],
  // Of the notices about a sender in one hour only some are written, so one try may write one where the other did not.
  ['told of by the late try alone', parsePolicy('{}')],
])('a try that is killed behind its last write is repeated, and takes that back: %s', async (_, policyOfOther) => {
  const { rig, run } = await killedLate(policyOfOther);
  await quarantine(rig.ctx, run);
  expect(await left(rig)).toEqual([]);
});

describe('what is held is removed once more', () => {
  test('when a late try was killed behind its last write, and nobody repeats it', async () => {
    const { rig, run, on } = await killedLate(policy);
    expect(on.removedAgain).toEqual([run.runId]);
    await removeDeleted(on.review, removalOf(removalRequest(run.runId)));
    expect(rig.blobs.list('quarantine')).toEqual([]);
    expect(on.noted).toEqual([`${run.runId}-2`, `${run.runId}-2`]);
  });

  test('when whoever deleted it was killed before the first removal', async () => {
    const { rig, run, on, remove } = await aboutToBeHeld();
    await quarantine(rig.ctx, run);
    await expect(remove({ ...on.review, removeHeld: () => Promise.reject(new Error('killed')) })).rejects.toThrow(
      'killed',
    );
    expect([await left(rig).then(({ length }) => length), on.noted]).toEqual([3, []]);
    await removeDeleted(carryOutRig(rig).review, on.removedAgain[0] ?? '');
    expect(rig.blobs.list('quarantine')).toEqual([]);
  });

  test('only when the chain says that a person deleted it', async () => {
    const { rig, run, on } = await aboutToBeHeld();
    await quarantine(rig.ctx, run);
    await removeDeleted(on.review, run.runId);
    await removeDeleted(on.review, '0'.repeat(32));
    expect([(await left(rig)).length, on.noted]).toEqual([3, []]);
    for (const body of [null, {}, { remove: { runId: '../x' } }, { remove: run.runId }])
      expect(() => removalOf(body)).toThrow();
  });
});

/** Everything that lies in a bucket, by key. */
async function contents({ blobs }: Rig, bucket: 'clean' | 'quarantine'): Promise<Record<string, string>> {
  const read = blobs.list(bucket).map(async (key) => {
    const bytes = await blobs.get(bucket, key, { maxBytes: 1_000_000 });
    return [key, Buffer.from(bytes).toString()] as const;
  });
  return Object.fromEntries(await Promise.all(read));
}

test.each([
  ['held again', 'rescan', 'quarantined'],
  ['delivered', 'release', 'delivered'],
] as const)('whenever a later attempt was %s meanwhile, its end stays what it is', async (_, action, state) => {
  const first = await aboutToBeHeld();
  const { blobs, calls } = interrupted(first.rig.blobs, 0, async () => {});
  await quarantine({ ...first.rig.ctx, blobs }, first.run);
  for (let at = 1; at <= calls(); at += 1) {
    const { rig, run, holdAndGoOn } = await aboutToBeHeld();
    const { runId } = run;
    let before: Record<string, string>[] = [];
    const late = interrupted(rig.blobs, at, async () => {
      await holdAndGoOn(action);
      before = [await contents(rig, 'clean'), await contents(rig, 'quarantine')];
    });
    await quarantine({ ...rig.ctx, blobs: late.blobs }, run);
    const [clean = {}, held = {}] = before;
    expect([at, await contents(rig, 'clean')]).toEqual([at, clean]);
    const after = await contents(rig, 'quarantine');
    expect([at, Object.keys(after)]).toEqual([at, Object.keys(held)]);
    for (const key of [`${runId}/original`, `${runId}/record-2.json`, `${runId}/notice-2.eml`])
      expect([at, after[key]]).toEqual([at, held[key]]);
    expect(Object.keys(held).includes(`${runId}/record-2.json`)).toBe(state === 'quarantined');
    expect([at, (await rig.ledger(runId)).terminal?.state]).toEqual([at, state]);
  }
});

test('a mail that nobody deleted stays held when it is filed again, and when its next attempt cannot be read', async () => {
  const { rig, run } = await aboutToBeHeld();
  await quarantine(rig.ctx, run);
  const before = await left(rig);
  for (const key of [keys.beginning(run.runId, 2), keys.entry(run.runId, 2, 'begun')])
    await rig.blobs.put('work', key, new TextEncoder().encode('nonsense'));
  await quarantine(rig.ctx, run);
  expect([before.length, await left(rig)]).toEqual([3, before]);
});
