/** The summary of the block list: it says what the trail says, and nothing that review has not signed. */
import { beforeAll, describe, expect, test } from 'vitest';
import { chainText, signedLine } from '../../lib/pipeline/chain/chain-text.ts';
import { keys } from '../../lib/pipeline/keys.ts';
import type { Writer } from '../../lib/pipeline/model.ts';
import type { Blobs } from '../../lib/pipeline/ports.ts';
import { appendAudit } from '../../lib/pipeline/review/audit.ts';
import { changeBlock, createBlockList } from '../../lib/pipeline/review/block-list.ts';
import { createRig, type Rig } from './rig.ts';

const WHO = { name: 'pat', why: 'phishing' };
const ROOM = { maxBytes: 1_000_000 };
const hash = (number: number) => number.toString(16).padStart(64, '0');
const blocked = (number: number) => ({ block: { kind: 'file', value: hash(number) }, who: WHO }) as const;

let rig: Rig;
let before: readonly string[];

/** So many blocks, of which every tenth was taken back. */
beforeAll(async () => {
  rig = createRig();
  const list = createBlockList(rig.ctx);
  for (let number = 0; number < 100; number += 1) {
    await changeBlock(rig.ctx, list, 'block', blocked(number));
    if (number % 10 === 0) await changeBlock(rig.ctx, list, 'unblock', blocked(number));
    if (number === 89) await list.summarise();
    if (number === 89) expect(rig.blobs.list('work')).not.toContain(keys.blockSummary());
  }
  before = await valuesOf(rig.blobs);
  await list.summarise();
  expect(rig.blobs.list('work')).toContain(keys.blockSummary());
});

async function valuesOf(blobs: Blobs): Promise<readonly string[]> {
  return (await createBlockList({ ...rig.ctx, blobs }).current()).map(
    ({ block, record }) => `${block.value} ${record.sequence}`,
  );
}

/** Reads the list of these stores, and counts what was read. */
async function counted(): Promise<{ readonly values: readonly string[]; readonly reads: number }> {
  let reads = 0;
  const get: Blobs['get'] = (...args) => {
    reads += 1;
    return rig.blobs.get(...args);
  };
  return { values: await valuesOf({ ...rig.blobs, get }), reads };
}

async function inItsPlace<T>(bytes: Uint8Array, work: () => Promise<T>): Promise<T> {
  const kept = await rig.blobs.get('work', keys.blockSummary(), ROOM);
  await rig.blobs.put('work', keys.blockSummary(), bytes);
  try {
    return await work();
  } finally {
    await rig.blobs.put('work', keys.blockSummary(), kept);
  }
}

async function signedBy(stage: Writer, json: string): Promise<Uint8Array> {
  const { keyId, signature } = await rig.ctx.signer.sign(stage, new TextEncoder().encode(json));
  return chainText([signedLine(json, keyId, signature)]);
}

describe('who has the summary', () => {
  test('reads a few objects, and knows what the trail says', async () => {
    const { values, reads } = await counted();
    expect([values, values.length, reads < 10]).toEqual([before, 90, true]);
  });

  test('asks for nothing twice: one request for the head, and one for what is not there yet, while nothing changes', async () => {
    const asked: string[] = [];
    const blobs: Blobs = {
      ...rig.blobs,
      get: (bucket, key, options) => {
        asked.push(key);
        return rig.blobs.get(bucket, key, options);
      },
      has: (bucket, key) => {
        asked.push(key);
        return rig.blobs.has(bucket, key);
      },
    };
    const list = createBlockList({ ...rig.ctx, blobs });
    await list.current();
    expect(new Set(asked).size).toBe(asked.length);
    asked.length = 0;
    await list.current();
    expect(asked).toEqual([keys.auditHead(), keys.audit(111)]);
  });

  test('reads what was decided since', async () => {
    await changeBlock(rig.ctx, createBlockList(rig.ctx), 'unblock', blocked(1));
    await changeBlock(rig.ctx, createBlockList(rig.ctx), 'block', blocked(10));
    const { values } = await counted();
    const wanted = before.filter((line) => !line.startsWith(hash(1)));
    expect(values).toEqual([...wanted, `${hash(10)} 112`]);
  });
});

describe('nobody knows what is blocked', () => {
  test('when any byte of it was changed', async () => {
    const bytes = await rig.blobs.get('work', keys.blockSummary(), ROOM);
    for (let at = 0; at < bytes.length; at += 97) {
      const changed = bytes.slice();
      changed[at] = (changed[at] as number) ^ 1;
      await inItsPlace(changed, () =>
        expect(valuesOf(rig.blobs), String(at)).rejects.toMatchObject({ name: 'CorruptDataError' }),
      );
    }
  });

  test('when another signed it, or it stands on another record', async () => {
    const bytes = await rig.blobs.get('work', keys.blockSummary(), ROOM);
    const json = /"entry":(\{.*\}),"keyId"/.exec(Buffer.from(bytes).toString())?.[1] ?? '';
    const said = JSON.parse(json) as { hash: string; sequence: number };
    const wrong = [
      await signedBy('redrive', json),
      await signedBy('review', JSON.stringify({ ...said, hash: hash(1) })),
      await signedBy('review', JSON.stringify({ ...said, sequence: said.sequence - 1 })),
      await signedBy('review', JSON.stringify({ ...said, sequence: 10_000 })),
      await signedBy('review', JSON.stringify({ ...said, schema: 'mail-airlock/audit/1' })),
    ];
    for (const each of wrong) await inItsPlace(each, () => expect(valuesOf(rig.blobs)).rejects.toThrow());
    expect(await inItsPlace(await signedBy('review', json), () => valuesOf(rig.blobs))).toHaveLength(90);
  });
});

test('a trail of other decisions is summed up, too', async () => {
  const other = createRig();
  const list = createBlockList(other.ctx);
  const about = { runId: 'ab'.repeat(16), attempt: 2, form: null, heldFor: [] };
  const people = [{ ...WHO, at: '2026-11-20T12:00:00.000Z' }];
  for (let number = 0; number < 100; number += 1) await appendAudit(other.ctx, { action: 'rescan', people, ...about });
  await list.summarise();
  expect(other.blobs.list('work')).toContain(keys.blockSummary());
  expect(await createBlockList(other.ctx).current()).toEqual([]);
});
