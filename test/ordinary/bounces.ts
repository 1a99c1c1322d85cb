/** Reports that mail servers send: of mail that could not be delivered, of mail that was read, of mail that somebody complained about. */
import { base64, lines, mailOf, multipart, type OrdinaryMail, textPart } from './ordinary-mail.ts';

const bounce = (id: string, bytes: Uint8Array): OrdinaryMail => ({ id: `bounce ${id}`, group: 'bounce', bytes });

/** A report (RFC 3462) of parts. */
const report = (from: string, kind: string, boundary: string, parts: readonly string[]): Uint8Array =>
  mailOf(
    { from, subject: 'Undelivered Mail Returned to Sender', fields: ['Auto-Submitted: auto-replied'] },
    multipart(`report; report-type=${kind}`, boundary, parts),
  );

const ORIGINAL_HEADER = lines(
  'Received: from laptop (unknown [198.51.100.7])',
  '\tby mx.recipient.example (Postfix) with ESMTPSA id 9F1D2',
  'From: Bob Recipient <bob@recipient.example>',
  'To: ann@sender.example',
  'Subject: Minutes 3.1.4.2',
  'Date: Fri, 20 Nov 2026 09:59:00 +0100',
  'Message-ID: <1@recipient.example>',
  'MIME-Version: 1.0',
);
const ORIGINAL_TEXT = lines('Hello Ann,', '', 'see https://www.recipient.example/minutes for the rest.', '', 'Bob', '');
const ORIGINAL = lines(
  ORIGINAL_HEADER,
  multipart('alternative', 'inner1', [
    textPart(ORIGINAL_TEXT),
    textPart(`<html><body><p>Hello Ann</p></body></html>`, 'text/html; charset=utf-8'),
  ]),
);
const returned = (message: string) => lines('Content-Type: message/rfc822', '', message);
const status = (...fields: readonly string[]) =>
  lines('Content-Description: Delivery report', 'Content-Type: message/delivery-status', '', ...fields, '');

const postfix = (third: string, boundary = '4Tq1Xw2c5z.1700/mx.sender.example') =>
  report('MAILER-DAEMON@mx.sender.example (Mail Delivery System)', 'delivery-status', boundary, [
    lines(
      'Content-Description: Notification',
      'Content-Type: text/plain; charset=us-ascii',
      '',
      'This is the mail system at host mx.sender.example.',
      '',
      "I'm sorry to have to inform you that your message could not",
      "be delivered to one or more recipients. It's attached below.",
      '',
      '<ann@sender.example>: connect to mail.sender.example[192.0.2.25]:25: Connection timed out',
      '<eve@sender.example>: host 203.0.113.9[203.0.113.9] said: 550 5.1.1 User',
      '    unknown (in reply to RCPT TO command)',
      '',
    ),
    status(
      'Reporting-MTA: dns; mx.sender.example',
      'X-Postfix-Queue-ID: 4Tq1Xw2c5z',
      'X-Postfix-Sender: rfc822; bob@recipient.example',
      'Arrival-Date: Fri, 20 Nov 2026 09:59:00 +0000 (UTC)',
      '',
      'Final-Recipient: rfc822; ann@sender.example',
      'Original-Recipient: rfc822;ann@sender.example',
      'Action: failed',
      'Status: 4.4.1',
      'Remote-MTA: dns; 203.0.113.9',
      'Diagnostic-Code: X-Postfix; connect to mail.sender.example[192.0.2.25]:25: Connection timed out',
    ),
    third,
  ]);

