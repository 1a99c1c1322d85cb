/** Services of AWS that throttle, fail, or answer that they did not take what they were given. */
import { mixedMails } from '../run/mails.ts';
import type { Twin } from '../run/twin.ts';
import { type AwsCall, AwsError } from '../servers/call.ts';
import type { Fault, FaultGroup } from './fault.ts';

const MINUTE_MS = 60_000;

async function sendAll(twin: Twin, mails: number): Promise<void> {
  for (const mail of mixedMails(mails)) await twin.send(mail);
}

/** Refuses every call of functions to a service for two minutes, and every fourth one for ever. */
function throttled(name: string, service: string, makeError: () => AwsError): Fault {
  return {
    name,
    says: `${service} refuses everything for two minutes, and then every fourth call`,
    async run(twin, mails) {
      const until = twin.clock.now() + 2 * MINUTE_MS;
      let count = 0;
      twin.deployment.interrupt = (call) => {
        if (call.service !== service || call.caller.pid === null) return null;
        count += 1;
        return twin.clock.now() < until || count % 4 === 0 ? { do: 'refuse', error: makeError() } : null;
      };
      await sendAll(twin, mails);
    },
  };
}

const refused: Fault = {
  name: 'events-not-taken',
  says: 'EventBridge answers 200 and takes no event, for two minutes',
  async run(twin, mails) {
    const until = twin.clock.now() + 2 * MINUTE_MS;
    const entries = { FailedEntryCount: 1, Entries: [{ ErrorCode: 'InternalFailure', ErrorMessage: 'try again' }] };
    const answer = {
      status: 200,
      headers: { 'content-type': 'application/x-amz-json-1.1' },
      body: JSON.stringify(entries),
    };
    twin.deployment.interrupt = ({ operation }: AwsCall) =>
      operation === 'PutEvents' && twin.clock.now() < until ? { do: 'answer', answer } : null;
    await sendAll(twin, mails);
  },
};

const crowded: Fault = {
  name: 'crowded-account',
  says: 'the account has a concurrency of two Lambdas, and all mails come at once',
  async run(twin, mails) {
    twin.deployment.functions.accountConcurrency = 2;
    await Promise.all(mixedMails(mails).map((mail) => twin.send(mail)));
  },
};

function skewed(name: string, minutes: number): Fault {
  return {
    name,
    says: `the clocks of the functions are ${Math.abs(minutes)} minutes ${minutes > 0 ? 'fast' : 'slow'}`,
    async run(twin, mails) {
      twin.deployment.functions.skewMs = minutes * MINUTE_MS;
      await sendAll(twin, mails);
    },
  };
}

export const AWS_FAULTS: FaultGroup = [
  throttled(
    'throttled-dynamodb',
    'dynamodb',
    () => new AwsError('ProvisionedThroughputExceededException', 400, 'too fast'),
  ),
  throttled('throttled-s3', 's3', () => new AwsError('SlowDown', 503, 'Please reduce your request rate.')),
  throttled('throttled-events', 'events', () => new AwsError('ThrottlingException', 400, 'Rate exceeded')),
  throttled('throttled-start', 'states', () => new AwsError('ThrottlingException', 400, 'Rate exceeded')),
  throttled('throttled-secrets', 'secretsmanager', () => new AwsError('ThrottlingException', 400, 'Rate exceeded')),
  refused,
  crowded,
  skewed('clocks-fast', 10),
  skewed('clocks-slow', -10),
];
