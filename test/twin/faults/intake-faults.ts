/** What can happen to objects in the intake bucket and to the events about them. */
import { mixedMails, plainMail } from '../run/mails.ts';
import type { Twin } from '../run/twin.ts';
import type { BusEvent } from '../servers/event-bus.ts';
import type { Fault, FaultGroup } from './fault.ts';

const HOUR = 3_600;

/** The event about the newest object. */
function newestEvent({ deployment }: Twin): BusEvent {
  const found = deployment.bus.events.findLast(({ source }) => source === 'aws.s3');
  if (!found) throw new Error('no event about an object');
  return found;
}

const duplicates: Fault = {
  name: 'duplicate-events',
  says: 'the event about each mail comes three times: at once, after five seconds, and when the mail has long ended',
  async run(twin, mails) {
    const again: BusEvent[] = [];
    for (const mail of mixedMails(mails)) {
      await twin.send(mail);
      const event = newestEvent(twin);
      again.push(event);
      twin.deployment.bus.put(event);
    }
    for (const seconds of [5, HOUR]) {
      await twin.pause(seconds);
      for (const event of [...again].reverse()) twin.deployment.bus.put(event);
    }
  },
};

/** Each event is later than the one after it: the last mail is told of first. */
const late: Fault = {
  name: 'late-events',
  says: 'the event about each mail comes up to three hours after it, those of later mails first',
  async run(twin, mails) {
    const { bus } = twin.deployment;
    const each = (3 * HOUR * 1_000) / mails;
    let count = 0;
    bus.lateMs = ({ source }) => {
      if (source !== 'aws.s3') return 0;
      count += 1;
      return (mails - count + 1) * each;
    };
    for (const mail of mixedMails(mails)) await twin.send(mail);
  },
};

const versions: Fault = {
  name: 'two-versions',
  says: 'two mails come under one key, one right after the other: each is one mail',
  async run(twin, mails) {
    for (const mail of mixedMails(mails)) {
      const key = `inbox/${mail.word}`;
      await twin.send(mail, { key });
      await twin.send(plainMail(), { key });
    }
  },
};

const unversioned: Fault = {
  name: 'unversioned-bucket',
  says: 'somebody suspended the versions of the intake bucket; half of the mails are replaced by another before they are read',
  async run(twin, mails) {
    twin.deployment.bucket('BucketsIntake').settings.isVersioned = false;
    for (const [index, mail] of mixedMails(mails).entries()) {
      const key = `inbox/${mail.word}`;
      const isReplaced = index % 2 === 0;
      const [must, isGone] = isReplaced ? ['quarantined' as const, true] : [mail.must, false];
      const sending = twin.clock.work(async () => {
        await twin.send({ ...mail, must }, { key, isGone });
        if (isReplaced) await twin.send(plainMail(), { key });
      });
      await sending;
    }
  },
};

const deleted: Fault = {
  name: 'deleted-object',
  says: 'each mail is deleted before anything reads it: the quarantine says so',
  async run(twin, mails) {
    const bucket = twin.deployment.bucket('BucketsIntake');
    twin.deployment.functions.accountConcurrency = 0;
    for (const mail of mixedMails(mails)) {
      const { key, object } = await twin.send({ ...mail, must: 'quarantined' }, { isGone: true });
      bucket.delete(key, object.versionId);
    }
    twin.deployment.functions.accountConcurrency = 1000;
  },
};

/** Characters that are special for S3, for URLs, for paths, for XML, for shells or for people. */
const ODD_KEYS = [
  'a b+c%20d%2Fe',
  'ünïcödé/日本語/😀.eml',
  '../../etc/passwd',
  './/double//slash/',
  '/leading',
  "question?mark#hash&amp;=;:@,!$'()*~",
  '<xml attr="1">&amp;</xml>',
  'new\nline\ttab\rreturn',
  'back\\slash|pipe`tick`$(id)',
  '\u202egnp.exe\u200b',
  '%',
  '%00%zz',
  '[brackets]{braces}^"quotes"',
  'e\u0301-and-\u00e9',
  '__proto__',
  'a'.repeat(1000),
];

const oddKeys: Fault = {
  name: 'odd-keys',
  says: `mails under ${ODD_KEYS.length} keys with characters that programs take for something else`,
  async run(twin) {
    const mails = mixedMails(ODD_KEYS.length);
    for (const [index, key] of ODD_KEYS.entries()) {
      const mail = mails[index] ?? plainMail();
      await twin.send(mail, { key });
    }
  },
};

export const INTAKE_FAULTS: FaultGroup = [duplicates, late, versions, unversioned, deleted, oddKeys];
