/** Lambda entry point of stage `rebuild`: the state machine hands in its state and gets the next one back. */
import { rebuild } from '../lib/pipeline/rebuild.ts';
import { stageHandler } from './events.ts';
import { noPorts } from './ports.ts';

export const handler = stageHandler('rebuild', rebuild, noPorts);
