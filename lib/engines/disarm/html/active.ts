/**
 * Looks for active content in a page: content that runs, redirects, asks for input or hides. The rebuild finds content that is only loaded
 * or stored. The two are reported under different kinds, because a body with only the second kind may be shown unchanged.
 */

import { isKnownCharset } from '../../../formats/charsets/page-readings.ts';
import type { EngineLimits, Removal } from '../../engine.ts';
import { type InspectPage, inspectComment, isKnownDoctype } from './comments.ts';
import { isActiveCss } from './css.ts';
import { isActiveSet, isActiveUrl } from './links.ts';
import { textOf, UNLISTED, unlistedAttribute, unlistedElement } from './listed.ts';
import { ACTIVE_ELEMENTS, DATA_BINDING, LOADING_RELATIONS, OFFICE_ELEMENTS, URL_ATTRIBUTES } from './rules.ts';
import { descendants, type HtmlElement, type HtmlPage, isElement, parseHtml } from './tree.ts';

/** The most removals that are reported one by one. A page can contain a million. */
const REMOVALS = 500;
/** The most characters of a tag or attribute name in a report. The sender can make a name a megabyte long. */
const NAME_LENGTH = 40;

/** A list of removals that stays short. Beyond the limit, one entry represents all the rest. */
export class RemovalList {
  private readonly entries: Removal[] = [];
  private overflow = 0;
  private readonly seen = new Set<string>();

  add(kind: string, where: string, action: Removal['action'] = 'removed'): void {
    if (this.entries.length < REMOVALS) this.entries.push({ kind, action, where });
    else this.overflow++;
  }
  /** Adds a removal unless the same one was added before. A newsletter has one kind of attribute in a thousand places. */
  addOnce(kind: string, where: string): void {
    const key = `${kind}\n${where}`;
    if (this.seen.has(key)) return;
    if (this.seen.size < REMOVALS) this.seen.add(key);
    this.add(kind, where);
  }
  get isEmpty(): boolean {
    return this.entries.length === 0;
  }
  toArray(): Removal[] {
    const rest: Removal = { kind: 'more of the kinds above', action: 'removed', where: `${this.overflow} places` };
    return this.overflow > 0 ? [...this.entries, rest] : [...this.entries];
  }
}

/** Returns the name of an element, or of an attribute of it, in a report. */
export function placeOf(element: HtmlElement, attribute?: string): string {
  const name = element.tagName.slice(0, NAME_LENGTH);
  return attribute === undefined ? name : `${name}[${attribute.slice(0, NAME_LENGTH)}]`;
}

/**
 * Adds everything active in a page to `removals`, and everything outside the lists of harmless things. Throws EngineError `oversize` when
 * the page inside a comment breaks a limit.
 */
export function findActive(page: HtmlPage, limits: EngineLimits, removals: RemovalList, depth = 0): void {
  const { document, strays, comments, doctypes, endsInTag } = page;
  for (const stray of strays) inspectElement(stray, removals);
  for (const node of descendants(document.childNodes)) if (isElement(node)) inspectElement(node, removals);
  for (const comment of comments)
    for (const kind of inspectComment(comment, limits, depth, inspectInner)) removals.addOnce(kind, 'comment');
  if (!doctypes.every(isKnownDoctype)) removals.add(UNLISTED.declaration, 'document type');
  if (endsInTag) removals.add(UNLISTED.unclosed, 'end');
}

/** The kinds of active content of a page inside another page. */
const inspectInner: InspectPage = (html, limits, depth) => {
  const inner = new RemovalList();
  findActive(parseHtml(html, limits), limits, inner, depth);
  return inner.toArray().map(({ kind }) => kind);
};

function inspectElement(element: HtmlElement, removals: RemovalList): void {
  const kind = activeElement(element);
  const found = kind ?? unlistedElement(element);
  if (kind !== null) removals.add(kind, placeOf(element));
  else if (found !== null) removals.addOnce(found, placeOf(element));
  for (const { name: untrustedName, value } of element.attrs) {
    const name = untrustedName.toLowerCase();
    const active = activeAttribute(name, value);
    if (active !== null) removals.add(active, placeOf(element, untrustedName));
    // A removed element needs no further check.
    else if (found === null) noteUnlisted(element, name, value, removals);
  }
}

/** Returns the kind under which an active element is reported; null for an element that does nothing by itself. */
function activeElement(element: HtmlElement): string | null {
  // `<x:script>` is a script where the page is read as XML.
  const name = element.tagName.toLowerCase();
  const local = name.slice(name.indexOf(':') + 1);
  const attribute = (wanted: string) => element.attrs.find((candidate) => candidate.name === wanted)?.value ?? '';
  if (name === 'link' && isActiveLoad(attribute('rel').slice(0, 1_000), attribute('href')))
    return 'style sheet or other file loaded';
  if (name === 'meta' && /^\s*refresh/i.test(attribute('http-equiv').slice(0, 100))) return 'automatic redirect';
  if (name === 'meta' && !isKnownCharset(declaredCharset(attribute('charset'), attribute('content'))))
    return 'charset that programs read differently';
  if (name === 'style' && isActiveCss(textOf(element))) return 'active style';
  // A base without an address only chooses the window in which links are opened.
  if (name === 'base' && element.attrs.every((own) => own.name === 'target')) return null;
  return ACTIVE_ELEMENTS.get(name) ?? (local === 'script' ? 'script' : OFFICE_ELEMENTS.get(local)) ?? null;
}

function noteUnlisted(element: HtmlElement, name: string, value: string, removals: RemovalList): void {
  const unlisted = unlistedAttribute(element, name, value);
  if (unlisted !== null) removals.addOnce(unlisted, placeOf(element, name));
}

/**
 * Returns true when a link element loads something active. A style sheet from the web counts as a remote picture. Anything else can be a
 * page or a script.
 */
function isActiveLoad(rel: string, href: string): boolean {
  if (!LOADING_RELATIONS.test(rel)) return false;
  return !(/^\s*stylesheet\s*$/i.test(rel) && /^\s*https?:\/\//i.test(href));
}

/** Returns the charset that a meta element declares; UTF-8 when it declares none. */
function declaredCharset(charset: string, content: string): string {
  return charset || (/(?:^|[;,\s])charset\s*=\s*["']?\s*([^\s"';,]+)/i.exec(content.slice(0, 1_000))?.[1] ?? 'utf-8');
}

/** Returns the kind under which an active attribute is reported; null for an attribute that does nothing. Takes the name in lower case. */
export function activeAttribute(name: string, value: string): string | null {
  const local = name.slice(name.lastIndexOf(':') + 1);
  if (/^on[a-z]/.test(local)) return 'event handler';
  if (local === 'srcdoc') return 'frame';
  if (local === 'style') return isActiveCss(value) ? 'active style' : null;
  if (local === 'formaction') return 'form';
  // A click on the link also informs these addresses, for any target of the link.
  if (local === 'ping' || local === 'attributionsrc') return 'address that is told of clicks';
  if (DATA_BINDING.has(local)) return 'bound data';
  if (local === 'srcset' || local === 'imagesrcset') return isActiveSet(value) ? 'active link' : null;
  return URL_ATTRIBUTES.has(local) && isActiveUrl(value) ? 'active link' : null;
}
