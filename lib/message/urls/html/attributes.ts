/** Finds the URLs of HTML attributes: single URLs, lists, refreshes, style, and whole documents inside `srcdoc` and `data:`. */
import { MAX_MATCHES } from '../url-collector.ts';
import { collapsed, type MappedText, type Span, verbatim, within } from './mapped.ts';
import type { LinkText } from './visible.ts';

/** A stretch of HTML. `whole` is the attribute value around it, if that value can be replaced as a whole. */
export interface Region {
  /**
   * `link`: the text is a URL. `text`: running text. `cut`: a word that tags cut in pieces. `code`: text in which only a URL
   * with a scheme counts.
   */
  readonly kind: 'link' | 'text' | 'cut' | 'css' | 'code';
  readonly value: MappedText;
  readonly whole: Span | null;
  /** For links: true when a program fetches it without a click. @default false */
  readonly isFetched?: boolean;
  /** For links: the text that a person sees. It is filled while the element is open. */
  readonly linkText?: LinkText | null;
}

/** Collects stretches. */
export interface Sink {
  readonly regions: Region[];
  readonly bases: { depth: number; href: string }[];
  /** Searches markup that is inside other markup. */
  enter(source: MappedText, depth: number): void;
}

/** The greatest depth of markup inside comments, attributes and data: URLs. Each level reads the same text once more. */
export const MARKUP_DEPTH = 3;

/** A scheme with slashes, also percent-encoded, as `text-links.ts` reads them. */
export const SPELLED_OUT = /:[\\/]{2}|%(?:25){0,3}3a(?:%(?:25){0,3}2f|\/)/i;

/** Attributes whose value is one URL, in any element and any name space. */
// biome-ignore format: one attribute a line makes the list hard to read
const LINK_ATTRIBUTES = new Set([
  'href', 'src', 'action', 'formaction', 'data', 'background', 'poster', 'cite', 'longdesc', 'dynsrc', 'lowsrc',
  'manifest', 'archive', 'codebase', 'icon', 'base', 'originalsrc', 'althref', 'data-saferedirecturl', 'data-href',
  'data-src', 'data-url',
]);
/** Attributes whose values are lists of URLs. */
const LIST_ATTRIBUTES = new Set(['srcset', 'imagesrcset', 'ping']);
/** Attributes whose URLs only name vocabularies. No program opens these URLs, and nearly every mail has some. */
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
/** The attribute that a value belongs to. Names are in lower case. */
export interface Place {
  readonly tag: string;
  readonly attribute: string;
  readonly depth: number;
  readonly linkText: LinkText | null;
}

/** A style without one of these names no URL. */
const STYLE_SIGNAL = /[(@\\]|:\/\//;

/**
 * Returns false when an attribute with this raw value certainly holds no URL. Most attributes of a page hold none, so this is asked before
 * any object is built.
 */
export function canHoldUrl(attribute: string, raw: string): boolean {
  if (attribute === 'style') return STYLE_SIGNAL.test(raw);
  const name = attribute.slice(attribute.lastIndexOf(':') + 1);
  if (LINK_ATTRIBUTES.has(name) || LIST_ATTRIBUTES.has(name) || name === 'srcdoc' || name === 'content') return true;
  return SPELLED_OUT.test(raw);
}

/** Attributes whose URL is followed by a click. The URLs of all others are fetched when the page is shown. */
const CLICKED = new Set(['href', 'action', 'formaction', 'ping', 'originalsrc', 'data-saferedirecturl', 'data-href']);

/** Collects the URLs and markup of one attribute. `whole` is the place of its value. */
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

/** Returns the URLs of a `srcset` or `ping`. Each is a run without white space. Commas around it and descriptors are not part of it. */
function* listed(value: MappedText): Generator<MappedText> {
  let count = 0;
  for (const run of value.text.matchAll(/\S+/g)) {
    const url = run[0].replace(/^,+/, '');
    const start = run.index + run[0].length - url.length;
    const end = url.endsWith(',') ? start + url.length - 1 : start + url.length;
    if (/^[\d.]+[wxh],?$/.test(url)) continue;
    if (count++ > MAX_MATCHES) return;
    yield within(value, verbatim(value.text.slice(start, end), start));
  }
}

/** Reads `0; url='https://…'` (HTML §4.2.5.3, refresh). In other meta contents only URLs with a scheme count. */
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

/** Enters the document inside a `data:` URL (RFC 2397). The place of each of its URLs is the whole attribute. */
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
