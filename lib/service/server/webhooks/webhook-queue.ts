/** Deliveries under way: bounded, and ended when the service closes. */
import { sendWebhook, type WebhookDeps, type WebhookOutcome } from './webhook.ts';

/** Deliveries that wait or run. A caller whose receivers never answer must not fill the memory of the service. */
const MAX_DELIVERIES = 1_000;

export interface WebhookQueue {
  /** Starts one delivery. `onSettled`, which must not reject, is told once what became of it; beyond the bound it fails at once. */
  send(untrustedUrl: string, resultId: string, onSettled: (outcome: WebhookOutcome) => Promise<void>): void;
  /** Resolves when nothing is under way. */
  settled(): Promise<void>;
  /** Ends what is under way. What was not delivered is told `failed`. */
  close(): Promise<void>;
}

/** A queue of deliveries. */
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
