/** The index of runs in a simulation: it keeps a later attempt, and an end, as every adapter of the port does. */
import type { RunPage, RunQuery } from '../../lib/pipeline/ports.ts';
import { type IndexedRun, isLater } from '../../lib/pipeline/runs/row.ts';

export interface RunIndex {
  put(run: IndexedRun): void;
  find(runId: string): IndexedRun | null;
  /** The rows of which all of these facts hold, the newest first. One page has all of them. */
  list(query: Pick<RunQuery, 'facts' | 'since' | 'most'>): RunPage;
  /** From now on nothing more is expected of the index for this run: what told of it was given up. */
  giveUp(runId: string): void;
  hasGivenUp(runId: string): boolean;
}

/** An empty index. `onPut` is told what is put into it. */
export function createRunIndex(onPut: (run: IndexedRun) => void): RunIndex {
  const runs = new Map<string, IndexedRun>();
  const givenUp = new Set<string>();
  return {
    put(run) {
      onPut(run);
      const known = runs.get(run.row.runId);
      if (known === undefined || !isLater(known.row, run.row)) runs.set(run.row.runId, run);
    },
    find: (runId) => runs.get(runId) ?? null,
    list({ facts, since, most }) {
      const holds = ({ row, facts: own }: IndexedRun) =>
        row.bornAt >= (since ?? 0) &&
        facts.every((fact) => own.some(({ kind, value }) => kind === fact.kind && value === fact.value));
      const rows = [...runs.values()].filter(holds).map(({ row }) => row);
      return { rows: rows.sort((one, other) => other.bornAt - one.bornAt).slice(0, most), next: null };
    },
    giveUp: (runId) => givenUp.add(runId),
    hasGivenUp: (runId) => givenUp.has(runId),
  };
}
