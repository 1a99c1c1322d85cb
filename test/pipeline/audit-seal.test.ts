/** A person accepts that the end of the audit trail is missing: it is on record, everything works again, and nothing else can be accepted so. */
import { beforeEach, describe, expect, test } from 'vitest';
import { keys } from '../../lib/pipeline/keys.ts';
import { appendAudit, auditTrail } from '../../lib/pipeline/review/audit.ts';
import { sealAudit } from '../../lib/pipeline/review/audit-seal.ts';
import { changeBlock, createBlockList } from '../../lib/pipeline/review/block-list.ts';
import { dyingAt } from './dying-blobs.ts';
import { createRig, type Rig } from './rig.ts';

const PAT = { name: 'pat', why: 'the disk is lost' };
const ROOM = { maxBytes: 100_000 };

let rig: Rig;
beforeEach(() => {
  rig = createRig();
});

const blocked = (value: string) => ({ block: { kind: 'host', value } as const, who: { name: 'kim', why: 'phishing' } });
const block = (...values: readonly string[]) =>
  values.reduce<Promise<unknown>>(
    (done, value) => done.then(() => changeBlock(rig.ctx, createBlockList(rig.ctx), 'block', blocked(value))),
    Promise.resolve(),
  );
const remove = (...all: readonly string[]) => {
  for (const key of all) rig.blobs.remove('work', key);
};
const stored = (key: string) => rig.blobs.get('work', key, ROOM);
const seal = (who = PAT, ctx: Pick<Rig['ctx'], 'blobs' | 'signer' | 'clock'> = rig.ctx) => sealAudit(ctx, who);
const hosts = async (list = createBlockList(rig.ctx)) => (await list.current()).map((each) => each.block.value);

async function records() {
  const found = [];
  for await (const { record, hash } of auditTrail(rig.ctx)) found.push({ record, hash });
  return found;
}
const actions = async () => (await records()).map(({ record }) => record.action);

describe('the end is sealed', () => {
  test('with who, why, and the place that the head named, and the trail goes on from there', async () => {
    await block('a.example', 'b.example', 'c.example', 'd.example');
    const hash = (await records())[3]?.hash ?? '';
    remove(keys.audit(3), keys.audit(4));
    await expect(block('e.example')).rejects.toThrow('airlock audit seal');
    expect(await seal()).toEqual({ state: 'sealed', sequence: 3, missing: { sequence: 4, hash } });
    expect((await records())[2]?.record).toMatchObject({
      action: 'seal',
      people: [PAT],
      missing: { sequence: 4, hash },
    });
    await block('e.example');
    expect([await actions(), await hosts()]).toEqual([
      ['block', 'block', 'seal', 'block'],
      ['a.example', 'b.example', 'e.example'],
    ]);
    expect(await seal()).toEqual({ state: 'unchanged' });
  });

  test.each([
    ['is gone', async () => remove(keys.auditHead())],
    ['is damaged', async () => void (await rig.blobs.put('work', keys.auditHead(), Buffer.from('{}')))],
  ])('where the head %s, as in a trail of a version without one', async (_, damage) => {
    await block('a.example', 'b.example');
    await damage();
    await expect(hosts()).rejects.toThrow('airlock audit seal');
    expect(await seal()).toEqual({ state: 'sealed', sequence: 3, missing: null });
    expect(await hosts()).toEqual(['a.example', 'b.example']);
    await block('c.example');
  });

  test('where all records are gone', async () => {
    await block('a.example', 'b.example');
    remove(keys.audit(1), keys.audit(2));
    expect(await seal()).toMatchObject({ state: 'sealed', sequence: 1, missing: { sequence: 2 } });
    expect([await actions(), await hosts()]).toEqual([['seal'], []]);
  });

  test('where others were put in the place of the records that the head names', async () => {
    await block('a.example', 'b.example');
    const head = await stored(keys.auditHead());
    remove(keys.audit(2));
    await seal();
    await block('c.example');
    await rig.blobs.put('work', keys.auditHead(), head);
    await expect(block('d.example')).rejects.toThrow('names another record 2');
    expect(await seal()).toMatchObject({ state: 'sealed', sequence: 4, missing: { sequence: 2 } });
    await block('d.example');
  });

  test('where the summary of the block list stands on a lost record, and the head went with that', async () => {
    await block('a.example');
    const head = await stored(keys.auditHead());
    const list = createBlockList(rig.ctx);
    for (let at = 2; at <= 100; at += 1) await changeBlock(rig.ctx, list, 'block', blocked(`${at}.example`));
    await list.summarise();
    for (let at = 2; at <= 100; at += 1) remove(keys.audit(at));
    await rig.blobs.put('work', keys.auditHead(), head);
    await expect(hosts()).rejects.toThrow('stands on record 100 of the audit trail, which is missing');
    expect(await seal()).toEqual({ state: 'sealed', sequence: 2, missing: null });
    expect(await hosts()).toEqual(['a.example']);
  });

  test('and a process that knows lost records begins anew, also when others have their numbers', async () => {
    await block('a.example', 'b.example', 'c.example');
    const running = createBlockList(rig.ctx);
    expect(await hosts(running)).toEqual(['a.example', 'b.example', 'c.example']);
    remove(keys.audit(2), keys.audit(3));
    await seal();
    expect(await hosts(running)).toEqual(['a.example']);
    const other = createBlockList(rig.ctx);
    await hosts(other);
    await block('d.example', 'e.example');
    expect([await hosts(running), await hosts(other)]).toEqual([
      ['a.example', 'd.example', 'e.example'],
      ['a.example', 'd.example', 'e.example'],
    ]);
  });
});

