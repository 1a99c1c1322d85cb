/** Stages that are taken over make decisions of people up, or change what people decided. */
import { beforeEach, describe, expect, test } from 'vitest';
import { chainText, readChainText, type SignedLine } from '../../lib/pipeline/chain/chain-text.ts';
import { newRun } from '../../lib/pipeline/chain/new-run.ts';
import { decide } from '../../lib/pipeline/decide.ts';
import { deliver } from '../../lib/pipeline/deliver.ts';
import { CorruptDataError, RebuildMismatchError, StageOrderError } from '../../lib/pipeline/errors.ts';
import { keys, sha256Hex } from '../../lib/pipeline/keys.ts';
import type { Run } from '../../lib/pipeline/model.ts';
import { parsePolicy } from '../../lib/pipeline/policy/policy.ts';
import { rebuild } from '../../lib/pipeline/rebuild.ts';
import { submit } from '../../lib/pipeline/submit.ts';
import { type Forged, forgedLines } from './forge.ts';
import { decided, KIM } from './review-rig.ts';
import { createRig, emailWith, PDF, type Rig } from './rig.ts';

const MAIL = emailWith({ text: 'Hello', files: [{ name: 'a.pdf', bytes: PDF }] });
const ROOM = { maxBytes: 10_000_000 };
const AT = '2026-11-20T12:00:00.000Z';
const PEOPLE = [{ name: 'pat', why: 'x', at: AT }];

let rig: Rig;
let runId: string;
let parsed: SignedLine[];

beforeEach(async () => {
  rig = createRig({ script: { polls: 0, answer: () => ({ verdict: 'malicious' }) } });
  ({ runId } = await rig.scan(MAIL));
  parsed = readChainText(await rig.blobs.get('work', keys.entry(runId, 1, 'parse'), ROOM), 'it');
});

const attempt = (of: object) => ({ number: 2, begunAt: AT, earlier: null, audit: 'a'.repeat(64), ...of });
const RELEASED = attempt({ reason: 'release', people: PEOPLE, release: { form: 'original', covers: ['malicious'] } });

/** Puts a second attempt that begins with this entry, and returns its run. */
async function begunWith(...entries: Forged[]): Promise<Run> {
  const second = entries.map((entry) => ({ ...entry, head: { attempt: 2, ...entry.head } }));
  const lines = await forgedLines(rig.ctx, runId, second, parsed);
  const name = entries.length === 1 ? 'begun' : (entries.at(-1)?.stage as string);
  await rig.blobs.put('work', keys.entry(runId, 2, name), chainText(lines));
  return { ...newRun(runId, 2), last: name };
}

describe('a decision is forged', () => {
  test.each([
    [
      'with the key of redrive',
      { stage: 'review', signer: 'redrive', change: { ledger: { attempt: RELEASED } } },
      'review has no key',
    ],
    ['by redrive', { stage: 'redrive', change: { ledger: { attempt: RELEASED } } }, 'decides what only a person may'],
    [
      'as a rescan by redrive',
      { stage: 'redrive', change: { ledger: { attempt: attempt({ reason: 'rescan', people: PEOPLE }) } } },
      'only a person',
    ],
    [
      'without a name',
      { stage: 'review', change: { ledger: { attempt: attempt({ reason: 'rescan' }) } } },
      'names nobody',
    ],
    [
      'as a release of nothing',
      { stage: 'review', change: { ledger: { attempt: attempt({ reason: 'release', people: PEOPLE }) } } },
      'does not release',
    ],
    [
      'as an end of its own',
      {
        stage: 'review',
        change: { ledger: { attempt: RELEASED, terminal: { state: 'delivered', at: AT, keys: [] } } },
      },
      'ends in another way',
    ],
    ['by submit', { stage: 'submit', change: { ledger: { attempt: RELEASED } } }, 'is no entry of submit'],
  ] as [string, Forged, string][])('%s', async (_, entry, because) => {
    // The key of review exists only once somebody reviewed.
    const run = await begunWith(entry);
    await expect(submit(rig.ctx, run)).rejects.toThrow(CorruptDataError);
    await expect(submit(rig.ctx, run)).rejects.toThrow(because);
  });

  test('by parse, as the attempt that it begins', async () => {
    const { start } = JSON.parse((parsed[0] as SignedLine).json);
    const forged: Forged = { stage: 'parse', start: { ...start, attempt: RELEASED }, head: { attempt: 2 } };
    await rig.blobs.put('work', keys.entry(runId, 2, 'parse'), chainText(await forgedLines(rig.ctx, runId, [forged])));
    await expect(submit(rig.ctx, newRun(runId, 2))).rejects.toThrow('only a person may decide');
  });

  test('behind a message that was deleted', async () => {
    await decided(rig, runId, 'delete');
    const begun = readChainText(await rig.blobs.get('work', keys.entry(runId, 2, 'begun'), ROOM), 'it');
    const lines = await forgedLines(rig.ctx, runId, [{ stage: 'submit', head: { attempt: 2 } }], begun);
    await rig.blobs.put('work', keys.entry(runId, 2, 'submit'), chainText(lines));
    await expect(decide(rig.ctx, { ...newRun(runId, 2), last: 'submit' })).rejects.toThrow('behind the end');
  });
});

