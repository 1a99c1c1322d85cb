/** The message that tells people of one that was held. Everything of the held message comes in as text that was made safe. Pure. */
import { type Help, helpSentences, referenceOf } from './help.ts';
import { wordsIn } from './in-language.ts';
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

/** The notice as an email (RFC 5322) with CRLF line ends. Nobody answers it: RFC 3834 §5. */
export function noticeEmail(facts: NoticeFacts): string {
  const { notice } = wordsIn(facts.language);
  const subject = facts.audience === 'admin' ? notice.adminSubject : notice.recipientSubject;
  const header = [
    `From: Mail Airlock <${facts.from}>`,
    `To: ${facts.to.join(',\r\n ')}`,
    `Subject: ${encodedWords(`${subject} (${referenceOf(facts.runId)})`)}`,
    `Date: ${facts.at.toUTCString().replace('GMT', '+0000')}`,
    `Message-ID: <${facts.runId}.notice@${facts.from.slice(facts.from.indexOf('@') + 1)}>`,
    'Auto-Submitted: auto-generated',
    'X-Auto-Response-Suppress: All',
    `X-Airlock-Run: ${facts.runId}`,
    'X-Airlock-Notice: quarantined',
    'MIME-Version: 1.0',
    'Content-Type: text/plain; charset=utf-8',
    'Content-Transfer-Encoding: base64',
    `Content-Language: ${facts.language}`,
  ];
  return [...header, '', ...base64Lines(noticeText(facts)), ''].join('\r\n');
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

/** RFC 2047 §2: 75 characters a word, and no character in two of them. */
function encodedWords(text: string): string {
  const pieces: string[] = [];
  for (const character of text) {
    const last = pieces.at(-1);
    if (last !== undefined && Buffer.byteLength(last + character) <= 42) pieces[pieces.length - 1] = last + character;
    else pieces.push(character);
  }
  return pieces.map((piece) => `=?utf-8?B?${Buffer.from(piece).toString('base64')}?=`).join('\r\n ');
}

function base64Lines(text: string): string[] {
  return (
    Buffer.from(text)
      .toString('base64')
      .match(/.{1,76}/g) ?? []
  );
}
