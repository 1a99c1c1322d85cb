/** Every ordinary mail: those that a test sends through the airlock, and those that are too many for it. The bench goes through all. */
import { attachedFiles } from './attached-files.ts';
import { bulkMail } from './bulk.ts';
import { calendars } from './calendars.ts';
import { charsetMail } from './charset-mail.ts';
import { letters } from './letters.ts';
import { mailingLists } from './mailing-lists.ts';
import type { OrdinaryMail } from './ordinary-mail.ts';
import { ordinaryMails } from './ordinary-mails.ts';
import { returnedLetters } from './returned-letters.ts';
import { signedMail } from './signed-mail.ts';

/** More than 600 mails, each with an id of its own. */
export async function corpus(): Promise<OrdinaryMail[]> {
  return [
    ...letters(),
    ...bulkMail(),
    ...mailingLists(),
    ...ordinaryMails(),
    ...returnedLetters(),
    ...calendars(),
    ...charsetMail(),
    ...(await attachedFiles()),
    ...[...signedMail()].map((mail) => ({ ...mail, id: `${mail.group} ${mail.id}` })),
  ];
}
