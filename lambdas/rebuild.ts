/** Lambda entry point of stage `rebuild`. It always checks a file that a service or an engine wrote, and trusts neither. */
import { createSecondLook } from '../lib/engines/returned/second-look.ts';
import { rebuild } from '../lib/pipeline/rebuild.ts';
import { stageHandler } from './shared/stage-handler.ts';

const secondLook = createSecondLook();

export const handler = stageHandler('rebuild', rebuild, async () => ({ secondLook }));
