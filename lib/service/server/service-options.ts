/** The options of a service in Node. */
import type { CertificateSource } from './http/open-server.ts';
import type { TrustedProxies } from './http/peer.ts';
import type { EngineRunner } from './jobs/jobs.ts';
import type { ServiceLimits } from './limits.ts';
import type { AccessLogEntry } from './routing.ts';
import type { Storage } from './store/storage.ts';
import type { WebhookDeps, WebhookOutcome } from './webhooks/webhook.ts';

/** The work of one process of a service: it takes requests, or jobs, or both. */
export type Role = 'all' | 'api' | 'worker';

export interface ServiceOptions {
  /** 0 means any free port. */
  readonly port: number;
  /** @default 127.0.0.1: reachable from this machine only */
  readonly host?: string;
  /** The operator's own key, besides the stored keys. @default none, where the storage keeps keys */
  readonly apiKey?: string;
  /** The same for the CDR service. */
  readonly cdrToken?: string;
  /** The engines. Their owner closes them after the service. */
  readonly pool: EngineRunner;
  /** Closed with the service. @default memory */
  readonly storage?: Storage;
  /** The share of this process in the work over a shared storage. @default all of it */
  readonly role?: Role;
  /** Changes to the limits as shipped. Throws when one is no positive integer. */
  readonly limits?: Partial<ServiceLimits>;
  /** @default nothing is logged */
  readonly log?: (entry: AccessLogEntry) => void;
  /** Called for every fault that was answered with INTERNAL_ERROR, and when the storage fails a job (JobFault). @default console.error */
  readonly onFault?: (error: unknown) => void;
  /** How the webhooks of the CDR service are called. @default public addresses only */
  readonly webhooks?: WebhookDeps;
  /** Called with the outcome of the webhook of a result. @default nothing is called */
  readonly onWebhook?: (resultId: string, outcome: WebhookOutcome) => void;
  /** @default plain HTTP */
  readonly tls?: CertificateSource;
  /** Proxies whose X-Forwarded-For is trusted. @default none */
  readonly proxies?: TrustedProxies;
  /** The address of the desk, for the first page. */
  readonly deskUrl?: string;
  /** Returns whether the engines have started, for `readyz`. @default they have */
  readonly isReady?: () => boolean;
}
