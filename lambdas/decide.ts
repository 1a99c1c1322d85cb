/** Lambda entry point of stage `decide`: the state machine hands in its state and gets the next one back. */
import { decide } from '../lib/pipeline/decide.ts';
import { withBlocked } from './blocks.ts';
import { stageHandler } from './events.ts';
import { withLists } from './lists.ts';
import { noPorts } from './ports.ts';

export const handler = stageHandler(
  'decide',
  async (ctx, run) => decide(await withLists(await withBlocked(ctx)), run),
  noPorts,
);
