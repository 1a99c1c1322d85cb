/**
 * Reads the frames of CMS (RFC 5652) strictly: each octet belongs to an element, and the structure defines the elements and their order.
 * The content of the elements is not read.
 */
import { childrenOf, type Element, elementAt, objectIdOf } from '../encodings/der.ts';

export const OBJECT_ID = 0x06;
export const SEQUENCE = 0x30;
export const SET = 0x31;

/** The structure in a ContentInfo. */
export interface Frames {
  /** The content of its OBJECT IDENTIFIER in hexadecimal digits. */
  readonly type: string;
  readonly fields: readonly Element[];
}

/** Returns the tags of a structure in order. An element in brackets may be absent. */
export function shape(...tags: (number | readonly [number])[]): RegExp {
  const words = tags.map((tag) => (typeof tag === 'number' ? `${tag} ` : `(?:${tag[0]} )?`));
  return new RegExp(`^${words.join('')}$`);
}

/** Returns the structure of all bytes; null when they are no ContentInfo, or do not have the shape of their type in `shapes`. */
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
const MAX_FIELDS = 8;

/** Returns the elements directly inside one; null when some octets belong to none. */
export function allOf(bytes: Uint8Array, parent: Element): Element[] | null {
  const children = childrenOf(bytes, parent, MAX_FIELDS);
  return (children.at(-1)?.end ?? parent.contentStart) === parent.contentEnd ? children : null;
}

/** Returns true when an element has content. */
export const isFilled = (element: Element | undefined): boolean =>
  element !== undefined && element.contentEnd > element.contentStart;
