/** The elements of Matroska and WebM files (RFC 8794), and a copy in which elements are emptied in place. */
import { EngineError } from '../../engine.ts';

export interface Element {
  /** With its marker, as the standard writes it: 0x1a45dfa3. */
  readonly id: number;
  /** The offset of the header. */
  readonly at: number;
  /** The offset of the content. */
  readonly from: number;
  readonly end: number;
  /** True when the length is not known. A recorder does not know it while it records. */
  readonly isOpen: boolean;
}

/** The most elements of one file. Each costs a step. An hour of film has some hundred thousand. */
const MAX_ELEMENTS = 2_000_000;
const VOID = 0xec;

/** Reads elements, and counts them. */
export class ElementReader {
  private left = MAX_ELEMENTS;
  constructor(readonly bytes: Buffer) {}

  /** Returns the element at a place, which ends at `end` when it is open. Throws EngineError `unreadable` when it does not fit. */
  at(at: number, end: number): Element {
    if (--this.left < 0) throw new EngineError('oversize', 'the file has too many elements');
    const id = numberAt(this.bytes, at, end, 4);
    const size = numberAt(this.bytes, at + id.length, end, 8);
    const from = at + id.length + size.length;
    const isOpen = size.value === null;
    const last = size.value === null ? end : from + size.value;
    if (last > end) throw damaged();
    return { id: this.bytes.readUIntBE(at, id.length), at, from, end: last, isOpen };
  }
}

interface CodedNumber {
  readonly length: number;
  /** Null when all of its bits are ones, which means unknown. */
  readonly value: number | null;
}

/** Returns a number whose first bits say how many bytes it has (RFC 8794, 4). Throws EngineError `unreadable`. */
export function numberAt(bytes: Buffer, at: number, end: number, most: number): CodedNumber {
  const first = at < end ? (bytes[at] as number) : 0;
  const length = Math.clz32(first) - 23;
  if (first === 0 || length > most || at + length > end) throw damaged();
  const rest = first - (0x80 >> (length - 1));
  let value = rest;
  let isUnknown = rest === (0x80 >> (length - 1)) - 1;
  for (let index = 1; index < length; index++) {
    const byte = bytes[at + index] as number;
    value = value * 256 + byte;
    isUnknown &&= byte === 0xff;
  }
  if (!isUnknown && !Number.isSafeInteger(value)) throw damaged();
  return { length, value: isUnknown ? null : value };
}

export const damaged = () => new EngineError('unreadable', 'the film or recording is damaged or cut off');

/** Turns an element into free space. No byte after it moves, because other elements contain places in the file. */
export function empty(bytes: Buffer, { at, end }: Element): void {
  const length = end - at;
  // The size uses as many bytes as it needs, and the rest of the element is zeros.
  const width = [1, 2, 4, 8].find((each) => each + 1 <= length && length - 1 - each < 2 ** (7 * each) - 1) ?? 1;
  bytes.fill(0, at, end);
  bytes[at] = VOID;
  bytes.writeUIntBE((length - 1 - width) % 2 ** 32, at + 1 + Math.max(0, width - 4), Math.min(4, width));
  bytes[at + 1] = (bytes[at + 1] as number) | (0x80 >> (width - 1));
}
