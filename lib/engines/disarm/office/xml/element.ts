/** The small tree that a part of an Office document is read into. */

export interface XmlAttribute {
  /** Fixed prefix and local name, `r:id`; null when the namespace is unknown. Namespace declarations have `xmlns:…`. */
  readonly key: string | null;
  readonly name: string;
  readonly value: string;
}

/** An element's opening tag from the part, checked. It is written again byte for byte while nothing of it changed. */
export interface XmlTag {
  readonly bytes: Buffer;
  readonly from: number;
  /** The offset after the last attribute. */
  readonly to: number;
  readonly isEmpty: boolean;
  readonly name: string;
  readonly attributes: readonly XmlAttribute[];
}

export interface XmlElement {
  /** Fixed prefix and local name, `w:p`; null when the namespace is unknown. */
  readonly key: string | null;
  readonly name: string;
  attributes: XmlAttribute[];
  children: XmlNode[];
  /** Absent for elements that were not read from a part. */
  readonly tag?: XmlTag;
}

/** Whole elements, and text between them, that need no judging: a range of the part's checked bytes. */
export interface XmlFragment {
  readonly bytes: Buffer;
  readonly from: number;
  to: number;
}

/** A string is text. */
export type XmlNode = XmlElement | XmlFragment | string;

export function isElement(node: XmlNode): node is XmlElement {
  return typeof node === 'object' && 'children' in node;
}

/** Returns the value of the attribute with this key, or null. */
export function attribute(element: XmlElement, key: string): string | null {
  return element.attributes.find((candidate) => candidate.key === key)?.value ?? null;
}

/** Returns all elements below (and not including) this one, in document order. */
export function* descendants(element: XmlElement): Generator<XmlElement> {
  for (const child of element.children) {
    if (!isElement(child)) continue;
    yield child;
    yield* descendants(child);
  }
}

/** Text of an element and everything below it. */
export function textOf(element: XmlElement): string {
  return element.children
    .map((child) => (isElement(child) ? textOf(child) : typeof child === 'string' ? child : ''))
    .join('');
}
