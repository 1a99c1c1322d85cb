/** The audit trail: every decision is in it, and nobody changes it unseen. */
import { beforeEach, describe, expect, test } from 'vitest';
import { appendAudit, auditTrail } from '../../lib/pipeline/audit.ts';
import { keys } from '../../lib/pipeline/keys.ts';
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
