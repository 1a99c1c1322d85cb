/** The mails of a run. Each has a word of its own, so that what is delivered can be told from every other mail. */
import { randomBytes } from 'node:crypto';
import { buildPdf } from '../../fixtures/build-pdf.ts';

export interface Mail {
  /** A word that stands in this mail and in no other. */
  readonly word: string;
  readonly bytes: Buffer;
  /** How the mail must end. */
  readonly must: Must;
  /** Texts that may stand in nothing that is delivered. */
  readonly forbidden: readonly string[];
  /** Files that may not be delivered. */
  readonly forbiddenFiles?: readonly Buffer[];
}

export type Must = 'delivered' | 'quarantined' | 'either';

/** The standard file for testing scanners, in two pieces, so that no scanner takes this file for it. */
export const EICAR = ['X5O!P%@AP[4\\PZX54(P^)7CC)7}$', 'EICAR-STANDARD-ANTIVIRUS-TEST-FILE!$H+H*'].join('');

interface Part {
  readonly name: string;
  readonly type: string;
  readonly bytes: Uint8Array | string;
}

/** A short mail without attachments, with one link. */
export function plainMail(): Mail {
  const word = newWord();
  return mail(word, `Dear Bob,\r\nthe word of today is ${word}.\r\nSee https://shop.example/${word}\r\n`, []);
}

/** A mail with a PDF whose script must go. */
export function mailWithPdf(): Mail {
  const word = newWord();
  const bytes = buildPdf({ text: `Invoice ${word}`, javascript: true });
  return {
    ...mail(word, `The invoice ${word} is attached.\r\n`, [{ name: 'invoice.pdf', type: 'application/pdf', bytes }]),
    forbidden: ['app.alert'],
  };
}

/** A mail with a file that every scanner knows. */
export function badMail(): Mail {
  const word = newWord();
  const files = [{ name: 'setup.txt', type: 'text/plain', bytes: EICAR }];
  return { ...mail(word, `Please run ${word}.\r\n`, files), must: 'quarantined', forbidden: [EICAR] };
}

/** A mail with any one attachment. */
export function mailWithFile(name: string, type: string, bytes: Uint8Array, must: Must): Mail {
  const word = newWord();
  return { ...mail(word, `A file for ${word}.\r\n`, [{ name, type, bytes }]), must };
}

/** A mail with so many different files, links and recipients, and with subjects and names of 256 characters of this alphabet. */
export function crowdedMail(
  counts: { readonly files: number; readonly links: number; readonly recipients: number },
  letter: string,
  must: Must = 'delivered',
): Mail {
  const word = newWord();
  const long = letter.repeat(256 / letter.length);
  const encoded = encodedWord(long);
  const files = Array.from({ length: counts.files }, (_, at) => ({
    name: encodedWord(`${at} ${long}.txt`),
    type: 'text/plain',
    bytes: `note ${at} of ${word}`,
  }));
  const links = Array.from({ length: counts.links }, (_, at) => `https://shop.example/${word}/${at}`).join('\r\n');
  const recipients = Array.from({ length: counts.recipients }, (_, at) => `r${at}@recipient.example`).join(',\r\n ');
  const made = mail(word, `The word is ${word}.\r\n${links}\r\n`, files);
  const text = made.bytes.toString();
  const headed = text
    .replace(
      'To: bob@recipient.example',
      `To: ${encoded} <bob@recipient.example>${recipients && `,\r\n ${recipients}`}`,
    )
    .replace(`Subject: Mail ${word}`, `Subject: ${encoded} ${word}`);
  return { ...made, bytes: Buffer.from(headed), must };
}

/** A word of a header, as RFC 2047 writes any text, in pieces that are short enough. */
function encodedWord(text: string): string {
  const pieces = [...text].reduce<string[]>((found, letter, at) => {
    if (at % 10 === 0) found.push('');
    found.push(`${found.pop()}${letter}`);
    return found;
  }, []);
  return pieces.map((piece) => `=?utf-8?B?${Buffer.from(piece).toString('base64')}?=`).join('\r\n ');
}

const KINDS = [plainMail, mailWithPdf, badMail];

/** So many mails of all kinds, in turn. */
export function mixedMails(count: number): Mail[] {
  return Array.from({ length: count }, (_, index) => (KINDS[index % KINDS.length] as () => Mail)());
}

/** The word of any mail, wherever it stands in a text. */
export const WORD = /word[0-9a-f]{16}/g;

const newWord = () => `word${randomBytes(8).toString('hex')}`;

function mail(word: string, text: string, files: readonly Part[]): Mail {
  const lines = [
    'From: Ana <ana@sender.example>',
    'To: bob@recipient.example',
    `Subject: Mail ${word}`,
    'Date: Fri, 20 Nov 2026 12:00:00 +0000',
    `Message-ID: <${word}@sender.example>`,
    'MIME-Version: 1.0',
    'Content-Type: multipart/mixed; boundary="b1"',
    '',
    ...part(['Content-Type: text/plain; charset=utf-8'], text),
    ...files.flatMap(({ name, type, bytes }) =>
      part(
        [
          `Content-Type: ${type}; name="${name}"`,
          `Content-Disposition: attachment; filename="${name}"`,
          'Content-Transfer-Encoding: base64',
        ],
        Buffer.from(bytes).toString('base64').replace(/.{76}/g, '$&\r\n'),
      ),
    ),
    '--b1--',
    '',
  ];
  return { word, bytes: Buffer.from(lines.join('\r\n')), must: 'delivered', forbidden: [] };
}

function part(headers: readonly string[], body: string): string[] {
  return ['--b1', ...headers, '', body];
}