describe('deliver distrusts', () => {
  const lie = (stage: Forged['stage'], ledger: object): Forged => ({ stage, change: { ledger } });
  const review = lie('review', { attempt: RELEASED });
  const rebuilt = (text: string) => ({ rebuilt: { sha256: sha256Hex(text), size: text.length } });

  test('a decide that lets an original through which policy does not', async () => {
    const run = await begunWith(
      review,
      { stage: 'submit' },
      lie('decide', { disposition: 'deliver' }),
      lie('rebuild', rebuilt(MAIL)),
    );
    await expect(deliver(rig.ctx, run)).rejects.toThrow(StageOrderError);
    await expect(deliver(rig.ctx, run)).rejects.toThrow('policy asks for more people');
    expect(rig.blobs.list('clean')).toEqual([]);
  });

  test('a release of two people of whom the first one released it too long before the second', async () => {
    const people = [...PEOPLE, { name: 'kim', why: 'x', at: '2026-11-23T12:00:00.001Z' }];
    const policy = parsePolicy('{"release":{"malicious":"original"}}');
    const run = await begunWith(
      lie('review', { attempt: { ...RELEASED, people } }),
      { stage: 'submit' },
      lie('decide', { disposition: 'deliver' }),
      lie('rebuild', rebuilt(MAIL)),
    );
    await expect(deliver({ ...rig.ctx, policy }, run)).rejects.toThrow('policy asks for more people');
  });

  test('a rebuild that puts other bytes in the place of the original', async () => {
    const policy = parsePolicy('{"release":{"original":"one","malicious":"original"}}');
    const run = await begunWith(
      review,
      { stage: 'submit' },
      lie('decide', { disposition: 'deliver' }),
      lie('rebuild', rebuilt('evil')),
    );
    await rig.blobs.put('work', keys.rebuilt(runId, sha256Hex('evil')), Buffer.from('evil'));
    await expect(deliver({ ...rig.ctx, policy }, run)).rejects.toThrow(RebuildMismatchError);
    const honest = await begunWith(review, { stage: 'submit' }, lie('decide', { disposition: 'deliver' }));
    await expect(rebuild({ ...rig.ctx, policy }, honest)).resolves.toMatchObject({ last: 'rebuild' });
  });
});

test('a note of the first person that was changed, or is of another attempt, is not agreed to', async () => {
  rig = createRig({
    policy: parsePolicy('{"release":{"rebuilt":"two","malicious":"original"}}'),
    script: { answer: () => ({ verdict: 'malicious' }) },
  });
  ({ runId } = await rig.scan(MAIL));
  await decided(rig, runId, 'release');
  const key = keys.asked(runId, 2, 'rebuilt');
  const note = Buffer.from(await rig.blobs.get('work', key, ROOM)).toString();
  for (const [from, to] of [
    ['"pat"', '"eve"'],
    ['"attempt":2', '"attempt":3'],
  ] as const) {
    await rig.blobs.put('work', key, Buffer.from(note.replace(from, to)));
    await expect(decided(rig, runId, 'release', { who: KIM })).rejects.toThrow('is not that of review');
  }
  await rig.blobs.put('work', keys.asked(runId, 2, 'original'), Buffer.from(note));
  await expect(decided(rig, runId, 'release', { who: KIM, form: 'original' })).rejects.toThrow('about something else');
});