const exchange = report('postmaster@recipient.example', 'delivery-status', '_000_f1b2c3_', [
  multipart('alternative', '_001_f1b2c3_', [
    textPart(
      lines(
        'Delivery has failed to these recipients or groups:',
        '',
        'ann@sender.example<mailto:ann@sender.example>',
        "The email address you entered couldn't be found.",
        '',
        'Diagnostic information for administrators:',
        '',
        'Generating server: EX01.corp.recipient.example',
        '',
        'ann@sender.example',
        'mx.sender.example #<mx.sender.example #5.1.1 smtp; 550 5.1.1 User unknown> #SMTP#',
        '',
        'Received: from EX01.corp.recipient.example (10.20.30.40) by',
        ' EX02.corp.recipient.example (10.20.30.41) with Microsoft SMTP Server (TLS) id',
        ' 15.1.2507.35; Fri, 20 Nov 2026 10:59:00 +0100',
        'Received: from EX01.corp.recipient.example ([::1]) by EX01 ([fe80::1%12]) with mapi id 15.02.1118.040',
      ),
      'text/plain; charset="us-ascii"',
    ),
    textPart(
      lines(
        '<html><head><meta http-equiv="Content-Type" content="text/html; charset=us-ascii"></head><body>',
        '<p><b><font color="#000066" size="3" face="Arial">Delivery has failed to these recipients or groups:</font></b></p>',
        '<p><a href="mailto:ann@sender.example">ann@sender.example</a><br>The address could not be found.</p>',
        '<p>Generating server: EX01.corp.recipient.example<br>Remote server 203.0.113.9 returned 550 5.1.1</p>',
        '<p>Exchange 15.1.2.3 and 15.20.4.7, id 15.2.3.4</p></body></html>',
      ),
      'text/html; charset="us-ascii"',
    ),
  ]),
  lines(
    'Content-Type: message/delivery-status',
    '',
    'Reporting-MTA: dns;EX01.corp.recipient.example',
    'Received-From-MTA: dns;EX02.corp.recipient.example',
    'Arrival-Date: Fri, 20 Nov 2026 09:59:00 +0000',
    '',
    'Final-Recipient: rfc822;ann@sender.example',
    'Action: failed',
    'Status: 5.1.1',
    'Diagnostic-Code: smtp;550 5.1.1 User unknown [10.20.30.40]',
    'Remote-MTA: dns;203.0.113.9',
    'X-Display-Name: Ann',
    '',
  ),
  returned(ORIGINAL),
]);

const gmail = report(
  'Mail Delivery Subsystem <mailer-daemon@googlemail.example>',
  'delivery-status',
  '000000000000d1e2f3',
  [
    multipart('related', '000000000000d1e2f5', [
      multipart('alternative', '000000000000d1e2f6', [
        textPart(
          lines(
            '',
            '** Address not found **',
            '',
            "Your message wasn't delivered to ann@sender.example because the address couldn't be found, or is unable to receive mail.",
            '',
            'Learn more here: https://support.google.com/mail/?p=NoSuchUser',
            '',
            'The response was:',
            '',
            "DNS Error: 1234567 DNS type 'mx' lookup of sender.example responded with code NXDOMAIN [203.0.113.53]",
          ),
          'text/plain; charset=UTF-8',
        ),
        textPart(
          '<html><head><style>* {font-family:Roboto}</style></head><body><h2>Address not found</h2><p>The response was: [203.0.113.53 NXDOMAIN]</p><a href="https://support.google.com/mail/?p=NoSuchUser">LEARN MORE</a></body></html>',
          'text/html; charset=UTF-8',
        ),
      ]),
    ]),
    lines(
      'Content-Type: message/delivery-status',
      '',
      'Reporting-MTA: dns; googlemail.example',
      'Received-From-MTA: dns; bob@recipient.example',
      'Arrival-Date: Fri, 20 Nov 2026 01:59:00 -0800 (PST)',
      'X-Original-Message-ID: <1@recipient.example>',
      '',
      'Final-Recipient: rfc822; ann@sender.example',
      'Action: failed',
      'Status: 5.1.1',
      'Remote-MTA: dns; mx.sender.example. (203.0.113.9, the server for the domain sender.example.)',
      'Diagnostic-Code: smtp; 550-5.1.1 https://support.google.com/mail/?p=NoSuchUser 203.0.113.9',
      'Last-Attempt-Date: Fri, 20 Nov 2026 02:00:00 -0800 (PST)',
      '',
    ),
    returned(ORIGINAL),
  ],
);

