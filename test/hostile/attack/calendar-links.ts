/** Links in appointments and address cards, in properties and parameters that nobody lists. */
import { type Delivered, type MailCase, mailAttack } from './attack-class.ts';
import { linksInPage, shownTexts } from './clickable.ts';
import { utf8Mail } from './utf8-mail.ts';

const base64 = (text: string) => Buffer.from(text).toString('base64');
const quoted = (text: string) =>
  [...Buffer.from(text)].map((byte) => `=${byte.toString(16).toUpperCase().padStart(2, '0')}`).join('');
const folded = (line: string) => line.replace(/.{20}/g, '$&\r\n ');

/** The url engine calls each of these suspicious. */
const URLS = [
  'http://www.bank-shop.com@pay-sender.com/login',
  'file://pay-sender.com/share/x',
  'ms-word:ofe|u|https://pay-sender.com/x',
  '\\\\pay-sender.com\\share\\x',
  'evilapp:run/x',
];
/** With a reference as its value, a program opens it, or may. */
const REFERENCES = [
  'URL',
  'ATTACH',
  'CONFERENCE',
  'IMAGE;VALUE=URI',
  'STRUCTURED-DATA;VALUE=URI',
  'SOURCE',
  'X-ANYTHING',
  'X-MICROSOFT-SKYPETEAMSMEETINGURL',
  'X-GOOGLE-CONFERENCE',
  'CALADRURI',
  'GEO',
  'ATTENDEE;CN=Ana',
  'ORGANIZER',
];
/** What some programs take for a line that goes on, or do not show at all: between the halves of a name. */
const JOINTS = ['\r ', '\r\t', '\v ', '\f ', '\u0085 ', '\u2028 ', '\u2029\t', '\x01', '\x1f', '\x7f', '\u0080'];
const PARAMETERS = ['ALTREP', 'DIR', 'X-LINK', 'SENT-BY', 'DELEGATED-TO', 'MEMBER', 'FMTTYPE', 'X-FILENAME'];
const CARD = [
  'URL',
  'SOURCE',
  'KEY',
  'PHOTO;VALUE=URI',
  'LOGO;VALUE=uri',
  'SOUND',
  'FBURL',
  'CALURI',
  'X-SOCIALPROFILE',
  'RELATED',
  'MEMBER',
  'IMPP',
  'X-ANY',
  'item1.URL',
  'ORG-DIRECTORY',
  'TEL;VALUE=uri',

  'TZ',
  'GEO',
];

const event = (lines: readonly string[]) =>
  [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//x//y//EN',
    'BEGIN:VEVENT',
    'UID:1',
    'DTSTAMP:20261120T120000Z',
    'DTSTART:20261121T120000Z',
    'SUMMARY:Meeting',
    ...lines,
    'END:VEVENT',
    'END:VCALENDAR',
    '',
  ].join('\r\n');
const card = (lines: readonly string[], version = '3.0') =>
  ['BEGIN:VCARD', `VERSION:${version}`, 'N:Example;Ana', 'FN:Ana Example', ...lines, 'END:VCARD', ''].join('\r\n');
const withEvent = (id: string, lines: readonly string[]): MailCase => ({
  id,
  email: utf8Mail({ files: [{ name: 'invite.ics', type: 'text/calendar', bytes: event(lines) }] }),
});
const withCard = (id: string, lines: readonly string[], version?: string): MailCase => ({
  id,
  email: utf8Mail({ files: [{ name: 'ana.vcf', type: 'text/vcard', bytes: card(lines, version) }] }),
});

