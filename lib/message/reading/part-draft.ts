/** A node of the structure of a message while it is read. */
import type { ByteRange, PartRole } from '../model.ts';
import type { PartFacts } from './part-facts.ts';

/** A node of the tree while it is read. `bodyEnd` is final when the node is no longer open. */
export interface PartDraft {
  readonly path: string;
  readonly parent: string | null;
  readonly depth: number;
  role: PartRole;
  readonly facts: PartFacts;
  /** The boundary of its parts. Null when it is no multipart or has no usable boundary. */
  readonly boundary: Buffer | null;
  readonly header: ByteRange;
  readonly bodyStart: number;
  bodyEnd: number;
  children: number;
  /** True when its closing delimiter was seen. The text behind it is its epilogue. */
  isClosed: boolean;
}
