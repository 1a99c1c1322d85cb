/** What can happen to the Express execution of a mail. The Standard one that waits for it must go on. */

import { statesOf, WAY } from '../../pipeline/way.ts';
import { badMail, mailWithPdf } from '../run/mails.ts';
import type { ExpressFault } from '../workflow/state-machine.ts';
import type { Fault, FaultGroup } from './fault.ts';

const STATES = statesOf(WAY);
const POINTS: readonly ExpressFault[] = [
  { do: 'refuse' },
  ...STATES.flatMap((at) => [{ do: 'break', at } as const, { do: 'lose', at } as const]),
];

/** A mail for each point, in turn. */
const express: Fault = {
  name: 'express',
  says: 'an Express execution is refused, breaks while a stage works, or goes on while its caller hears no more of it',
  async run(twin, mails) {
    twin.deployment.machine.spoil = (name) => {
      const index = twin.sent.findIndex(({ runId }) => name.startsWith(runId));
      return POINTS[index % POINTS.length] ?? null;
    };
    for (let index = 0; index < Math.max(mails, POINTS.length); index += 1)
      await twin.send(index % 4 === 3 ? badMail() : mailWithPdf());
  },
};

export const EXPRESS_FAULTS: FaultGroup = [express];
