/** The audit trail: every decision is in it, and nobody changes it unseen. */
import { beforeEach, describe, expect, test } from 'vitest';
import { TransientError } from '../../lib/pipeline/errors.ts';
import { keys } from '../../lib/pipeline/keys.ts';
import type { Blobs } from '../../lib/pipeline/ports.ts';
import { appendAudit, auditTrail } from '../../lib/pipeline/review/audit.ts';
import { createBlockList } from '../../lib/pipeline/review/block-list.ts';
import { createRig, type Rig } from './rig.ts';

const RUN = 'ab'.repeat(16);
const ROOM = { maxBytes: 100_000 };
const record = (name: string) => ({
  action: 'release' as const,
  runId: RUN,
  attempt: 2,
  people: [{ name, why: 'the sender called', at: '2026-11-20T12:00:00.000Z' }],
  form: 'rebuilt' as const,
  heldFor: ['malicious' as const],
});

let rig: Rig;

beforeEach(() => {
  rig = createRig();
});

async function names(): Promise<(string | undefined)[]> {
  const found: (string | undefined)[] = [];
  for await (const audited of auditTrail(rig.ctx)) found.push(audited.record.people[0]?.name);
  return found;
}

const stored = (sequence: number) => rig.blobs.get('work', keys.audit(sequence), ROOM);

test('has every record in its order, also of many who write at once', async () => {
  expect(await names()).toEqual([]);
  const all = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
  await Promise.all(all.map((name) => appendAudit(rig.ctx, record(name))));
  expect([...(await names())].sort()).toEqual(all);
});

test('takes the largest record that there can be, and none that nobody could read again', async () => {
  const long = (length: number) => '\u00ad'.repeat(length);
  const person = { name: long(100), why: long(500), at: '2026-11-20T12:00:00.000Z', id: long(100) };
  const block = (length: number) => ({
    action: 'block' as const,
    block: { kind: 'url' as const, value: long(length) },
    people: [person, person],
  });
  await appendAudit(rig.ctx, block(8_192));
  await expect(appendAudit(rig.ctx, block(40_000))).rejects.toThrow('limit auditRecordBytes exceeded');
  await appendAudit(rig.ctx, record('pat'));
  expect(await names()).toEqual([long(100), 'pat']);
});

describe('is refused', () => {
  test('with any one byte changed', async () => {
    for (const name of ['pat', 'kim']) await appendAudit(rig.ctx, record(name));
    for (const sequence of [1, 2]) {
      const bytes = await stored(sequence);
      for (let at = 0; at < bytes.length; at += 1) {
        const changed = Uint8Array.from(bytes);
        changed[at] = (changed[at] as number) ^ 1;
        await rig.blobs.put('work', keys.audit(sequence), changed);
        await expect(names(), `byte ${at} of record ${sequence}`).rejects.toThrow();
      }
      await rig.blobs.put('work', keys.audit(sequence), bytes);
    }
    expect(await names()).toEqual(['pat', 'kim']);
  });

  test('when a record is replaced by another that was signed', async () => {
    for (const name of ['pat', 'kim', 'lee']) await appendAudit(rig.ctx, record(name));
    await rig.blobs.put('work', keys.audit(2), await stored(3));
    await expect(names()).rejects.toThrow('another record');
    const other = createRig();
    for (const name of ['eve', 'eve']) await appendAudit(other.ctx, record(name));
    await rig.blobs.put('work', keys.audit(2), await other.blobs.get('work', keys.audit(2), ROOM));
    await expect(names()).rejects.toThrow('does not stand on the record before it');
  });
});

describe('records that were cut off the end', () => {
  const append = (...people: readonly string[]) =>
    people.reduce<Promise<unknown>>(
      (done, name) => done.then(() => appendAudit(rig.ctx, record(name))),
      Promise.resolve(),
    );
  const remove = (...all: readonly string[]) => {
    for (const key of all) rig.blobs.remove('work', key);
  };

  test('are missed by whoever reads the trail, by who asks what is blocked, and by who writes behind it', async () => {
    await append('pat', 'kim', 'lee');
    remove(keys.audit(3));
    await expect(names()).rejects.toThrow('ends at record 2, and its head names record 3');
    await expect(createBlockList(rig.ctx).current()).rejects.toThrow('ends at record 2');
    await expect(append('max')).rejects.toThrow('record 3 of the audit trail, which its head names, is missing');
    remove(keys.audit(2), keys.audit(1));
    await expect(names()).rejects.toThrow('ends at record 0');
  });

  test('are missed, too, when the head went with them', async () => {
    await append('pat', 'kim', 'lee');
    remove(keys.audit(3), keys.auditHead());
    for (const each of [names(), append('max'), createBlockList(rig.ctx).current()])
      await expect(each).rejects.toThrow('has no head');
  });

  test('are not made good by a head that review did not sign, or that names another record', async () => {
    await append('pat', 'kim');
    const head = await rig.blobs.get('work', keys.auditHead(), ROOM);
    for (let at = 0; at < head.length; at += 1) {
      const changed = Uint8Array.from(head);
      changed[at] = (changed[at] as number) ^ 1;
      await rig.blobs.put('work', keys.auditHead(), changed);
      await expect(names(), `byte ${at}`).rejects.toThrow();
    }
    const other = createRig();
    for (const name of ['eve', 'eve']) await appendAudit(other.ctx, record(name));
    await rig.blobs.put('work', keys.auditHead(), await other.blobs.get('work', keys.auditHead(), ROOM));
    await rig.blobs.put('work', keys.audit(2), await stored(1));
    await expect(names()).rejects.toThrow();
  });
});

describe('a head that is behind is mended', () => {
  const sequenceOfHead = async () =>
    /"sequence":(\d+)/.exec(Buffer.from(await rig.blobs.get('work', keys.auditHead(), ROOM)).toString())?.[1];
  /** Stores that the process cannot reach any more where it writes a head. */
  const without = (failure: Error): Blobs => ({
    ...rig.blobs,
    put: async (...args) => {
      if (args[1] === keys.auditHead()) throw failure;
      return rig.blobs.put(...args);
    },
  });

  test.each([1, 2])('by the next record, when a process was killed behind record %i', async (killedAt) => {
    if (killedAt === 2) await appendAudit(rig.ctx, record('pat'));
    const killed = appendAudit({ ...rig.ctx, blobs: without(new Error('killed')) }, record('kim'));
    await expect(killed).rejects.toThrow('killed');
    expect(await names()).toHaveLength(killedAt);
    await appendAudit(rig.ctx, record('lee'));
    expect([(await names()).at(-1), await sequenceOfHead()]).toEqual(['lee', String(killedAt + 1)]);
  });

  test('when the store is away, and then the decision counts', async () => {
    const away = { ...rig.ctx, blobs: without(new TransientError('away')) };
    expect(await appendAudit(away, record('pat'))).toMatchObject({ sequence: 1 });
    await expect(appendAudit(away, record('kim'))).rejects.toThrow('away');
    expect(await names()).toEqual(['pat']);
  });

  test('by a slow writer that put its earlier record over those of others', async () => {
    let others: (() => Promise<unknown>) | null = async () => {
      others = null;
      for (const name of ['kim', 'lee']) await appendAudit(rig.ctx, record(name));
    };
    const put: Blobs['put'] = async (...args) => {
      if (args[1] === keys.auditHead()) await others?.();
      return rig.blobs.put(...args);
    };
    await appendAudit({ ...rig.ctx, blobs: { ...rig.blobs, put } }, record('pat'));
    expect([await names(), await sequenceOfHead()]).toEqual([['pat', 'kim', 'lee'], '3']);
  });
});
