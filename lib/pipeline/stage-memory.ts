/** The memory of each stage as a function. The deployment and the cost of a run use it. */
import type { StageName } from './model.ts';

/** Parse and rebuild hold several copies of an email of up to 42 MiB. Poll sends the submissions that submit could not send. */
export const STAGE_MEMORY_MB: Readonly<Record<StageName, number>> = {
  parse: 2_048,
  submit: 1_536,
  poll: 1_536,
  fetch: 1_536,
  decide: 512,
  rebuild: 2_048,
  deliver: 1_024,
  quarantine: 512,
};
