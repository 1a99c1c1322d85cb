/** Lambda entry point of stage `quarantine`: the state machine's failure edge, executions that ended badly, dead-lettered intake events. */
import { quarantine, quarantineIntake } from '../lib/pipeline/quarantine.ts';
import { quarantineInputOf, queueOrDirect } from './events.ts';
import { eventPorts } from './ports.ts';
import { contextOf } from './runtime.ts';

const DEAD_LETTERED = { code: 'dead_lettered', text: 'the object could not be read, even after several tries' };
const context = contextOf(eventPorts);

export const handler = queueOrDirect('quarantine', async (event) => {
  const [ctx, input] = [await context(), quarantineInputOf(event)];
  if ('run' in input) return quarantine(ctx, input.run);
  return quarantineIntake(ctx, input.intake, DEAD_LETTERED, input.again);
});
