/** An element that a reader of a part has opened and not yet closed. */
import type { XmlElement } from './element.ts';

export interface Frame {
  nameId: number;
  tagFrom: number;
  /** Elements of the part up to and with this one. */
  elementsAtOpen: number;
  /** Null as long as nothing inside had to be seen; a node's ancestors are nodes. */
  node: XmlElement | null;
  /** For a node: where its content begins that is not among its children yet, and how many elements came before. */
  contentFrom: number;
  elementsBefore: number;
  nodesBefore: number;
}

export function newFrame(): Frame {
  return { nameId: 0, tagFrom: 0, elementsAtOpen: 0, node: null, contentFrom: 0, elementsBefore: 0, nodesBefore: 0 };
}
