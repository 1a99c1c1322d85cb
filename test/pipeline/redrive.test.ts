/** A run that a passing fault held is begun again as a new attempt; nothing else is. */
import { describe, expect, test } from 'vitest';
import { createWorkflow } from '../../lib/local/session/workflow.ts';
import { readChainText } from '../../lib/pipeline/chain/chain-text.ts';
import { newRun } from '../../lib/pipeline/chain/new-run.ts';
import type { RedriveContext } from '../../lib/pipeline/context.ts';
import { CorruptDataError, LimitExceededError, NotFoundError, TransientError } from '../../lib/pipeline/errors.ts';
import { keys } from '../../lib/pipeline/keys.ts';
import type { Run } from '../../lib/pipeline/model.ts';
import { parse } from '../../lib/pipeline/parse.ts';
import { quarantine, quarantineIntake } from '../../lib/pipeline/quarantine.ts';
import { lastAttempt, obstacleTo, redrive, startedAgain } from '../../lib/pipeline/review/redrive.ts';
import { STAGES } from '../../lib/pipeline/stages.ts';
import { submit } from '../../lib/pipeline/submit.ts';
import { forgedLines, putLines } from './forge.ts';
import { type Answer, createRig, emailWith, PDF, type Rig, type RigOptions } from './rig.ts';
import { WAY } from './way.ts';

const MAIL = emailWith({ text: 'Hello', files: [{ name: 'a.pdf', bytes: PDF }] });
const ROOM = { maxBytes: 10_000_000 };

/** A rig whose service can be changed between attempts. */
function rigWith(answer: { now: Answer }, options: RigOptions = {}) {
  return createRig({ ...options, script: { polls: 0, answer: () => answer.now, ...options.script } });
}

async function toItsEnd(rig: Rig, run: Run) {
  const names = Object.keys(STAGES) as (keyof typeof STAGES)[];
  const stages = Object.fromEntries(names.map((name) => [name, (state: Run) => STAGES[name](rig.ctx, state)]));
  await createWorkflow({ stages: stages as never, retryIntervalMs: 0 }).run(run, new AbortController().signal);
  return rig.ledger(run.runId);
}

/** Begins runs as a laptop does: `parse` reads again at once. */
const beginning = ({ ctx }: Rig): RedriveContext => ({
  ...ctx,
  parseAgain: (intake, attempt) => parse(ctx, intake, attempt),
});

const failing: Answer = { failure: { class: 'service_error', detail: 'down' } };
/** Policy as shipped holds mail for what the service could not do. */
async function held(options: RigOptions = {}) {
  const answer: { now: Answer } = { now: failing };
  const rig = rigWith(answer, options);
  const { runId, ledger } = await rig.scan(MAIL);
  expect(ledger.terminal?.state).toBe('quarantined');
  expect(ledger.reasons.map(({ code }) => code)).toContain('service_error');
  answer.now = {};
  return { rig, runId, answer, ledger };
}

test('the second attempt delivers what the first one held, and its chain names the first one', async () => {
  const { rig, runId } = await held();
  rig.advance(3_600_000);
  const run = await redrive(beginning(rig), await lastAttempt(rig.ctx, runId));
  expect(run).toMatchObject({ runId, attempt: 2, last: 'begun', polls: 0, disposition: 'undecided' });
  const ledger = await toItsEnd(rig, run);
  expect(ledger.terminal?.state).toBe('delivered');
  expect(ledger.attempt).toMatchObject({ number: 2, reason: 'redrive', begunAt: '2026-11-20T13:00:00.000Z' });
  expect(ledger.bornAt).toBe('2026-11-20T12:00:00.000Z');
  expect(ledger.deadlineAt).toBe('2026-11-20T13:30:00.000Z');
  expect(ledger.stages.map(({ stage }) => stage)).toEqual([...['parse', 'redrive', ...WAY, 'deliver']]);
  // The entry of parse is the very same.
  const line = async (number: number, name: string) =>
    readChainText(await rig.blobs.get('work', keys.entry(runId, number, name), ROOM), 'it')[0]?.line;
  expect(await line(2, 'deliver')).toBe(await line(1, 'quarantine'));
  expect(rig.blobs.list('clean')).toContain(keys.cleanMessage(runId));
});

