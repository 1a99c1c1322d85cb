/** Nothing goes wrong. What this run denies or quarantines, every run does. */
import { mixedMails } from '../run/mails.ts';
import type { FaultGroup } from './fault.ts';

export const NONE: FaultGroup = [
  {
    name: 'none',
    says: 'nothing goes wrong',
    async run(twin, mails) {
      for (const mail of mixedMails(mails)) await twin.send(mail);
    },
  },
];
