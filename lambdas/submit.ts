/** Lambda entry point of stage `submit`: the state machine passes its state and gets the next one. */
import { submit } from '../lib/pipeline/submit.ts';
import { analysisPorts } from './shared/analysis.ts';
import { stageHandler } from './shared/stage-handler.ts';

export const handler = stageHandler('submit', submit, analysisPorts);
