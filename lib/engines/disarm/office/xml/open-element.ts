/** An element that a reader of a part has opened and not yet closed. */
import type { XmlElement } from './element.ts';

export interface Frame {
  nameId: number;
  tagFrom: number;
  /** The number of elements of the part up to this one, inclusive. */
  elementsAtOpen: number;
  /** Null while nothing inside had to be seen. A node's ancestors are nodes. */
  node: XmlElement | null;
  /** For a node: the start of its content that is not yet among its children, and the number of elements before it. */
  contentFrom: number;
  elementsBefore: number;
  nodesBefore: number;
}

export function newFrame(): Frame {
  return { nameId: 0, tagFrom: 0, elementsAtOpen: 0, node: null, contentFrom: 0, elementsBefore: 0, nodesBefore: 0 };
}
