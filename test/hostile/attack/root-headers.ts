/** Fields of a message's own header, and of messages inside it, that make a program open what nobody analysed, or forge our word. */
import type { Ledger } from '../../../lib/pipeline/ledger/ledger.ts';
import { type Delivered, type MailCase, mailAttack } from './attack-class.ts';
import { fieldsOthersFind, spelledOutLinks } from './header-parsers.ts';
import { ORDINARY_HEADERS } from './ordinary-headers.ts';

const URL = 'https://payload.evil.com/run';
/** Fields that a program opens, fetches, draws or believes. */
const NAMES = [
  'X-Mozilla-External-Attachment-URL',
  'X-Mozilla-Cloud-Part',
  'X-Mozilla-Altered',
  'X-Mozilla-Status',
  'X-Mozilla-Keys',
  'X-Airlock-Outcome',
  'X-Airlock-Run',
  'Content-Base',
  'Content-Location',
  'X-Apple-Base-Url',
  'X-Apple-Action',
  'BIMI-Location',
  'BIMI-Indicator',
  'X-Face-URL',
  'X-Image-URL',
  'Link',
  'Refresh',
  'Location',
  'X-Unsent',
  'X-KMail-Transport',
  'X-Evolution-Source',
  'X-Account-Key',
  'Set-Cookie',
  'Control',
  'X-MS-Exchange-Organization-SCL',
];
/** Spellings of a name that some program reads as the name. */
const SPELLINGS: Readonly<Record<string, (name: string, value: string) => string>> = {
  plain: (name, value) => `${name}: ${value}`,
  'upper case': (name, value) => `${name.toUpperCase()}: ${value}`,
  'blank before colon': (name, value) => `${name} : ${value}`,
  'tab before colon': (name, value) => `${name}\t: ${value}`,
  'comment in name': (name, value) => `${name}(c): ${value}`,
  'NUL in name': (name, value) => `${name}\0: ${value}`,
  'high byte in name': (name, value) => `\xa0${name}: ${value}`,
  'value folded': (name, value) => `${name}:\r\n ${value}`,
  'as a fold of another': (name, value) => `X-Ok: 1\r\n ${name}: ${value}`,
  'as a fold of the subject': (name, value) => `Subject: a\r\n\t${name}: ${value}`,
  'behind bare CR': (name, value) => `X-Ok: 1\r${name}: ${value}`,
  'behind bare LF': (name, value) => `X-Ok: 1\n${name}: ${value}`,
  'behind form feed': (name, value) => `X-Ok: 1\f${name}: ${value}`,
};
/** Fields with a link in them, which nobody needs: they may stay only with a link that was judged. */
const CARRIERS = [
  'List-Unsubscribe',
  'List-Help',
  'List-Archive',
  'Archived-At',
  'X-Anything',
  'X-Mailer',
  'Organization',
  'Comments',
  'Received',
  'Resent-Message-ID',
  'In-Reply-To',
  'Keywords',
  'X-Spam-Report',
  'Feedback-ID',
  'User-Agent',
  'Unknown-Name',
];
const LINKS: Readonly<Record<string, string>> = {
  bare: URL,
  'in brackets': `<${URL}>`,
  'in a comment': `ok (${URL})`,
  folded: `<https://payload.evil.com/\r\n run>`,
  'as encoded word': `=?utf-8?B?${Buffer.from(URL).toString('base64')}?=`,
  'with www only': 'www.payload-evil.com/run',
  'as host and path': 'payload-evil.com/run.hta',
  malicious: 'http://malicious.airlock.test/x',
};
const PLACES: Readonly<Record<string, (field: string) => string>> = {
  root: (field) => mailWith(field, 'Content-Type: text/plain', 'Hello.'),
  nested: (field) =>
    mailWith(
      'X-Ok: 1',
      'Content-Type: multipart/mixed; boundary="b"',
      ['--b', 'Content-Type: text/plain', '', 'See.', '--b', 'Content-Type: message/rfc822', '']
        .concat(mailWith(field, 'Content-Type: text/plain', 'Inner.'), '--b--', '')
        .join('\r\n'),
    ),
};

function mailWith(field: string, type: string, body: string): string {
  const head = [
    'From: Ana <ana@sender.example>',
    'To: bob@recipient.example',
    'Subject: Hello',
    'Message-ID: <1@sender.example>',
  ];
  return [...head, field, 'Date: Fri, 20 Nov 2026 12:00:00 +0000', 'MIME-Version: 1.0', type, '', body].join('\r\n');
}

const FORBIDDEN = new RegExp(
  `^(?:x-?mozilla|xairlock|x-apple|bimi-|content-(?:base|location)$|${NAMES.map((name) => name.toLowerCase()).join('$|')}$)`,
);

function* cases(): Iterable<MailCase> {
  for (const [place, inPlace] of Object.entries(PLACES)) {
    yield* actedOn(place, inPlace);
    yield* carried(place, inPlace);
  }
}

type InPlace = (field: string) => string;

function* actedOn(place: string, inPlace: InPlace): Iterable<MailCase> {
  for (const name of NAMES)
    for (const [spelling, spell] of Object.entries(SPELLINGS))
      yield { id: `${place}: ${name} ${spelling}`, email: inPlace(spell(name, URL)) };
}

function* carried(place: string, inPlace: InPlace): Iterable<MailCase> {
  for (const name of CARRIERS)
    for (const [how, link] of Object.entries(LINKS))
      if (place === 'root' || how === 'bare' || how === 'folded')
        yield { id: `${place}: ${name} ${how}`, email: inPlace(`${name}: ${link}`) };
}

/** Every link that was judged harmless, in the form that programs open. */
const kept = (ledger: Ledger | null) =>
  new Set(
    ledger?.artifacts.flatMap(({ disposition, untrustedUrl }) => (disposition === 'keep' ? (untrustedUrl ?? []) : [])),
  );

/** What a parser finds in a header that must not be there; null when nothing does. Our own two fields stand on top, once each. */
export async function judgeHeaders({ message, ledger }: Delivered): Promise<string | null> {
  const text = Buffer.from(message).toString('latin1');
  const rest = text.replace(/^X-Airlock-Run: [^\r\n]*\r?\nX-Airlock-Outcome: [^\r\n]*\r?\n/, '');
  if (rest === text) return 'our own fields are not on top';
  const judged = kept(ledger);
  for (const { parser, name, value, isPart } of await fieldsOthersFind(Buffer.from(rest, 'latin1'))) {
    if (FORBIDDEN.test(name)) return `${parser} finds ${name} in ${isPart ? 'a part' : 'the message'}`;
    const open = spelledOutLinks(value).find((link) => !judged.has(new globalThis.URL(link).href));
    if (open !== undefined) return `${parser} finds ${open} in ${name}, and nobody judged it`;
  }
  return null;
}

export const rootHeaders = mailAttack({
  name: 'root-headers',
  title: 'header fields that programs act on, unjudged links in headers, and forged headers of ours',
  cases,
  judge: (_, delivered) => judgeHeaders(delivered),
  ordinary: () => ORDINARY_HEADERS,
  judgeOrdinary: ({ email }, { message }) => {
    const delivered = Buffer.from(message).toString('latin1');
    const rest = delivered.replace(/^(?:X-Airlock-[^\r\n]*\r\n)+/, '');
    return rest === Buffer.from(email as string, 'latin1').toString('latin1')
      ? null
      : 'it is not the same but for our own fields';
  },
});
