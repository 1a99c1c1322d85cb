/**
 * The mail that tells a recipient that a message in his mailbox has a harmful file. The subject of that message was made safe before. Pure.
 */
import type { Help } from './help.ts';
import { filled, wordsIn } from './in-language.ts';
import { ownMail } from './own-mail.ts';
import { referenceOf } from './reference.ts';
import type { Language } from './words.ts';

export interface RecallFacts {
  readonly language: Language;
  /** Plain addresses: see `isPlainAddress`. */
  readonly from: string;
  readonly to: string;
  /** The subject of the message, already made safe to show; empty when it has none. */
  readonly subject: string;
  /** When the message came in. */
  readonly date: string;
  readonly help: Help;
  readonly runId: string;
  /** Unique for recipient and message, in hexadecimal. */
  readonly id: string;
  readonly at: Date;
}

/** Returns the mail. */
export function recallEmail(facts: RecallFacts): string {
  const { language, from, to, at, id } = facts;
  return ownMail({
    from,
    to: [to],
    subject: wordsIn(language).recall.subject,
    at,
    id: `${id}.recall`,
    fields: ['X-Airlock-Notice: recall'],
    language,
    text: recallText(facts),
  });
}

function recallText({ language, subject, date, help, runId }: RecallFacts): string {
  const { recall, notice, contact } = wordsIn(language);
  const asked = { contact: help.contact === '' ? contact : help.contact, reference: referenceOf(runId) };
  return [
    recall.lead,
    '',
    ...(subject === '' ? [] : [filled(recall.quoted, { subject })]),
    `${notice.labels.date}: ${date}`,
    '',
    filled(recall.opened, asked),
    '',
    notice.automatic,
    '',
  ].join('\r\n');
}
