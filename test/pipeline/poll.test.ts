import { expect, test } from 'vitest';
import { TransientError } from '../../lib/pipeline/errors.ts';
import { parse } from '../../lib/pipeline/parse.ts';
import { poll } from '../../lib/pipeline/poll.ts';
import { submit } from '../../lib/pipeline/submit.ts';
import { createRig, emailWith, PDF, type RigOptions } from './rig.ts';

const MAIL = emailWith({ files: [{ name: 'a.pdf', type: 'application/pdf', bytes: PDF }] });

async function submitted(options: RigOptions = {}) {
  const rig = createRig(options);
  const run = await submit(rig.ctx, await parse(rig.ctx, await rig.intake(MAIL)));
  return { rig, run };
}

test('asks once for every outstanding submission, and says how many are left', async () => {
  const { rig, run } = await submitted({ script: { polls: 1 } });
  const first = await poll(rig.ctx, run);
  const second = await poll(rig.ctx, first);
  expect([run.outstanding, first.outstanding, second.outstanding]).toEqual([3, 3, 0]);
  expect([first.polls, second.polls]).toEqual([1, 2]);
});

test('waits as long as the service asks, and never past the deadline of the run', async () => {
  const { rig, run } = await submitted({ script: { polls: 9, retryAfterSeconds: 40 } });
  expect((await poll(rig.ctx, run)).waitSeconds).toBe(40);
  rig.advance((rig.ctx.limits.deadlineSeconds - 10) * 1000);
  expect((await poll(rig.ctx, run)).waitSeconds).toBe(10);
});

test('a service that does not answer for a moment gives no result', async () => {
  const { rig, run } = await submitted();
  const away = {
    ...rig.ctx,
    analyzer: { ...rig.analyzer, progress: async () => Promise.reject(new TransientError('503')) },
  };
  expect((await poll(away, run)).outstanding).toBe(3);
  expect((await poll(rig.ctx, await poll(rig.ctx, run))).outstanding).toBe(0);
});

test('a service that does not answer is asked once in a poll, not once for each submission', async () => {
  const { rig, run } = await submitted();
  let asked = 0;
  const progress = async () => {
    asked += 1;
    throw new TransientError('no answer');
  };
  await poll(
    { ...rig.ctx, limits: { ...rig.ctx.limits, concurrentSubmissions: 1 }, analyzer: { ...rig.analyzer, progress } },
    run,
  );
  expect(asked).toBe(1);
});

test('an analysis without a report at the deadline is a timeout, and nothing stays outstanding', async () => {
  const { rig, run } = await submitted({ script: { answer: () => 'pending' } });
  rig.advance(rig.ctx.limits.deadlineSeconds * 1000);
  expect((await poll(rig.ctx, run)).outstanding).toBe(0);
  const failures = (await rig.ledger(run.runId)).artifacts.flatMap(({ submissions }) =>
    submissions.map(({ failure }) => failure),
  );
  expect(failures).toEqual(Array(3).fill({ class: 'timeout', detail: 'no report within 1800 seconds' }));
});

test('run twice after everything finished, it asks nothing more', async () => {
  let asked = 0;
  const { rig, run } = await submitted({ script: { polls: 0, onPoll: () => asked++ } });
  await poll(rig.ctx, await poll(rig.ctx, run));
  expect(asked).toBe(3);
});

test('takes over a hash from a run that died before it sent it', async () => {
  const rig = createRig();
  const dead = await parse(rig.ctx, await rig.intake(MAIL, 'dead.eml'));
  const dying = { ...rig.ctx, analyzer: { ...rig.analyzer, submit: () => new Promise<string>(() => {}) } };
  void submit(dying, dead);
  await new Promise(setImmediate);
  const run = await submit(rig.ctx, await parse(rig.ctx, await rig.intake(MAIL)));
  expect(rig.analyzer.requests).toHaveLength(0);
  rig.advance((rig.ctx.limits.claimSeconds + 1) * 1000);
  const after = await poll(rig.ctx, run);
  expect(rig.analyzer.requests).toHaveLength(3);
  expect(after.outstanding).toBe(3);
});
