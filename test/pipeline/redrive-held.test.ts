/** Many runs are begun again in one request: named ones, or those that are held for a fault that passes. */
import { describe, expect, test } from 'vitest';
import type { RedriveContext } from '../../lib/pipeline/context.ts';
import { LimitExceededError, TransientError } from '../../lib/pipeline/errors.ts';
import { parse } from '../../lib/pipeline/parse.ts';
import type { HeldRuns } from '../../lib/pipeline/ports.ts';
import { lastAttempt, redrive } from '../../lib/pipeline/review/redrive.ts';
import { type RedriveRequest, redriveHeld } from '../../lib/pipeline/review/redrive-held.ts';
import { release } from '../../lib/pipeline/review/review.ts';
import { createRig, emailWith, PDF, type Rig, type RigOptions } from './rig.ts';

const HOUR_MS = 3_600_000;
const ALL = { dryRun: false, reason: null, since: null, until: null, after: null } as const;

function beginning({ ctx }: Rig, limits: RigOptions['limits'] = {}): RedriveContext {
  return {
    ...ctx,
    limits: { ...ctx.limits, ...limits },
    parseAgain: (intake, attempt) => parse(ctx, intake, attempt),
  };
}

/** Three mails an hour apart: one held for a fault of the service, one for a timeout, and one for what is in it. */
async function threeHeld() {
  const state = { mail: 0 };
  const answers = [
    { failure: { class: 'service_error', detail: 'down' } },
    { failure: { class: 'timeout', detail: 'late' } },
    { verdict: 'malicious' },
  ] as const;
  const rig = createRig({ script: { polls: 0, answer: () => answers[state.mail] ?? {} } });
  const runs: { runId: string; heldAt: number }[] = [];
  for (const name of ['one.pdf', 'two.pdf', 'three.pdf']) {
    const bytes = `${PDF}% ${name}`;
    const { runId, ledger } = await rig.scan(emailWith({ subject: name, files: [{ name, bytes }] }), name);
    expect(ledger.terminal?.state).toBe('quarantined');
    runs.push({ runId, heldAt: rig.ctx.clock.now() });
    rig.advance(HOUR_MS);
    state.mail += 1;
  }
  const [service, late, bad] = runs.map(({ runId }) => runId) as [string, string, string];
  return { rig, runs, service, late, bad };
}

const listing = (runs: readonly { runId: string; heldAt: number }[]): HeldRuns => ({
  async list(after, most) {
    const from = after === null ? 0 : runs.findIndex(({ runId }) => runId === after) + 1;
    const page = runs.slice(from, from + most);
    return { runs: page, next: from + most < runs.length ? (page.at(-1)?.runId ?? null) : null };
  },
});

const attempts = async (rig: Rig, ...runs: string[]) =>
  Promise.all(runs.map(async (runId) => (await lastAttempt(rig.ctx, runId)).number));

test('everything that a passing fault held is begun again, and nothing else', async () => {
  const { rig, runs, service, late, bad } = await threeHeld();
  const answer = await redriveHeld(beginning(rig), listing(runs), ALL);
  expect(answer).toEqual({
    runs: [
      { runId: service, attempt: 2, obstacle: null },
      { runId: late, attempt: 2, obstacle: null },
    ],
    next: null,
  });
  expect(rig.started.slice(-2).sort()).toEqual([service, late].sort());
  expect(await attempts(rig, service, late, bad)).toEqual([2, 2, 1]);
});

test.each([
  ['a reason', { reason: 'timeout' }, ['late']],
  ['a time from which', { since: 1 }, ['late']],
  ['a time before which', { until: 1 }, ['service']],
] as const)('%s chooses among them', async (_, wanted, expected) => {
  const { rig, runs, ...names } = await threeHeld();
  // The times of the table are hours after the first mail was held.
  const hours = (count: number) => (runs[0]?.heldAt ?? 0) + count * HOUR_MS;
  const { since = null, until = null } = wanted as { since?: number; until?: number };
  const request: RedriveRequest = {
    ...ALL,
    ...wanted,
    since: since && hours(since),
    until: until && hours(until),
  };
  const answer = await redriveHeld(beginning(rig), listing(runs), request);
  expect(answer.runs.map(({ runId }) => runId)).toEqual(expected.map((name) => names[name]));
});

