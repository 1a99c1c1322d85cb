/** Reads bits, the highest of a byte first. After the end all bits are 0, and `isOver` says so. */
export class Bits {
  #at = 0;
  readonly #bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  /** True when more bits were read than exist. */
  get isOver(): boolean {
    return this.#at > this.#bytes.length * 8;
  }

  /** Bytes that were begun. */
  get bytesRead(): number {
    return Math.ceil(this.#at / 8);
  }

  /** Returns the next bits as a number. At most 16. */
  read(count: number): number {
    const first = this.#at >>> 3;
    const [a = 0, b = 0, c = 0] = [this.#bytes[first], this.#bytes[first + 1], this.#bytes[first + 2]];
    const value = (a << 16) | (b << 8) | c;
    const shift = 24 - (this.#at & 7) - count;
    this.#at += count;
    return (value >>> shift) & ((1 << count) - 1);
  }

  skip(count: number): void {
    this.#at += count;
  }

  /** Skips numbers. Each number is some bits of 0, then a 1, then some more bits. The number of bytes bounds the cost. */
  skipRice(numbers: number, more: number): void {
    const end = this.#bytes.length * 8;
    let at = this.#at;
    for (let number = 0; number < numbers && at <= end; number++) {
      let rest = ((this.#bytes[at >>> 3] ?? 0) << (at & 7)) & 0xff;
      while (rest === 0 && at <= end) {
        at += 8 - (at & 7);
        rest = this.#bytes[at >>> 3] ?? 0;
      }
      at += Math.clz32(rest) - 24 + 1 + more;
    }
    this.#at = at;
  }
}
