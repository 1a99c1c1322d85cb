/** The message that tells people of one that was held. Everything of the held message comes in as text that was made safe. Pure. */
import { type Help, helpSentences, referenceOf } from './help.ts';
import { wordsIn } from './in-language.ts';
import { ownMail } from './own-mail.ts';
import type { Language } from './words.ts';

export interface NoticeFacts {
  readonly language: Language;
  readonly audience: 'recipient' | 'admin';
  /** Addresses of the operator and of his own people, one or more. They are plain: see `isPlainAddress`. */
  readonly from: string;
  readonly to: readonly string[];
  /** Of the held message, already made safe to show; empty when it says none. */
  readonly held: { readonly from: string; readonly to: string; readonly subject: string; readonly date: string };
  /** Sentences. */
  readonly why: readonly string[];
  readonly help: Help;
  readonly runId: string;
  readonly at: Date;
}

/** An address that stands in a header as it is: no quotes, no comments, no groups. */
export function isPlainAddress(text: string): boolean {
  return /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*@(?:[a-z0-9-]{1,63}\.)+[a-z0-9-]{2,63}$/i.test(
    text.slice(0, 255),
  );
}

/** The notice as an email. */
export function noticeEmail(facts: NoticeFacts): string {
  const { notice } = wordsIn(facts.language);
  const subject = facts.audience === 'admin' ? notice.adminSubject : notice.recipientSubject;
  return ownMail({
    from: facts.from,
    to: facts.to,
    subject: `${subject} (${referenceOf(facts.runId)})`,
    at: facts.at,
    id: `${facts.runId}.notice`,
    fields: [`X-Airlock-Run: ${facts.runId}`, 'X-Airlock-Notice: quarantined'],
    language: facts.language,
    text: noticeText(facts),
  });
}

function noticeText({ language, audience, held, why, help, runId }: NoticeFacts): string {
  const { notice } = wordsIn(language);
  const { labels } = notice;
  const rows = [
    [labels.from, held.from],
    [labels.to, audience === 'admin' ? held.to : ''],
    [labels.subject, held.subject],
    [labels.date, held.date],
  ].filter(([, value]) => value !== '');
  return [
    audience === 'admin' ? notice.adminLead : notice.recipientLead,
    '',
    ...rows.map(([label, value]) => `${label}: ${value}`),
    '',
    `${labels.why}:`,
    ...why.map((sentence) => `  ${sentence}`),
    '',
    ...helpSentences(notice.ask, language, help, runId),
    '',
    notice.automatic,
    '',
  ].join('\r\n');
}
