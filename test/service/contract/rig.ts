/** Both services on a free port with scripted engines. The text of a file says what its reports become. */

import { ServiceLimits } from '../../../lib/service/server/limits.ts';
import { startService } from '../../../lib/service/server/listen.ts';
import type { AccessLogEntry } from '../../../lib/service/server/routing.ts';
import { givenKeys, type KeyQuotas, type KeyStore, NO_QUOTAS } from '../../../lib/service/server/store/api-keys.ts';
import { memoryStorage } from '../../../lib/service/server/store/storage.ts';
import type { WebhookOutcome } from '../../../lib/service/server/webhooks/webhook.ts';
import { noteAnswer } from '../listed-answers.ts';
import { scriptedRunner } from '../scripted-service.ts';

export interface ContractService {
  readonly url: string;
  readonly cdrUrl: string;
  /** The key of the workspace `lab`. */
  readonly key: string;
  /** The key of another workspace. */
  readonly otherKey: string;
  readonly cdrToken: string;
  /** Resolves when every report of both services has ended. */
  idle(): Promise<void>;
  /** Resolves with the outcome of the webhook of a result. */
  webhookOf(resultId: string): Promise<WebhookOutcome>;
  log(): readonly AccessLogEntry[];
  faults(): readonly unknown[];
  close(): Promise<void>;
}

export interface RigOptions {
  readonly quotas?: Partial<KeyQuotas>;
  readonly allowPrivateWebhooks?: boolean;
}

/** Starts the services. Webhooks are repeated at once. */
export async function contractService({
  quotas = {},
  allowPrivateWebhooks,
}: RigOptions = {}): Promise<ContractService> {
  const keys = { key: 'ma_key-of-the-lab', otherKey: 'ma_key-of-the-others', cdrToken: 'ma_token-of-the-cdr' };
  const log: AccessLogEntry[] = [];
  const faults: unknown[] = [];
  const outcomes = new Map<string, WebhookOutcome>();
  const memory = memoryStorage(ServiceLimits.parse({}));
  const storage = {
    ...memory,
    keys: issuedKeys([
      { key: keys.key, workspace: 'lab', quotas: { ...NO_QUOTAS, ...quotas } },
      { key: keys.otherKey, workspace: 'others' },
    ]),
  };
  const service = await startService({
    port: 0,
    apiKey: 'ma_key-of-the-operator',
    cdrToken: keys.cdrToken,
    pool: scriptedRunner,
    storage,
    log: (entry) => {
      noteAnswer(entry);
      log.push(entry);
    },
    onFault: (error) => faults.push(error),
    webhooks: {
      allowPrivateAddresses: allowPrivateWebhooks ?? false,
      // An address resolves to itself and a name to nothing, so that no test uses the network.
      resolve: async (hostname) => [hostname],
      delay: async () => undefined,
    },
    onWebhook: (resultId, outcome) => outcomes.set(resultId, outcome),
  });
  const isIdle = async () =>
    [await memory.analysis.store.unfinished(), await memory.cdr.store.unfinished()].every(({ length }) => length === 0);
  return {
    ...keys,
    url: service.url,
    cdrUrl: service.cdrUrl,
    idle: () => until(isIdle),
    webhookOf: async (resultId) => {
      await until(async () => outcomes.has(resultId));
      return outcomes.get(resultId) ?? 'failed';
    },
    log: () => log,
    faults: () => faults,
    close: () => service.close(),
  };
}

/** Checks again at every turn of the event loop. The time limit of the test ends a wait for what never comes. */
async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setImmediate(resolve));
}

function issuedKeys(keys: Parameters<typeof givenKeys>[0]): KeyStore {
  const refused = () => Promise.reject(new Error('not in this rig'));
  return { ...givenKeys(keys), add: refused, list: refused, revoke: refused, close: async () => undefined };
}
