/** A storage that fails while a job runs. Every failure is reported, and every report ends when that is possible. */
import { expect, test } from 'vitest';
import type { JobFault } from '../../lib/service/server/jobs/storage.ts';
import { ServiceError } from '../../lib/service/server/service-error.ts';
import { createMemoryStore } from '../../lib/service/server/store/memory-store.ts';
import type { SubmissionStore } from '../../lib/service/server/store/submission-store.ts';
import type { StoredSubmission } from '../../lib/service/server/store/submissions.ts';
import { finished, shown, submitted, testService } from './scripted-service.ts';

const away = () => new ServiceError('STORAGE_UNAVAILABLE');
const broken = () => new Error('secret text of the driver');

/** A store whose writes of a report in one of these states fail, a number of times. */
function failingStore(states: readonly string[], times: number, error: () => Error): SubmissionStore {
  const store = createMemoryStore();
  let left = times;
  return {
    ...store,
    update: (uuid, change) =>
      store.update(uuid, (stored: StoredSubmission) => {
        const next = change(stored);
        const isHit = next.reports.some(
          ({ status }, at) => status !== stored.reports[at]?.status && states.includes(status),
        );
        if (!isHit || left === 0) return next;
        left -= 1;
        throw error();
      }),
  };
}

function rig(store: SubmissionStore) {
  const pauses: number[] = [];
  const told: string[] = [];
  const service = testService({
    store,
    pause: async (ms) => void pauses.push(ms),
    onFinished: ({ uuid }) => told.push(uuid),
  });
  const codes = () => (service.faults as JobFault[]).map(({ facts }) => facts.code);
  return { service, pauses, told, codes };
}

test('a result that cannot be kept at first is kept as soon as the storage takes it', async () => {
  const { service, pauses, told, codes } = rig(failingStore(['completed'], 3, away));
  const uuid = await submitted(service, 'static', 'malicious');
  const { reports, level } = await finished(service, uuid);
  expect([reports[0]?.status, level]).toEqual(['completed', 'malicious']);
  expect(codes()).toEqual(['RESULT_NOT_KEPT', 'RESULT_NOT_KEPT', 'RESULT_NOT_KEPT']);
  expect(pauses).toEqual([100, 200, 400]);
  expect(told).toEqual([uuid]);
});

test.each([
  ['is away', away],
  ['refuses just this result', broken],
])('a result that the storage, which %s, never takes ends as an error', async (_, error) => {
  const { service, pauses, codes } = rig(failingStore(['completed'], Number.POSITIVE_INFINITY, error));
  const uuid = await submitted(service, 'static', 'malicious');
  const { reports, level } = await finished(service, uuid);
  expect(reports[0]).toMatchObject({ status: 'error', error: { code: 'engine_failed' } });
  expect(level).toBe('unknown');
  expect(codes()).toEqual(Array.from({ length: 9 }, () => 'RESULT_NOT_KEPT'));
  expect((service.faults as JobFault[]).at(-1)?.facts.retryInMs).toBeNull();
  expect(pauses).toEqual([100, 200, 400, 800, 1_600, 3_200, 6_400, 12_800]);
});

test('a storage that fails for hours is tried again until it works, at least every half minute', async () => {
  const { service, pauses, told, codes } = rig(failingStore(['completed', 'error'], 500, away));
  const uuid = await submitted(service, 'static', 'benign');
  const { reports } = await finished(service, uuid);
  expect(reports[0]?.status).toBe('error');
  expect(new Set(codes())).toEqual(new Set(['RESULT_NOT_KEPT', 'REPORT_NOT_RECORDED']));
  expect(Math.max(...pauses)).toBe(30_000);
  expect(told).toEqual([uuid]);
});

test('a job that cannot start because of the storage starts later', async () => {
  const { service, codes } = rig(failingStore(['in_progress'], 2, away));
  const uuid = await submitted(service, 'static', 'benign');
  expect((await finished(service, uuid)).reports[0]?.status).toBe('completed');
  expect(codes()).toEqual(['JOB_NOT_STARTED', 'JOB_NOT_STARTED']);
});

test('a job waits for its storage while the service runs, and starts again with the next service', async () => {
  const store = failingStore(['completed', 'error'], Number.POSITIVE_INFINITY, away);
  let stop = () => undefined as undefined;
  let asked = 0;
  const service = testService({
    store,
    pause: async () => {
      asked += 1;
      if (asked === 30) stop();
    },
  });
  stop = () => void service.core.stop();
  const uuid = await submitted(service, 'static', 'benign');
  await service.queue.idle();
  expect(asked).toBe(30);
  expect((await shown(service, uuid)).reports[0]?.status).toBe('in_progress');
  expect((await store.unfinished()).map((submission) => submission.uuid)).toEqual([uuid]);
});

test('the report of an error holds a code and ids, and no text of the storage or of a caller', async () => {
  const { service } = rig(failingStore(['completed'], 1, broken));
  const uuid = await submitted(service, 'static', 'benign');
  await finished(service, uuid);
  const [fault] = service.faults as JobFault[];
  expect(fault?.facts).toEqual({
    code: 'RESULT_NOT_KEPT',
    submissionUuid: uuid,
    reportType: 'static',
    attempt: 1,
    retryInMs: 100,
  });
  expect(fault?.message).not.toContain('secret');
});
