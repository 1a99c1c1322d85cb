import { createHash } from 'node:crypto';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { AnalysisClient } from '../../lib/service/client/analysis-client.ts';
import { CdrClient } from '../../lib/service/client/cdr-client.ts';
import type { AnalysisClientOptions } from '../../lib/service/client/options.ts';
import { backoffMs, retryAfterMs } from '../../lib/service/client/retry-timing.ts';
import { NET_MS } from '../runner/net.ts';
import { type ScriptedServer, type Step, scriptedServer } from './scripted-server.ts';
import { toldTimers } from './told-timers.ts';

const NOW = Date.UTC(2026, 0, 5, 10);
const FILE = { bytes: new TextEncoder().encode('hello'), filename: 'a.doc' };
const SHA256 = createHash('sha256').update('hello').digest('hex');
const SUBMISSION = { uuid: 'u1', type: 'file', level: 'unknown', createdAt: '2026-01-05T10:00:00Z', reports: [] };
const CREATED = { uuid: 'new', message: 'Submission created', sha256: SHA256 };
const SEARCH = `GET /submissions/search/sha256/${SHA256}`;
const UPLOAD = 'POST /submissions/static';
const PATIENT = { interval: 2, timeout: NET_MS };
const DEADLINE_MS = 400;

const servers: ScriptedServer[] = [];
afterEach(async () => {
  vi.unstubAllGlobals();
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

/** A client of a scripted server. Its waits are recorded and do not take time. */
async function against(steps: readonly Step[], options: Partial<AnalysisClientOptions> = {}) {
  const server = await scriptedServer(...steps);
  servers.push(server);
  const waits: number[] = [];
  const sleep = async (ms: number) => void waits.push(ms);
  const timing = { sleep, random: () => 0.5, now: () => NOW };
  const client = new AnalysisClient({ baseUrl: server.url, apiKey: 'k', ...timing, ...options });
  return { client, server, waits, timing };
}

describe('a read', () => {
  test.each<[string, Step]>([
    ['a server error', { status: 500 }],
    ['a bad gateway', { status: 502, body: '<html>' }],
    ['a broken connection', 'reset'],
    ['too many requests', { status: 429 }],
  ])('is repeated after %s', async (_, step) => {
    const { client, server, waits } = await against([step, step, { body: SUBMISSION }]);
    expect((await client.getSubmission('u1')).uuid).toBe('u1');
    expect(server.requests).toEqual(Array(3).fill('GET /submissions/u1'));
    expect(waits).toEqual([250, 500]);
  });

  test('is repeated after no answer within the deadline', async () => {
    const deadline = toldTimers(DEADLINE_MS);
    const { client, server } = await against(['hang', { body: SUBMISSION }], { timeoutMs: DEADLINE_MS });
    const read = client.getSubmission('u1');
    await vi.waitFor(() => expect(server.requests).toHaveLength(1), PATIENT);
    expect(deadline.ring()).toBeGreaterThan(0);
    expect((await read).uuid).toBe('u1');
    expect(server.requests).toHaveLength(2);
  });

  test.each([400, 401, 403, 404, 409, 422])('is not repeated after %d', async (status) => {
    const { client, server } = await against([{ status }]);
    await expect(client.getSubmission('u1')).rejects.toMatchObject({
      status,
      code: `HTTP_${status}`,
      retryable: false,
    });
    expect(server.requests).toHaveLength(1);
  });

  test.each([
    ['seconds', '7'],
    ['an HTTP date', new Date(NOW + 7_000).toUTCString()],
  ])('waits as long as Retry-After says in %s, and a little more', async (_, header) => {
    const { client, waits } = await against([
      { status: 429, headers: { 'retry-after': header } },
      { body: SUBMISSION },
    ]);
    await client.getSubmission('u1');
    expect(waits).toEqual([7_250]);
  });

  test('does not wait for a long Retry-After but tells the caller', async () => {
    const { client, waits } = await against([{ status: 429, headers: { 'retry-after': '3600' } }]);
    await expect(client.getSubmission('u1')).rejects.toMatchObject({
      name: 'RateLimitError',
      retryAfterSeconds: 3_600,
    });
    expect(waits).toEqual([]);
  });

  test('gives up after its repeats with the last failure', async () => {
    const { client, server } = await against(Array<Step>(9).fill({ status: 503 }), { retries: 2 });
    await expect(client.getSubmission('u1')).rejects.toMatchObject({ status: 503, retryable: true });
    expect(server.requests).toHaveLength(3);
  });

  test('ends with the reason of the caller at any point', async () => {
    const controller = new AbortController();
    const { server, timing } = await against([{ status: 500 }]);
    const sleep = async () => controller.abort(new Error('enough'));
    const client = new AnalysisClient({ baseUrl: server.url, apiKey: 'k', ...timing, sleep });
    await expect(client.getSubmission('u1', { signal: controller.signal })).rejects.toThrow('enough');
    await expect(client.me({ signal: controller.signal })).rejects.toThrow('enough');
    expect(server.requests).toHaveLength(1);
  });
});

describe('an upload', () => {
  test.each<[string, Step]>([
    ['429', { status: 429 }],
    ['503 with Retry-After', { status: 503, headers: { 'retry-after': '1' } }],
  ])('is sent again after %s', async (_, step) => {
    const { client, server } = await against([step, { body: CREATED }]);
    expect((await client.createStaticSubmission(FILE)).uuid).toBe('new');
    expect(server.requests).toEqual([UPLOAD, UPLOAD]);
  });

  test.each<[string, Step]>([
    ['500', { status: 500 }],
    ['502', { status: 502 }],
    ['503 without Retry-After', { status: 503 }],
    ['422', { status: 422 }],
  ])('is not sent again after %s: it may have been made', async (_, step) => {
    const { client, server } = await against([step, { body: CREATED }]);
    await expect(client.createStaticSubmission(FILE)).rejects.toMatchObject({ name: 'ApiError' });
    expect(server.requests).toEqual([UPLOAD]);
  });

  const made = { ...SUBMISSION, uuid: 'made', reports: [{ type: 'static', status: 'accepted' }] };

  test('whose answer was lost is found by its hash and not sent twice', async () => {
    const { client, server } = await against(['reset', { body: [made] }]);
    expect(await client.createStaticSubmission(FILE)).toMatchObject({ uuid: 'made', sha256: SHA256 });
    expect(server.requests).toEqual([UPLOAD, SEARCH]);
  });

  test('that timed out is found by its hash and not sent twice', async () => {
    const deadline = toldTimers(DEADLINE_MS);
    const { client, server } = await against(['hang', { body: [made] }], { timeoutMs: DEADLINE_MS });
    const upload = client.createStaticSubmission(FILE);
    await vi.waitFor(() => expect(server.requests).toEqual([UPLOAD]), PATIENT);
    await vi.waitFor(() => expect(deadline.ring()).toBeGreaterThan(0), PATIENT);
    expect((await upload).uuid).toBe('made');
    expect(server.requests).toEqual([UPLOAD, SEARCH]);
  });

  test.each([
    ['nothing is found', []],
    ['only another kind is found', [{ ...made, reports: [{ type: 'cdr', status: 'accepted' }] }]],
    ['only a failed one is found', [{ ...made, reports: [{ type: 'static', status: 'error' }] }]],
    ['only one from before is found', [{ ...made, createdAt: '2026-01-05T09:00:00Z' }]],
  ])('whose answer was lost is sent again when %s', async (_, found) => {
    const { client, server } = await against(['reset', { body: found }, { body: CREATED }]);
    expect((await client.createStaticSubmission(FILE)).uuid).toBe('new');
    expect(server.requests).toEqual([UPLOAD, SEARCH, UPLOAD]);
  });

  test('of a URL whose answer was lost must be repeated by the caller', async () => {
    const { client, server } = await against(['reset', { body: CREATED }]);
    await expect(client.createUrlSubmission('https://a.test/')).rejects.toMatchObject({
      code: 'NETWORK',
      retryable: true,
    });
    expect(server.requests).toHaveLength(1);
  });

  test('to the CDR service whose answer was lost must be repeated by the caller', async () => {
    const { server, timing } = await against(['reset', { body: { resultId: 'r' } }]);
    const client = new CdrClient({ baseUrl: server.url, token: 't', ...timing });
    await expect(client.start(FILE)).rejects.toMatchObject({ code: 'NETWORK', reachedService: true });
    expect(server.requests).toEqual(['POST /start/upload-file']);
  });

  test('to a closed port is sent again without a search, and then fails as a network error', async () => {
    const { client, server, waits } = await against([], { retries: 2 });
    await server.close();
    await expect(client.createStaticSubmission(FILE)).rejects.toMatchObject({
      code: 'NETWORK',
      causeCode: 'ECONNREFUSED',
      reachedService: false,
    });
    expect(waits).toEqual([250, 500]);
  });
});

describe('timing', () => {
  test('doubles, is capped, and jitters down to nothing', () => {
    expect([0, 1, 2, 3].map((repeat) => backoffMs(repeat, 1))).toEqual([500, 1_000, 2_000, 4_000]);
    expect(backoffMs(30, 1)).toBe(20_000);
    expect(backoffMs(3, 0)).toBe(0);
  });

  test.each([
    [null, null],
    ['', null],
    ['120', 120_000],
    ['0', 0],
    ['0.5', 500],
    ['-5', null],
    ['soon', null],
    ['5 seconds', null],
    ['Mon, 05 Jan 2026 10:01:00 GMT', 60_000],
    ['Mon, 05 Jan 2026 09:00:00 GMT', 0],
    ['Mon, 99 Foo 2026', null],
  ])('Retry-After %j is %j ms', (header, expected) => {
    expect(retryAfterMs(header, NOW)).toBe(expected);
  });
});
