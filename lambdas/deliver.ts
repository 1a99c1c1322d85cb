/** Lambda entry point of stage `deliver`. Only its role may write the clean bucket. */
import { deliver } from '../lib/pipeline/deliver.ts';
import { stageHandler } from './events.ts';
import { eventPorts } from './ports.ts';

export const handler = stageHandler('deliver', deliver, eventPorts);
