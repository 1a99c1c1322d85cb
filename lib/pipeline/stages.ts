/** The stages, in the order of the flow. */
import type { Context } from './context.ts';
import { decide } from './decide.ts';
import { deliver } from './deliver.ts';
import { fetch } from './fetch.ts';
import type { Run, StageName } from './model.ts';
import { poll } from './poll.ts';
import { quarantine } from './quarantine.ts';
import { rebuild } from './rebuild.ts';
import { submit } from './submit.ts';

/** One stage of the flow. It takes a context and a run, and returns the changed run. */
export type Stage = (ctx: Context, run: Run) => Promise<Run>;

/** The stages of the state machine. `parse` runs before it and makes the run that the machine carries. */
export const STAGES: Readonly<Record<Exclude<StageName, 'parse'>, Stage>> = {
  submit,
  poll,
  fetch,
  decide,
  rebuild,
  deliver,
  quarantine,
};
