/** Newsletters, receipts and notices, in the shapes of eight services that send them for others. */
import { quotedPrintable } from './letters.ts';
import { base64, lines, mailOf, multipart, type OrdinaryMail } from './ordinary-mail.ts';

interface Service {
  readonly name: string;
  readonly fields: readonly string[];
  readonly boundary: string;
  readonly preamble?: string;
  readonly encoding: 'quoted-printable' | 'base64' | '8bit';
  /** The address of a link as the service counts it. */
  readonly link: (path: string) => string;
}

const SERVICES: readonly Service[] = [
  {
    name: 'Mailchimp',
    fields: [
      'X-MC-User: 0a1b2c3d4e5f60718293a4b5c',
      'X-Campaign: mailchimp0a1b2c3d4e5f60718293a4b5c.4711',
      'X-campaignid: mailchimp0a1b2c3d4e5f60718293a4b5c.4711',
      'Feedback-ID: 12345678:12345678.4711:us1:mc',
      'List-ID: 0a1b2c3d4e5f60718293a4b5cmc list <0a1b2c3d4e5f60718293a4b5c.1234.list-id.mcsv.example>',
      'X-Accounttype: pd',
    ],
    boundary: '_----------=_MCPart_1234567890',
    encoding: 'quoted-printable',
    link: (path) => `https://sender.us1.list-manage.example/track/click?u=0a1b2c3d&id=${path.length}4711&e=12ab`,
  },
  {
    name: 'SendGrid',
    fields: ['X-SG-EID: u001.aBcDeFgHiJkLmNoPqRsTuVwXyZ0123456789', 'X-SG-ID: u001.SdBcvi', 'X-Entity-ID: u001.abc=='],
    boundary: '0a1b2c3d4e5f60718293a4b5c6d7e8f90a1b2c3d4e5f60718293a4b5c6d7',
    encoding: 'quoted-printable',
    link: (path) => `https://u1234567.ct.sendgrid.example/ls/click?upn=u001.aBcDeF-2B${path}`,
  },
  {
    name: 'Amazon SES',
    fields: ['X-SES-Outgoing: 2026.11.20-54.240.0.1', 'Feedback-ID: ::1.eu-west-1.aBcD=:AmazonSES'],
    boundary: '----=_Part_4711_123456789.1700000000000',
    encoding: '8bit',
    link: (path) => `https://click.sender.example/CL0/https:%2F%2Fwww.sender.example%2F${path}/1/0102018`,
  },
  {
    name: 'a marketing cloud',
    fields: ['x-job: 7000001_4711', 'X-SFMC-Stack: 7', 'x-CSA-Compliance-Source: SFMC'],
    boundary: 'aBcDeFgHiJkL=_?:',
    preamble: 'This is a multi-part message in MIME format.',
    encoding: '8bit',
    link: (path) => `https://click.e.sender.example/?qs=0a1b2c3d4e5f${path}`,
  },
  {
    name: 'PHPMailer',
    fields: ['X-Mailer: PHPMailer 6.9.1 (https://github.com/PHPMailer/PHPMailer)'],
    boundary: 'b1=_aBcDeFgHiJkLmNoPqRsTuVwXyZ0123456789',
    preamble: 'This is a multi-part message in MIME format.',
    encoding: '8bit',
    link: (path) => `https://www.sender.example/${path}`,
  },
  {
    name: 'Nodemailer',
    fields: ['X-Mailjet-Campaign: 4711'],
    boundary: '--_NmP-0a1b2c3d4e5f-Part_1',
    encoding: 'base64',
    link: (path) => `https://x1y2.mjt.example/lnk/AAAAB/0/${path}`,
  },
  {
    name: 'Zend',
    fields: ['X-Mailer: Zend Framework'],
    boundary: '=_0a1b2c3d4e5f60718293a4b5c6d7e8f9',
    preamble: 'This is a message in Mime Format.  If you see this, your mail reader does not support this format.',
    encoding: 'quoted-printable',
    link: (path) => `https://shop.sender.example/index.php?page=${path}&lang=de`,
  },
  {
    name: 'MIME-tools',
    fields: ['X-Mailer: MIME-tools 5.509 (Entity 5.509)'],
    boundary: '----------=_1700000000-4711-0',
    preamble: 'This is a multi-part message in MIME format...',
    encoding: 'quoted-printable',
    link: (path) => `https://news.sender.example/c/${path}`,
  },
];

interface Content {
  readonly subject: string;
  readonly text: (link: Service['link']) => readonly string[];
  readonly page: (link: Service['link']) => string;
}

const amp = (url: string) => url.replaceAll('&', '&amp;');
const button = (url: string, text: string) =>
  `<table role="presentation" border="0" cellpadding="0" cellspacing="0"><tr><td align="center" bgcolor="#1a73e8" style="border-radius:4px"><a href="${amp(url)}" target="_blank" style="display:inline-block;padding:12px 24px;color:#ffffff;text-decoration:none">${text}</a></td></tr></table>`;
const framed = (title: string, inner: string) =>
  lines(
    '<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Transitional//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-transitional.dtd">',
    '<html xmlns="http://www.w3.org/1999/xhtml" lang="en"><head><meta http-equiv="Content-Type" content="text/html; charset=UTF-8" />',
    `<meta name="viewport" content="width=device-width, initial-scale=1.0" /><title>${title}</title>`,
    '<style type="text/css">body{margin:0;padding:0;background-color:#f4f4f4} .col{width:600px} @media only screen and (max-width:620px){.col{width:100% !important}}</style>',
    '<!--[if mso]><style type="text/css">body, table, td {font-family: Arial, Helvetica, sans-serif !important;}</style><![endif]--></head>',
    '<body><div style="display:none;max-height:0;overflow:hidden">Read what is new this week</div><center><table class="col" align="center" cellpadding="0" cellspacing="0" border="0"><tr><td style="padding:24px;background:#ffffff">',
    inner,
    '<p style="font-size:11px;color:#777">Sender GmbH, Main Street 1, 10115 Berlin. You get this because you asked for it.</p>',
    '</td></tr></table></center></body></html>',
    '',
  );

