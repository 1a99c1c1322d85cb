import { MockAgent } from 'undici';
import { afterEach, describe, expect, test } from 'vitest';
import { AnalysisClient } from '../../lib/service/client/analysis-client.ts';
import { fillPath, normalizeBaseUrl } from '../../lib/service/client/base-url.ts';
import { CdrClient } from '../../lib/service/client/cdr-client.ts';
import { type ScriptedServer, type Step, scriptedServer } from './scripted-server.ts';

const UUID = '5b7e1f0e-5a3c-4a0e-9c8b-3f1f4f3f2a11';
const SUBMISSION = { uuid: UUID, type: 'file', level: 'unknown', createdAt: '2026-01-05T10:00:00Z', reports: [] };

const servers: ScriptedServer[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

async function against(...steps: readonly Step[]) {
  const server = await scriptedServer(...steps);
  servers.push(server);
  return { server, client: new AnalysisClient({ baseUrl: server.url, apiKey: 'k', retries: 0 }) };
}

describe('an error answer', () => {
  test('of 409 says which report is missing and which exist', async () => {
    const details = { submissionUuid: UUID, requiredReport: 'cdr', currentStatus: null, availableReports: ['static'] };
    const body = { statusCode: 409, error: 'Conflict', message: 'm', code: 'CDR_REPORT_UNAVAILABLE', details };
    const { client } = await against({ status: 409, body });
    await expect(client.downloadCdrSanitized(UUID)).rejects.toMatchObject({
      name: 'ReportNotReadyError',
      code: 'CDR_REPORT_UNAVAILABLE',
      report: details,
      retryable: false,
    });
  });

  test.each([401, 402, 403])('of %d is an AuthError', async (status) => {
    const { client } = await against({ status, body: { code: 'UNAUTHORIZED', message: 'no' } });
    await expect(client.me()).rejects.toMatchObject({
      name: 'AuthError',
      status,
      code: 'UNAUTHORIZED',
      retryable: false,
    });
  });

  test('from a proxy, without an envelope, still has a status and a code', async () => {
    const { client } = await against({ status: 504, body: '<html>Gateway</html>' });
    await expect(client.me()).rejects.toMatchObject({ status: 504, code: 'HTTP_504', details: {}, retryable: true });
  });

  test('that carries terminal escapes or megabytes is shown harmless and short', async () => {
    const { client } = await against({ status: 404, body: { message: `\u001b[2J\r\n${'x'.repeat(10_000)}` } });
    const error = await client.me().then(
      () => null,
      (thrown: Error) => thrown,
    );
    expect(error?.message).not.toMatch(/\p{Cc}/u);
    expect(error?.message.length).toBeLessThan(500);
  });

  test('that redirects is refused, and the key is not sent along', async () => {
    const other = await scriptedServer({ body: SUBMISSION });
    servers.push(other);
    const { client } = await against({ status: 302, headers: { location: other.url } });
    await expect(client.getSubmission(UUID)).rejects.toThrow(/302 .*redirects are not followed; check the base URL/);
    expect(other.requests).toEqual([]);
  });
});

describe('an answer that breaks the contract', () => {
  test.each<[string, object | string, RegExp]>([
    [
      'an unknown status',
      { ...SUBMISSION, reports: [{ type: 'static', status: 'done' }] },
      /reports\.0\.status: .*got "done"/,
    ],
    ['an unknown level', { ...SUBMISSION, level: 'clean' }, /level: .*got "clean"/],
    ['no reports', { ...SUBMISSION, reports: null }, /reports: .*got null/],
    ['a list', [], /body: .*got \[\]/],
    ['no JSON', 'oops', /body: expected JSON/],
    ['a web page', '<!doctype html>', /got a page; is this the base URL/],
  ])('%s is a ContractError that names the field and the value', async (_, body, message) => {
    const { client, server } = await against({ body });
    await expect(client.getSubmission(UUID)).rejects.toMatchObject({ code: 'CONTRACT', retryable: false });
    expect(server.requests).toHaveLength(1);
    const again = await against({ body });
    await expect(again.client.getSubmission(UUID)).rejects.toThrow(message);
  });

  test('an unknown CDR status is a ContractError', async () => {
    const { server } = await against({ body: { status: 3 } });
    const client = new CdrClient({ baseUrl: server.url, token: 't', retries: 0 });
    await expect(client.listen(UUID)).rejects.toThrow(/status: .*got 3/);
  });
});

describe('a download', () => {
  test('of exactly the allowed size is read, one byte more is refused', async () => {
    const { client } = await against({ body: '12345' }, { body: '123456' });
    expect(new TextDecoder().decode(await (await client.downloadCdrSanitized(UUID)).buffer(5))).toBe('12345');
    await expect((await client.downloadCdrSanitized(UUID)).buffer(5)).rejects.toMatchObject({
      code: 'RESPONSE_TOO_LARGE',
      maxBytes: 5,
      retryable: false,
    });
  });
});

describe('a request', () => {
  test('carries the key in the header of its service only', async () => {
    const { client, server } = await against({ body: SUBMISSION }, { body: { status: 1 } });
    await client.getSubmission(UUID);
    await new CdrClient({ baseUrl: server.url, token: 'cdr-token', retries: 0 }).listen(UUID);
    expect(server.headers.map((headers) => [headers.authorization, headers['api-token']])).toEqual([
      ['Bearer k', undefined],
      [undefined, 'cdr-token'],
    ]);
  });

  test('goes through the dispatcher it is given', async () => {
    const agent = new MockAgent();
    agent.disableNetConnect();
    agent
      .get('https://service.test')
      .intercept({ path: `/public-api/submissions/${UUID}` })
      .reply(200, SUBMISSION);
    const client = new AnalysisClient({ baseUrl: 'https://service.test/public-api/', apiKey: 'k', dispatcher: agent });
    expect((await client.getSubmission(UUID)).uuid).toBe(UUID);
    await agent.close();
  });

  test('cannot be made to climb by an id', () => {
    expect(fillPath('/submissions/:uuid/download', { uuid: '../me?x=#y' })).toBe(
      '/submissions/..%2Fme%3Fx%3D%23y/download',
    );
    for (const uuid of ['', '.', '..']) expect(() => fillPath('/submissions/:uuid', { uuid })).toThrow(TypeError);
  });
});

describe('a client', () => {
  test.each([
    ['https://a.test', 'https://a.test'],
    ['https://a.test/public-api///', 'https://a.test/public-api'],
    ['http://127.0.0.1:8080/', 'http://127.0.0.1:8080'],
    ['http://localhost:1/cdr', 'http://localhost:1/cdr'],
    ['http://[::1]:1', 'http://[::1]:1'],
  ])('of %s uses %s', (given, used) => {
    expect(normalizeBaseUrl(given, false)).toBe(used);
  });

  test.each([
    ['a.test', /not a URL/],
    ['ftp://a.test', /starts with https/],
    ['http://a.test', /http:\/\/ is accepted for this machine only .* got a\.test; use https/],
    ['http://127.0.0.1.evil.test', /this machine only/],
    ['https://user:pw@a.test', /no user, password/],
    ['https://a.test?x=1', /no user, password, query/],
  ])('of %s is refused with a sentence that says why', (given, message) => {
    expect(() => normalizeBaseUrl(given, false)).toThrow(message);
  });

  test('with plain http to another machine needs an explicit option', () => {
    const client = new AnalysisClient({ baseUrl: 'http://a.test', apiKey: 'k', allowInsecureHttp: true });
    expect(client.baseUrl).toBe('http://a.test');
  });

  test.each([{ retries: Number.NaN }, { retries: -1 }, { timeoutMs: 0 }, { timeoutMs: 1.5 }])(
    'with %j is refused',
    (change) => {
      expect(() => new AnalysisClient({ baseUrl: 'https://a.test', apiKey: 'k', ...change })).toThrow(/whole number/);
    },
  );

  test.each(['', 'two words', 'line\nbreak', 'kl\u00fcgel'])('with the key %j is refused', (key) => {
    expect(() => new AnalysisClient({ baseUrl: 'https://a.test', apiKey: key })).toThrow(/API key/);
    expect(() => new CdrClient({ baseUrl: 'https://a.test', token: key })).toThrow(/CDR token/);
  });
});
