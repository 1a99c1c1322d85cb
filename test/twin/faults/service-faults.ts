/** The analysis service is away, busy, never done, or refuses the key. */
import { mixedMails } from '../run/mails.ts';
import { FIRST_KEY, type Twin } from '../run/twin.ts';
import { jsonAnswer, type ServiceAnswer } from '../service/service.ts';
import type { Fault, FaultGroup } from './fault.ts';

/** Sends the mails spread over so many told seconds, beginning now. */
export async function sendOver(twin: Twin, mails: number, seconds: number): Promise<void> {
  for (const mail of mixedMails(mails)) {
    await twin.send(mail);
    await twin.pause(seconds / mails);
  }
}

function outage(name: string, seconds: number, answer: ServiceAnswer | 'cut'): Fault {
  const how = answer === 'cut' ? 'cuts every connection' : `answers ${answer.status} to everything`;
  return {
    name,
    says: `the service ${how} for ${seconds} seconds, in which the mails come`,
    async run(twin, mails) {
      const until = twin.clock.now() + seconds * 1000;
      twin.service.fault = { before: () => (twin.clock.now() < until ? answer : null) };
      await sendOver(twin, mails, seconds);
    },
  };
}

const AWAY = jsonAnswer(503, { message: 'unavailable' });
const BUSY = jsonAnswer(429, { message: 'too many requests' });
const MINUTE = 60;

/** Every third answer is 429, from the first request to the last. */
const everyThird: Fault = {
  name: 'busy-service',
  says: 'the service answers every third request with 429',
  async run(twin, mails) {
    let count = 0;
    twin.service.fault = {
      before: () => {
        count += 1;
        return count % 3 === 0 ? BUSY : null;
      },
    };
    for (const mail of mixedMails(mails)) await twin.send(mail);
  },
};

/** Reports that say for ever that they are in progress. */
const neverFinishes: Fault = {
  name: 'never-finishes',
  says: 'no analysis ever finishes: at the deadline every mail is quarantined',
  async run(twin, mails) {
    twin.service.fault = {
      after: ({ method }, answer) => (method === 'GET' ? withoutEnd(answer) : answer),
    };
    for (const mail of mixedMails(mails)) await twin.send({ ...mail, must: 'quarantined' });
  },
};

/** The same answer as if the work went on. */
export function withoutEnd(answer: ServiceAnswer): ServiceAnswer {
  const text = answer.body
    .toString('utf8')
    .replaceAll('"completed"', '"in_progress"')
    .replaceAll('"finished"', '"in_progress"');
  return { ...answer, body: Buffer.from(text) };
}

const wrongKey: Fault = {
  name: 'wrong-key',
  says: 'the secrets hold a wrong key for 10 minutes, and then the right one',
  async run(twin, mails) {
    twin.setKey('a-wrong-key');
    await sendOver(twin, mails, 10 * MINUTE);
    twin.setKey(FIRST_KEY);
  },
};

const noKey: Fault = {
  name: 'no-key',
  says: 'the secrets have no value for 10 minutes',
  async run(twin, mails) {
    twin.setKey(null);
    await sendOver(twin, mails, 10 * MINUTE);
    twin.setKey(FIRST_KEY);
  },
};

const rotated: Fault = {
  name: 'rotated-key',
  says: 'the key is replaced in the middle of the runs, and the old one is refused at once',
  async run(twin, mails) {
    await sendOver(twin, mails, MINUTE);
    twin.service.keys.clear();
    twin.service.keys.add('the-second-key');
    await sendOver(twin, mails, MINUTE);
    twin.setKey('the-second-key');
  },
};

const ALL: FaultGroup = [
  outage('outage-60s', MINUTE, AWAY),
  outage('outage-5m', 5 * MINUTE, 'cut'),
  outage('outage-15m', 15 * MINUTE, AWAY),
  outage('storm-429', 5 * MINUTE, BUSY),
  everyThird,
  neverFinishes,
  wrongKey,
  noKey,
  rotated,
];

export const SERVICE_FAULTS: FaultGroup = ALL.map((fault) => ({ ...fault, analyst: 'service' }));
