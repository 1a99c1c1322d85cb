/** The daily mail that tells one recipient what was held. All text of the held messages was made safe before it comes in. Pure. */
import type { Help } from './help.ts';
import { filled, wordsIn } from './in-language.ts';
import { ownMail } from './own-mail.ts';
import type { Language, Plural } from './words.ts';

/** One held message. */
export interface DigestItem {
  /** Already made safe to show. */
  readonly from: string;
  readonly subject: string;
  readonly date: string;
  readonly why: readonly string[];
  /** The address of the page for this recipient. */
  readonly link: string;
}

export interface DigestFacts {
  readonly language: Language;
  /** Plain addresses: see `isPlainAddress`. */
  readonly from: string;
  readonly to: string;
  /** A date such as `2026-11-23`. */
  readonly day: string;
  readonly until: string;
  readonly items: readonly DigestItem[];
  /** The number of further held messages. */
  readonly unlisted: number;
  readonly help: Help;
  /** Unique for recipient and day, in hexadecimal. The same digest has the same message id. */
  readonly id: string;
  readonly at: Date;
}

/** Returns the digest as an email. */
export function digestEmail(facts: DigestFacts): string {
  const { digest } = wordsIn(facts.language);
  return ownMail({
    from: facts.from,
    to: [facts.to],
    subject: counted(digest.subject, facts.items.length + facts.unlisted),
    at: facts.at,
    id: `${facts.id}.digest`,
    fields: ['X-Airlock-Notice: digest'],
    language: facts.language,
    text: digestText(facts),
  });
}

function digestText({ language, day, until, items, unlisted, help }: DigestFacts): string {
  const { digest, notice, contact } = wordsIn(language);
  const more = filled(counted(digest.more, unlisted), { contact: help.contact === '' ? contact : help.contact });
  return [
    filled(digest.lead, { day }),
    '',
    ...items.flatMap((item) => itemLines(language, item)),
    ...(unlisted === 0 ? [] : [more, '']),
    filled(digest.until, { day: until }),
    '',
    notice.automatic,
    '',
  ].join('\r\n');
}

function itemLines(language: Language, { from, subject, date, why, link }: DigestItem): string[] {
  const { digest, notice } = wordsIn(language);
  const rows = [
    [notice.labels.from, from],
    [notice.labels.subject, subject],
    [notice.labels.date, date],
  ].filter(([, value]) => value !== '');
  return [
    ...rows.map(([label, value]) => `${label}: ${value}`),
    `${notice.labels.why}: ${why.join(' ')}`,
    filled(digest.open, { link }),
    '',
  ];
}

const counted = ([one, several]: Plural, n: number): string => filled(n === 1 ? one : several, { n });
