/**
 * The way of a mail through the stages, written down by hand once, because what tests expect does not come from the code. Who adds a
 * stage adds it here.
 */
import type { Context } from '../../lib/pipeline/context.ts';
import type { Run, StageName } from '../../lib/pipeline/model.ts';
import { STAGES } from '../../lib/pipeline/stages.ts';

/** Every stage between `parse` and an end. */
type Middle = Exclude<StageName, 'parse' | 'deliver' | 'quarantine'>;

/** In their order. The type asks for each. */
const IN_ORDER: Readonly<Record<Middle, true>> = {
  submit: true,
  poll: true,
  fetch: true,
  decide: true,
  rebuild: true,
};

/** The stages between `parse` and the end of a mail that is delivered. */
export const WAY = Object.keys(IN_ORDER) as readonly Middle[];

/** The way of a mail for which these stages have nothing to do. */
export const wayWithout = (...idle: readonly Middle[]): Middle[] => WAY.filter((stage) => !idle.includes(stage));

/** The stages in front of one. */
export const wayBefore = (end: Middle): Middle[] => WAY.slice(0, WAY.indexOf(end));

/** The states of the state machine that run these stages. */
export const statesOf = (stages: readonly StageName[]): string[] =>
  stages.map((stage) => `${stage.charAt(0).toUpperCase()}${stage.slice(1)}`);

/** The names of the entries of these stages in the store, when nothing is polled or fetched twice. */
export const entriesOf = (stages: readonly StageName[]): string[] =>
  stages.map((stage) => (stage === 'poll' || stage === 'fetch' ? `${stage}-1` : stage));

/** Takes a run that was parsed to the door of a stage. It is polled until nothing is outstanding. */
export async function runUpTo(ctx: Context, begun: Run, door: Middle | 'deliver'): Promise<Run> {
  let run = begun;
  for (const stage of door === 'deliver' ? WAY : wayBefore(door)) {
    if (stage !== 'poll') run = await STAGES[stage](ctx, run);
    else while (run.outstanding > 0) run = await STAGES.poll(ctx, run);
  }
  return run;
}
