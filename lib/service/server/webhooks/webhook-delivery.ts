/** Which results have a webhook to be told, and what became of it: once told, never again, across restarts too. */
import type { SubmissionStore } from '../store/submission-store.ts';
import { isFinished, type StoredSubmission } from '../store/submissions.ts';
import type { WebhookOutcome } from './webhook.ts';
import type { WebhookQueue } from './webhook-queue.ts';

/** Results older than this are not told any more when the service starts: their callers have looked for themselves. */
const RESUMED_AGE_MS = 24 * 3_600_000;
/** Results looked at when the service starts. */
const MAX_RESUMED = 10_000;

export interface WebhookDelivery {
  /** Tells the webhook of a submission whose reports have ended, if it has one that was not told yet. */
  tell(submission: StoredSubmission): void;
  /** Tells the webhooks that the last service over this store left behind. */
  resume(): Promise<void>;
  /** Ends what is under way; it stays untold for the next service. */
  close(): Promise<void>;
}

export interface WebhookDeliveryDeps {
  readonly store: SubmissionStore;
  readonly queue: WebhookQueue;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly onSettled: (resultId: string, outcome: WebhookOutcome) => void;
}

/** The webhooks of one store. */
export function createWebhookDelivery({ store, queue, now, onSettled }: WebhookDeliveryDeps): WebhookDelivery {
  let isClosing = false;
  // A job that ends while the left behind are looked for would be found by both.
  const underWay = new Set<string>();
  const settle = async (uuid: string, outcome: WebhookOutcome) => {
    if (isClosing && outcome === 'failed') return;
    onSettled(uuid, outcome);
    const noted = (stored: StoredSubmission) =>
      stored.cdr ? { ...stored, cdr: { ...stored.cdr, webhookOutcome: outcome } } : stored;
    // Not noted is told again after a restart: twice is better than never.
    await store.update(uuid, noted).catch(() => null);
    underWay.delete(uuid);
  };
  const tell = ({ uuid, cdr }: StoredSubmission) => {
    if (!cdr?.untrustedWebhook || cdr.webhookOutcome !== null || underWay.has(uuid)) return;
    underWay.add(uuid);
    queue.send(cdr.untrustedWebhook, uuid, (outcome) => settle(uuid, outcome));
  };
  return {
    tell,
    resume: async () => {
      const filter = { createdFromMs: now() - RESUMED_AGE_MS };
      const { items } = await store.list(filter, { offset: 0, limit: MAX_RESUMED });
      for (const submission of items) if (isFinished(submission)) tell(submission);
    },
    close: async () => {
      isClosing = true;
      await queue.close();
    },
  };
}
