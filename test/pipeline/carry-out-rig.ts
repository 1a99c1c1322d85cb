/** What `review` works with on AWS, over the stores of a rig: executions are only started, and run to their end when a test says so. */
import { createWorkflow } from '../../lib/local/session/workflow.ts';
import { keys } from '../../lib/pipeline/keys.ts';
import type { Run } from '../../lib/pipeline/model.ts';
import { parse } from '../../lib/pipeline/parse.ts';
import type { CarryOutContext } from '../../lib/pipeline/review/request.ts';
import { STAGES } from '../../lib/pipeline/stages.ts';
import type { Rig } from './rig.ts';

export interface CarryOutRig {
  readonly review: CarryOutContext;
  /** Runs what was started to its end. Gives the runs. */
  readonly toItsEnd: () => Promise<readonly string[]>;
  /** Executions that were started, as `RUN-ATTEMPT`, each once. */
  readonly started: string[];
  /** Runs of which what is held is to be removed once more. */
  readonly removedAgain: string[];
  /** What the index was told to look at, as `RUN-ATTEMPT`. */
  readonly noted: string[];
}

/** Makes it over a rig. */
export function carryOutRig({ ctx, blobs }: Rig): CarryOutRig {
  const started: string[] = [];
  const noted: string[] = [];
  const removedAgain: string[] = [];
  const waiting: Run[] = [];
  const names = Object.keys(STAGES) as (keyof typeof STAGES)[];
  const stages = Object.fromEntries(names.map((name) => [name, (state: Run) => STAGES[name](ctx, state)]));
  const workflow = createWorkflow({ stages: stages as never, retryIntervalMs: 0 });
  // Step Functions keeps the name of an execution, so the second start of the same does nothing.
  const executions: CarryOutContext['executions'] = {
    async start({ runId, attempt, input }) {
      if (started.includes(`${runId}-${attempt}`)) return;
      started.push(`${runId}-${attempt}`);
      waiting.push(input as Run);
    },
  };
  const review: CarryOutContext = {
    ...ctx,
    executions,
    parseAgain: (intake, attempt) => parse({ ...ctx, executions }, intake, attempt),
    removeHeld: async (runId, intake) => {
      for (const key of blobs.list('quarantine')) if (key.startsWith(keys.held(runId))) blobs.remove('quarantine', key);
      if (intake !== null) blobs.remove('intake', intake.untrustedKey);
    },
    removeAgain: async (runId) => void removedAgain.push(runId),
    noted: async (runId, attempt) => void noted.push(`${runId}-${attempt}`),
  };
  return {
    ...{ review, started, noted, removedAgain },
    async toItsEnd() {
      const runs = waiting.splice(0);
      for (const run of runs) await workflow.run(run, new AbortController().signal);
      return runs.map(({ runId }) => runId);
    },
  };
}