const sendmail = report(
  'Mail Delivery Subsystem <MAILER-DAEMON@relay.sender.example>',
  'delivery-status',
  'AAK9x.17/relay',
  [
    lines(
      '',
      'The original message was received at Fri, 20 Nov 2026 10:00:00 +0100',
      'from laptop.recipient.example [198.51.100.7]',
      '',
      '   ----- The following addresses had permanent fatal errors -----',
      '<ann@sender.example>',
      '    (reason: 550 5.7.1 Service unavailable; client [198.51.100.7] blocked using zen.list.example)',
      '',
      '   ----- Transcript of session follows -----',
      '... while talking to [203.0.113.9]:',
      '>>> DATA',
      '<<< 550 5.7.1 Access denied',
      '554 5.0.0 Service unavailable',
      '',
    ),
    lines(
      'Content-Type: message/delivery-status',
      '',
      'Reporting-MTA: dns; relay.sender.example',
      'Received-From-MTA: DNS; laptop.recipient.example',
      'Arrival-Date: Fri, 20 Nov 2026 10:00:00 +0100',
      '',
      'Final-Recipient: RFC822; ann@sender.example',
      'Action: failed',
      'Status: 5.7.1',
      'Remote-MTA: DNS; [203.0.113.9]',
      'Diagnostic-Code: SMTP; 550 5.7.1 Access denied 203.0.113.9',
      'Last-Attempt-Date: Fri, 20 Nov 2026 10:00:01 +0100',
      '',
    ),
    lines('Content-Type: text/rfc822-headers', '', ORIGINAL_HEADER, ''),
  ],
);

const exim = report(
  'Mail Delivery System <Mailer-Daemon@exim.sender.example>',
  'delivery-status',
  '1700000000-eximdsn-12345',
  [
    lines(
      'Content-type: text/plain; charset=us-ascii',
      '',
      'This message was created automatically by mail delivery software.',
      '',
      'A message that you sent could not be delivered to one or more of its',
      'recipients. This is a permanent error. The following address(es) failed:',
      '',
      '  ann@sender.example',
      '    host mx.sender.example [203.0.113.9]',
      '    SMTP error from remote mail server after end of data:',
      '    550 rejected, see 203.0.113.9 and 2001:db8::1',
      '',
    ),
    lines(
      'Content-type: message/delivery-status',
      '',
      'Reporting-MTA: dns; exim.sender.example',
      '',
      'Action: failed',
      'Final-Recipient: rfc822;ann@sender.example',
      'Status: 5.0.0',
      'Remote-MTA: dns; mx.sender.example',
      'Diagnostic-Code: smtp; 550 rejected 203.0.113.9',
      '',
    ),
    returned(ORIGINAL),
  ],
);

/** Exim's old form, and qmail's: one text. */
const asText = (from: string, ...text: readonly string[]) =>
  mailOf(
    { from, subject: 'Mail delivery failed: returning message to sender' },
    'Content-Type: text/plain; charset=us-ascii',
    '',
    ...text,
    '',
  );

const readReceipt = report('Ann <ann@sender.example>', 'disposition-notification', 'mdn1', [
  textPart('Your message was read on 192.0.2.44 (Outlook 16.0.5.7).'),
  lines(
    'Content-Type: message/disposition-notification',
    '',
    'Reporting-UA: mail.sender.example; Outlook 16.0.5.7 [192.0.2.44]',
    'Final-Recipient: rfc822;ann@sender.example',
    'Original-Message-ID: <1@recipient.example>',
    'Disposition: manual-action/MDN-sent-manually; displayed',
    '',
  ),
]);

