/** The state that the processes of one service share besides submissions, files and keys. */
import type { Claims } from './jobs/claims.ts';
import type { JobPlaces } from './jobs/queue.ts';
import type { Quotas } from './jobs/quotas.ts';

/** The shared state, as one of the processes sees it. Adapter: postgres/storage.ts. */
export interface SharedState {
  readonly claims: Claims;
  readonly quotas: Quotas;
  readonly places: JobPlaces;
  /** Renews the sign of life of this process, and deletes the remains of dead ones. */
  beat(): Promise<void>;
}
