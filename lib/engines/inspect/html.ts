/** Inspects HTML with its own tokenizer, which reads tags and attributes in their order and builds no tree. */

import { decodeCharset } from './decode-charset.ts';
import { type Findings, namesOf, type ValueTest } from './fact.ts';
import { isActiveUrl, isLiveLink } from './live-values.ts';
import { HTML_FACTS } from './markup-facts.ts';
import { strangeSheet, strangeStyle } from './page-style.ts';
import { wideText } from './wide-text.ts';
import { tallyText, type WordTally, withoutEntities } from './word-tally.ts';

const ELEMENTS = new Map(
  HTML_FACTS.flatMap(({ id, find }) =>
    find.by === 'element' ? namesOf(find.names).map((name) => [name, id] as const) : [],
  ),
);
const ATTRIBUTES = new Map<string, { readonly id: string; readonly value: ValueTest }[]>();
for (const { id, find } of HTML_FACTS) {
  if (find.by !== 'attribute') continue;
  for (const name of namesOf(find.names))
    ATTRIBUTES.set(name, [...(ATTRIBUTES.get(name) ?? []), { id, value: find.value }]);
}
const URL_ATTRIBUTES = new Set(
  namesOf(
    'href src action formaction data background poster cite longdesc dynsrc lowsrc manifest archive codebase srcset ping from to values',
  ),
);
/** Elements whose content is code, or is not shown by every program. */
const NOT_SHOWN = new Set(
  namesOf(
    'script style template frameset noscript svg math iframe noframes noembed object applet audio video select textarea xmp plaintext option optgroup datalist canvas xml',
  ),
);

const TAG = /<(\/?)([a-z][^\s/>]*)/giy;
const ATTRIBUTE = /[\s/]*([^\s/>=][^\s/>=]*)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>"']*)))?/gy;

