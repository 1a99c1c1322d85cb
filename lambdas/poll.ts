/** Lambda entry point of stage `poll`: the state machine passes its state and gets the next one. */
import { poll } from '../lib/pipeline/poll.ts';
import { analysisPorts } from './shared/analysis.ts';
import { stageHandler } from './shared/stage-handler.ts';

export const handler = stageHandler('poll', poll, analysisPorts);
