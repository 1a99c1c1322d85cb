/** Names the passive content that a rebuild leaves out of a page. The kinds of active content are in `active.ts`. */
import { activeAttribute, placeOf, type RemovalList } from './active.ts';
import { ACTIVE_ELEMENTS, AUTHOR_NAMES, PASSIVE } from './rules.ts';
import { HTML_NAMESPACE, type HtmlElement } from './tree.ts';
import { isWholeStyle } from './written-style.ts';

/** Reports an element that is dropped or unwrapped. A declared charset is not reported, because the new page declares its own. */
export function noteElement(element: HtmlElement, removals: RemovalList): void {
  const kind = kindOfElement(element);
  if (kind !== null) removals.addOnce(kind, placeOf(element));
}

function kindOfElement(element: HtmlElement): string | null {
  const { tagName, attrs, namespaceURI } = element;
  if (tagName === 'base' && attrs.every(({ name }) => name === 'target')) return PASSIVE.metadata;
  if (namespaceURI !== HTML_NAMESPACE || ACTIVE_ELEMENTS.has(tagName)) return null;
  if (tagName === 'style') return PASSIVE.style;
  if (tagName === 'link') return PASSIVE.linkedFile;
  if (tagName !== 'meta') return PASSIVE.element;
  const attributeOf = (wanted: string) => attrs.find(({ name }) => name === wanted)?.value.toLowerCase() ?? '';
  if (AUTHOR_NAMES.has(attributeOf('name'))) return PASSIVE.author;
  const isCharset =
    attrs.every(({ name }) => name === 'charset') || attributeOf('http-equiv').trim() === 'content-type';
  return isCharset ? null : PASSIVE.metadata;
}

interface Attribute {
  readonly name: string;
  readonly value: string;
  readonly isKept: boolean;
}

/** Reports an attribute that is left out, completely or in part. */
export function noteAttribute(element: HtmlElement, { name, value, isKept }: Attribute, removals: RemovalList): void {
  const isStyle = name === 'style' && isWholeStyle(value);
  if (isStyle || (isKept && name !== 'style') || activeAttribute(name.toLowerCase(), value) !== null) return;
  removals.addOnce(kindOfAttribute(name), placeOf(element, name));
}

const KINDS: Readonly<Record<string, string>> = {
  style: PASSIVE.style,
  src: PASSIVE.remotePicture,
  lowsrc: PASSIVE.remotePicture,
  dynsrc: PASSIVE.remotePicture,
  poster: PASSIVE.remotePicture,
  srcset: PASSIVE.pictureSet,
  imagesrcset: PASSIVE.pictureSet,
  background: PASSIVE.background,
  href: PASSIVE.link,
};

function kindOfAttribute(name: string): string {
  if (name.startsWith('data-')) return PASSIVE.data;
  return Object.hasOwn(KINDS, name) ? (KINDS[name] ?? PASSIVE.attribute) : PASSIVE.attribute;
}