function* cases(): Generator<MailCase> {
  for (const [index, url] of URLS.entries()) {
    for (const name of REFERENCES) yield withEvent(`${name} ${index}`, [`${name}:${url}`]);
    for (const name of PARAMETERS)
      yield withEvent(`DESCRIPTION;${name} ${index}`, [`DESCRIPTION;${name}="${url}":Words`]);
    for (const name of CARD) yield withCard(`card ${name} ${index}`, [`${name}:${url}`]);
    yield withEvent(`folded ${index}`, [folded(`URL:${url}`)]);
    yield withEvent(`escaped ${index}`, [`X-NOTE:see\\, ${url.replaceAll(',', '\\,')}\\; now\\nend`]);
    yield withEvent(`base64 ${index}`, [`ATTACH;ENCODING=BASE64;VALUE=BINARY:${base64(url)}`]);
    yield withEvent(`text of base64 ${index}`, [`URL;ENCODING=B:${base64(url)}`]);
    yield withEvent(`html ${index}`, [`X-ALT-DESC;FMTTYPE=text/html:<a href="${url}">Join</a>`]);
    yield withCard(`quoted-printable ${index}`, [`URL;ENCODING=QUOTED-PRINTABLE:${quoted(url)}`], '2.1');
    // No program makes a link of an unknown scheme in words to read.
    if (url.startsWith('evilapp:')) continue;
    yield withCard(`soft line ends ${index}`, [`NOTE;QUOTED-PRINTABLE:${url.replace(/.{9}/g, '$&=\r\n')}`], '2.1');
    yield withEvent(`description ${index}`, [`DESCRIPTION:Join ${url} now`]);
    for (const [joint, characters] of JOINTS.entries()) {
      const halves = url.replace(/pay-sen|ms-wo/g, `$&${characters}`);
      yield withEvent(`joint ${joint} ${index}`, [`DESCRIPTION:Join ${halves} now`]);
      yield withCard(`card joint ${joint} ${index}`, [`NOTE:Join ${halves} now`]);
    }
    yield withEvent(`line end ${index}`, [`SUMMARY:x\rURL:${url}`]);
  }
}

function* ordinary(): Generator<MailCase> {
  yield withEvent('an invitation', [
    'DESCRIPTION:Join at https://www.good-shop.com/j/1\\, Room:5\\nThanks',
    'LOCATION:https://www.good-shop.com/j/1',
    'URL:https://www.good-shop.com/j/1',
    'ORGANIZER;CN="Ann, Head":mailto:ann@good-shop.com',
    'ATTENDEE;PARTSTAT=NEEDS-ACTION;RSVP=TRUE:mailto:bob@good-shop.com',
    'GEO:51.5;-0.12',
  ]);
  yield withEvent('an invitation of a server', [
    'ATTENDEE;CN=Bob:invalid:nomail',
    'X-MICROSOFT-CDO-BUSYSTATUS:BUSY',
    'X-LIC-LOCATION:Europe/Berlin',
    'CATEGORIES:A,B',
    'CLASS:PUBLIC',
    'COMMENT:Re:foo 12:30',
  ]);
  yield withCard('a card', [
    'ORG:Example;Sales',
    'TEL;TYPE=CELL:+49 30 1234',
    'EMAIL:ana@good-shop.com',
    'URL:https://www.good-shop.com/',
    'NOTE:Skype:ana.example, Tel:123',
    'ADR:;;Street 1;Town;;12345;Land',
  ]);
  yield withCard(
    'a new card',
    [
      'TEL;VALUE=uri:tel:+49301234',
      'UID:urn:uuid:4fbe8971-0bc3-424c-9c26-36c3e1eff6b1',
      'RELATED;TYPE=friend:urn:uuid:4fbe8971-0bc3-424c-9c26-36c3e1eff6b2',
    ],
    '4.0',
  );
}

async function judge(_: MailCase, { message }: Delivered): Promise<string | null> {
  const files = (await shownTexts(message)).filter(({ type }) => /calendar|vcard|directory/.test(type));
  for (const { text } of files) {
    const plain = text.replace(/\r?\n[ \t]/g, '');
    const read = [
      plain,
      plain.replace(/=([0-9A-F]{2})/g, (_hex, code: string) => String.fromCharCode(Number.parseInt(code, 16))),
      ...linksInPage(plain),
    ];
    for (const each of read)
      if (/pay-sender|evilapp:|ms-word:|cGF5LXNlbmRlc/.test(each)) return `the link is still in ${plain.slice(0, 300)}`;
  }
  return null;
}

async function judgeOrdinary({ email }: MailCase, { message }: Delivered): Promise<string | null> {
  const fileOf = async (each: Uint8Array) =>
    (await shownTexts(each))
      .find(({ type }) => /calendar|vcard/.test(type))
      ?.text.replace(/\r?\n[ \t]/g, '')
      .trim();
  const [before, after] = await Promise.all([fileOf(Buffer.from(email)), fileOf(message)]);
  return before === after ? null : `the file was changed: ${after}`;
}

export const calendarLinks = mailAttack({
  name: 'calendar-links',
  title: 'a link in an appointment or a card, in a property that nobody lists',
  cases,
  judge,
  ordinary,
  judgeOrdinary,
});
