/** A mail of ours to people. All of its content is ours, or was made safe before. Pure. */
import type { Language } from './words.ts';

export interface OwnMail {
  /** Plain addresses: see `isPlainAddress`. */
  readonly from: string;
  /** Names nobody: only the envelope has the recipients. */
  readonly to: readonly string[];
  readonly subject: string;
  readonly at: Date;
  /** The text before the `@` of the message id. */
  readonly id: string;
  /** Header lines of this kind of mail. */
  readonly fields: readonly string[];
  readonly language: Language;
  readonly text: string;
}

/** Returns the mail (RFC 5322) with CRLF line ends. It asks programs not to answer it (RFC 3834 §5). */
export function ownMail({ from, to, subject, at, id, fields, language, text }: OwnMail): string {
  const header = [
    `From: Mail Airlock <${from}>`,
    `To: ${to.length === 0 ? 'undisclosed-recipients:;' : to.join(',\r\n ')}`,
    `Subject: ${encodedWords(subject)}`,
    `Date: ${at.toUTCString().replace('GMT', '+0000')}`,
    `Message-ID: <${id}@${from.slice(from.indexOf('@') + 1)}>`,
    'Auto-Submitted: auto-generated',
    'X-Auto-Response-Suppress: All',
    ...fields,
    'MIME-Version: 1.0',
    'Content-Type: text/plain; charset=utf-8',
    'Content-Transfer-Encoding: base64',
    `Content-Language: ${language}`,
  ];
  return [...header, '', ...base64Lines(text), ''].join('\r\n');
}

/** RFC 2047 §2: a word has at most 75 characters, and no character is split between two words. */
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
