/** The mails that are sent through every recipe, what swaks says of them, and what must arrive. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Ran, runTool } from '../tools.ts';
import type { Arrived } from './mailboxes.ts';

const SEND_MS = 120_000;
const INVOICE = readFileSync(new URL('../../fixtures/emails/invoice-with-macro.eml', import.meta.url), 'utf8');
// Put together here, because programs that look for it would find this file.
const EICAR = ['X5O!P%@AP[4\\PZX54(P^)7CC)7}$EICAR', 'STANDARD-ANTIVIRUS', 'TEST-FILE!$H+H*'].join('-');
const NOTES = Buffer.from(Array.from({ length: 20_000 }, (_, index) => `${index} notes\n`).join(''));
const WORDS = 'Grüße — at one?\r\n..two dots\r\n.one dot\r\nFrom here on.\r\n';

export interface TrialMail {
  readonly subject: string;
  readonly from: string;
  /** Local parts. */
  readonly to: readonly string[];
  readonly message: string;
  /** What is wrong with how it arrived; null for mail that must not arrive. */
  readonly problemOf: ((arrived: Arrived) => string | null) | null;
}

const HEAD =
  'Date: Mon, 23 Nov 2026 09:00:00 +0000\r\nFrom: Ana <ana@sender.example>\r\nTo: all@rcpt.example\r\nMIME-Version: 1.0\r\n';

function withFile(subject: string, name: string, type: string, bytes: Uint8Array): string {
  const base64 = Buffer.from(bytes).toString('base64').replace(/.{76}/g, '$&\r\n');
  const file = `Content-Type: ${type}; name="${name}"\r\nContent-Disposition: attachment; filename="${name}"\r\n`;
  return (
    `${HEAD}Subject: ${subject}\r\nMessage-ID: <${name}@sender.example>\r\nContent-Type: multipart/mixed; boundary=x\r\n\r\n` +
    `--x\r\nContent-Type: text/plain\r\n\r\nSee the file.\r\n--x\r\n${file}Content-Transfer-Encoding: base64\r\n\r\n${base64}\r\n--x--\r\n`
  );
}

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
const textOf = ({ parts }: Arrived) => (parts[0]?.text ?? '').replaceAll('\n', '\r\n').replace(/\r+\n/g, '\r\n');

export const MAILS: readonly TrialMail[] = [
  {
    subject: 'Words',
    from: 'ana@sender.example',
    to: ['bo', 'cy', 'di'],
    message: `${HEAD}Subject: Words\r\nMessage-ID: <words@sender.example>\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: 8bit\r\n\r\n${WORDS}`,
    problemOf: (arrived) =>
      textOf(arrived).trimEnd() === WORDS.trimEnd() ? null : `other words: ${JSON.stringify(textOf(arrived))}`,
  },
  {
    subject: 'Notes',
    from: 'ana@sender.example',
    to: ['bo'],
    message: withFile('Notes', 'notes.txt', 'text/plain', NOTES),
    problemOf: ({ parts }) => (parts[1]?.sha256 === sha256(NOTES) ? null : 'another file'),
  },
  {
    subject: 'From nobody',
    from: '<>',
    to: ['cy'],
    message: `${HEAD}Subject: From nobody\r\nMessage-ID: <null@sender.example>\r\n\r\nA report.\r\n`,
    problemOf: ({ returnPath }) => (returnPath === '<>' ? null : `another sender: ${returnPath}`),
  },
  {
    subject: 'Invoice 2026-117',
    from: 'ana@sender.example',
    to: ['di'],
    message: INVOICE.replace(/\r?\n/g, '\r\n'),
    problemOf({ parts }) {
      const names = parts.map(({ name }) => name);
      const isDisarmed = names.includes('invoice-2026-117.docx') && !names.includes('invoice-2026-117.docm');
      return isDisarmed ? null : `files ${names.join(', ')}`;
    },
  },
  {
    subject: 'Test file',
    from: 'eve@sender.example',
    to: ['bo', 'cy'],
    message: withFile('Test file', 'test.txt', 'text/plain', Buffer.from(EICAR)),
    problemOf: null,
  },
];

export const WANTED = MAILS.filter(({ problemOf }) => problemOf !== null);
/** Messages in all mailboxes when everything has arrived. */
export const COPIES = WANTED.reduce((sum, { to }) => sum + to.length, 0);

/** Sends one mail with swaks. Its exit code is 0 when the server took the mail for all recipients. */
export async function swaks(
  folder: string,
  port: number,
  mail: Omit<TrialMail, 'problemOf'>,
  domain: string,
  options: readonly string[] = [],
): Promise<Ran> {
  const file = join(folder, 'message.eml');
  await writeFile(file, mail.message);
  const to = mail.to.map((name) => `${name}@${domain}`).join(',');
  const server = ['--server', '127.0.0.1', '--port', String(port), '--ehlo', 'client.example'];
  const args = [...server, '--from', mail.from, '--to', to, '--data', `@${file}`, ...options];
  return runTool('swaks', args, SEND_MS);
}

/** What is wrong with all that arrived: each mail once for each recipient, as it must be, and through the gateway. */
export function problemsOf(arrived: readonly Arrived[]): string[] {
  const strangers = arrived.filter(({ received }) => !received.some((field) => field.includes('Mail Airlock')));
  return [
    ...contentProblems(arrived),
    ...strangers.map(({ subject }) => `${subject}: did not come through the gateway`),
  ];
}

/** The same of mail that Postfix never gave away. */
export function contentProblems(arrived: readonly Arrived[]): string[] {
  return MAILS.flatMap(({ subject, to, problemOf }) => {
    const copies = arrived.filter((message) => message.subject === subject);
    const boxes = copies.map(({ mailbox }) => mailbox).sort();
    const expected = problemOf === null ? [] : [...to].sort();
    if (boxes.join() !== expected.join()) return [`${subject}: arrived for [${boxes}] and not for [${expected}]`];
    return copies.flatMap((copy) => problemOf?.(copy) ?? []).map((problem) => `${subject}: ${problem}`);
  });
}
