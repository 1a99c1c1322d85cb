/** The stages, in the order of the flow: the table of contents of this folder. */
import type { Context } from './context.ts';
import { decide } from './decide.ts';
import { deliver } from './deliver.ts';
import { fetch } from './fetch.ts';
import type { Run, StageName } from './model.ts';
import { poll } from './poll.ts';
import { quarantine } from './quarantine.ts';
import { rebuild } from './rebuild.ts';
import { submit } from './submit.ts';

/** One verb of the flow: context first, the run in, the run out. */
export type Stage = (ctx: Context, run: Run) => Promise<Run>;

/** The stages of the state machine. `parse` comes before it: it makes the run that the machine carries. */
export const STAGES: Readonly<Record<Exclude<StageName, 'parse'>, Stage>> = {
  submit,
  poll,
  fetch,
  decide,
  rebuild,
  deliver,
  quarantine,
};
