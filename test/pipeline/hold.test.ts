/** When mail counts as held, and that it stays counted whatever becomes of it. */
import { expect, test } from 'vitest';
import type { Ledger } from '../../lib/pipeline/ledger/ledger.ts';
import { holdsOf, reasonsIn, reasonsText } from '../../lib/pipeline/runs/hold.ts';
import { lookAtRun } from '../../lib/pipeline/runs/index-run.ts';
import { timesHeld } from '../../lib/pipeline/runs/times-held.ts';
import { openSqliteRuns } from '../../lib/storage/sqlite/runs.ts';
import { decided } from './review-rig.ts';
import { createRig, emailWith, PDF } from './rig.ts';

const MAIL = emailWith({ subject: 'Invoice', files: [{ name: 'a.pdf', bytes: PDF }] });
const HOUR_MS = 3_600_000;
const AT = Date.UTC(2026, 0, 1);

type Ended = 'quarantined' | 'delivered' | 'deleted' | null;

const attempt = (number: number, state: Ended, ...codes: string[]) =>
  ({
    attempt: { number },
    terminal: state === null ? null : { state, at: new Date(AT + number).toISOString() },
    reasons: codes.map((code) => ({ code, text: '' })),
  }) as unknown as Ledger;

test.each([
  ['one that was delivered was never held', [attempt(1, 'delivered')], []],
  ['a reason that is given twice counts once', [attempt(1, 'quarantined', 'blocked', 'blocked')], ['1 blocked']],
  [
    'one that was tried again and held again for the same was held once',
    [attempt(3, 'quarantined', 'timeout'), attempt(1, 'quarantined', 'timeout'), attempt(2, 'quarantined', 'timeout')],
    ['1 timeout'],
  ],
  [
    'of a further reason only that counts',
    [attempt(1, 'quarantined', 'timeout'), attempt(2, 'quarantined', 'timeout', 'malicious')],
    ['1 timeout', '2 malicious'],
  ],
  [
    'what was released, and is held again, is held twice',
    [attempt(1, 'quarantined', 'blocked'), attempt(2, 'delivered'), attempt(3, 'quarantined', 'blocked')],
    ['1 blocked', '3 blocked'],
  ],
  ['one that is under way again was held', [attempt(1, 'quarantined', 'timeout'), attempt(2, null)], ['1 timeout']],
  ['one that is held without a reason is held', [attempt(1, 'quarantined')], ['1 ']],
])('%s', (_, attempts, expected) => {
  expect(holdsOf(attempts).map(({ at, reasons }) => `${at - AT} ${reasonsText(reasons)}`)).toEqual(expected);
});

test('a set of reasons is one text in any order, and is read back', () => {
  expect(reasonsText(['timeout', 'blocked'])).toBe(reasonsText(['blocked', 'timeout']));
  for (const reasons of [[], ['blocked'], ['blocked', 'timeout']])
    expect(reasonsIn(reasonsText(reasons))).toEqual(reasons);
});

test.each(['release', 'delete'] as const)('mail that was held counts as held after a %s, too', async (action) => {
  const rig = createRig({
    script: { polls: 0, answer: (asked) => ('filename' in asked ? { verdict: 'malicious' as const } : {}) },
  });
  const runs = openSqliteRuns(':memory:');
  const ctx = { ...rig.ctx, runs };
  const { runId } = await rig.scan(MAIL);
  await lookAtRun(ctx, { runId, attempt: 1 });
  const before = await timesHeld(runs, rig.ctx.clock.now());
  expect(before).toMatchObject({ all: { hour: 1, day: 1, week: 1, days30: 1 }, byReason: [{ code: 'malicious' }] });
  rig.advance(2 * HOUR_MS);
  await decided(rig, runId, action);
  await lookAtRun(ctx, { runId, attempt: 2 });
  expect((await runs.get(runId))?.state).toBe(action === 'release' ? 'delivered' : 'deleted');
  const after = await timesHeld(runs, rig.ctx.clock.now());
  expect(after).toMatchObject({ all: { hour: 0, day: 1, week: 1, days30: 1 }, byReason: [{ code: 'malicious' }] });
});
