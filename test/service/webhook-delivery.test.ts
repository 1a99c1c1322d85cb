import { expect, test } from 'vitest';
import { createMemoryStore } from '../../lib/service/server/store/memory-store.ts';
import type { CdrRequest, StoredSubmission } from '../../lib/service/server/store/submissions.ts';
import { createWebhookDelivery } from '../../lib/service/server/webhooks/delivery.ts';
import { createWebhookQueue } from '../../lib/service/server/webhooks/queue.ts';
import type { WebhookOutcome } from '../../lib/service/server/webhooks/webhook.ts';
import { storedSubmission } from './stored-submission.ts';

const NOW = Date.UTC(2026, 0, 5);
const WANTED: CdrRequest = {
  untrustedWebhook: 'https://hook.test/',
  webhookOutcome: null,
  extension: null,
  includeFile: false,
};

function finished(uuid: string, cdr: CdrRequest | null, createdAtMs = NOW): StoredSubmission {
  const submission = { ...storedSubmission({ uuid, createdAtMs }), cdr };
  return { ...submission, reports: submission.reports.map((report) => ({ ...report, status: 'completed' as const })) };
}

/** One service on a store: its deliveries, what was sent, and the outcomes. */
function service(store = createMemoryStore(), status: () => Promise<number> = async () => 200) {
  const sent: string[] = [];
  const outcomes: [string, WebhookOutcome][] = [];
  const queue = createWebhookQueue({
    resolve: async () => ['1.1.1.1'],
    delay: async () => undefined,
    post: async (_url, _address, body) => {
      sent.push(JSON.parse(body).resultId);
      return await status();
    },
  });
  const onSettled = (uuid: string, outcome: WebhookOutcome) => outcomes.push([uuid, outcome]);
  const delivery = createWebhookDelivery({ store, queue, now: () => NOW, onSettled });
  return { store, delivery, queue, sent, outcomes };
}

test('tells a result only once, even when it is asked again or restarted', async () => {
  const first = service();
  const submission = finished('a', WANTED);
  await first.store.add(submission, null);
  first.delivery.tell(submission);
  first.delivery.tell(submission);
  await first.delivery.resume();
  await first.queue.settled();
  expect([first.sent, first.outcomes]).toEqual([['a'], [['a', 'delivered']]]);
  expect((await first.store.get('a'))?.cdr?.webhookOutcome).toBe('delivered');
  const second = service(first.store);
  await second.delivery.resume();
  await second.queue.settled();
  expect(second.sent).toEqual([]);
});

test('tells what the last service left behind, and nothing that has no webhook, is unfinished or is a day old', async () => {
  const { store, delivery, queue, sent } = service();
  await store.add(finished('left', WANTED), null);
  await store.add(finished('plain', { ...WANTED, untrustedWebhook: null }), null);
  await store.add(finished('analysis', null), null);
  await store.add(finished('old', WANTED, NOW - 25 * 3_600_000), null);
  await store.add({ ...storedSubmission({ uuid: 'running', createdAtMs: NOW }), cdr: WANTED }, null);
  await delivery.resume();
  await queue.settled();
  expect(sent).toEqual(['left']);
});

test('the next service makes a delivery that the end of a service cut off', async () => {
  const first = service(
    undefined,
    () => new Promise<number>((_, reject) => setImmediate(() => reject(new Error('cut')))),
  );
  const submission = finished('a', WANTED);
  await first.store.add(submission, null);
  first.delivery.tell(submission);
  await first.delivery.close();
  expect([first.outcomes, (await first.store.get('a'))?.cdr?.webhookOutcome]).toEqual([[], null]);
  const second = service(first.store);
  await second.delivery.resume();
  await second.queue.settled();
  expect(second.outcomes).toEqual([['a', 'delivered']]);
});

test('a receiver that never accepts is given up, and this is noted', async () => {
  const { store, delivery, queue, outcomes } = service(undefined, async () => 500);
  const submission = finished('a', WANTED);
  await store.add(submission, null);
  delivery.tell(submission);
  await queue.settled();
  expect([outcomes, (await store.get('a'))?.cdr?.webhookOutcome]).toEqual([[['a', 'failed']], 'failed']);
});