/** Returns the page as text: by its byte order mark, by the charset it names, else as UTF-8. In doubt, one byte is one character. */
export function decodePage(bytes: Uint8Array): string {
  const text = wideText(bytes);
  if (text !== null) return text;
  const head = Buffer.from(bytes.subarray(0, 2_048)).toString('latin1');
  if (head.startsWith('\xff\xfe')) return new TextDecoder('utf-16le').decode(bytes);
  if (head.startsWith('\xfe\xff')) return new TextDecoder('utf-16be').decode(bytes);
  const wide = unmarkedUtf16(bytes.subarray(0, 2_048));
  if (wide !== null) return new TextDecoder(wide).decode(bytes);
  const named = /charset\s*=\s*["']?([\w-]{2,30})/i.exec(head)?.[1] ?? 'utf-8';
  try {
    return decodeCharset(bytes, named);
  } catch {
    // Browsers ignore a charset that they do not know.
    return new TextDecoder().decode(bytes);
  }
}

/** Returns the encoding of undeclared text with two bytes per character: every other byte of its markup is zero. */
function unmarkedUtf16(head: Uint8Array): 'utf-16le' | 'utf-16be' | null {
  const zeros = [0, 0];
  head.forEach((byte, at) => {
    if (byte === 0) zeros[at % 2] = (zeros[at % 2] ?? 0) + 1;
  });
  const [high = 0, low = 0] = zeros;
  if (Math.max(high, low) < head.length / 4 || Math.min(high, low) > head.length / 20) return null;
  return high > low ? 'utf-16be' : 'utf-16le';
}

interface Walk {
  readonly html: string;
  readonly tally: WordTally;
  readonly findings: Findings | null;
  readonly text: string[];
  at: number;
  /** The element that hides its content, and how many of it are open. */
  hiding: string;
  depth: number;
}

/** Counts the words that a reader sees; with findings it also searches the page. */
export function readPage(html: string, tally: WordTally, findings: Findings | null): void {
  const walk: Walk = { html, tally, findings, text: [], at: 0, hiding: '', depth: 0 };
  while (walk.at < html.length) {
    const open = html.indexOf('<', walk.at);
    const end = open === -1 ? html.length : open;
    if (end > walk.at && walk.hiding === '') walk.text.push(html.slice(walk.at, end));
    walk.at = end;
    if (open !== -1) takeMarkup(walk);
  }
  tallyText(tally, withoutEntities(walk.text.join('')));
}

function takeMarkup(walk: Walk): void {
  TAG.lastIndex = walk.at;
  const tag = TAG.exec(walk.html);
  if (tag !== null) {
    walk.at = TAG.lastIndex;
    takeTag(walk, (tag[2] ?? '').toLowerCase(), tag[1] === '/');
  } else if (walk.html.startsWith('<!--', walk.at)) {
    const end = walk.html.indexOf('-->', walk.at + 2);
    walk.at = end === -1 ? walk.html.length : end + 3;
    walk.findings?.add('html-comment', '<!--');
  } else if (/^[!?/]/.test(walk.html.charAt(walk.at + 1))) {
    const end = walk.html.indexOf('>', walk.at);
    // `<?xml`, `<![if mso]>`: some programs take these for comments, and others for instructions.
    if (!/^<(?:!doctype\b|\/>)/i.test(walk.html.slice(walk.at, walk.at + 12))) walk.findings?.add('html-comment', '<!');
    walk.at = end === -1 ? walk.html.length : end + 1;
  } else {
    walk.at += 1;
  }
}

function takeTag(walk: Walk, name: string, isClosing: boolean): void {
  takeAttributes(walk, name, isClosing);
  // A table cell, a paragraph or a picture ends a word. Letters set in bold do not.
  if (!/^(?:b|i|u|em|strong|font|span|a|small|big|sub|sup|mark|tt|code|s|strike|wbr|nobr)$/.test(name))
    walk.text.push(' ');
  const id = isClosing ? undefined : ELEMENTS.get(name);
  if (id !== undefined) walk.findings?.add(id, `<${name}>`);
  if (name === 'style' && !isClosing) judgeSheet(walk);
  if (walk.hiding === '') {
    if (NOT_SHOWN.has(name) && !isClosing) {
      walk.hiding = name;
      walk.depth = 1;
      if (/^(?:script|style|xmp|iframe|noembed|noframes|textarea)$/.test(name)) skipRaw(walk, name);
    } else if (name === 'title' && !isClosing && walk.findings === null) takeTitle(walk);
  } else if (name === walk.hiding) {
    walk.depth += isClosing ? -1 : 1;
    if (walk.depth === 0) walk.hiding = '';
  }
}

/** Reads the style sheet that begins here, anywhere in the page. */
function judgeSheet({ html, at, findings }: Walk): void {
  if (findings === null) return;
  const strange = strangeSheet(html.slice(at, rawEnd(html, at, 'style')));
  if (strange !== null) findings.add('html-strange-sheet', strange);
}

/** Skips a title: it is text, with any content. This is used only to count: a search treats a tag in the title as a tag. */
function takeTitle(walk: Walk): void {
  const from = walk.at;
  skipRaw(walk, 'title');
  walk.text.push(walk.html.slice(from, walk.at));
}

/** Reads content that is not markup, up to the closing tag. */
function skipRaw(walk: Walk, name: string): void {
  walk.at = rawEnd(walk.html, walk.at, name);
}

function rawEnd(html: string, from: number, name: string): number {
  const end = new RegExp(`</${name}[\\s/>]`, 'gi');
  end.lastIndex = from;
  return end.exec(html)?.index ?? html.length;
}

/** Moves behind the `>` of the tag. */
function takeAttributes(walk: Walk, element: string, isClosing: boolean): void {
  for (;;) {
    ATTRIBUTE.lastIndex = walk.at;
    const match = ATTRIBUTE.exec(walk.html);
    if (match === null) break;
    walk.at = ATTRIBUTE.lastIndex;
    const value = match[2] ?? match[3] ?? match[4] ?? '';
    if (walk.findings !== null && !isClosing) {
      const name = (match[1] ?? '').toLowerCase();
      judge(walk.findings, element, name, readValue(name === 'style' ? value.replaceAll('&quot;', '"') : value));
    }
  }
  const end = walk.html.indexOf('>', walk.at);
  walk.at = end === -1 ? walk.html.length : end + 1;
}

/** Resolves the references that matter in an address or a style. */
function readValue(value: string): string {
  return value.includes('&')
    ? withoutEntities(
        value
          .replace(/&(?:Tab|NewLine);?/g, '')
          .replace(/&colon;?/g, ':')
          .replaceAll('&amp;', '&'),
      )
    : value;
}

/** Addresses with their scheme. Some programs drop characters in front of it, and others complete the rest to an address. */
const WHOLE_LINK = /^(?:#|https?:\/\/[^\s\\/]|mailto:|tel:)/i;

function judge(findings: Findings, element: string, name: string, value: string): void {
  const where = `<${element} ${name}>`;
  const local = name.slice(name.indexOf(':') + 1);
  if (/^on[a-z]/.test(local)) findings.add('html-event-handler', where);
  if (/^data-/.test(local)) findings.add('html-data-attribute', where);
  const facts = ATTRIBUTES.get(local) ?? [];
  if (facts.length === 0 && !URL_ATTRIBUTES.has(local)) return;
  const read = local === 'style' ? plainStyle(value) : value.replace(/[\p{Cc}\p{Cf}\s]/gu, '');
  for (const { id, value: pattern } of facts)
    if (pattern.test(local === 'http-equiv' ? value : read)) findings.add(id, where);
  const strange = local === 'style' ? strangeStyle(value) : null;
  if (strange !== null) findings.add('html-strange-style', `${where} ${strange}`);
  if (!URL_ATTRIBUTES.has(local)) return;
  // Without a scheme, two slashes lead to a share.
  if (isActiveUrl(value) || /^[\\/]{2}/.test(read)) findings.add('html-active-address', where);
  else if (local === 'href' && (isLiveLink(value) || !WHOLE_LINK.test(value))) findings.add('html-live-link', where);
}

/** Returns a style as a program reads it: with escapes resolved and without comments. */
function plainStyle(style: string): string {
  const point = (digits: string) => Math.min(Number.parseInt(digits, 16), 0x10ffff);
  return style
    .replace(/\/\*[\s\S]*?(?:\*\/|$)/g, '')
    .replace(/\\([0-9a-f]{1,6})\s?/gi, (_, digits: string) => String.fromCodePoint(point(digits)))
    .replaceAll('\\', '');
}
