/** The message that tells people that one was held. All text of the held message was made safe before it comes in. Pure. */
import { type Help, helpSentences } from './help.ts';
import { wordsIn } from './in-language.ts';
import { ownMail } from './own-mail.ts';
import { referenceOf } from './reference.ts';
import type { Language } from './words.ts';

export interface NoticeFacts {
  readonly language: Language;
  /** `reader` is a recipient who already has the text of the message. */
  readonly audience: 'recipient' | 'admin' | 'reader';
  /** One or more addresses of the operator and of his own people. They are plain: see `isPlainAddress`. */
  readonly from: string;
  readonly to: readonly string[];
  /** The subject of the held message, already made safe to show; empty when it has none. */
  readonly held: { readonly from: string; readonly to: string; readonly subject: string; readonly date: string };
  /** Sentences. */
  readonly why: readonly string[];
  readonly help: Help;
  readonly runId: string;
  /** The id of the message to which the notice belongs, with its angle brackets; null when there is none that a header can carry. */
  readonly inReplyTo: string | null;
  readonly at: Date;
}

/** The most characters of an address, and of its part before the @ (RFC 5321, section 4.5.3.1). No server takes a longer one. */
const [MAX_ADDRESS_LENGTH, MAX_LOCAL_PART_LENGTH] = [254, 64];

/** Returns whether a header can carry an address unchanged: no quotes, no comments, no groups. */
export function isPlainAddress(text: string): boolean {
  if (text.length > MAX_ADDRESS_LENGTH || text.indexOf('@') > MAX_LOCAL_PART_LENGTH) return false;
  return /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*@(?:[a-z0-9-]{1,63}\.)+[a-z0-9-]{2,63}$/i.test(
    text,
  );
}

/** Returns the notice as an email. */
export function noticeEmail(facts: NoticeFacts): string {
  const { inReplyTo, audience } = facts;
  const { subject } = leadOf(facts);
  return ownMail({
    from: facts.from,
    to: facts.to,
    subject: `${subject} (${referenceOf(facts.runId)})`,
    at: facts.at,
    id: `${facts.runId}.${audience === 'reader' ? 'second' : 'notice'}`,
    fields: [
      ...(inReplyTo === null ? [] : [`In-Reply-To: ${inReplyTo}`, `References: ${inReplyTo}`]),
      `X-Airlock-Run: ${facts.runId}`,
      'X-Airlock-Notice: quarantined',
    ],
    language: facts.language,
    text: noticeText(facts),
  });
}

/** Returns the first words of the notice. */
function leadOf({ language, audience }: NoticeFacts): { readonly subject: string; readonly lead: string } {
  const { notice, second } = wordsIn(language);
  if (audience === 'admin') return { subject: notice.adminSubject, lead: notice.adminLead };
  return audience === 'recipient'
    ? { subject: notice.recipientSubject, lead: notice.recipientLead }
    : { subject: second.withheldSubject, lead: second.withheldLead };
}

function noticeText(facts: NoticeFacts): string {
  const { language, audience, held, why, help, runId } = facts;
  const { notice } = wordsIn(language);
  const { labels } = notice;
  const rows = [
    [labels.from, held.from],
    [labels.to, audience === 'admin' ? held.to : ''],
    [labels.subject, held.subject],
    [labels.date, held.date],
  ].filter(([, value]) => value !== '');
  return [
    leadOf(facts).lead,
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
