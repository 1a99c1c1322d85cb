/** The URLs of HTML attributes: single ones, lists, refreshes, style, and whole documents inside `srcdoc` and `data:`. */
import { collapsed, type MappedText, type Span, verbatim, within } from './mapped.ts';
import type { LinkText } from './visible.ts';

/** A stretch of HTML. `whole` is the attribute value it is part of, when one can be replaced as a whole. */
export interface Region {
  /**
   * `link`: the text is a URL. `text`: running text. `cut`: a word that tags cut in pieces. `code`: only what is spelled out
   * with a scheme.
   */
  readonly kind: 'link' | 'text' | 'cut' | 'css' | 'code';
  readonly value: MappedText;
  readonly whole: Span | null;
  /** Of links: whether a click is needed. @default a click */
  readonly isFetched?: boolean;
  /** Of links: what their text shows; filled while the element is open. */
  readonly linkText?: LinkText | null;
}

/** Where stretches are collected. */
export interface Sink {
  readonly regions: Region[];
  readonly bases: { depth: number; href: string }[];
  /** Looks at markup that stands inside other markup. */
  enter(source: MappedText, depth: number): void;
}

/** Markup inside comments, attributes and data: URLs is entered this deep: each level reads the same text once more. */
export const MARKUP_DEPTH = 3;

/** Something with a scheme and slashes, also percent-encoded. */
export const SPELLED_OUT = /:[\\/]{2}|%3a%2f/i;

/** Attributes whose value is one URL, whatever the element and the name space. */
const LINK_ATTRIBUTES = new Set(
  (
    'href src action formaction data background poster cite longdesc dynsrc lowsrc manifest archive codebase icon base ' +
    'originalsrc althref data-saferedirecturl data-href data-src data-url'
  ).split(' '),
);
/** Attributes whose values are lists of URLs. */
const LIST_ATTRIBUTES = new Set(['srcset', 'imagesrcset', 'ping']);
/** Attributes that name vocabularies with URLs; nothing opens them, and nearly every mail has some. */
const NAMING_ATTRIBUTES = new Set([
  'xmlns',
  'itemtype',
  'itemprop',
  'vocab',
  'property',
  'prefix',
  'typeof',
  'profile',
]);
/** The attribute a value belongs to; names in lower case. */
export interface Place {
  readonly tag: string;
  readonly attribute: string;
  readonly depth: number;
  readonly linkText: LinkText | null;
}

/** What a style must hold to name a URL. */
const STYLE_SIGNAL = /[(@\\]|:\/\//;

/** False when an attribute with this raw value holds no URL for sure: most attributes of a page, told before anything is built. */
export function canHoldUrl(attribute: string, raw: string): boolean {
  if (attribute === 'style') return STYLE_SIGNAL.test(raw);
  const name = attribute.slice(attribute.lastIndexOf(':') + 1);
  if (LINK_ATTRIBUTES.has(name) || LIST_ATTRIBUTES.has(name) || name === 'srcdoc' || name === 'content') return true;
  return SPELLED_OUT.test(raw);
}

/** Attributes whose URL a click follows; the others are fetched when the page is shown. */
const CLICKED = new Set(['href', 'action', 'formaction', 'ping', 'originalsrc', 'data-saferedirecturl', 'data-href']);

/** Collects what one attribute holds. `whole` is where its value stands. */
export function scanAttribute(value: MappedText, whole: Span, place: Place, sink: Sink): void {
  const name = place.attribute.slice(place.attribute.lastIndexOf(':') + 1);
  if (place.attribute.startsWith('xmlns') || NAMING_ATTRIBUTES.has(place.attribute)) return;
  if (place.tag === 'base' && name === 'href') sink.bases.push({ depth: place.depth, href: value.text });
  if (LINK_ATTRIBUTES.has(name)) {
    const isFetched = !CLICKED.has(name) || place.tag === 'link';
    sink.regions.push({ kind: 'link', value, whole, isFetched, linkText: name === 'href' ? place.linkText : null });
    if (/^\s*data:/i.test(value.text)) scanDataUrl(value.text, whole, place.depth, sink);
  } else if (LIST_ATTRIBUTES.has(name)) {
    for (const url of listed(value)) {
      sink.regions.push({ kind: 'link', value: url, whole, isFetched: name !== 'ping' });
    }
  } else if (name === 'style') sink.regions.push({ kind: 'css', value, whole: null });
  else if (name === 'srcdoc') {
    if (place.depth < MARKUP_DEPTH) sink.enter(collapsed(value.text, whole), place.depth + 1);
  } else if (place.tag === 'meta' && name === 'content') scanMetaContent(value, whole, sink);
  else if (SPELLED_OUT.test(value.text)) sink.regions.push({ kind: 'code', value, whole: null });
}

/** The URLs of a `srcset` or `ping`: each is a run without white space; commas around it and descriptors do not count. */
function* listed(value: MappedText): Generator<MappedText> {
  for (const run of value.text.matchAll(/\S+/g)) {
    const url = run[0].replace(/^,+/, '');
    const start = run.index + run[0].length - url.length;
    const end = url.endsWith(',') ? start + url.length - 1 : start + url.length;
    if (!/^[\d.]+[wxh],?$/.test(url)) yield within(value, verbatim(value.text.slice(start, end), start));
  }
}

/** `0; url='https://…'` (HTML §4.2.5.3, refresh). Other meta contents are looked at for what is spelled out. */
function scanMetaContent(value: MappedText, whole: Span, sink: Sink): void {
  const separator = value.text.search(/[;,]/);
  const opening = /[;,]\s*(?:url\s*=\s*)?["']?/iy;
  opening.lastIndex = Math.max(separator, 0);
  const isRefresh = separator >= 0 && /^[\s\d.]*$/.test(value.text.slice(0, separator)) && opening.test(value.text);
  if (!isRefresh) {
    if (SPELLED_OUT.test(value.text)) sink.regions.push({ kind: 'code', value, whole: null });
    return;
  }
  const start = opening.lastIndex;
  const close = value.text.slice(start).search(/["']/);
  const end = close === -1 ? value.text.length : start + close;
  sink.regions.push({ kind: 'link', value: within(value, verbatim(value.text.slice(start, end), start)), whole });
}

/** A document inside a `data:` URL (RFC 2397) is a document like its carrier. Its URLs stand for the whole attribute. */
function scanDataUrl(url: string, whole: Span, depth: number, sink: Sink): void {
  const comma = url.indexOf(',');
  if (comma === -1 || depth >= MARKUP_DEPTH || /^\s*data:image\/(?!svg)/i.test(url)) return;
  const payload = url.slice(comma + 1);
  const isBase64 = /;\s*base64\s*$/i.test(url.slice(0, comma));
  const text = isBase64
    ? Buffer.from(payload, 'base64').toString('utf8')
    : payload.replace(/%[0-9a-f]{2}/gi, (code) => String.fromCharCode(Number.parseInt(code.slice(1), 16)));
  sink.enter(collapsed(text, whole), depth + 1);
}
