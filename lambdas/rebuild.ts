/** Lambda entry point of stage `rebuild`. A file that a service or an engine wrote is always looked at: neither is believed. */
import { createSecondLook } from '../lib/engines/returned/second-look.ts';
import { rebuild } from '../lib/pipeline/rebuild.ts';
import { stageHandler } from './shared/events.ts';

const secondLook = createSecondLook();

export const handler = stageHandler('rebuild', rebuild, async () => ({ secondLook }));
