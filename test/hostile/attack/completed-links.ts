/** Links of a page that are no complete URLs. Each program completes them in its own way. */
import { type Delivered, type MailCase, mailAttack } from './attack-class.ts';
import { linksInPage, shownTexts, unjudgedLink } from './clickable.ts';
import { utf8Mail } from './utf8-mail.ts';

/** The hosts of all links here: a user name and a host. Such a link is judged suspicious when it is found. */
const HOST = 'bank-shop.com@pay-sender.com/login';
/** Text in front of a link, which some program drops or joins. */
const PREFIXES: readonly (readonly [string, string])[] = [
  ['nothing', ''],
  ['blank', ' '],
  ['no-break space', '\u00a0'],
  ['byte order mark', '\ufeff'],
  ['ideographic space', '\u3000'],
  ['line separator', '\u2028'],
  ['zero-width space', '\u200b'],
  ['word joiner', '\u2060'],
  ['mark of direction', '\u202e'],
  ['hangul filler', '\u3164'],
  ['control', '\u0001'],
  ['delete', '\u007f'],
  ['line end', '&#10;'],
  ['angle', '&lt;'],
  ['bracket', '['],
  ['parenthesis', '('],
  ['quote', '&quot;'],
  ['typographic quote', '\u201e'],
  ['url:', 'URL:'],
  ['bracket and url:', '&lt;URL:'],
];
const LINKS: readonly (readonly [string, string])[] = [
  ['www', `www.${HOST}`],
  ['upper', `WWW.${HOST}`],
  ['ftp', `ftp.${HOST}`],
  ['http', `http://www.${HOST}`],
  ['bare host', 'pay-sender.com/login'],
  ['file name', 'login.php?user=1'],
];
/** Spellings of a scheme that some programs read as it. */
const SCHEMES = [
  'ht tp://',
  'h\tttp://',
  'ht\u00a0tp://',
  'ht\u200btp://',
  'http ://',
  'http:\u00a0//',
  'http&#58;//',
  'http&colon;&sol;&sol;',
  'http:\\\\',
  'http:/\\',
  'http:',
  'http:/',
  'http:///',
  '\uff48ttp://',
  'http\uff1a//',
  'java\tscript:alert(1)//',
  'java script:alert(1)//',
  'java\u200bscript:alert(1)//',
  '\u00a0javascript:alert(1)//',
  '&lt;javascript:alert(1)//',
  'vb\u00adscript:x//',
  '\ufeffms-word:ofe|u|http://',
  '\u3000search-ms:query=x&amp;crumb=location:\\\\',
  '[steam://',
];
const PLACES: readonly (readonly [string, (url: string) => string])[] = [
  ['link', (url) => `<a href="${url}">Offer</a>`],
  ['area', (url) => `<map name=m><area shape=default href="${url}"></map>`],
  ['form', (url) => `<form action="${url}"><input type=submit></form>`],
  ['button', (url) => `<form><button formaction="${url}">Pay</button></form>`],
  ['single quotes', (url) => `<a href='${url}'>Offer</a>`],
  ['svg', (url) => `<svg><a xlink:href="${url}"><text>Offer</text></a></svg>`],
];

function* cases(): Generator<MailCase> {
  for (const [prefix, before] of PREFIXES)
    for (const [name, link] of LINKS) yield page(`${prefix}, ${name}`, `<a href="${before}${link}">Offer</a>`);
  for (const scheme of SCHEMES)
    yield page(`scheme ${JSON.stringify(scheme)}`, `<a href="${scheme}www.${HOST}">Offer</a>`);
  for (const [place, write] of PLACES)
    for (const [prefix, before] of PREFIXES.slice(0, 4))
      yield page(`${place} behind ${prefix}`, write(`${before}www.${HOST}`));
  yield page('a base', `<base href="https://www.good-shop.com/"><a href="www.${HOST}">Offer</a>`);
  for (const attach of ['attach', 'attachment', 'ATTACH', 'a%74tach', 'a%2574tach'])
    for (const sign of ['?', '?subject=x&amp;', '?x=1;'])
      yield page(
        `mailto ${sign}${attach}`,
        `<a href="mailto:a@good-shop.com${sign}${attach}=C:\\Users\\bob\\passwords.txt">Write</a>`,
      );
}

const page = (id: string, body: string): MailCase => ({
  id,
  email: utf8Mail({ html: `<html><body><p>See</p>${body}</body></html>` }),
});

const KEPT = [
  'https://www.good-shop.com/offer?a=1&amp;b=2',
  'http://www.good-shop.com',
  ' https://www.good-shop.com/blank ',
  'mailto:ana@good-shop.com?subject=Re%3A%20x',
  '#top',
  '',
  'tel:+49301234567',
  'https://www.good-shop.com/a b.html',
  'HTTPS://WWW.GOOD-SHOP.COM/X',
  'cid:part1@good-shop.com',
  'sms:+491701234567',
];

function* ordinary(): Generator<MailCase> {
  for (const [index, link] of KEPT.entries()) yield page(`kept ${index}`, `<a href="${link}">Offer</a>`);
  yield page('a picture of the message', '<img src="cid:logo@x"><a name="top">Top</a>');
}

async function judge(_: MailCase, { message, ledger }: Delivered): Promise<string | null> {
  const link = await unjudgedLink(message, ledger);
  return link === null ? null : `${link} can be clicked, and nobody judged it`;
}

/** The body stays byte for byte. */
async function judgeOrdinary({ email }: MailCase, { message }: Delivered): Promise<string | null> {
  const [before, after] = await Promise.all(
    [Buffer.from(email), message].map(async (each) => pageOf(await shownTexts(each))),
  );
  return before === after ? null : `the page was changed: ${after} (${linksInPage(after ?? '').join(' ')})`;
}

const pageOf = (shown: readonly { readonly type: string; readonly text: string }[]) =>
  shown.find(({ type }) => type === 'text/html')?.text;

export const completedLinks = mailAttack({
  name: 'completed-links',
  title: 'a link of a page that is no URL until a program completes it',
  cases,
  judge,
  ordinary,
  judgeOrdinary,
});
