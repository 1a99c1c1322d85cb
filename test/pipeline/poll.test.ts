import { describe, expect, test } from 'vitest';
import { AnalyzerRefusal, TransientError } from '../../lib/pipeline/errors.ts';
import { fetch } from '../../lib/pipeline/fetch.ts';
import { parse } from '../../lib/pipeline/parse.ts';
import { poll } from '../../lib/pipeline/poll.ts';
import type { Analyzer } from '../../lib/pipeline/ports.ts';
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

test('one second before the deadline a submission is outstanding, whatever was asked; the longest wait counts', async () => {
  const waits = [40, 90, 5];
  const { rig, run } = await submitted({ script: { answer: () => 'pending' } });
  const progress = async () => ({ state: 'pending' as const, retryAfterSeconds: waits.shift() ?? null });
  const asking = { ...rig.ctx, analyzer: { ...rig.analyzer, progress } };
  expect((await poll(asking, run)).waitSeconds).toBe(90);
  rig.advance(rig.ctx.limits.deadlineSeconds * 1000 - 1);
  expect((await poll(rig.ctx, run)).outstanding).toBe(3);
  rig.advance(1);
  expect((await poll(rig.ctx, run)).outstanding).toBe(0);
});

test('a submission that finished before the deadline is no timeout after it, and its end has a time', async () => {
  const { rig, run } = await submitted({ script: { polls: 0 } });
  rig.advance(5_000);
  await poll(rig.ctx, run);
  rig.advance(rig.ctx.limits.deadlineSeconds * 1000);
  await poll(rig.ctx, run);
  const submissions = (await rig.ledger(run.runId)).artifacts.flatMap((artifact) => artifact.submissions);
  expect(submissions.map(({ status, failure, finishedAt }) => ({ status, failure, finishedAt }))).toEqual(
    Array(3).fill({ status: 'completed', failure: null, finishedAt: '2026-11-20T12:00:05.000Z' }),
  );
});

test('a refusal is the result of its submission alone; what nobody foresaw fails the stage', async () => {
  const { rig, run } = await submitted();
  const refused = async (kind: string, submissionId: string) => {
    if (kind === 'cdr') throw new AnalyzerRefusal('unsupported', 'no such type');
    return rig.analyzer.progress(kind as 'static', submissionId);
  };
  const after = await poll({ ...rig.ctx, analyzer: { ...rig.analyzer, progress: refused } }, run);
  expect(after.outstanding).toBe(2);
  const failures = (await rig.ledger(run.runId)).artifacts.flatMap(({ submissions }) =>
    submissions.flatMap(({ failure, fetched }) => (failure ? [{ failure, fetched }] : [])),
  );
  expect(failures).toEqual([{ failure: { class: 'unsupported', detail: 'no such type' }, fetched: true }]);
  const odd = { ...rig.analyzer, progress: async () => Promise.reject(new RangeError('odd')) };
  await expect(poll({ ...rig.ctx, analyzer: odd }, run)).rejects.toThrow(RangeError);
});

test('the log says that the service was away, in which run and why', async () => {
  const { rig, run } = await submitted();
  const warned: unknown[] = [];
  const log = { info: () => {}, warn: (...told: unknown[]) => void warned.push(told[1]) };
  const progress = async () => Promise.reject(new TransientError('no answer'));
  const limits = { ...rig.ctx.limits, concurrentSubmissions: 1 };
  await poll({ ...rig.ctx, log, limits, analyzer: { ...rig.analyzer, progress } }, run);
  expect(warned).toEqual([{ stage: 'poll', runId: run.runId, fault: 'away', reason: 'no answer' }]);
});

test('the ledger notes each stage with its time', async () => {
  let advance = () => {};
  const { rig, run } = await submitted({ script: { polls: 0, onPoll: () => advance() } });
  advance = () => rig.advance(10);
  rig.advance(1_000);
  await poll(rig.ctx, run);
  const { stages } = await rig.ledger(run.runId);
  expect(stages.map(({ stage }) => stage)).toEqual(['parse', 'submit', 'poll']);
  expect(stages[2]).toEqual({ stage: 'poll', startedAt: '2026-11-20T12:00:01.000Z', durationMs: 30 });
});

test('run twice after everything finished, it asks nothing more', async () => {
  let asked = 0;
  const { rig, run } = await submitted({ script: { polls: 0, onPoll: () => asked++ } });
  await poll(rig.ctx, await poll(rig.ctx, run));
  expect(asked).toBe(3);
});

describe('a report that comes with the answer', () => {
  const withReports = (analyzer: Analyzer): Analyzer => ({
    ...analyzer,
    async progress(kind, id) {
      const progress = await analyzer.progress(kind, id);
      return progress.state === 'pending' ? progress : { ...progress, report: await analyzer.report(kind, id) };
    },
  });

  /** Reports of files that were disarmed are left to fetch, because their file is not in the answer. */
  async function polled(answer: NonNullable<RigOptions['script']>['answer'] = () => ({})) {
    const { rig, run } = await submitted({ script: { polls: 0, answer } });
    const next = await poll({ ...rig.ctx, analyzer: withReports(rig.analyzer) }, run);
    const { artifacts } = await rig.ledger(run.runId);
    return { rig, next, submissions: artifacts.flatMap(({ submissions }) => submissions) };
  }

  test('is in the ledger, and only that of a disarmed file is fetched', async () => {
    const { rig, next, submissions } = await polled();
    expect(next.outstanding).toBe(0);
    expect(submissions.map(({ kind, fetched }) => [kind, fetched])).toEqual([
      ['static', true],
      ['static', true],
      ['cdr', false],
    ]);
    const asked: string[] = [];
    const report: typeof rig.analyzer.report = (kind, id) => {
      asked.push(kind);
      return rig.analyzer.report(kind, id);
    };
    await fetch({ ...rig.ctx, analyzer: { ...rig.analyzer, report } }, next);
    expect(asked).toEqual(['cdr']);
  });

  test('is known to the next mail, unless it says that something failed for now', async () => {
    const { rig } = await polled(({ kind }) => (kind === 'cdr' ? 'pending' : {}));
    const again = await submit(rig.ctx, await parse(rig.ctx, await rig.intake(MAIL, 'again.eml')));
    const { artifacts } = await rig.ledger(again.runId);
    const sources = artifacts.flatMap(({ submissions }) => submissions.map(({ kind, source }) => `${kind} ${source}`));
    expect(sources).toEqual(['static known', 'static known', 'cdr joined']);

    const away = await polled(() => ({ failure: { class: 'service_error', detail: 'for now' } }));
    expect(away.submissions.map(({ status, fetched }) => [status, fetched])).toEqual(Array(3).fill(['error', true]));
    const { length } = away.rig.analyzer.requests;
    await submit(away.rig.ctx, await parse(away.rig.ctx, await away.rig.intake(MAIL, 'again.eml')));
    expect(away.rig.analyzer.requests).toHaveLength(length * 2);
  });

  test('when it cannot be remembered now, the submission stays outstanding', async () => {
    const { rig, run } = await submitted({ script: { polls: 0 } });
    const update = async () => Promise.reject(new TransientError('throttled'));
    const submissions = { ...rig.ctx.submissions, update };
    const first = await poll({ ...rig.ctx, analyzer: withReports(rig.analyzer), submissions }, run);
    expect(first.outstanding).toBeGreaterThan(0);
    expect((await poll(rig.ctx, first)).outstanding).toBe(0);
  });
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
