/** Lambda entry point of stage `decide`: the state machine passes its state and gets the next one. */
import { decide } from '../lib/pipeline/decide.ts';
import { withBlocked } from './shared/blocks.ts';
import { withLists } from './shared/lists.ts';
import { noPorts } from './shared/ports.ts';
import { stageHandler } from './shared/stage-handler.ts';

export const handler = stageHandler(
  'decide',
  async (ctx, run) => decide(await withLists(await withBlocked(ctx)), run),
  noPorts,
);
