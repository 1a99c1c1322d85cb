/** The memory of each stage as a function: it is deployed with it, and the cost of a run is counted with it. */
import type { StageName } from './model.ts';

/** Parse and rebuild hold several copies of an email of up to 42 MiB. Poll sends what submit could not send. */
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
