/** The running deliveries of webhooks. Their number has a limit, and they end when the service closes. */
import { sendWebhook, type WebhookDeps, type WebhookOutcome } from './webhook.ts';

/** The most deliveries that wait or run. A caller whose receivers never answer must not fill the memory of the service. */
const MAX_DELIVERIES = 1_000;

export interface WebhookQueue {
  /** Starts one delivery. `onSettled` is called once with the outcome and must not reject. Beyond the limit, a delivery fails at once. */
  send(untrustedUrl: string, resultId: string, onSettled: (outcome: WebhookOutcome) => Promise<void>): void;
  /** Resolves when no delivery is running. */
  settled(): Promise<void>;
  /** Ends the running deliveries, with the outcome `failed`. */
  close(): Promise<void>;
}

/** Returns a queue of deliveries. */
export function createWebhookQueue(deps: WebhookDeps): WebhookQueue {
  const closing = new AbortController();
  const deliveries = new Set<Promise<void>>();
  const settled = async () => {
    while (deliveries.size > 0) await Promise.all(deliveries);
  };
  return {
    send: (untrustedUrl, resultId, onSettled) => {
      const hasRoom = deliveries.size < MAX_DELIVERIES && !closing.signal.aborted;
      const attempt = hasRoom
        ? sendWebhook(deps, untrustedUrl, resultId, closing.signal)
        : Promise.resolve('failed' as const);
      const delivery = attempt.then(onSettled).finally(() => deliveries.delete(delivery));
      deliveries.add(delivery);
    },
    settled,
    close: async () => {
      closing.abort();
      await settled();
    },
  };
}
