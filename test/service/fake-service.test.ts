/** The fake that users put behind the client in their own tests: each scenario through the client. */
import { describe, expect, test } from 'vitest';
import { AnalysisClient } from '../../lib/service/client/analysis-client.ts';
import { AnalysisClientV1 } from '../../lib/service/client/analysis-client-v1.ts';
import { CdrClient } from '../../lib/service/client/cdr-client.ts';
import { createFakeService } from '../../lib/service/fake/fake-service.ts';
import type { Scenarios } from '../../lib/service/fake/scenario-names.ts';

const file = (filename: string) => ({ bytes: Buffer.from('hello'), filename });

function faked(scenarios: Scenarios = {}) {
  const fake = createFakeService({ scenarios });
  return { fake, client: new AnalysisClient(fake.clientOptions) };
}

const submit = async (client: AnalysisClient, name: string) => (await client.createStaticSubmission(file(name))).uuid;

describe('a scenario', () => {
  test.each([
    ['clean', 'benign'],
    ['suspicious', 'suspicious'],
    ['malicious', 'malicious'],
    ['unknown', 'unknown'],
  ] as const)('%s ends with the level %s', async (scenario, level) => {
    const { client } = faked({ 'a.docm': scenario });
    const ended = await client.waitForCompletion(await submit(client, 'a.docm'));
    expect([ended.level, ended.reports.map(({ status }) => status)]).toEqual([level, ['completed']]);
  });

  test.each([
    ['encrypted', 'encrypted'],
    ['failed', 'engine_failed'],
  ] as const)('%s ends in the error %s', async (scenario, code) => {
    const { client } = faked({ '*': scenario });
    const { reports } = await client.waitForCompletion(await submit(client, 'a.zip'));
    expect(reports).toMatchObject([{ status: 'error', error: { code } }]);
  });

  test('ends after as many polls as it says', async () => {
    const { client, fake } = faked({ 'a.docm': { name: 'malicious', afterPolls: 3 } });
    const uuid = await submit(client, 'a.docm');
    const statuses: (string | undefined)[] = [];
    for (let poll = 0; poll < 4; poll += 1) statuses.push((await client.getSubmission(uuid)).reports[0]?.status);
    expect(statuses).toEqual(['accepted', 'accepted', 'accepted', 'completed']);
    expect(fake.requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'POST /submissions/static',
      ...Array.from({ length: 4 }, () => `GET /submissions/${uuid}`),
    ]);
  });

  test('times-out never ends, and the client stops waiting without waiting', async () => {
    const { client } = faked({ '*': 'times-out' });
    const uuid = await submit(client, 'a.exe');
    await expect(client.waitForCompletion(uuid, { timeoutMs: 3_600_000 })).rejects.toMatchObject({
      name: 'WaitTimeoutError',
    });
  });

  test('quota refuses as often as it says', async () => {
    const { fake } = faked({ '*': { name: 'quota', times: 2 } });
    const client = new AnalysisClient({ ...fake.clientOptions, retries: 0 });
    for (let refused = 0; refused < 2; refused += 1)
      await expect(submit(client, 'a.txt')).rejects.toMatchObject({ status: 429, code: 'SUBMISSION_LIMIT_EXCEEDED' });
    expect(await submit(client, 'a.txt')).toMatch(/^[0-9a-f-]{36}$/);
  });

  test('flaky is answered by the client that tries again', async () => {
    const { client, fake } = faked({ '*': 'flaky' });
    expect((await client.waitForCompletion(await submit(client, 'a.txt'))).level).toBe('benign');
    expect(fake.requests.filter(({ status }) => status === 503).length).toBeGreaterThan(1);
  });

  test('of a URL is chosen by the URL', async () => {
    const { client } = faked({ 'https://bad.example/': 'malicious' });
    const levels: string[] = [];
    for (const url of ['https://bad.example/', 'https://good.example/']) {
      const { uuid } = await client.createUrlSubmission(url);
      levels.push((await client.waitForCompletion(uuid)).level);
    }
    expect(levels).toEqual(['malicious', 'benign']);
  });

  test('that does not exist is refused at once', () => {
    const scenarios = { '*': 'mallicious' } as unknown as Scenarios;
    expect(() => createFakeService({ scenarios })).toThrow(/no scenario "mallicious"; there are clean, /);
  });
});

test('a disarmed file can be downloaded, and says what was removed', async () => {
  const { client } = faked({ 'a.docm': 'malicious' });
  const { uuid } = await client.createCdrSubmission(file('a.docm'));
  expect((await client.waitForCompletion(uuid)).reports).toMatchObject([{ type: 'cdr', removed: ['macro'] }]);
  const sanitized = await (await client.downloadCdrSanitized(uuid)).buffer(1_000);
  expect(Buffer.from(sanitized).toString()).toBe('disarmed hello');
});

test('v1 and the CDR service are there, too', async () => {
  const { fake } = faked({ '*': 'malicious' });
  const v1 = new AnalysisClientV1(fake.clientOptions);
  const { uuid } = await v1.scanStatic(file('a.doc'));
  expect((await v1.waitForCompletion(uuid)).level).toBe(3);
  const cdr = new CdrClient(fake.cdrClientOptions);
  const { resultId } = await cdr.start(file('a.doc'));
  expect(await cdr.waitForCompletion(resultId)).toMatchObject({ status: 2, result: { log: { removed: ['macro'] } } });
});

test('two submissions of one file at once do not end each other', async () => {
  const { client } = faked();
  const [first, second] = await Promise.all([submit(client, 'a.txt'), submit(client, 'a.txt')]);
  await client.waitForCompletion(first);
  expect((await client.getSubmission(second)).reports).toMatchObject([{ status: 'accepted' }]);
});

test('a wrong key is refused, as by a real service', async () => {
  const { fake } = faked();
  const client = new AnalysisClient({ ...fake.clientOptions, apiKey: 'other' });
  await expect(client.me()).rejects.toMatchObject({ status: 401 });
});

test('it answers requests without a client, and opens no port', async () => {
  const { fake } = faked();
  const headers = { authorization: `Bearer ${fake.apiKey}` };
  const answer = await fake.fetch(new Request(`${fake.url}/me`, { headers }));
  expect(answer.status).toBe(200);
});