const complaint = report('<feedback@isp.example>', 'feedback-report', 'arf1', [
  textPart('This is an email abuse report for a message received from IP 192.0.2.1 on Fri, 20 Nov 2026.'),
  lines(
    'Content-Type: message/feedback-report',
    '',
    'Feedback-Type: abuse',
    'User-Agent: SomeGenerator/1.0.2.4',
    'Version: 1',
    'Source-IP: 192.0.2.1',
    'Reporting-MTA: dns; mail.isp.example',
    'Reported-Domain: recipient.example',
    'Reported-Uri: https://www.recipient.example/minutes',
    '',
  ),
  returned(ORIGINAL),
]);

const PICTURE = base64(Buffer.alloc(600, 'a row of bytes of some picture, '));
const withFile = (isBroken: boolean) =>
  lines(
    ORIGINAL_HEADER,
    multipart(
      'mixed',
      'inner2',
      [
        textPart(ORIGINAL_TEXT),
        lines(
          'Content-Type: application/octet-stream; name="data.bin"',
          'Content-Transfer-Encoding: base64',
          'Content-Disposition: attachment; filename="data.bin"',
          '',
          isBroken ? PICTURE.slice(0, -131) : PICTURE,
        ),
      ],
      false,
    ).replace(/\r\n$/, ''),
  );
/** The servers cut the original after so many bytes: in a text, at the end of a line of a file, and within one. */
const CUT: Readonly<Record<string, string>> = {
  'in a text': `${lines(ORIGINAL_HEADER, multipart('alternative', 'inner1', [textPart(ORIGINAL_TEXT.slice(0, 60))], false)).replace(/\r\n\r\n$/, '')}`,
  'in a page': lines(
    ORIGINAL_HEADER,
    multipart(
      'alternative',
      'inner1',
      [textPart(ORIGINAL_TEXT), textPart('<html><body><p>Hello Ann, see <b>the', 'text/html; charset=utf-8')],
      false,
    ),
  ),
  'behind a file': withFile(false),
  'in a line of a file': withFile(true),
  'in two multiparts': lines(
    ORIGINAL_HEADER,
    multipart('mixed', 'inner3', [multipart('alternative', 'inner4', [textPart(ORIGINAL_TEXT)], false)], false),
  ),
};

/** Every report. */
export function* bounces(): Generator<OrdinaryMail> {
  yield bounce('of Postfix with the original', postfix(returned(ORIGINAL)));
  yield bounce('of Postfix with headers', postfix(lines('Content-Type: text/rfc822-headers', '', ORIGINAL_HEADER, '')));
  yield bounce('of Exchange', exchange);
  yield bounce('of Gmail', gmail);
  yield bounce('of Sendmail', sendmail);
  yield bounce('of Exim', exim);
  yield bounce(
    'of Exim as a text',
    asText(
      'Mailer-Daemon@exim.sender.example',
      'The following address failed:',
      '  ann@sender.example',
      '    host mx [203.0.113.9]: 550 no',
      '',
      '------ This is a copy of the message, including all the headers. ------',
      '',
      ORIGINAL,
    ),
  );
  yield bounce(
    'of qmail',
    asText(
      'MAILER-DAEMON@qmail.sender.example',
      'Hi. This is the qmail-send program at qmail.sender.example.',
      '<ann@sender.example>:',
      '203.0.113.9 does not like recipient.',
      'Remote host said: 550 no such user',
      'Giving up on 203.0.113.9.',
      '',
      '--- Below this line is a copy of the message.',
      '',
      ORIGINAL_HEADER,
      'Content-Type: text/plain; charset=us-ascii',
      '',
      ORIGINAL_TEXT,
    ),
  );
  yield bounce('a receipt', readReceipt);
  yield bounce('a complaint', complaint);
  for (const [where, original] of Object.entries(CUT)) yield bounce(`cut off ${where}`, postfix(returned(original)));
  const whole = Buffer.from(postfix(returned(ORIGINAL))).toString();
  yield bounce('without its last line', Buffer.from(whole.slice(0, whole.lastIndexOf('--4Tq1'))));
  yield bounce('without its last two dashes', Buffer.from(whole.replace(/--\r\n$/, '')));
}