test('a dry run says what would be begun, and begins nothing', async () => {
  const { rig, runs, service, late, bad } = await threeHeld();
  const started = rig.started.length;
  const answer = await redriveHeld(beginning(rig), listing(runs), { ...ALL, dryRun: true });
  expect(answer.runs.map(({ runId, attempt }) => [runId, attempt])).toEqual([
    [service, 2],
    [late, 2],
  ]);
  expect(await attempts(rig, service, late, bad)).toEqual([1, 1, 1]);
  expect(rig.started).toHaveLength(started);
});

describe('a request is bounded', () => {
  test('it looks at no more than redriveRuns runs, and says where to go on', async () => {
    const { rig, runs, service, late } = await threeHeld();
    const one = await redriveHeld(beginning(rig, { redriveRuns: 1 }), listing(runs), ALL);
    expect(one).toMatchObject({ runs: [{ runId: service }], next: service });
    const two = await redriveHeld(beginning(rig, { redriveRuns: 1 }), listing(runs), { ...ALL, after: one.next });
    expect(two).toMatchObject({ runs: [{ runId: late }], next: late });
  });

  test('it names no more than redriveRuns runs', async () => {
    const { rig, runs, service, late } = await threeHeld();
    const request = { dryRun: false, runs: [service, late] };
    await expect(redriveHeld(beginning(rig, { redriveRuns: 1 }), listing(runs), request)).rejects.toThrow(
      LimitExceededError,
    );
    expect((await redriveHeld(beginning(rig, { redriveRuns: 2 }), listing(runs), request)).runs).toHaveLength(2);
  });
});

test('runs that are named are begun whatever they were held for, and the others keep none from it', async () => {
  const { rig, runs, bad } = await threeHeld();
  const unknown = 'ab'.repeat(16);
  const { runs: done } = await redriveHeld(beginning(rig), listing(runs), { dryRun: false, runs: [unknown, bad, bad] });
  expect(done).toEqual([
    { runId: unknown, attempt: null, obstacle: expect.stringContaining('no object in the work bucket') },
    { runId: bad, attempt: 2, obstacle: null },
  ]);
});

test('an attempt whose start failed is started again by the next request', async () => {
  const { rig, runs, service } = await threeHeld();
  const away = { start: () => Promise.reject(new TransientError('throttled')) };
  const request = { dryRun: false, runs: [service] };
  await expect(redriveHeld({ ...beginning(rig), executions: away }, listing(runs), request)).rejects.toThrow(
    'throttled',
  );
  const started: object[] = [];
  const executions = { start: async (run: object) => void started.push(run) };
  const answer = await redriveHeld({ ...beginning(rig), executions }, listing(runs), request);
  expect(answer.runs).toEqual([{ runId: service, attempt: 2, obstacle: null }]);
  expect(started).toMatchObject([{ runId: service, attempt: 2, input: { attempt: 2, last: 'begun' } }]);
});

test('a release that began and was never started is started by the next request', async () => {
  const { rig, runs, service } = await threeHeld();
  const who = { name: 'Pat', why: 'the sender called' };
  const ctx = { ...beginning(rig), policy: rig.ctx.policy, removeHeld: async () => {} };
  const begun = await release(ctx, await lastAttempt(rig.ctx, service), 'rebuilt', who);
  expect(begun.state).toBe('begun');
  const started: object[] = [];
  const executions = { start: async (run: object) => void started.push(run) };
  await redriveHeld({ ...beginning(rig), executions }, listing(runs), ALL);
  expect(started).toContainEqual(expect.objectContaining({ runId: service, attempt: 2 }));
  expect((await rig.ledger(service)).attempt.reason).toBe('release');
});

test('what says which object a run is about must be about this run', async () => {
  const { rig, service, late } = await threeHeld();
  const last = { ...(await lastAttempt(rig.ctx, service)), chain: null };
  const note = await rig.blobs.get('work', `runs/${late}/intake.json`, { maxBytes: 10_000 });
  await rig.blobs.put('work', `runs/${service}/intake.json`, note);
  await expect(redrive(beginning(rig), last)).rejects.toThrow('no object in the work bucket');
});
