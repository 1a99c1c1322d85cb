/** Lambda entry point of stage `submit`: the state machine hands in its state and gets the next one back. */
import { submit } from '../lib/pipeline/submit.ts';
import { analysisPorts } from './shared/analysis.ts';
import { stageHandler } from './shared/events.ts';

export const handler = stageHandler('submit', submit, analysisPorts);
