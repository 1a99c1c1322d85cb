/**
 * Reads numbers and lengths out of untrusted bytes. It only moves forward, and every read behind the end throws `OutOfBytes`. So no length is
 * ever trusted, and a loop that reads something in each step ends.
 */

/** Thrown for a read behind the end of the bytes. */
export class OutOfBytes extends Error {}

export class ByteReader {
  private place: number;
  private readonly view: DataView;

  constructor(
    readonly bytes: Uint8Array,
    from = 0,
  ) {
    if (!(from >= 0)) throw new OutOfBytes();
    this.place = from;
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /** The offset of the next byte. */
  get at(): number {
    return this.place;
  }

  /** The number of bytes that are not read yet. */
  get left(): number {
    return this.bytes.length - this.place;
  }

  /** Returns the next byte. */
  byte(): number {
    this.need(1);
    return this.bytes[this.place++] ?? 0;
  }

  /** Returns the next two bytes, the lower one first. */
  word(): number {
    this.need(2);
    this.place += 2;
    return this.view.getUint16(this.place - 2, true);
  }

  /** Returns the next four bytes, the lowest one first. */
  long(): number {
    this.need(4);
    this.place += 4;
    return this.view.getUint32(this.place - 4, true);
  }

  /** Returns the next bytes, without a copy. */
  take(length: number): Uint8Array {
    this.need(length);
    this.place += length;
    return this.bytes.subarray(this.place - length, this.place);
  }

  /** Skips this number of bytes. */
  skip(length: number): void {
    this.need(length);
    this.place += length;
  }

  /** Skips a list with its number of elements in front. The number for no list at all is `none`. */
  skipList(elementBytes: number, none?: number): void {
    const count = this.word();
    if (count !== none) this.skip(count * elementBytes);
  }

  private need(length: number): void {
    if (!(length >= 0 && length <= this.left)) throw new OutOfBytes();
  }
}
