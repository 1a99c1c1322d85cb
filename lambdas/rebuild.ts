/** Lambda entry point of stage `rebuild`. The service is not part of the stack, so what it returned is always looked at. */
import { createSecondLook } from '../lib/engines/returned/second-look.ts';
import { rebuild } from '../lib/pipeline/rebuild.ts';
import { stageHandler } from './events.ts';

const secondLook = createSecondLook();

export const handler = stageHandler('rebuild', rebuild, async () => ({ secondLook }));
