/** Delivered mail that turns out to be worse: by what people block, and by what engines say later. */
import { describe, expect, test } from 'vitest';
import { keys, sha256Hex } from '../../lib/pipeline/keys.ts';
import type { Verdict } from '../../lib/pipeline/model.ts';
import { parsePolicy } from '../../lib/pipeline/policy/policy.ts';
import { deliveredRuns, recalls } from '../../lib/pipeline/recall/recall.ts';
import { recheck } from '../../lib/pipeline/recall/recheck.ts';
import { type BlockKind, withBlocks } from '../../lib/pipeline/review/block.ts';
import { blockOf } from '../../lib/pipeline/review/block-of.ts';
import { indexedRun } from '../../lib/pipeline/runs/row.ts';
import { createRig, emailWith, PDF, type Rig } from './rig.ts';
import { entriesOf, WAY } from './way.ts';

const NOTES = 'just notes';
const MAIL = emailWith({
  text: 'see https://www.shop.example/a',
  files: [
    { name: 'notes.txt', bytes: NOTES },
    { name: 'a.pdf', bytes: PDF },
  ],
});

/** A service that calls the notes what it is told to. */
function rigSaying(verdict: () => Verdict | 'pending' | Error, polls = 0) {
  return createRig({
    script: {
      polls,
      answer: (request) => {
        if (request.kind === 'cdr') return { disarmed: new TextEncoder().encode(`${PDF}% made safe`) };
        if (!('bytes' in request) || Buffer.from(request.bytes).toString() !== NOTES) return {};
        const said = verdict();
        return said === 'pending' || said instanceof Error ? said : { verdict: said, reasons: ['seen today'] };
      },
    },
  });
}

async function runsOf(rig: Rig, ids: readonly string[]) {
  const rows = await Promise.all(ids.map(async (runId) => indexedRun(await rig.ledger(runId)).row));
  return { list: async () => ({ rows: rows.filter(({ state }) => state === 'delivered'), next: null }) };
}

const RANGE = { since: 0, most: 100 };

async function found(rig: Rig, ids: readonly string[], kind?: BlockKind, text = '') {
  const block = kind === undefined ? null : blockOf(kind, text);
  const policy = withBlocks(parsePolicy('{}'), block === null ? [] : [block]);
  const all = [];
  for await (const { row, exposures } of recalls(rig.ctx, await runsOf(rig, ids), policy, RANGE))
    all.push({ runId: row.runId, exposures });
  return all;
}

async function rechecked(rig: Rig, ids: readonly string[], budget = 100) {
  const all = [];
  const paused: number[] = [];
  const pause = async (seconds: number) => {
    paused.push(seconds);
    rig.advance(seconds * 1000);
  };
  const delivered = deliveredRuns(rig.ctx, await runsOf(rig, ids), RANGE);
  for await (const one of recheck(rig.ctx, delivered, budget, pause)) all.push(one);
  return { all, outcomes: all.map(({ outcome }) => outcome), paused };
}

describe('what is blocked after it was delivered is found:', () => {
  test.each<[BlockKind, string, object]>([
    ['file', sha256Hex(NOTES), { of: 'file', name: 'notes.txt', delivered: 'keep', sha256: sha256Hex(NOTES) }],
    ['file', sha256Hex(PDF), { of: 'file', name: 'a.pdf', delivered: 'disarm' }],
    ['url', 'https://www.shop.example/a', { of: 'url', delivered: 'keep', sha256: null }],
    ['host', 'shop.example', { of: 'url' }],
    ['sender', 'sender.example', { of: 'sender' }],
  ])('%s %s', async (kind, text, exposure) => {
    const rig = rigSaying(() => 'benign');
    const { runId } = await rig.scan(MAIL);
    expect(await found(rig, [runId])).toEqual([]);
    expect(await found(rig, [runId], kind, text)).toMatchObject([
      { runId, exposures: [{ cause: 'blocked', ...exposure }] },
    ]);
  });

  test('but not what its recipient never got', async () => {
    const rig = rigSaying(() => 'suspicious');
    const { runId, ledger } = await rig.scan(MAIL);
    expect(ledger.terminal?.state).toBe('delivered');
    expect(await found(rig, [runId], 'file', sha256Hex(NOTES))).toEqual([]);
    const held = await rigSaying(() => 'malicious');
    expect(await found(held, [(await held.scan(MAIL)).runId], 'file', sha256Hex(NOTES))).toEqual([]);
  });
});

