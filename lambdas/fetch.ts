/** Lambda entry point of stage `fetch`: the state machine passes its state and gets the next one. */
import { fetch } from '../lib/pipeline/fetch.ts';
import { analysisPorts } from './shared/analysis.ts';
import { stageHandler } from './shared/stage-handler.ts';

export const handler = stageHandler('fetch', fetch, analysisPorts);