describe('nothing is changed', () => {
  test.each([0, 1, 2])('while the trail of %i records ends where its head says', async (count) => {
    await block(...['a.example', 'b.example'].slice(0, count));
    expect([await seal(), await actions()]).toEqual([{ state: 'unchanged' }, Array(count).fill('block')]);
  });

  test('while the head is only behind', async () => {
    await block('a.example');
    const head = await stored(keys.auditHead());
    await block('b.example');
    await rig.blobs.put('work', keys.auditHead(), head);
    expect([await seal(), await actions()]).toEqual([{ state: 'unchanged' }, ['block', 'block']]);
  });

  test('where a record is missing in the middle', async () => {
    await block('a.example', 'b.example', 'c.example', 'd.example');
    remove(keys.audit(2));
    remove(keys.auditHead());
    await expect(seal()).rejects.toThrow('record 2 of the audit trail is missing, and record 3 behind it is there');
    expect(rig.blobs.list('work')).not.toContain(keys.audit(2));
  });

  test('where a record is damaged', async () => {
    await block('a.example', 'b.example', 'c.example');
    const text = Buffer.from(await stored(keys.audit(2))).toString();
    await rig.blobs.put('work', keys.audit(2), Buffer.from(text.replace('phishing', 'fishing!')));
    remove(keys.audit(3));
    await expect(seal()).rejects.toThrow('record 2 of the audit trail: the signature is not that of review');
    expect(rig.blobs.list('work')).not.toContain(keys.audit(3));
  });
});

describe('a seal whose process is killed', () => {
  test.each([1, 2])('before its write %i is finished by the same person, and there is one', async (write) => {
    await block('a.example', 'b.example');
    remove(keys.audit(2));
    const dying = dyingAt(rig.blobs, write);
    await expect(seal(PAT, { ...rig.ctx, blobs: dying.blobs })).rejects.toThrow('killed');
    await expect(hosts()).rejects.toThrow('airlock audit seal');
    expect(await seal()).toMatchObject({ state: write === 1 ? 'sealed' : 'mended', sequence: 2 });
    expect(await actions()).toEqual(['block', 'seal']);
    await block('c.example');
  });

  test('is not taken for that of another person, or for another reason', async () => {
    await block('a.example', 'b.example');
    remove(keys.audit(2));
    const dying = dyingAt(rig.blobs, 2);
    await expect(seal(PAT, { ...rig.ctx, blobs: dying.blobs })).rejects.toThrow('killed');
    expect(await seal({ ...PAT, name: 'lee' })).toMatchObject({
      state: 'sealed',
      sequence: 3,
      missing: { sequence: 2 },
    });
    expect((await records()).map(({ record }) => record.people[0]?.name)).toEqual(['kim', 'pat', 'lee']);
  });
});

test('many who seal at once leave a whole trail, behind which the next record stands', async () => {
  await block('a.example', 'b.example', 'c.example');
  remove(keys.audit(2), keys.audit(3));
  const sealed = await Promise.all(['pat', 'lee', 'max', 'ida'].map((name) => seal({ ...PAT, name })));
  expect(sealed.map(({ state }) => state)).toContain('sealed');
  await appendAudit(rig.ctx, {
    action: 'block',
    block: blocked('d.example').block,
    people: [{ ...PAT, at: '2026-11-28T12:00:00.000Z' }],
  });
  const all = await actions();
  expect([all[0], all[1], all.at(-1)]).toEqual(['block', 'seal', 'block']);
  expect(await hosts()).toEqual(['a.example', 'd.example']);
});