test.each([
  ['its end', ['deliver']],
  ['all', entriesOf(['parse', ...WAY, 'deliver'])],
])('a delivered run of whose record %s is gone is listed, and recheck says so', async (_, gone) => {
  const rig = rigSaying(() => 'benign');
  const { runId } = await rig.scan(MAIL);
  const runs = await runsOf(rig, [runId]);
  for (const name of gone) rig.blobs.remove('work', keys.entry(runId, 1, name));
  const listed = [];
  for await (const { exposures } of recalls(rig.ctx, runs, parsePolicy('{}'), RANGE)) listed.push(exposures);
  expect(listed).toMatchObject([[{ cause: 'unreadable', of: 'record' }]]);
  const asked = [];
  for await (const one of recheck(rig.ctx, deliveredRuns(rig.ctx, runs, RANGE), 100, async () => {})) asked.push(one);
  expect(asked).toEqual([{ sha256: null, runId, outcome: 'unreadable', worse: null }]);
});

describe('recheck', () => {
  test('notes a file that is worse now, and recall finds every mail that delivered it', async () => {
    let now: Verdict = 'benign';
    const rig = rigSaying(() => now);
    const ids = [(await rig.scan(MAIL, 'a.eml')).runId, (await rig.scan(MAIL.replace('Files', 'B'), 'b.eml')).runId];
    expect((await rechecked(rig, ids)).outcomes).toEqual(['same', 'same', 'same']);
    expect(await found(rig, ids)).toEqual([]);
    now = 'malicious';
    const { all } = await rechecked(rig, ids);
    const worse = { sha256: sha256Hex(NOTES), before: 'benign', after: 'malicious', untrustedReasons: ['seen today'] };
    expect(all.filter(({ outcome }) => outcome === 'worse')).toMatchObject([{ worse }]);
    const exposures = [{ cause: 'worse', name: 'notes.txt', verdict: 'malicious', delivered: 'keep' }];
    expect(await found(rig, ids)).toMatchObject([
      { runId: ids[0], exposures },
      { runId: ids[1], exposures },
    ]);
    expect((await rig.ledger(ids[0] as string)).terminal?.state).toBe('delivered');
  });

  test('asks about each file once, and about no more than the budget', async () => {
    const rig = rigSaying(() => 'benign');
    const ids = [(await rig.scan(MAIL, 'a.eml')).runId, (await rig.scan(MAIL, 'b.eml')).runId];
    const before = rig.analyzer.requests.length;
    expect((await rechecked(rig, ids, 2)).outcomes).toHaveLength(2);
    expect(rig.analyzer.requests.length - before).toBe(2);
    expect(rig.analyzer.requests.slice(before).map(({ kind }) => kind)).toEqual(['static', 'static']);
  });

  test.each<[string, Verdict | 'pending' | Error]>([
    ['a service that never ends', 'pending'],
    ['a verdict that says less', 'unknown'],
  ])('%s is no reason to recall', async (_, said) => {
    let now: Verdict | 'pending' | Error = 'benign';
    const rig = rigSaying(() => now);
    const { runId } = await rig.scan(MAIL);
    now = said;
    const { outcomes, paused } = await rechecked(rig, [runId]);
    expect(outcomes).not.toContain('worse');
    expect(outcomes.includes('unanswered')).toBe(said === 'pending');
    expect(paused.length > 0).toBe(said === 'pending');
    expect(await found(rig, [runId])).toEqual([]);
  });

  test('of a file that is not there any more has no answer', async () => {
    const rig = rigSaying(() => 'benign');
    const { runId } = await rig.scan(MAIL);
    rig.blobs.remove('work', keys.artifact(sha256Hex(NOTES)));
    expect((await rechecked(rig, [runId])).outcomes.filter((outcome) => outcome === 'unanswered')).toHaveLength(1);
  });

  test('does not believe a note that somebody broke', async () => {
    const rig = rigSaying(() => 'benign');
    const { runId } = await rig.scan(MAIL);
    await rig.blobs.put('work', keys.worse(sha256Hex(NOTES)), new TextEncoder().encode('{"after":"x"}'));
    expect(await found(rig, [runId])).toEqual([]);
  });
});
