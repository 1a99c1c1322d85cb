import { afterEach, describe, expect, test } from 'vitest';
import { AnalysisClient } from '../../lib/service/client/analysis-client.ts';
import { AnalysisClientV1 } from '../../lib/service/client/analysis-client-v1.ts';
import { CdrClient } from '../../lib/service/client/cdr-client.ts';
import { DEFAULT_WAIT_SCHEDULE, nextWaitMs, type WaitProgress } from '../../lib/service/client/wait.ts';
import type { Submission } from '../../lib/service/contract/v3-submission.ts';
import { type ScriptedServer, type Step, scriptedServer } from './scripted-server.ts';

const UUID = '5b7e1f0e-5a3c-4a0e-9c8b-3f1f4f3f2a11';

const servers: ScriptedServer[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

/** Clients of a scripted server, with a clock that only moves when they wait. */
async function against(...steps: readonly Step[]) {
  const server = await scriptedServer(...steps);
  servers.push(server);
  const waits: number[] = [];
  let nowMs = 0;
  const sleep = async (ms: number) => {
    waits.push(ms);
    nowMs += ms;
  };
  const timing = { sleep, random: () => 0, now: () => nowMs };
  const client = new AnalysisClient({ baseUrl: server.url, apiKey: 'k', ...timing });
  return { client, server, waits, timing };
}

const report = (type: string, status: string) => ({ type, status, level: status === 'completed' ? 'benign' : null });
const submission = (...reports: object[]): Step => ({
  body: { uuid: UUID, type: 'file', level: 'unknown', createdAt: '2026-01-05T10:00:00Z', reports },
});

describe('waiting', () => {
  test('asks with growing pauses until every listed report has ended', async () => {
    const { client, waits } = await against(
      submission(report('dynamic', 'accepted'), report('static', 'completed')),
      submission(report('dynamic', 'in_progress'), report('static', 'completed')),
      submission(report('dynamic', 'clean_up'), report('static', 'completed')),
      submission(report('dynamic', 'error'), report('static', 'completed')),
    );
    const finished = await client.waitForCompletion(UUID);
    expect(finished.reports.map(({ status }) => status)).toEqual(['error', 'completed']);
    expect(waits).toEqual([500, 750, 1_125]);
  });

  test('never takes an empty list of reports for the end', async () => {
    const { client, server } = await against(submission(), submission(), submission(report('static', 'completed')));
    expect((await client.waitForCompletion(UUID)).reports).toHaveLength(1);
    expect(server.requests).toHaveLength(3);
  });

  test('for one report does not wait for the others', async () => {
    const { client, server } = await against(
      submission(report('dynamic', 'in_progress'), report('static', 'accepted')),
      submission(report('dynamic', 'in_progress'), report('static', 'completed')),
    );
    await client.waitForCompletion(UUID, { reports: ['static'] });
    expect(server.requests).toHaveLength(2);
  });

  test('continues for a report that is listed late, and ends soon for one that is never listed', async () => {
    const other = submission(report('static', 'completed'));
    const late = await against(other, other, submission(report('static', 'completed'), report('cdr', 'completed')));
    expect((await late.client.waitForCompletion(UUID, { reports: ['cdr'] })).reports).toHaveLength(2);
    const never = await against(...Array<Step>(20).fill(other));
    await expect(never.client.waitForCompletion(UUID, { reports: ['cdr'] })).rejects.toMatchObject({
      code: 'REPORT_NOT_SCHEDULED',
      missing: ['cdr'],
      scheduled: ['static'],
      retryable: false,
    });
    expect(never.server.requests.length).toBeLessThan(10);
  });

  test('waits through temporary errors, for as long as the service asks', async () => {
    const { client, waits } = await against(
      { status: 503 },
      { status: 429, headers: { 'retry-after': '30' } },
      'reset',
      { status: 500, body: 'oops' },
      submission(report('static', 'completed')),
    );
    await client.waitForCompletion(UUID);
    expect(waits).toEqual([500, 30_000, 1_125, 1_688]);
  });

  test.each([401, 403, 404])('does not wait after %d', async (status) => {
    const { client, server } = await against({ status });
    await expect(client.waitForCompletion(UUID)).rejects.toMatchObject({ status });
    expect(server.requests).toHaveLength(1);
  });

  test.each([
    [report('static', 'finished'), /status: .*got "finished"/],
    [{ ...report('static', 'completed'), level: 'harmless' }, /level: .*got "harmless"/],
  ])('ends at a word the contract does not know, which it names', async (unknown, message) => {
    const { client } = await against(submission(unknown));
    const wait = client.waitForCompletion(UUID);
    await expect(wait).rejects.toMatchObject({ code: 'CONTRACT', retryable: false });
    await expect(wait).rejects.toThrow(message);
  });

  test('ends at its deadline and says what was missing, and why when it could not ask', async () => {
    const pending = submission(report('cdr', 'in_progress'), report('static', 'completed'));
    const { client, waits } = await against(pending, pending, { status: 502 }, { status: 502 }, { status: 502 });
    await expect(client.waitForCompletion(UUID, { timeoutMs: 3_000 })).rejects.toMatchObject({
      code: 'WAIT_TIMEOUT',
      submissionId: UUID,
      waitingFor: ['cdr'],
      cause: { status: 502 },
      retryable: true,
    });
    expect(waits.reduce((sum, ms) => sum + ms, 0)).toBeLessThan(3_000);
  });

  test('ends at its deadline even in the middle of a request', async () => {
    const server = await scriptedServer('hang');
    servers.push(server);
    const client = new AnalysisClient({ baseUrl: server.url, apiKey: 'k' });
    await expect(client.waitForCompletion(UUID, { timeoutMs: 60 })).rejects.toMatchObject({ code: 'WAIT_TIMEOUT' });
  });

  test('ends with the reason of the caller, asking or sleeping', async () => {
    const stop = new AbortController();
    const { client } = await against('hang');
    const asking = client.waitForCompletion(UUID, { signal: stop.signal });
    stop.abort(new Error('enough'));
    await expect(asking).rejects.toThrow('enough');
    const server = await scriptedServer(submission(report('static', 'accepted')));
    servers.push(server);
    const sleeper = new AbortController();
    const sleeping = new AnalysisClient({ baseUrl: server.url, apiKey: 'k' }).waitForCompletion(UUID, {
      signal: sleeper.signal,
      schedule: { firstMs: 60_000 },
      onProgress: () => sleeper.abort(new Error('slept enough')),
    });
    await expect(sleeping).rejects.toThrow('slept enough');
  });

  test('tells its progress after every poll', async () => {
    const { client } = await against(
      submission(),
      { status: 503 },
      submission(report('static', 'accepted')),
      submission(report('static', 'completed')),
    );
    const told: WaitProgress<Submission>[] = [];
    await client.waitForCompletion(UUID, { onProgress: (progress) => told.push(progress) });
    expect(
      told.map(({ polls, waitingFor, failure, elapsedMs }) => [polls, waitingFor, failure?.code, elapsedMs]),
    ).toEqual([
      [1, [], undefined, 0],
      [2, [], 'HTTP_503', 500],
      [3, ['static'], undefined, 1_250],
      [4, [], undefined, 2_375],
    ]);
  });

  test.each([
    { timeoutMs: Number.NaN },
    { timeoutMs: 0 },
    { schedule: { firstMs: 0 } },
    { schedule: { factor: 0.5 } },
    { schedule: { factor: Number.NaN } },
    { schedule: { capMs: Number.POSITIVE_INFINITY } },
  ])('with %j is refused', async (options) => {
    const { client, server } = await against();
    await expect(client.waitForCompletion(UUID, options)).rejects.toMatchObject({ code: 'CLIENT_CONFIG' });
    expect(server.requests).toEqual([]);
  });
});

test('the pauses grow to a cap, lose up to a third at random, and are never shorter than what the service asks', () => {
  const pause = (polls: number, random: number, askedMs = 0) =>
    nextWaitMs(DEFAULT_WAIT_SCHEDULE, polls, random, askedMs);
  expect([1, 2, 3, 20].map((polls) => pause(polls, 0))).toEqual([500, 750, 1_125, 15_000]);
  expect(pause(20, 0.999)).toBeGreaterThan(9_999);
  expect(pause(1, 0.5, 7_000)).toBe(7_000);
});

describe('waiting over the other interfaces', () => {
  test('v1: until no enabled report is under way', async () => {
    const v1 = (reports: object): Step => ({ body: { uuid: UUID, level: 0, private: true, reports } });
    const { server, timing } = await against(
      v1({}),
      v1({ static: { enabled: true, status: 3 }, cdr: { enabled: false } }),
      v1({ static: { enabled: true, status: 5, level: 1 }, dynamic: { enabled: true, status: 4 } }),
      v1({ static: { enabled: true, status: 5, level: 1 }, dynamic: { enabled: true, status: 0 } }),
    );
    const client = new AnalysisClientV1({ baseUrl: `${server.url}/public-api`, apiKey: 'k', ...timing });
    expect((await client.waitForCompletion(UUID)).reports.dynamic?.status).toBe(0);
    expect(server.requests).toEqual(Array(4).fill(`GET /public-api/get/submission/${UUID}`));
  });

  test('the CDR service: until status 2, as a number or as text', async () => {
    const { server, timing } = await against({ body: { status: 1 } }, { status: 503 }, { body: { status: '2' } });
    const client = new CdrClient({ baseUrl: server.url, token: 't', ...timing });
    expect((await client.waitForCompletion(UUID)).status).toBe(2);
    expect(server.requests).toHaveLength(3);
  });
});
