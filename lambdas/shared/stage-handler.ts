/** The handler of a stage that the state machine runs, and the state that the machine carries. */
import * as z from 'zod/mini';
import type { Context } from '../../lib/pipeline/context.ts';
import { RunId } from '../../lib/pipeline/ledger/run-id.ts';
import { MESSAGE_DISPOSITIONS, type Run, type StageName } from '../../lib/pipeline/model.ts';
import { OUTSTANDING } from './embedded-metrics.ts';
import { contextOf, logged, type MakePorts } from './runtime.ts';

const Count = z.number().check(z.nonnegative());

export const AttemptNumber = z.int().check(z.positive());

/** The state of the state machine. */
export const RunState = z.object({
  runId: RunId,
  attempt: AttemptNumber,
  last: z.string(),
  outstanding: Count,
  waitSeconds: Count,
  polls: Count,
  disposition: z.enum([...MESSAGE_DISPOSITIONS, 'undecided']),
});

/** Stages behind which a run may wait for analyses. */
const WAITING: readonly StageName[] = ['submit', 'poll'];

/** Makes the handler of a stage that the state machine runs: it takes the state and returns the next one. */
export function stageHandler(
  stage: StageName,
  run: (ctx: Context, state: Run) => Promise<Run>,
  makePorts: MakePorts,
): (event: unknown) => Promise<Run> {
  const context = contextOf(makePorts);
  return async (event) => {
    const state = RunState.parse(event);
    return logged(stage, state.runId, async () => {
      const ctx = await context();
      const next = await run(ctx, state);
      if (WAITING.includes(stage)) ctx.log.info(OUTSTANDING, { outstanding: next.outstanding });
      return next;
    });
  };
}
