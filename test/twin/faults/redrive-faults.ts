/** Mails that a passing fault held, and that a person begins again with `airlock redrive`. */
import { STACK } from '../assembly/synthesize.ts';
import { onTwin } from '../run/command-line.ts';
import { badMail, mailWithPdf, plainMail } from '../run/mails.ts';
import type { Twin } from '../run/twin.ts';
import { AwsError } from '../servers/call.ts';
import type { Fault, FaultGroup } from './fault.ts';
import { withoutEnd } from './service-faults.ts';

/** Runs the command line against the twin, as an operator does. Throws when its exit code is not 0. */
async function redrive(twin: Twin, ...options: string[]): Promise<void> {
  const args = ['redrive', '--stack', STACK, ...options];
  const { code, stdout, stderr } = await onTwin(twin, ...args);
  if (code !== 0) throw new Error(`airlock ${args.join(' ')} ended with ${code}: ${stdout}${stderr}`);
}

/** Parse cannot read the intake bucket for so long that the events of mails end as dead letters. Seconds. */
const PARSE_AWAY_SECONDS = 3_600;

const redriven: Fault = {
  name: 'redriven',
  says: 'parse cannot read for an hour, then no analysis ever finishes; both are mended, and airlock redrive begins what was held',
  analyst: 'service',
  async run(twin, mails) {
    const { deployment } = twin;
    const parseAwayUntil = twin.clock.now() + PARSE_AWAY_SECONDS * 1_000;
    deployment.interrupt = ({ caller, operation }) =>
      caller.name === 'Parse' && operation === 'GetObject' && twin.clock.now() < parseAwayUntil
        ? { do: 'refuse', error: new AwsError('SlowDown', 503, 'Please reduce your request rate.') }
        : null;
    for (let index = 0; index < Math.ceil(mails / 2); index += 1) await twin.send(plainMail(), { isHeldFirst: true });
    await twin.clock.settled();
    await twin.pause(PARSE_AWAY_SECONDS);
    twin.service.fault = { after: ({ method }, answer) => (method === 'GET' ? withoutEnd(answer) : answer) };
    for (let index = 0; index < Math.ceil(mails / 2); index += 1) await twin.send(mailWithPdf(), { isHeldFirst: true });
    await twin.send(badMail());
    await twin.clock.settled();
    twin.service.fault = {};
    await redrive(twin, '--dry-run');
    await redrive(twin, '--reason', 'run_failed');
    await redrive(twin);
  },
};

export const REDRIVE_FAULTS: FaultGroup = [redriven];
