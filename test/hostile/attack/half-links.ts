/** A link of which one program sees the whole and another a half: the whole is blocked, and the half stays to be clicked. */
import { type Delivered, type MailCase, mailAttack } from './attack-class.ts';
import { clickableIn } from './clickable.ts';

/** What stands between the halves, and how programs come to join or to part them there. */
const BREAKS: readonly (readonly [string, string])[] = [
  ['a soft line end', '=\r\n'],
  ['a soft hyphen', '\u00ad'],
  ['a zero-width space', '\u200b'],
  ['a zero-width joiner', '\u200d'],
  ['a word joiner', '\u2060'],
  ['a byte order mark', '\ufeff'],
  ['a variation selector', '\ufe0f'],
  ['a mark of direction', '\u202e'],
  ['a mongolian vowel separator', '\u180e'],
  ['an escape', '\u001b'],
  ['a control', '\u0001'],
  ['a delete', '\u007f'],
  ['a next line', '\u0085'],
  ['a control of the second set', '\u009b'],
  ['nothing', ''],
];
/** Lines that go on in the next one, where the header says so. */
const FLOWED: readonly (readonly [kind: string, between: string, before: string])[] = [
  ['a flowed line', ' \r\n', ''],
  ['a flowed quote', ' \r\n> ', '> '],
  ['a quote in a quote', ' \r\n>> ', '>> '],
  ['a stuffed line', ' \r\n ', ''],
  ['two flowed lines', ' \r\n  \r\n', ''],
];
const FULL_STOPS = ['\u3002', '\uff0e', '\uff61'];
/** A user name that looks like a host is what the url engine calls suspicious: it is defanged, and the mail arrives. */
const LINKS: readonly (readonly [head: string, tail: string])[] = [
  ['http://www.bank-shop.com', '@pay-sender.com/login'],
  ['http://www.bank-shop.com@pay-sender.com/', 'www.good-shop.com/offer'],
  ['http://www.bank-shop.com@pay', '-sender.com/login'],
  ['http://www.bank-shop.com@pay-sender.com/a', '.good-shop.com'],
];
const PLACES = ['flowed', 'fixed', 'page', 'link text'] as const;
/** Signs at which programs end a link, each in another place. */
const ENDS = [
  '|',
  '{',
  '}',
  '^',
  '`',
  '\\',
  '[',
  ']',
  '(',
  ')',
  ',',
  ';',
  '!',
  "'",
  '*',
  '~',
  '。',
  '、',
  '，',
  '）',
  '／',
  'ä',
  '\u00b7',
];
/** Signs that end a link for most programs; one reads on to the host behind the user name. */
const QUOTES = ['"', '<', '>'];
const FULL_WIDTH = (text: string) =>
  text.replace(/[a-z]/g, (letter) => String.fromCharCode(letter.charCodeAt(0) + 0xfee0));

function mail(place: (typeof PLACES)[number], body: string): string {
  const isPage = place === 'page' || place === 'link text';
  const shown = body.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  const content = isPage
    ? `<html><body><p>${place === 'page' ? shown : `<a href="https://www.good-shop.com/">${shown}</a>`}</p></body></html>`
    : body;
  const type = isPage
    ? 'text/html; charset=utf-8'
    : `text/plain; charset=utf-8${place === 'flowed' ? '; format=flowed; delsp=yes' : ''}`;
  return [
    'From: Ana <ana@sender.example>',
    'To: bob@recipient.example',
    'Subject: Offer',
    'Date: Fri, 20 Nov 2026 12:00:00 +0000',
    'MIME-Version: 1.0',
    `Content-Type: ${type}`,
    'Content-Transfer-Encoding: base64',
    '',
    Buffer.from(content).toString('base64').replace(/.{76}/g, '$&\r\n'),
    '',
  ].join('\r\n');
}

function* cases(): Generator<MailCase> {
  for (const [kind, between] of BREAKS)
    for (const [index, [head, tail]] of LINKS.entries())
      for (const place of PLACES)
        yield { id: `${kind}, link ${index}, ${place}`, email: mail(place, `See ${head}${between}${tail} now`) };
  for (const [kind, between, before] of FLOWED)
    for (const [index, [head, tail]] of LINKS.entries())
      yield { id: `${kind}, link ${index}`, email: mail('flowed', `${before}See ${head}${between}${tail} now`) };
  for (const sign of ENDS)
    for (const place of ['fixed', 'page'] as const)
      yield {
        id: `ends at ${sign}, ${place}`,
        email: mail(place, `See http://www.bank-shop.com@pay-sender.com/a${sign}www.good-shop.com/b now`),
      };
  yield* overQuotes();
  for (const stop of FULL_STOPS)
    for (const place of ['fixed', 'page'] as const) {
      const inHost = `http://www.bank-shop.com@pay-sender${stop}com/login`;
      const inUser = `http://www.bank-shop${stop}com@pay-sender.com/login`;
      for (const [name, url] of Object.entries({
        inHost,
        inUser,
        wide: FULL_WIDTH(inHost).replace('ｈｔｔｐ', 'http'),
      }))
        yield { id: `full stop ${stop} ${name}, ${place}`, email: mail(place, `看${url} 了`) };
    }
  for (const fold of ['\r\n', '\r\n  ', '\n\t'])
    yield {
      id: `in brackets ${JSON.stringify(fold)}`,
      email: mail('fixed', `See <http://www.bank-shop.com@pay${fold}-sender.com/login> now`),
    };
}

function* overQuotes(): Generator<MailCase> {
  for (const sign of QUOTES)
    for (const user of ['', 'x'])
      for (const place of ['fixed', 'page'] as const)
        yield {
          id: `user ${user} over ${sign}, ${place}`,
          email: mail(place, `See http://www.bank-shop.com${sign}${user}@pay-sender.com/login now`),
        };
}

async function judge(_: MailCase, { message }: Delivered): Promise<string | null> {
  const links = (await clickableIn(message)).filter((url) => !/^https:\/\/www\.good-shop\.com\/?$/.test(url));
  return links.length === 0 ? null : `${links[0]} can be clicked`;
}

export const halfLinks = mailAttack({
  name: 'half-links',
  title: 'half of a blocked link stays to be clicked, because programs differ in where a link ends',
  cases,
  judge,
});
