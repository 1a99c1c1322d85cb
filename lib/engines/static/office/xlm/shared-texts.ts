/** Reads the table of texts of an Excel 97 to 2003 workbook ([MS-XLS] 2.4.265), which continues in further records. */

/** The most texts, and the most characters of all of them. */
const MAX_TEXTS = 200_000;
const MAX_CHARS = 16 * 1024 * 1024;

/** Returns the texts in order, up to the first one that is cut off. */
export function sharedTexts(records: readonly Buffer[]): string[] {
  const texts: string[] = [];
  const reader = new PartReader(records);
  reader.number(4);
  const count = reader.number(4);
  let chars = 0;
  while (texts.length < Math.min(count, MAX_TEXTS) && !reader.isAtEnd && chars < MAX_CHARS) {
    const length = reader.number(2);
    const flags = reader.number(1);
    const runs = (flags & 8) !== 0 ? reader.number(2) : 0;
    const extra = (flags & 4) !== 0 ? reader.number(4) : 0;
    const text = reader.text(length, (flags & 1) !== 0);
    reader.skip(runs * 4 + extra);
    chars += text.length;
    texts.push(text);
  }
  return texts;
}

class PartReader {
  private part = 0;
  private at = 0;

  constructor(private readonly parts: readonly Buffer[]) {}

  get isAtEnd(): boolean {
    return this.left === 0 && this.part >= this.parts.length - 1;
  }

  private get left(): number {
    return (this.parts[this.part]?.length ?? 0) - this.at;
  }

  private byte(): number {
    while (this.left === 0 && this.part < this.parts.length - 1) this.next();
    return this.parts[this.part]?.[this.at++] ?? 0;
  }

  private next(): void {
    this.part++;
    this.at = 0;
  }

  number(bytes: number): number {
    let value = 0;
    for (let index = 0; index < bytes; index++) value += this.byte() * 2 ** (8 * index);
    return value;
  }

  /** Skips this number of bytes, or to the end. */
  skip(bytes: number): void {
    for (let rest = bytes; rest > 0 && !this.isAtEnd; ) {
      if (this.left === 0) this.next();
      const step = Math.min(rest, this.left);
      this.at += step;
      rest -= step;
    }
  }

  /** Reads a text of this number of characters. Where it continues in the next record, a byte gives their width again. */
  text(length: number, isWide: boolean): string {
    const pieces: string[] = [];
    let [rest, wide] = [length, isWide];
    while (rest > 0 && !this.isAtEnd) {
      if (this.left === 0) {
        this.next();
        wide = (this.byte() & 1) !== 0;
      }
      const size = wide ? 2 : 1;
      const count = Math.min(rest, Math.floor(this.left / size));
      if (count === 0) {
        this.skip(this.left);
        continue;
      }
      const bytes = this.parts[this.part]?.subarray(this.at, this.at + count * size);
      pieces.push(bytes?.toString(wide ? 'utf16le' : 'latin1') ?? '');
      this.at += count * size;
      rest -= count;
    }
    return pieces.join('');
  }
}
