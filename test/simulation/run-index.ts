/** The index of runs in a simulation: it keeps a later attempt, and an end, as every adapter of the port does. */
import { type IndexedRun, isLater } from '../../lib/pipeline/run-row.ts';

export interface RunIndex {
  put(run: IndexedRun): void;
  find(runId: string): IndexedRun | null;
  /** From now on nothing more is expected of the index for this run: what told of it was given up. */
  giveUp(runId: string): void;
  hasGivenUp(runId: string): boolean;
}

/** An empty index. */
export function createRunIndex(): RunIndex {
  const runs = new Map<string, IndexedRun>();
  const givenUp = new Set<string>();
  return {
    put(run) {
      const known = runs.get(run.row.runId);
      if (known === undefined || !isLater(known.row, run.row)) runs.set(run.row.runId, run);
    },
    find: (runId) => runs.get(runId) ?? null,
    giveUp: (runId) => givenUp.add(runId),
    hasGivenUp: (runId) => givenUp.has(runId),
  };
}