const CONTENTS: readonly Content[] = [
  {
    subject: 'Autumn offers',
    text: (link) => [
      'Autumn offers',
      '',
      `Boots for 49 EUR: ${link('boots')}`,
      `Coats for 89 EUR: ${link('coats')}`,
      '',
    ],
    page: (link) =>
      framed(
        'Autumn offers',
        `<h1>Autumn offers</h1><p>Boots for <b>49&nbsp;&euro;</b></p>${button(link('boots'), 'Order now')}<p>Coats for 89 &euro;</p>${button(link('coats'), 'See coats')}`,
      ),
  },
  {
    subject: 'Your receipt 2026-4711',
    text: () => [
      'Thank you for your order.',
      '',
      'Order 2026-4711',
      '1 x Boots    49.00',
      '1 x Delivery  4.90',
      'Total        53.90',
      '',
    ],
    page: () =>
      framed(
        'Your receipt',
        '<h2>Thank you for your order</h2><table border="1"><tr><td>Boots</td><td>49.00</td></tr><tr><td>Total</td><td>53.90</td></tr></table>',
      ),
  },
  {
    subject: 'Set a new password',
    text: (link) => [
      'Somebody asked for a new password for bob@recipient.example.',
      '',
      link('reset'),
      '',
      'The link is good for 24 hours.',
      '',
    ],
    page: (link) =>
      framed(
        'Password',
        `<p>Somebody asked for a new password for bob@recipient.example.</p>${button(link('reset'), 'Set a new password')}<p>The link is good for 24 hours.</p>`,
      ),
  },
  {
    subject: 'Your parcel is on its way',
    text: (link) => [
      'Parcel 00340434161094042557 comes on Tuesday between 10:00 and 12:00.',
      '',
      `Follow it: ${link('track')}`,
      '',
    ],
    page: (link) =>
      framed(
        'Parcel',
        `<p>Parcel <b>00340434161094042557</b> comes on Tuesday between 10:00 and 12:00.</p>${button(link('track'), 'Follow it')}`,
      ),
  },
  {
    subject: 'Your code is 471 100',
    text: () => ['Your code is 471 100. It is good for ten minutes.', ''],
    page: () => framed('Code', '<p>Your code is</p><p style="font-size:32px;letter-spacing:4px"><b>471 100</b></p>'),
  },
  {
    subject: 'Ann wrote a comment',
    text: (link) => [
      'Ann wrote a comment on "Release 2.3.1":',
      '',
      '  Looks good to me, merge after #4712.',
      '',
      link('comment'),
      '',
    ],
    page: (link) =>
      framed(
        'Comment',
        `<p><b>Ann</b> wrote a comment on &ldquo;Release 2.3.1&rdquo;:</p><blockquote>Looks good to me, merge after #4712.</blockquote><p><a href="${amp(link('comment'))}">Show it</a></p>`,
      ),
  },
  {
    subject: 'The week in numbers',
    text: (link) => ['Visits 12,345 (+4.5 %)', 'Orders 678 (-1.2 %)', '', `All numbers: ${link('numbers')}`, ''],
    page: (link) =>
      framed(
        'Numbers',
        `<table><tr><th>Visits</th><td>12,345</td><td style="color:#0a0">+4.5&nbsp;%</td></tr><tr><th>Orders</th><td>678</td></tr></table><p><a href="${amp(link('numbers'))}">All numbers</a></p>`,
      ),
  },
  {
    subject: 'Invitation to our webinar',
    text: (link) => ['Dear Bob,', '', 'join us on 1 December 2026 at 17:00 CET.', `Register: ${link('register')}`, ''],
    page: (link) =>
      framed(
        'Webinar',
        `<p>Dear Bob,</p><p>join us on <b>1 December 2026</b> at 17:00 CET.</p>${button(link('register'), 'Register')}`,
      ),
  },
];

function encoded(type: string, text: string, encoding: Service['encoding']): string {
  const body = encoding === 'base64' ? base64(text) : encoding === '8bit' ? text : quotedPrintable(text);
  return lines(`Content-Type: ${type}; charset=utf-8`, `Content-Transfer-Encoding: ${encoding}`, '', body);
}

/** Every content through every service. */
export function* bulkMail(): Generator<OrdinaryMail> {
  for (const { name, fields, boundary, preamble, encoding, link } of SERVICES)
    for (const { subject, text, page } of CONTENTS) {
      const head = {
        from: 'Sender News <news@sender.example>',
        subject,
        fields: [
          ...fields,
          'List-Unsubscribe: <https://www.sender.example/unsubscribe?u=0a1b>, <mailto:unsubscribe-0a1b@sender.example>',
          'List-Unsubscribe-Post: List-Unsubscribe=One-Click',
          'Precedence: bulk',
        ],
      };
      const parts = [encoded('text/plain', lines(...text(link)), encoding), encoded('text/html', page(link), encoding)];
      const whole = multipart('alternative', boundary, parts);
      const note = preamble === undefined ? '' : `${preamble}\r\n\r\n`;
      const bytes = mailOf(head, whole.replace('\r\n\r\n', `\r\n\r\n${note}`));
      yield { id: `bulk ${name}: ${subject}`, group: 'newsletter', bytes };
    }
}
