/** Every ordinary mail of this folder. A bench and a test go through them. */
import { bounces } from './bounces.ts';
import { dataFiles } from './data-files.ts';
import { dmarcReports } from './dmarc.ts';
import { newsletters } from './newsletters.ts';
import type { OrdinaryMail } from './ordinary-mail.ts';
import { techMail } from './tech-mail.ts';

/** Mails in the shapes of real programs, each with an id of its own and the group it belongs to. */
export function* ordinaryMails(): Generator<OrdinaryMail> {
  yield* bounces();
  yield* dmarcReports();
  yield* dataFiles();
  yield* newsletters();
  yield* techMail();
}
