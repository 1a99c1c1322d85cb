/** The state that the processes of one service share beside submissions, files and keys. */
import type { Claims } from './jobs/claims.ts';
import type { JobPlaces } from './jobs/job-queue.ts';
import type { Quotas } from './jobs/quotas.ts';

/** The shared state, as one of the processes sees it. Adapter: postgres/storage.ts. */
export interface SharedState {
  readonly claims: Claims;
  readonly quotas: Quotas;
  readonly places: JobPlaces;
  /** Says that this process lives, and deletes what dead ones have left. */
  beat(): Promise<void>;
}
