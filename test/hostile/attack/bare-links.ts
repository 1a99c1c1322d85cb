/**
 * Names and addresses without a scheme, at the edge of what is a link: an address is none and with a port it is one, a file name is one
 * where its extension is a top-level domain, and a table holds the links that its reader makes.
 */
import { type Delivered, type MailCase, mailAttack } from './attack-class.ts';
import { clickableIn, unjudgedLink } from './clickable.ts';
import { utf8Mail } from './utf8-mail.ts';

/** Each is what the url engine calls suspicious, so that it must not be clickable. */
const TARGETS = [
  '192.0.2.1:8080',
  '192.0.2.1:80',
  '192.0.2.1:00080',
  '192.0.2.1:8080/24',
  '192.0.2.1/x',
  '192.0.2.1/',
  '192.0.2.1/24/x',
  '192.0.2.1/33',
  '192.0.2.1/8?x=1',
  '192.0.2.1/?x=1',
  '192.0.2.1/8#x',
  '192.0.2.1/login.php',
  'www.192.0.2.1',
  'report.zip',
  'REPORT.ZIP',
  'report.zip.',
  'report.zip:8080',
  'report.zip/x',
  'report.zip?x',
  'my_report.zip',
  'a-1.2.3.zip',
  'holiday.mov',
  'main.py.zip',
  'rеport.zip',
  'bücher.zip',
  'xn--bcher-kva.zip',
  'report\u3002zip',
  'report.ｚｉｐ',
  'rep\u00adort.zip',
  'report.\u200bzip',
];
const CONTEXTS: readonly (readonly [string, (target: string) => string])[] = [
  ['alone', (target) => target],
  ['in a sentence', (target) => `Please see ${target}, and answer.`],
  ['in brackets', (target) => `It is there (${target}).`],
  ['behind a colon', (target) => `Datei:${target}`],
  ['behind a sign', (target) => `place=${target}&x`],
  ['in a list', (target) => `15.1.2.3,${target};10.0.0.0/8`],
  ['behind an address', (target) => `192.0.2.7|${target}`],
];
/** What a reader of a table or a log opens, and what is no table. */
const CELLS = [
  'http://192.0.2.1/x',
  'https://report.zip',
  'www.bank-shop.com@pay-sender.com',
  'ftp.bank-shop.com@pay-sender.com',
  '\\\\192.0.2.1\\share\\x',
  'search-ms:query=x&crumb=location:pay-sender.com',
];
const TABLES: readonly (readonly [name: string, type: string, write: (cell: string) => string])[] = [
  ['a.csv', 'text/csv', (cell) => `name,place\r\nx,${cell}\r\n`],
  ['formula.csv', 'text/csv', (cell) => `name,place\r\nx,"=HYPERLINK(""${cell}"",""x"")"\r\n`],
  ['a.log', 'text/plain', (cell) => `Nov 20 10:00:00 mx: ${cell} seen\r\n`],
  ['a.xml', 'application/xml', (cell) => `<?xml version="1.0"?>\n<a b="${cell.replaceAll('&', '&amp;')}"/>\n`],
];
/** Files whose type or name says data, and that a program shows as a text or as a page. */
const DISGUISED: readonly (readonly [name: string, type: string])[] = [
  ['notes.txt', 'text/plain'],
  ['notes.log.txt', 'text/plain'],
  ['notes.log .txt', 'text/plain'],
  ['notes.csv.md', 'text/markdown'],
];

function* cases(): Generator<MailCase> {
  for (const target of TARGETS)
    for (const [context, write] of CONTEXTS) {
      yield { id: `${target} ${context}, text`, email: utf8Mail({ text: write(target) }) };
      yield {
        id: `${target} ${context}, page`,
        email: utf8Mail({ html: `<html><body><p>${write(target)}</p></body></html>` }),
      };
    }
  for (const cell of CELLS)
    for (const [name, type, write] of TABLES)
      yield { id: `${cell} in ${name}`, email: utf8Mail({ files: [{ name, type, bytes: write(cell) }] }) };
  for (const [name, type] of DISGUISED)
    yield { id: `${name} as ${type}`, email: utf8Mail({ files: [{ name, type, bytes: 'see report.zip now\r\n' }] }) };
  // Shown within the message, a log is a text of it.
  const log = Buffer.from(
    utf8Mail({ files: [{ name: 'a.log', type: 'text/plain', bytes: 'see report.zip now\r\n' }] }),
  );
  yield {
    id: 'a log that is shown',
    email: Buffer.from(log.toString().replace('Disposition: attachment', 'Disposition: inline')),
  };
}

/** Programs that link such a name open a server of the sender's; a bare address is what people write, and no mail program links it. */
const MERE_ADDRESS = /^(?:http:\/\/)?\d{1,3}(?:\.\d{1,3}){3}(?:\/\d{1,2})?$/;

async function judge(_: MailCase, { message, ledger }: Delivered): Promise<string | null> {
  const link = await unjudgedLink(message, ledger);
  if (link === null || MERE_ADDRESS.test(link)) {
    const others = (await clickableIn(message)).filter((url) =>
      /zip|mov|php|192\.0\.2\.1(?:[:?#]|\/(?!\d{1,2}$))/i.test(url),
    );
    return others.length === 0 ? null : `${others[0]} can be clicked`;
  }
  return `${link} can be clicked, and nobody judged it`;
}

const WORDS = [
  'Exchange 15.1.2.3',
  'host 192.0.2.1 and 10.0.0.0/8',
  '192.0.2.1:25 is closed',
  'auth.log and Foo.java:12',
];

function* ordinary(): Generator<MailCase> {
  for (const words of WORDS) yield { id: `ordinary ${words}`, email: utf8Mail({ text: words }) };
}

export const bareLinks = mailAttack({
  name: 'bare-links',
  title: 'a name or an address without a scheme is clickable, because it was taken for a version, a file or a cell',
  cases,
  judge,
  ordinary,
  judgeOrdinary: ({ id }, { message }) =>
    Buffer.from(message).toString().includes(id.replace('ordinary ', '')) ? null : 'the words were changed',
});
