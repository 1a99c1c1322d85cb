/** Engines in the stack that are killed by what they read. */
import { mailWithPdf, plainMail } from '../run/mails.ts';
import type { Fault, FaultGroup } from './fault.ts';

const dies: Fault = {
  name: 'engine-dies',
  says: 'one file kills the static engine each time: its mail is held and says so, and the mails beside it go on',
  async run(twin, mails) {
    const { deployment } = twin;
    const deadly = await twin.send({ ...mailWithPdf(), must: 'quarantined' });
    deployment.interrupt = ({ caller, operation }) => {
      const event = JSON.stringify(deployment.functions.events.get(caller.pid ?? 0) ?? null);
      const isIt = caller.name === 'EnginesStatic' && operation === 'PutObject' && event.includes(deadly.runId);
      return isIt ? { do: 'kill-before' } : null;
    };
    for (let index = 1; index < mails; index += 1) await twin.send(index % 2 === 0 ? mailWithPdf() : plainMail());
  },
};

export const ENGINE_FAULTS: FaultGroup = [dies];
