/** Ordinary pages, saved pages, drawings, messages, calendars, cards, tables and archives, as people mail them. */
import { benignMail, benignPages, benignPdfs, benignTexts } from '../benign/pages.ts';
import { writeZip, type ZipEntry } from '../hostile/disarm/zip-writer.ts';
import type { NamedFile } from './office-opener.ts';

const EACH = 12;
const named = (name: string, content: string): NamedFile => ({ name, bytes: new Uint8Array(Buffer.from(content)) });
const lines = (...all: readonly string[]): string => `${all.join('\r\n')}\r\n`;

const NEWSLETTER = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Autumn offers</title><style>@media print{.x{color:#333}} h1{font:bold 20px Arial}</style></head>
<body bgcolor="#f4f4f4"><!--[if mso]><table><tr><td width="600"><![endif]--><table role="presentation" width="600" align="center" cellpadding="0" cellspacing="0" border="0">
<tr><td style="padding:12px;background:#fff"><h1>Autumn offers for you</h1><p style="color:#444">Dear customer, our <b>new</b> catalogue has <i>ninety</i> pages.</p>
<table border="1"><thead><tr><th>Article</th><th>Price</th></tr></thead><tbody><tr><td>Boots &amp; socks</td><td>49&nbsp;€</td></tr><tr><td>Raincoat</td><td>89&nbsp;€</td></tr></tbody></table>
<ul><li>Free delivery</li><li>Return within thirty days</li></ul><ol start="3"><li>third</li></ol><blockquote>Very warm, says Ann.</blockquote><pre>order   4711</pre>
<p><a href="https://shop.example/a?utm_source=mail&amp;id=1">Order now</a> or write to <a href="mailto:service@shop.example">service</a> or call <a href="tel:+4930123456">us</a>.</p>
<img src="cid:logo@shop.example" alt="Logo of the shop" width="120" height="40"><hr><small>Imprint: Shop GmbH, Berlin</small></td></tr></table><!--[if mso]></td></tr></table><![endif]--></body></html>`;

const PAGES: readonly NamedFile[] = [
  named('newsletter.html', NEWSLETTER),
  named(
    'minutes.htm',
    '<HTML><HEAD><META http-equiv=Content-Type content="text/html; charset=windows-1252"></HEAD><BODY><H2>Minutes</H2><DL><DT>Present<DD>Ann, Bob<DT>Open<DD>The budget</DL><P>Next meeting on Tuesday<BR>in the small room</BODY></HTML>',
  ),
  named(
    'arabic.html',
    '<!doctype html><meta charset=utf-8><p dir="rtl">مرحبا بكم في التقرير السنوي</p><p>日本語の文章です。</p>',
  ),
];

const DRAWINGS: readonly NamedFile[] = [
  named(
    'chart.svg',
    '<?xml version="1.0" encoding="UTF-8"?>\n<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="300" height="200" viewBox="0 0 300 200"><defs><linearGradient id="g"><stop offset="0" stop-color="#36c"/><stop offset="1" stop-color="#9cf"/></linearGradient><clipPath id="c"><rect width="300" height="180"/></clipPath><symbol id="s"><circle r="4"/></symbol></defs><g clip-path="url(#c)" fill="url(#g)"><rect x="20" y="60" width="40" height="120"/><rect x="80" y="90" width="40" height="90"/></g><use xlink:href="#s" x="40" y="40"/><text x="20" y="195" font-family="Arial" font-size="12">North <tspan font-weight="bold">South</tspan></text></svg>',
  ),
];

const savedPage = (html: string): string =>
  lines(
    'From: <Saved by a browser>',
    'Subject: Autumn offers',
    'MIME-Version: 1.0',
    'Content-Type: multipart/related; type="text/html"; boundary="----b"',
    '',
    '------b',
    'Content-Type: text/html; charset=utf-8',
    'Content-Transfer-Encoding: base64',
    'Content-Location: https://shop.example/autumn',
    '',
    Buffer.from(html).toString('base64').replace(/.{76}/g, '$&\r\n'),
    '------b--',
  );

const INVITATION = lines(
  'BEGIN:VCALENDAR',
  'PRODID:-//Example//Calendar//EN',
  'VERSION:2.0',
  'METHOD:REQUEST',
  'BEGIN:VTIMEZONE',
  'TZID:Europe/Berlin',
  'BEGIN:STANDARD',
  'DTSTART:19701025T030000',
  'TZOFFSETFROM:+0200',
  'TZOFFSETTO:+0100',
  'RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU',
  'END:STANDARD',
  'END:VTIMEZONE',
  'BEGIN:VEVENT',
  'UID:4711@shop.example',
  'DTSTAMP:20261120T100000Z',
  'DTSTART;TZID=Europe/Berlin:20261124T100000',
  'DTEND;TZID=Europe/Berlin:20261124T110000',
  'RRULE:FREQ=WEEKLY;COUNT=4',
  'SUMMARY:Budget meeting',
  'LOCATION:Small room\\, second floor',
  'DESCRIPTION:Please bring the figures of the last quarter; the agenda follo',
  ' ws on Monday.',
  'ORGANIZER;CN=Ann:mailto:ann@shop.example',
  'ATTENDEE;CN=Bob;PARTSTAT=NEEDS-ACTION;RSVP=TRUE:mailto:bob@shop.example',
  'STATUS:CONFIRMED',
  'SEQUENCE:0',
  'BEGIN:VALARM',
  'ACTION:DISPLAY',
  'TRIGGER:-PT15M',
  'DESCRIPTION:Reminder',
  'END:VALARM',
  'END:VEVENT',
  'END:VCALENDAR',
);

const CARDS = lines(
  'BEGIN:VCARD',
  'VERSION:3.0',
  'N:Müller;Ann;;Dr.;',
  'FN:Dr. Ann Müller',
  'ORG:Shop GmbH;Sales',
  'TITLE:Head of sales',
  'TEL;TYPE=WORK,VOICE:+49 30 123456',
  'EMAIL;TYPE=INTERNET:ann@shop.example',
  'ADR;TYPE=WORK:;;Main street 1;Berlin;;10115;Germany',
  'END:VCARD',
  'BEGIN:VCARD',
  'VERSION:4.0',
  'FN:Bob',
  'N:Smith;Bob;;;',
  'EMAIL:bob@shop.example',
  'END:VCARD',
);

const TABLES: readonly NamedFile[] = [
  named('orders.csv', lines('order;customer;sum;change', '4711;"Müller; Ann";1.234,50;-5 %', '4712;Bob;99,00;+12')),
  named('phones.csv', lines('name,phone', 'Ann,+44 20 7946 0000', 'Bob,"020, extension 4"', '"said ""hello""",-1.5e3')),
];

const MEMBERS: readonly ZipEntry[] = [
  { name: 'offer/readme.txt', content: 'Everything about the offer of this autumn\n' },
  { name: 'offer/orders.csv', content: 'order,sum\r\n4711,12\r\n' },
  { name: 'offer/Übersicht.txt', content: 'Übersicht\n' },
];

/** One file after the other, each in blocks of 512 bytes, as POSIX has it. */
function tar(entries: readonly ZipEntry[]): Uint8Array {
  const blocks = entries.map(({ name, content }) => {
    const data = Buffer.from(content as string);
    const head = Buffer.alloc(512);
    head.write(name, 0, 99);
    head.write('0000644\0', 100);
    head.write(`${data.length.toString(8).padStart(11, '0')}\0`, 124);
    head.write('14700000000\x00        0', 136);
    head.write('ustar\x0000', 257, 'latin1');
    const sum = head.reduce((total, byte) => total + byte, 0);
    head.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
    return Buffer.concat([head, data, Buffer.alloc((512 - (data.length % 512)) % 512)]);
  });
  return Buffer.concat([...blocks, Buffer.alloc(1024)]);
}

/** Harmless files of the formats that are no office documents, written by hand and generated; the same in every run. */
export function ordinaryWeb(): readonly NamedFile[] {
  const pages = benignPages(EACH);
  const texts = benignTexts(EACH * 9).filter(({ name }) => /\.(?:csv|ics|vcf|svg|zip|xml|txt)$/.test(name));
  const pdfs = benignPdfs(EACH);
  return [
    ...PAGES,
    ...pages,
    ...[NEWSLETTER, ...pages.slice(0, 4).map(({ bytes }) => Buffer.from(bytes).toString())].map((html, index) =>
      named(`saved-${index}.mht`, savedPage(html)),
    ),
    ...DRAWINGS,
    ...TABLES,
    ...texts,
    ...pdfs,
    ...benignMail(EACH, pdfs),
    named('invitation.ics', INVITATION),
    named('cards.vcf', CARDS),
    { name: 'offer.zip', bytes: writeZip(MEMBERS) },
    { name: 'offer.tar', bytes: tar(MEMBERS.slice(0, 2)) },
  ];
}
