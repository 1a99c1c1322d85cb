/** Places for submissions whose jobs wait in the database. The limit counts for all processes together. */
import type { JobPlaces } from '../../jobs/queue.ts';
import { ServiceError } from '../../service-error.ts';
import type { Run } from './database.ts';
import { PARTS } from './schema.ts';

const RETRY_AFTER_SECONDS = 5;

export interface SharedPlaces extends JobPlaces {
  /** Counts the waiting and running jobs of all processes, for `pending`. */
  count(): Promise<void>;
}

/** Places for `queuedJobs` jobs, with the uploads that this process reads. */
export function createJobPlaces(run: Run, queuedJobs: number): SharedPlaces {
  const limited = PARTS.map((part) => `(SELECT 1 FROM ${part}.jobs LIMIT $1)`).join(' UNION ALL ');
  let reading = 0;
  let stored = 0;
  const count = async () => {
    const [row] = await run<{ jobs: number }>(`SELECT count(*)::int AS jobs FROM (${limited}) waiting`, [queuedJobs]);
    stored = row?.jobs ?? 0;
  };
  return {
    count,
    get pending() {
      return stored + reading;
    },
    reserve: async (group) => {
      await count();
      if (stored + reading >= queuedJobs) {
        throw new ServiceError('SUBMISSION_LIMIT_EXCEEDED', { retryAfterSeconds: RETRY_AFTER_SECONDS });
      }
      reading += 1;
      return {
        group,
        // The job was stored with its submission. A worker finds it there.
        start: () => undefined,
        release: () => {
          reading -= 1;
        },
      };
    },
  };
}
