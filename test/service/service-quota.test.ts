/** What a service still takes today, by its own account. */
import { expect, test } from 'vitest';
import type { AnalysisClient } from '../../lib/service/client/analysis-client.ts';
import { ApiError, NetworkError } from '../../lib/service/client/errors.ts';
import { meView } from '../../lib/service/server/v3/me.ts';
import { serviceQuota } from '../../lib/service/service-quota.ts';

const DAY = { requestsPerMinute: 0, submissionsPerDay: 100, concurrentSubmissions: 0 };

/** A client whose service has this quota, with so much used of it. */
function clientWith(state: { quotas: typeof DAY; used: number; fails?: Error }) {
  let asked = 0;
  const caller = { keyId: 'k', name: 'n', workspace: 'w', createdAtMs: 0 };
  const client = {
    async me() {
      asked += 1;
      if (state.fails) throw state.fails;
      const usage = { requests: 0, dailySubmissions: state.used, concurrentSubmissions: 0 };
      return meView({ ...caller, quotas: state.quotas }, usage, { uploadBytes: 1 }, null);
    },
  } as unknown as Pick<AnalysisClient, 'me'>;
  return { client, asked: () => asked };
}

test('is told, counted on from here, and asked for anew after a while', async () => {
  const state = { quotas: DAY, used: 40 };
  const { client, asked } = clientWith(state);
  let now = 0;
  const quota = serviceQuota(client, () => now, undefined);
  expect(await Promise.all([quota.left(), quota.left()])).toEqual([
    { limit: 100, left: 60 },
    { limit: 100, left: 60 },
  ]);
  quota.used();
  expect([await quota.left(), asked()]).toEqual([{ limit: 100, left: 59 }, 1]);
  state.used = 250;
  now = 30_000;
  expect([await quota.left(), asked()]).toEqual([{ limit: 100, left: 0 }, 2]);
});

test('no limit is no quota, and neither is a service without this answer', async () => {
  const free = clientWith({ quotas: { ...DAY, submissionsPerDay: 0 }, used: 5 });
  expect(await serviceQuota(free.client, () => 0, undefined).left()).toBeNull();
  const facts = { status: 404, code: null, request: 'GET /me', requestId: null, retryAfterSeconds: null };
  const without = clientWith({ quotas: DAY, used: 0, fails: new ApiError('no such route', facts as never) });
  expect(await serviceQuota(without.client, () => 0, undefined).left()).toBeNull();
});

test('a service that is away is asked again the next time', async () => {
  const state: Parameters<typeof clientWith>[0] = { quotas: DAY, used: 0 };
  state.fails = new NetworkError('GET /me', 'ECONNREFUSED', false, null);
  const { client } = clientWith(state);
  const quota = serviceQuota(client, () => 0, undefined);
  await expect(quota.left()).rejects.toThrow('ECONNREFUSED');
  delete state.fails;
  expect(await quota.left()).toEqual({ limit: 100, left: 100 });
});
