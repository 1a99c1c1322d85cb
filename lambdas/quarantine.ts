/** Lambda entry point of stage `quarantine`: failed runs and dead-lettered intake events. Failed tries of passwords leave the mail held. */
import { holdHalfTried } from '../lib/pipeline/passwords/password-try-failed.ts';
import { quarantine, quarantineIntake } from '../lib/pipeline/quarantine.ts';
import { queueOrDirect } from './shared/batches.ts';
import { quarantineInputOf, withDrop } from './shared/events.ts';
import { lateEventPorts } from './shared/ports.ts';
import { contextOf } from './shared/runtime.ts';

const DEAD_LETTERED = { code: 'dead_lettered', text: 'the object could not be read, even after several tries' };
const context = contextOf(lateEventPorts);
export const handler = queueOrDirect('quarantine', async (event) => {
  const [ctx, input] = await withDrop(context(), quarantineInputOf(event));
  if ('passwordTry' in input) return holdHalfTried(ctx, input.passwordTry);
  return 'run' in input ? quarantine(ctx, input.run) : quarantineIntake(ctx, input.intake, DEAD_LETTERED, input.again);
});
