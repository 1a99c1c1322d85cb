/**
 * What a recipient could click in a delivered message: links in its texts as linkifiers of others see them, and the attributes of its
 * pages as programs complete them. Built on postal-mime and parse5, and on nothing of the reader.
 */

import { type DefaultTreeAdapterMap, parse } from 'parse5';
import PostalMime from 'postal-mime';
import { parseUrl } from '../../../lib/formats/urls/parse-url.ts';
import type { Ledger } from '../../../lib/pipeline/ledger/ledger.ts';
import { linksOthersMark } from './linkifiers.ts';

type Node = DefaultTreeAdapterMap['node'];

/** A text or a page of a message, decoded. */
export interface Shown {
  readonly type: string;
  readonly text: string;
}

/** The texts and pages of a message, its attached files among them; lines are as they stand, and joined where the header says so. */
export async function shownTexts(message: Uint8Array): Promise<Shown[]> {
  const email = Buffer.from(message).toString('latin1');
  // The parser joins flowed lines. A program that does not know them shows the lines.
  const fixed = email.replace(/format=("?)flowed/gi, 'xormat=$1flowed');
  const read = await Promise.all([...new Set([email, fixed])].map((each) => shownIn(Buffer.from(each, 'latin1'))));
  return read.flat();
}

async function shownIn(email: Uint8Array): Promise<Shown[]> {
  const { text = '', html = '', attachments } = await PostalMime.parse(email, { attachmentEncoding: 'arraybuffer' });
  const files = attachments.map(({ mimeType, content }) => ({
    type: mimeType,
    text: typeof content === 'string' ? content : Buffer.from(new Uint8Array(content)).toString('utf8'),
  }));
  return [{ type: 'text/plain', text }, { type: 'text/html', text: html }, ...files];
}

const UNSEEN =
  /\u034f|[\u17b4\u17b5]|[\u180b-\u180f]|[\ufe00-\ufe0f]|[\u00ad\u061c\u115f\u1160\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]/g;

/** A text line by line, with its lines joined, and as a browser reads what it is given. */
function views(text: string): string[] {
  const joined = text.replace(/ ?\r?\n(?:> ?)*/g, (end) => (end.startsWith(' ') ? '' : '\n'));
  const asBrowser = text.replace(UNSEEN, '').normalize('NFKC').replace(/[。｡]/g, '.');
  return [...new Set([...text.split(/\r?\n/), text, joined, text.replace(/=\r?\n/g, ''), asBrowser])];
}

/** What programs link that no library of ours has a rule for: any scheme with slashes, registered ones without, shares. */
const MODELS = [
  /(?<![a-z0-9+.-])(?!hxxps?:|fxps?:)[a-z][a-z0-9+.-]+:\/\/[^\s"'<>]+/gi,
  /(?<![a-z0-9+.-])(?:ms-[a-z-]+|search-ms|onenote|zoommtg|msteams|steam|slack|tg|whatsapp|skype|itms-services|magnet|ldap|news|telnet|ssh|rdp|mms|sip|vscode|spotify|intent|discord|vnc|feed):(?=[^\s:]*[a-z])[^\s"'<>]+/gi,
  /(?<![\\/\w:.])\\{2,}[?.\w[][^\s"'<>]*\\[^\s"'<>]*/g,
  // Behind `://` it is part of a link with a scheme, which the first model marks.
  /(?<!:\/\/[^\s"'<>,;|()]*)(?<![\w@.-])www\.[a-z0-9][^\s"'<>;,|]*/gi,
  /mailto:[^\s"<>]*attach[^\s"<>]*/gi,
  /(?<!:\/\/[^\s"'<>,;|()]*)(?<![\w@.-])(?:www|ftp)\.[^\s"'<>@]+@[^\s"'<>]+\.[a-z]{2,}/gi,
];

/** Links that some program would make of a plain text. */
export function linksInText(text: string): string[] {
  return views(text).flatMap((view) => [
    ...linksOthersMark(view).filter((url) => !/^(?:mailto:|h[tx]{2}ps?:\/\/[^.]*\[|hxxps?:)/i.test(url)),
    ...MODELS.flatMap((model) => [...view.matchAll(model)].map(([url]) => url)),
  ]);
}

const ATTRIBUTES = new Set([
  'href',
  'src',
  'action',
  'formaction',
  'background',
  'data',
  'poster',
  'cite',
  'ping',
  'longdesc',
]);
const APART = /^(?:p|div|br|td|tr|table|li|ul|h\d|body|html|head|title|style|script|hr|blockquote|pre)$/;

interface Page {
  readonly references: string[];
  text: string;
}

function readNode(node: Node, page: Page): void {
  if ('attrs' in node) for (const { name, value } of node.attrs) if (ATTRIBUTES.has(name)) page.references.push(value);
  if ('value' in node) page.text += node.value;
  if (APART.test(node.nodeName)) page.text += '\n';
  if (!/^(?:style|script|#comment)$/.test(node.nodeName) && 'childNodes' in node)
    for (const child of node.childNodes) readNode(child, page);
}

const IGNORED = /[\p{C}\p{Z}\s]/gu;
const BRACKETS = /^[<[({"'`«‹“„‘]+/;

/** Where a reference of a page may lead: as a browser reads it, and as a program that completes it does. Empty for nowhere. */
export function completed(reference: string): string[] {
  const found = new Set<string>();
  for (const each of [reference.trim(), reference.replace(IGNORED, '').replace(BRACKETS, '').normalize('NFKC')]) {
    if (each === '' || each.startsWith('#') || /^(?:cid|mid|tel|sms):/i.test(each)) continue;
    if (/^mailto:/i.test(each) && !/attach/i.test(decodeURIComponent(each))) continue;
    if (/^[\\/]{2}/.test(each)) found.add(`file://${each.replace(/^[\\/]+/, '').replaceAll('\\', '/')}`);
    else if (/^[a-z][a-z0-9+.-]*:/i.test(each)) found.add(each);
    else if (/^ftp\./i.test(each)) found.add(`ftp://${each}`);
    else found.add(`http://${each}`);
  }
  return [...found];
}

/** Links of a page: its attributes, and what a program would make of the text that is seen. */
export function linksInPage(html: string): string[] {
  const page: Page = { references: [], text: '' };
  readNode(parse(html), page);
  return [...page.references.flatMap(completed), ...linksInText(page.text)];
}

/** Everything that could be clicked in a message. */
export async function clickableIn(message: Uint8Array): Promise<string[]> {
  return (await shownTexts(message)).flatMap(({ type, text }) =>
    /html|svg|xml/.test(type)
      ? linksInPage(text)
      : /^(?:text|message)\/|calendar|vcard/.test(type)
        ? linksInText(text)
        : [],
  );
}

/** One spelling per link, without what ends a sentence. */
function canonical(url: string): string {
  const spelled = /^[a-z][a-z0-9+.-]*:/i.test(url) ? url : `http://${url.replace(/^\/\//, '')}`;
  const plain = spelled.replace(UNSEEN, '').replace(/[.,;:!?'")\]}>*_~|]+$/, '');
  return (parseUrl(plain)?.href ?? plain).replace(/\/$/, '');
}

/** The first thing that can be clicked and that nobody judged harmless; null when there is none. */
export async function unjudgedLink(message: Uint8Array, ledger: Ledger | null): Promise<string | null> {
  const kept = (ledger?.artifacts ?? []).flatMap((artifact) =>
    artifact.type === 'url' && artifact.disposition === 'keep' ? [canonical(artifact.untrustedUrl)] : [],
  );
  const harmless = new Set(kept);
  return (await clickableIn(message)).find((url) => !harmless.has(canonical(url))) ?? null;
}
