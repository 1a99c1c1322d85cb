/** Door of stage `quarantine`: the state machine's failure edge, executions that ended badly, dead-lettered intake events. */
import { quarantine, quarantineIntake } from '../lib/pipeline/quarantine.ts';
import { casualtyOf, queueOrDirect } from './events.ts';
import { eventPorts } from './ports.ts';
import { contextOf } from './runtime.ts';

const DEAD_LETTERED = { code: 'dead_lettered', text: 'the object could not be read, even after several tries' };
const context = contextOf(eventPorts);

export const handler = queueOrDirect('quarantine', async (event) => {
  const [ctx, casualty] = [await context(), casualtyOf(event)];
  if ('run' in casualty) return quarantine(ctx, casualty.run);
  return quarantineIntake(ctx, casualty.intake, DEAD_LETTERED);
});