test('an attempt that could be started only after its deadline is held, and the one that follows it delivers', async () => {
  const { rig, runId } = await held({ script: { polls: 1 } });
  const away = { start: () => Promise.reject(new TransientError('throttled')) };
  const last = await lastAttempt(rig.ctx, runId);
  await expect(redrive({ ...beginning(rig), executions: away }, last)).rejects.toThrow('throttled');
  rig.advance(3_600_000);
  expect(await startedAgain(beginning(rig), await lastAttempt(rig.ctx, runId))).toBe(true);
  const late = await toItsEnd(rig, { ...newRun(runId, 2), last: 'begun' });
  expect(late.terminal?.state).toBe('quarantined');
  expect(new Set(late.reasons.map(({ code }) => code))).toEqual(new Set(['timeout']));
  const next = await toItsEnd(rig, await redrive(beginning(rig), await lastAttempt(rig.ctx, runId)));
  expect([next.attempt.number, next.terminal?.state]).toEqual([3, 'delivered']);
});

test('a third attempt follows a second one that was held, too', async () => {
  const { rig, runId, answer } = await held();
  answer.now = failing;
  const second = await toItsEnd(rig, await redrive(beginning(rig), await lastAttempt(rig.ctx, runId)));
  expect([second.attempt.number, second.terminal?.state]).toEqual([2, 'quarantined']);
  answer.now = {};
  const third = await toItsEnd(rig, await redrive(beginning(rig), await lastAttempt(rig.ctx, runId)));
  expect([third.attempt.number, third.terminal?.state]).toEqual([3, 'delivered']);
});

