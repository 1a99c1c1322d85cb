/** The engines of this process, as `airlock scan` and `airlock serve` use them. */
import { availableParallelism } from 'node:os';
import { createEnginePool, type EnginePool } from '../../engines/threads/pool.ts';
import { type VisitSettings, withVisits } from '../../engines/url/visit/visiting-runner.ts';

/** Options of the engines of this process. */
export interface LocalEngines {
  /** How URLs are visited. @default they are judged as text, and nothing is opened */
  readonly visits?: VisitSettings | null;
  /** Folder of YARA rules in addition to ours. @default none */
  readonly rulesFolder?: string;
}

/** Makes a pool with a thread for each processor. Threads start when there is work for them. */
export function createLocalPool({ visits, rulesFolder }: LocalEngines): EnginePool {
  const pool = createEnginePool({
    threads: Math.max(1, availableParallelism()),
    beginsWithFew: true,
    // Other programs run on this machine. Mail is held for a file without a verdict.
    runsAgainAlone: true,
    ...(rulesFolder !== undefined && { rulesFolder }),
  });
  return visits ? withVisits(pool, visits) : pool;
}
