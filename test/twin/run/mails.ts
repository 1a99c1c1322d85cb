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

const KINDS = [plainMail, mailWithPdf, badMail];

/** So many mails of all kinds, in turn. */
export function mixedMails(count: number): Mail[] {
  return Array.from({ length: count }, (_, index) => (KINDS[index % KINDS.length] as () => Mail)());
}

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