describe('it is not begun again', () => {
  test('after it was delivered, whoever asks', async () => {
    const rig = createRig();
    const { runId } = await rig.scan(MAIL);
    const last = await lastAttempt(rig.ctx, runId);
    expect([obstacleTo(last, false), obstacleTo(last, true)]).toEqual(['it was delivered', 'it was delivered']);
  });

  test('for what does not pass by itself, unless it is named', async () => {
    const rig = createRig({ script: { answer: () => ({ verdict: 'malicious' }) } });
    const { runId } = await rig.scan(MAIL);
    const last = await lastAttempt(rig.ctx, runId);
    expect(obstacleTo(last, false)).toMatch(/^its reasons do not pass by themselves \(malicious/);
    expect(obstacleTo(last, true)).toBeNull();
  });

  test('while it has not ended', async () => {
    const { rig, runId } = await held();
    await redrive(beginning(rig), await lastAttempt(rig.ctx, runId));
    expect(obstacleTo(await lastAttempt(rig.ctx, runId), true)).toBe('it has not ended');
  });

  test('more often than the limit says', async () => {
    const { rig, runId } = await held({ limits: { attempts: 2 } });
    await redrive(beginning(rig), await lastAttempt(rig.ctx, runId));
    await quarantine(rig.ctx, { ...newRun(runId, 2), failure: { Error: 'x', Cause: 'x' } });
    await expect(redrive(beginning(rig), await lastAttempt(rig.ctx, runId))).rejects.toThrow(LimitExceededError);
  });

  test('when nothing is known of it', async () => {
    const rig = createRig();
    const last = await lastAttempt(rig.ctx, 'ab'.repeat(16));
    expect(obstacleTo(last, false)).toMatch(/^its chain cannot be read/);
    await expect(redrive(beginning(rig), last)).rejects.toThrow(NotFoundError);
  });
});

describe('what parse read', () => {
  test.each([
    ['an artifact is gone', (rig: Rig) => rig.blobs.list('work').find((key) => key.startsWith('artifacts/')) ?? ''],
    ['the chain is lost', (_: Rig, runId: string) => keys.entry(runId, 1, 'quarantine')],
  ])('is read again when %s', async (what, key) => {
    const { rig, runId } = await held();
    if (what === 'the chain is lost') await rig.blobs.put('work', key(rig, runId), Buffer.from('{'));
    else rig.blobs.remove('work', key(rig, runId));
    const run = await redrive(beginning(rig), await lastAttempt(rig.ctx, runId));
    expect(run).toMatchObject({ attempt: 2, last: 'parse' });
    const ledger = await toItsEnd(rig, run);
    expect(ledger.attempt).toMatchObject({ number: 2, reason: 'redrive' });
    expect(ledger.terminal?.state).toBe('delivered');
  });
});

test('a submission that never came back is not waited for again: the new attempt sends its own', async () => {
  const answer: { now: Answer } = { now: 'pending' };
  const rig = rigWith(answer, { script: { onPoll: () => rig.advance(600_000) } });
  const { runId, ledger } = await rig.scan(MAIL);
  expect(ledger.reasons.map(({ code }) => code)).toContain('timeout');
  const sent = rig.analyzer.requests.length;
  const run = await redrive(beginning(rig), await lastAttempt(rig.ctx, runId));
  await submit(rig.ctx, run);
  expect(rig.analyzer.requests).toHaveLength(2 * sent);
  const submissions = (await rig.ledger(runId)).artifacts.flatMap((artifact) => artifact.submissions);
  expect(new Set(submissions.map(({ source }) => source))).toEqual(new Set(['submitted']));
});

test('two mails that are begun again together send a file that both have once', async () => {
  const answer: { now: Answer } = { now: 'pending' };
  const rig = rigWith(answer, { script: { onPoll: () => rig.advance(600_000) } });
  const other = emailWith({ text: 'Another one', files: [{ name: 'a.pdf', bytes: PDF }] });
  const runIds = [(await rig.scan(MAIL, 'one')).runId, (await rig.scan(other, 'two')).runId];
  const before = rig.analyzer.requests.length;
  for (const runId of runIds) {
    const run = await redrive(beginning(rig), await lastAttempt(rig.ctx, runId));
    await submit(rig.ctx, run);
  }
  const sent = rig.analyzer.requests.slice(before).map(({ kind, id }) => `${kind} ${id}`);
  expect(new Set(sent).size).toBe(sent.length);
  const ledger = await rig.ledger(runIds[1] ?? '');
  const sources = ledger.artifacts.flatMap(({ submissions }) => submissions.map(({ source }) => source));
  expect(new Set(sources)).toEqual(new Set(['submitted', 'joined']));
});

test('an attempt whose mail could not be read again is the newest one, and another follows it', async () => {
  const { rig, runId, ledger } = await held();
  rig.blobs.remove('work', rig.blobs.list('work').find((key) => key.startsWith('artifacts/')) ?? '');
  const waiting: RedriveContext = { ...rig.ctx, parseAgain: async (_, { number }) => newRun(runId, number) };
  const second = await redrive(waiting, await lastAttempt(rig.ctx, runId));
  expect(second).toMatchObject({ attempt: 2 });
  const again = { number: 2, begunAt: ledger.attempt.begunAt, reason: 'redrive' as const, earlier: null };
  await quarantineIntake(rig.ctx, ledger.intake, { code: 'run_failed', text: 'its event was given up' }, again);
  const last = await lastAttempt(rig.ctx, runId);
  expect(last.number).toBe(2);
  expect((await toItsEnd(rig, await redrive(beginning(rig), last))).terminal?.state).toBe('delivered');
});

describe('an attempt is forged', () => {
  const begin = (number: number) => ({
    attempt: { number, begunAt: '2026-11-20T13:00:00.000Z', reason: 'redrive', earlier: null },
  });

  test('the entry of parse stands in a chain of its own attempt behind nothing of an earlier one', async () => {
    const { rig, runId } = await held();
    const first = readChainText(await rig.blobs.get('work', keys.entry(runId, 1, 'parse'), ROOM), 'it');
    // As attempt 1: the entry of parse is of the same attempt.
    await putLines(
      rig,
      runId,
      'begun',
      await forgedLines(rig.ctx, runId, [{ stage: 'redrive', change: { ledger: begin(2) } }], first),
    );
    await expect(submit(rig.ctx, { ...newRun(runId), last: 'begun' })).rejects.toThrow(CorruptDataError);
  });

  test.each(['submit', 'parse'] as const)('%s begins one', async (signer) => {
    const { rig, runId } = await held();
    const first = readChainText(await rig.blobs.get('work', keys.entry(runId, 1, 'parse'), ROOM), 'it');
    const forged = { stage: 'redrive' as const, change: { ledger: begin(2) }, head: { attempt: 2 }, signer };
    await putLines(rig, runId, 'begun', await forgedLines(rig.ctx, runId, [forged], first));
    const bytes = await rig.blobs.get('work', keys.entry(runId, 1, 'begun'), ROOM);
    await rig.blobs.put('work', keys.entry(runId, 2, 'begun'), bytes);
    await expect(submit(rig.ctx, { ...newRun(runId, 2), last: 'begun' })).rejects.toThrow('redrive has no key');
  });

  test('an attempt that is no later one', async () => {
    const { rig, runId } = await held();
    const first = readChainText(await rig.blobs.get('work', keys.entry(runId, 1, 'parse'), ROOM), 'it');
    const forged = { stage: 'redrive' as const, change: { ledger: begin(1) }, head: { attempt: 2 } };
    await rig.blobs.put('work', keys.entry(runId, 2, 'begun'), await linesOf(rig, runId, forged, first));
    await expect(submit(rig.ctx, { ...newRun(runId, 2), last: 'begun' })).rejects.toThrow('begins no new attempt');
  });
});

async function linesOf(
  rig: Rig,
  runId: string,
  forged: Parameters<typeof forgedLines>[2][number],
  first: Parameters<typeof forgedLines>[3],
) {
  await putLines(rig, runId, 'begun', await forgedLines(rig.ctx, runId, [forged], first));
  return rig.blobs.get('work', keys.entry(runId, 1, 'begun'), ROOM);
}
