/**
 * The part of ASN.1 that CMS needs (X.690): elements with definite and indefinite lengths, and OCTET STRINGs in pieces. The size of
 * the input bounds every step.
 */

export interface Element {
  /** Identifier octet: class, constructed bit and tag number. */
  readonly tag: number;
  readonly isConstructed: boolean;
  readonly contentStart: number;
  readonly contentEnd: number;
  /** The offset after the element and its end-of-contents octets. */
  readonly end: number;
}

/** BER in BER in BER: pieces of pieces are followed to this depth. */
const MAX_DEPTH = 16;
/** Pieces of one string: real ones have one per 1,000 bytes. */
const MAX_ELEMENTS = 200_000;
const CONSTRUCTED = 0x20;
const OCTET_STRING = 0x04;

/** Returns the element at `at`, or null when none fits into [at, limit). CMS does not use multi-byte tags. */
export function elementAt(bytes: Uint8Array, at: number, limit: number, depth = 0): Element | null {
  const tag = bytes[at];
  const first = bytes[at + 1];
  if (tag === undefined || first === undefined || at + 2 > limit || (tag & 0x1f) === 0x1f) return null;
  const isConstructed = (tag & CONSTRUCTED) !== 0;
  if (first === 0x80) return isConstructed ? indefinite(bytes, at, limit, depth) : null;
  const length = lengthAt(bytes, at + 1);
  if (length === null || length.end + length.value > limit) return null;
  const contentEnd = length.end + length.value;
  return { tag, isConstructed, contentStart: length.end, contentEnd, end: contentEnd };
}

function lengthAt(bytes: Uint8Array, at: number): { value: number; end: number } | null {
  const first = bytes[at] ?? 0x80;
  if (first < 0x80) return { value: first, end: at + 1 };
  const count = first & 0x7f;
  if (count > 6) return null;
  let value = 0;
  for (let index = 1; index <= count; index++) value = value * 256 + (bytes[at + index] ?? 0);
  return { value, end: at + 1 + count };
}

/** Finds the end of an element of indefinite length: the end-of-contents octets of its own level. */
function indefinite(bytes: Uint8Array, at: number, limit: number, depth: number): Element | null {
  if (depth >= MAX_DEPTH) return null;
  const tag = bytes[at] ?? 0;
  let next = at + 2;
  for (let count = 0; count < MAX_ELEMENTS; count++) {
    if (bytes[next] === 0 && bytes[next + 1] === 0 && next + 2 <= limit)
      return { tag, isConstructed: true, contentStart: at + 2, contentEnd: next, end: next + 2 };
    const element = elementAt(bytes, next, limit, depth + 1);
    if (element === null) return null;
    next = element.end;
  }
  return null;
}

/** Returns the elements directly inside one, up to the first that cannot be read. */
export function childrenOf(bytes: Uint8Array, parent: Element, most = 64): Element[] {
  const children: Element[] = [];
  for (let at = parent.contentStart; at < parent.contentEnd && children.length < most; ) {
    const child = elementAt(bytes, at, parent.contentEnd);
    if (child === null) break;
    children.push(child);
    at = child.end;
  }
  return children;
}

/** Returns the bytes of an OCTET STRING, joined when it is in pieces; null for another element. */
export function octetsOf(bytes: Uint8Array, element: Element, depth = 0): Uint8Array | null {
  if ((element.tag & 0x1f) !== OCTET_STRING || depth > MAX_DEPTH) return null;
  if (!element.isConstructed) return bytes.subarray(element.contentStart, element.contentEnd);
  const pieces: Uint8Array[] = [];
  for (const child of childrenOf(bytes, element, MAX_ELEMENTS)) {
    const piece = octetsOf(bytes, child, depth + 1);
    if (piece === null) return null;
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

/** Returns the content of an OBJECT IDENTIFIER as hexadecimal digits; null for anything else. */
export function objectIdOf(bytes: Uint8Array, element: Element | undefined): string | null {
  if (element?.tag !== 0x06) return null;
  return Buffer.from(bytes.subarray(element.contentStart, element.contentEnd)).toString('hex');
}
