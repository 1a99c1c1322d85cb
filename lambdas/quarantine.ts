/** Lambda entry point of stage `quarantine`: failed runs and dead-lettered intake events. A failed try of passwords leaves mail held. */
import { holdHalfTried } from '../lib/pipeline/password-casualty.ts';
import { passwordTryOf } from '../lib/pipeline/passwords/password-try.ts';
import { quarantine, quarantineIntake } from '../lib/pipeline/quarantine.ts';
import { quarantineInputOf, queueOrDirect } from './events.ts';
import { lateEventPorts } from './ports.ts';
import { contextOf } from './runtime.ts';

const DEAD_LETTERED = { code: 'dead_lettered', text: 'the object could not be read, even after several tries' };
const TRY_FAILED = { code: 'dead_lettered', text: 'trying words of other mail on it failed, even after several tries' };
const context = contextOf(lateEventPorts);

export const handler = queueOrDirect('quarantine', async (event) => {
  const [ctx, asked] = [await context(), passwordTryOf(event)];
  if (asked !== null) return holdHalfTried(ctx, asked, TRY_FAILED);
  const input = quarantineInputOf(event);
  return 'run' in input ? quarantine(ctx, input.run) : quarantineIntake(ctx, input.intake, DEAD_LETTERED, input.again);
});
