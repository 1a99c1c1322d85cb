/**
 * The frames of CMS (RFC 5652), read strictly: each octet belongs to an element, and the elements are those of the structure, in their
 * order. The content of the elements is not looked at.
 */
import { childrenOf, type Element, elementAt, objectIdOf } from './der.ts';

export const OBJECT_ID = 0x06;
export const SEQUENCE = 0x30;
export const SET = 0x31;

/** The structure in a ContentInfo. */
export interface Frames {
  /** The content of its OBJECT IDENTIFIER in hexadecimal digits. */
  readonly type: string;
  readonly fields: readonly Element[];
}

/** The tags of a structure in their order. An element in brackets may be absent. */
export function shape(...tags: (number | readonly [number])[]): RegExp {
  const words = tags.map((tag) => (typeof tag === 'number' ? `${tag} ` : `(?:${tag[0]} )?`));
  return new RegExp(`^${words.join('')}$`);
}

/** The structure that all bytes are; null when they are no ContentInfo, or not of the shape that `shapes` has for its type. */
export function framesOf(bytes: Uint8Array, shapes: Readonly<Record<string, RegExp>>): Frames | null {
  const root = elementAt(bytes, 0, bytes.length);
  if (root?.tag !== SEQUENCE || root.end !== bytes.length) return null;
  const [id, wrapper, ...others] = allOf(bytes, root) ?? [];
  const [data, ...rest] = (wrapper?.tag === EXPLICIT && allOf(bytes, wrapper)) || [];
  const type = objectIdOf(bytes, id) ?? '';
  if (data?.tag !== SEQUENCE || others.length + rest.length > 0) return null;
  const fields = allOf(bytes, data);
  return fields !== null && shapes[type]?.test(fields.map(({ tag }) => `${tag} `).join('')) ? { type, fields } : null;
}

const EXPLICIT = 0xa0;
/** More elements than any of these structures has. */
const MOST_FIELDS = 8;

/** The elements directly inside one; null when there are octets that belong to none. */
export function allOf(bytes: Uint8Array, parent: Element): Element[] | null {
  const children = childrenOf(bytes, parent, MOST_FIELDS);
  return (children.at(-1)?.end ?? parent.contentStart) === parent.contentEnd ? children : null;
}

/** True when something is in an element. */
export const isFilled = (element: Element | undefined): boolean =>
  element !== undefined && element.contentEnd > element.contentStart;
