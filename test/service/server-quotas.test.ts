import { describe, expect, test } from 'vitest';
import { ErrorEnvelope } from '../../lib/service/contract/errors.ts';
import type { Me } from '../../lib/service/contract/v3-config.ts';
import { NO_QUOTAS } from '../../lib/service/server/store/api-keys.ts';
import { API_KEY, fileForm, OTHER_KEY, type TestService, testService } from './scripted-service.ts';

const START_MS = Date.UTC(2026, 0, 5, 12, 0, 0);

function limited(quotas: Partial<typeof NO_QUOTAS>, runner?: TestService['core']['context']['runner']) {
  const clock = { nowMs: START_MS };
  const keys = [
    { key: API_KEY, quotas: { ...NO_QUOTAS, ...quotas } },
    { key: OTHER_KEY, workspace: 'others' },
  ];
  const service = testService({ keys, now: () => clock.nowMs, ...(runner && { runner }) });
  return { service, clock };
}

const submit = (service: TestService) =>
  service.call('/submissions/static', { method: 'POST', body: fileForm('benign') });

async function refusal(response: Response) {
  const { code } = ErrorEnvelope.parse(await response.json());
  return [response.status, code, response.headers.get('retry-after')];
}

async function used(service: TestService) {
  const { userInfo, plan } = (await (await service.call('/me')).json()) as Me;
  return { ...userInfo.limitsCount, ...plan.submissionLimits };
}

describe('quotas of a key', () => {
  test('requests per minute: 429 with the seconds to the next minute, others go on', async () => {
    const { service, clock } = limited({ requestsPerMinute: 3 });
    clock.nowMs += 15_000;
    for (let n = 0; n < 3; n += 1) expect((await service.call('/me')).status).toBe(200);
    expect(await refusal(await service.call('/me'))).toEqual([429, 'RATE_LIMIT_EXCEEDED', '45']);
    expect((await service.callAsOther('/me')).status).toBe(200);
    clock.nowMs += 45_000;
    expect(await used(service)).toMatchObject({ apiRequestCount: 1, apiLimit: 3 });
  });

  test('submissions per day: 429 with the seconds to the next day, reading goes on', async () => {
    const { service, clock } = limited({ submissionsPerDay: 2 });
    expect([(await submit(service)).status, (await submit(service)).status]).toEqual([200, 200]);
    expect(await refusal(await submit(service))).toEqual([429, 'SUBMISSION_LIMIT_EXCEEDED', String(12 * 3_600)]);
    expect(await used(service)).toMatchObject({ dailySubmissionCount: 2, dailyLimit: 2 });
    clock.nowMs += 12 * 3_600_000;
    expect((await submit(service)).status).toBe(200);
    expect(await used(service)).toMatchObject({ dailySubmissionCount: 1 });
  });

  test('concurrent submissions: 429 until one has ended', async () => {
    const release: (() => void)[] = [];
    const { service } = limited(
      { concurrentSubmissions: 1 },
      {
        run: () =>
          new Promise((_, reject) => {
            release.push(() => reject(new Error('ended')));
          }),
      },
    );
    expect((await submit(service)).status).toBe(200);
    expect(await used(service)).toMatchObject({ concurrentSubmissionCount: 1, concurrentLimit: 1 });
    expect(await refusal(await submit(service))).toEqual([429, 'SUBMISSION_LIMIT_EXCEEDED', '5']);
    for (const end of release) end();
    await service.queue.idle();
    expect((await submit(service)).status).toBe(200);
  });

  test('hold for uploads that run side by side, and a refused upload does not count', async () => {
    const { service } = limited({ submissionsPerDay: 3 });
    const bad = await service.call('/submissions/static', { method: 'POST', body: new FormData() });
    expect(bad.status).toBe(422);
    const answers = await Promise.all(Array.from({ length: 8 }, () => submit(service)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(3);
    await service.queue.idle();
    expect(await used(service)).toMatchObject({ dailySubmissionCount: 3, concurrentSubmissionCount: 0 });
  });

  test('of a day survive a restart, because they are counted from the store', async () => {
    const first = limited({ submissionsPerDay: 1 });
    await submit(first.service);
    await first.service.queue.idle();
    const keys = [{ key: API_KEY, quotas: { ...NO_QUOTAS, submissionsPerDay: 1 } }];
    const second = testService({ store: first.service.store, keys, now: () => START_MS + 1 });
    expect((await refusal(await submit(second)))[1]).toBe('SUBMISSION_LIMIT_EXCEEDED');
  });
});

test('a full memory deletes the oldest finished submission with its bytes', async () => {
  const limits = { storedSubmissions: 2 };
  const service = testService({ limits });
  const uuids: string[] = [];
  for (const text of ['one', 'two', 'three']) {
    const response = await service.call('/submissions/cdr', { method: 'POST', body: fileForm(text) });
    uuids.push(((await response.json()) as { uuid: string }).uuid);
    await service.queue.idle();
  }
  const statuses = await Promise.all(uuids.map(async (uuid) => (await service.call(`/submissions/${uuid}`)).status));
  expect(statuses).toEqual([404, 200, 200]);
  expect(await service.store.usage()).toMatchObject({ submissions: 2 });
});

test('a memory that is full of unfinished work refuses with 503 and says when to come back', async () => {
  const service = testService({
    limits: { storedSubmissions: 1 },
    runner: { run: () => new Promise(() => undefined) },
  });
  expect((await submit(service)).status).toBe(200);
  expect(await refusal(await submit(service))).toEqual([503, 'STORAGE_UNAVAILABLE', '30']);
});
