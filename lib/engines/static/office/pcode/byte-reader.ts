/** Reads numbers and lengths out of untrusted bytes. Every read behind the end throws `OutOfBytes`, so no length is ever trusted. */

/** Thrown for a read behind the end of the bytes. */
export class OutOfBytes extends Error {}

export class ByteReader {
  at: number;
  private readonly view: DataView;

  constructor(
    readonly bytes: Uint8Array,
    from = 0,
  ) {
    this.at = from;
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /** Returns the next byte. */
  byte(): number {
    this.need(1);
    return this.bytes[this.at++] ?? 0;
  }

  /** Returns the next two bytes, the lower one first. */
  word(): number {
    this.need(2);
    this.at += 2;
    return this.view.getUint16(this.at - 2, true);
  }

  /** Returns the next four bytes, the lowest one first. */
  long(): number {
    this.need(4);
    this.at += 4;
    return this.view.getUint32(this.at - 4, true);
  }

  /** Returns the next bytes, without a copy. */
  take(length: number): Uint8Array {
    this.need(length);
    this.at += length;
    return this.bytes.subarray(this.at - length, this.at);
  }

  /** Skips this number of bytes. */
  skip(length: number): void {
    this.need(length);
    this.at += length;
  }

  /** Skips a list with its number of elements in front. The number for no list at all is `none`. */
  skipList(elementBytes: number, none?: number): void {
    const count = this.word();
    if (count !== none) this.skip(count * elementBytes);
  }

  private need(length: number): void {
    if (length < 0 || this.at + length > this.bytes.length) throw new OutOfBytes();
  }
}
