/**
 * Jobs that several workers share. A job is stored in the transaction of its submission, so neither exists without the other. A worker
 * claims it for a time, and extends the claim while it lives. After a kill, the claim runs out and another worker claims the job.
 */
import type { ClaimedJob, Claims } from '../../jobs/claims.ts';
import type { Database, Run } from './database.ts';
import { PARTS, type Part } from './schema.ts';

/** The channel on which workers hear of new jobs. */
export const JOBS_CHANNEL = 'airlock_jobs';

interface NewJob {
  readonly id: string;
  readonly uuid: string;
  readonly group: string;
}

/** Stores a job behind the jobs of its group, one turn after the running ones, and wakes the workers at the end of the transaction. */
export async function insertJob(run: Run, part: Part, { id, uuid, group }: NewJob): Promise<void> {
  await run(
    `INSERT INTO ${part}.jobs (id, uuid, group_name, turn) SELECT $1, $2, $3, greatest(
       coalesce((SELECT max(turn) + 1 FROM ${part}.jobs WHERE group_name = $3), 0),
       coalesce((SELECT max(turn) + 1 FROM ${part}.jobs WHERE worker IS NOT NULL), (SELECT min(turn) FROM ${part}.jobs), 0))`,
    [id, uuid, group],
  );
  await run('SELECT pg_notify($1, $2)', [JOBS_CHANNEL, '']);
}

/** Makes the claims of one worker, whose name no other process has. `leaseMs` is how long a claim holds after each sign of life. */
export function createClaims({ run, listen }: Database, worker: string, leaseMs: number): Claims {
  const lease = `now() + $2 * interval '1 millisecond'`;
  const isMine = 'worker = $1 AND lease_until > now()';
  const claimFrom = async (part: Part, fullGroups: readonly string[]): Promise<ClaimedJob | null> => {
    const [row] = await run<{ uuid: string; group_name: string }>(
      `UPDATE ${part}.jobs SET worker = $1, lease_until = ${lease} WHERE id = (
         SELECT id FROM ${part}.jobs WHERE lease_until <= now() AND group_name <> ALL ($3) ORDER BY turn, id LIMIT 1
         FOR UPDATE SKIP LOCKED)
       RETURNING uuid, group_name`,
      [worker, leaseMs, fullGroups],
    );
    return row ? { part, uuid: row.uuid, group: row.group_name } : null;
  };
  let turn = 0;
  return {
    claim: async (fullGroups) => {
      // The two services take turns, so neither waits for all jobs of the other.
      turn += 1;
      const order = turn % 2 === 0 ? PARTS : [...PARTS].reverse();
      for (const part of order) {
        const job = await claimFrom(part, fullGroups);
        if (job) return job;
      }
      return null;
    },
    renew: async () => {
      for (const part of PARTS)
        await run(`UPDATE ${part}.jobs SET lease_until = ${lease} WHERE ${isMine}`, [worker, leaseMs]);
    },
    holds: async ({ part, uuid }) =>
      (await run(`SELECT 1 FROM ${part}.jobs WHERE ${isMine} AND uuid = $2`, [worker, uuid])).length > 0,
    end: async ({ part, uuid }) => {
      await run(`DELETE FROM ${part}.jobs WHERE worker = $1 AND uuid = $2`, [worker, uuid]);
    },
    abandon: async ({ part, uuid }) => {
      await run(`UPDATE ${part}.jobs SET worker = NULL WHERE worker = $1 AND uuid = $2`, [worker, uuid]);
    },
    release: async () => {
      for (const part of PARTS)
        await run(`UPDATE ${part}.jobs SET lease_until = '-infinity', worker = NULL WHERE worker = $1`, [worker]);
      await run('SELECT pg_notify($1, $2)', [JOBS_CHANNEL, '']);
    },
    listen: (onNotice, onLost) => listen(JOBS_CHANNEL, onNotice, onLost),
  };
}
