/** Calls the webhooks of results and notes the outcomes. A result is never delivered again, even after a restart. */
import type { SubmissionStore } from '../store/submission-store.ts';
import { isFinished, type StoredSubmission } from '../store/submissions.ts';
import type { WebhookQueue } from './queue.ts';
import type { WebhookOutcome } from './webhook.ts';

/** Older results are not delivered any more when the service starts, because their callers have asked for them by then. */
const RESUMED_AGE_MS = 24 * 3_600_000;
/** The most results that are checked when the service starts. */
const MAX_RESUMED = 10_000;

export interface WebhookDelivery {
  /**
   * Calls the webhook of a submission whose reports have ended, if it has one that was not called yet. Resolves when the call has ended.
   */
  tell(submission: StoredSubmission): Promise<void>;
  /** Calls the webhooks that the last service on this store did not call. */
  resume(): Promise<void>;
  /** Ends the running deliveries. The next service will make them. */
  close(): Promise<void>;
}

export interface WebhookDeliveryDeps {
  readonly store: SubmissionStore;
  readonly queue: WebhookQueue;
  /** Returns milliseconds since the epoch. */
  readonly now: () => number;
  readonly onSettled: (resultId: string, outcome: WebhookOutcome) => void;
}

/** Returns the webhooks of one store. */
export function createWebhookDelivery({ store, queue, now, onSettled }: WebhookDeliveryDeps): WebhookDelivery {
  let isClosing = false;
  // A job that ends while `resume` searches would otherwise be delivered twice.
  const underWay = new Set<string>();
  const settle = async (uuid: string, outcome: WebhookOutcome) => {
    if (isClosing && outcome === 'failed') return;
    onSettled(uuid, outcome);
    const noted = (stored: StoredSubmission) =>
      stored.cdr ? { ...stored, cdr: { ...stored.cdr, webhookOutcome: outcome } } : stored;
    // A delivery that could not be noted is made again after a restart, because twice is better than never.
    await store.update(uuid, noted).catch(() => null);
    underWay.delete(uuid);
  };
  const tell = async ({ uuid, cdr }: StoredSubmission) => {
    const url = cdr?.untrustedWebhook;
    if (!url || cdr.webhookOutcome !== null || underWay.has(uuid)) return;
    underWay.add(uuid);
    await new Promise<void>((resolve) => queue.send(url, uuid, (outcome) => settle(uuid, outcome).finally(resolve)));
  };
  return {
    tell,
    resume: async () => {
      const filter = { createdFromMs: now() - RESUMED_AGE_MS };
      const { items } = await store.list(filter, { offset: 0, limit: MAX_RESUMED });
      for (const submission of items) if (isFinished(submission)) void tell(submission);
    },
    close: async () => {
      isClosing = true;
      await queue.close();
    },
  };
}
