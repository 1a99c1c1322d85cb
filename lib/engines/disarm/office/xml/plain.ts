/**
 * Reads tags without the scanner if they have the usual form and fully known names. Most of a large part consists of these. So here a tag
 * costs no call, and only one look-up for each name. Every other tag, including malformed ones, is left to the scanner.
 */
import type { XmlNames } from './meaning.ts';
import { CLASS, EQUALS, GT, QUOTE, SLASH, SPACE, type XmlScanner } from './scan.ts';

/** Up to this number, comparing the names of attributes with each other costs almost nothing. */
const FEW_ATTRIBUTES = 8;

export class PlainTags {
  /** The name of the last tag. */
  nameId = 0;
  isEmpty = false;
  private readonly bytes: Buffer;
  private readonly locals = new Int32Array(FEW_ATTRIBUTES);

  constructor(
    private readonly scanner: XmlScanner,
    private readonly names: XmlNames,
  ) {
    this.bytes = scanner.bytes;
  }

  /** Returns the offset after the opening tag at `from`; -1 when the scanner must read it. */
  behindTag(from: number): number {
    const { bytes } = this;
    const { length } = bytes;
    const { slots, mask, hashes, starts } = this.scanner.table;
    let at = from + 1;
    let hash = 0;
    for (; at < length && ((CLASS[bytes[at] as number] as number) & 1) === 0; at += 1) {
      hash = (Math.imul(hash, 31) + (bytes[at] as number)) | 0;
    }
    const id = slots[hash & mask] as number;
    if (id === -1 || hashes[id] !== hash || this.names.plainElements[id] !== this.names.epoch) return -1;
    if (!isSameName(bytes, starts[id] as number, from + 1, at)) return -1;
    this.nameId = id;
    if (bytes[at] === SPACE) at = this.behindAttributes(at);
    if (at === -1) return -1;
    this.isEmpty = bytes[at] === SLASH;
    if (this.isEmpty) at += 1;
    return bytes[at] === GT ? at + 1 : -1;
  }

  private behindAttributes(from: number): number {
    const { bytes, locals } = this;
    const { length } = bytes;
    const { slots, mask, hashes, starts, localIds } = this.scanner.table;
    const { plainAttributes, epoch } = this.names;
    let start = from;
    for (let count = 0; bytes[start] === SPACE; count += 1) {
      let at = start + 1;
      let hash = 0;
      for (; at < length && ((CLASS[bytes[at] as number] as number) & 1) === 0; at += 1) {
        hash = (Math.imul(hash, 31) + (bytes[at] as number)) | 0;
      }
      const id = slots[hash & mask] as number;
      if (count === FEW_ATTRIBUTES || id === -1 || hashes[id] !== hash || plainAttributes[id] !== epoch) return -1;
      if (bytes[at] !== EQUALS || bytes[at + 1] !== QUOTE) return -1;
      if (!isSameName(bytes, starts[id] as number, start + 1, at)) return -1;
      locals[count] = localIds[id] as number;
      if (isRepeated(locals, count)) return -1;
      at += 2;
      while (at < length && ((CLASS[bytes[at] as number] as number) & 4) === 0) at += 1;
      if (bytes[at] !== QUOTE) return -1;
      start = at + 1;
    }
    return start;
  }

  /** Returns the offset after the closing tag at `from` of the element whose opening tag is at `tagFrom`; -1 when it is not plain. */
  behindClosing(from: number, tagFrom: number): number {
    const { bytes } = this;
    let at = from + 2;
    let open = tagFrom + 1;
    while (((CLASS[bytes[at] as number] as number) & 1) === 0 && bytes[at] === bytes[open]) {
      at += 1;
      open += 1;
    }
    const isWhole = ((CLASS[bytes[open] as number] as number) & 1) !== 0;
    return isWhole && bytes[at] === GT ? at + 1 : -1;
  }
}

function isRepeated(locals: Int32Array, count: number): boolean {
  for (let before = 0; before < count; before += 1) if (locals[before] === locals[count]) return true;
  return false;
}

/** Returns whether the name at `known` equals the one between two offsets. */
function isSameName(bytes: Uint8Array, known: number, from: number, to: number): boolean {
  let at = from;
  let other = known;
  while (at < to && bytes[at] === bytes[other]) {
    at += 1;
    other += 1;
  }
  return at === to && ((CLASS[bytes[other] as number] as number) & 1) !== 0;
}
