/** Letters that could not be delivered, as six servers return them: with the whole letter, and with its header. */
import { letters } from './letters.ts';
import { lines, mailOf, multipart, type OrdinaryMail, textPart } from './ordinary-mail.ts';

interface Server {
  readonly name: string;
  readonly from: string;
  readonly boundary: string;
  readonly preamble?: string;
  readonly words: readonly string[];
  readonly mta: string;
}

const SERVERS: readonly Server[] = [
  {
    name: 'Postfix',
    from: 'MAILER-DAEMON@mx.sender.example (Mail Delivery System)',
    boundary: '4Tq1Xw2c5z.1700000000/mx.sender.example',
    preamble: 'This is a MIME-encapsulated message.',
    words: [
      'This is the mail system at host mx.sender.example.',
      '',
      '<eve@sender.example>: host mail.sender.example[203.0.113.9] said: 550 5.1.1 User unknown',
    ],
    mta: 'dns; mx.sender.example',
  },
  {
    name: 'Exim',
    from: 'Mail Delivery System <Mailer-Daemon@exim.sender.example>',
    boundary: '1700000000-eximdsn-4711',
    words: [
      'This message was created automatically by mail delivery software.',
      '',
      '  eve@sender.example',
      '    host mail.sender.example [203.0.113.9]',
    ],
    mta: 'dns; exim.sender.example',
  },
  {
    name: 'Sendmail',
    from: 'Mail Delivery Subsystem <MAILER-DAEMON@relay.sender.example>',
    boundary: 'AAK9x4711.1700000000/relay.sender.example',
    preamble: 'This is a MIME-encapsulated message',
    words: [
      '   ----- The following addresses had permanent fatal errors -----',
      '<eve@sender.example>',
      '    (reason: 550 5.1.1 User unknown)',
      '',
      '   ----- Transcript of session follows -----',
      '<<< 550 5.1.1 User unknown',
    ],
    mta: 'dns; relay.sender.example',
  },
  {
    name: 'Exchange',
    from: 'Microsoft Outlook <postmaster@recipient.example>',
    boundary: '_000_0a1b2c3d4e5f_',
    words: [
      'Delivery has failed to these recipients or groups:',
      '',
      'eve@sender.example',
      "The email address you entered couldn't be found.",
    ],
    mta: 'dns;EX01.corp.recipient.example',
  },
  {
    name: 'Courier',
    from: 'courier mail server <postmaster@courier.sender.example>',
    boundary: '=_courier-0',
    preamble:
      'This is a MIME-formatted message.  If you see this text it means that your\r\nE-mail software does not support MIME-formatted messages.',
    words: [
      'This is a delivery status notification from courier.sender.example.',
      '',
      '<eve@sender.example>:',
      '     <<< 550 User unknown.',
    ],
    mta: 'dns; courier.sender.example',
  },
  {
    name: 'qmail with reports',
    from: 'MAILER-DAEMON@qmail.sender.example',
    boundary: '1700000000qmail4711',
    words: [
      'Hi. This is the qmail-send program at qmail.sender.example.',
      '',
      '<eve@sender.example>:',
      'Remote host said: 550 no such user',
    ],
    mta: 'dns; qmail.sender.example',
  },
];

function returned({ from, boundary, preamble, words, mta }: Server, original: string): Uint8Array {
  const status = lines(
    'Content-Type: message/delivery-status',
    '',
    `Reporting-MTA: ${mta}`,
    'Arrival-Date: Fri, 20 Nov 2026 10:00:00 +0000',
    '',
    'Final-Recipient: rfc822; eve@sender.example',
    'Action: failed',
    'Status: 5.1.1',
    'Diagnostic-Code: smtp; 550 5.1.1 User unknown',
    '',
  );
  const parts = [textPart(lines(...words, ''), 'text/plain; charset=us-ascii'), status, original];
  const whole = multipart('report; report-type=delivery-status', boundary, parts);
  const noted = preamble === undefined ? whole : whole.replace('\r\n\r\n', `\r\n\r\n${preamble}\r\n\r\n`);
  return mailOf(
    { from, subject: 'Undelivered Mail Returned to Sender', fields: ['Auto-Submitted: auto-replied'] },
    noted,
  );
}

/** Eight letters from every server. */
export function* returnedLetters(): Generator<OrdinaryMail> {
  const originals = [...letters()]
    .filter(({ id }) => / [03]$/.test(id))
    .map(({ bytes }) => Buffer.from(bytes).toString('utf8'));
  for (const server of SERVERS)
    for (const [at, letter] of originals.slice(0, 8).entries()) {
      const head = letter.slice(0, letter.indexOf('\r\n\r\n') + 2);
      const isWhole = at % 4 !== 3;
      const part = isWhole
        ? lines('Content-Type: message/rfc822', '', letter)
        : lines('Content-Type: text/rfc822-headers', '', head);
      yield { id: `returned by ${server.name} ${at}`, group: 'bounce', bytes: returned(server, part) };
    }
}
