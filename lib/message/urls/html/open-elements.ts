/** The open elements of one text, from the outermost to the innermost. A page can open thousands, so no question walks through all of them. */

/** Stands in front of an open element that its style puts into the line of its neighbours. */
const JOINED = '~';

export class OpenElements {
  private readonly entries: string[] = [];
  private readonly counts = new Map<string, number>();

  get size(): number {
    return this.entries.length;
  }

  /** `joins`: its style puts the element into the line of its neighbours. */
  push(tag: string, joins = false): void {
    this.entries.push(joins ? `${JOINED}${tag}` : tag);
    this.counts.set(tag, this.count(tag) + 1);
  }

  /** Returns how many elements of this name are open. */
  count(tag: string): number {
    return this.counts.get(tag) ?? 0;
  }

  /** Closes all elements inside the innermost one of this name. Returns false when none is open. */
  closeInside(tag: string): boolean {
    if (this.count(tag) === 0) return false;
    while (nameOf(this.entries.at(-1) as string) !== tag) this.pop();
    return true;
  }

  /** Closes the innermost element of this name and all inside it. Returns whether it stood apart, or null when none is open. */
  close(tag: string): boolean | null {
    if (!this.closeInside(tag)) return null;
    return this.pop() === tag;
  }

  /** Returns a copy that changes by itself. */
  copy(): OpenElements {
    const copied = new OpenElements();
    for (const entry of this.entries) copied.push(nameOf(entry), entry.startsWith(JOINED));
    return copied;
  }

  private pop(): string {
    const entry = this.entries.pop() as string;
    this.counts.set(nameOf(entry), this.count(nameOf(entry)) - 1);
    return entry;
  }
}

const nameOf = (entry: string) => (entry.startsWith(JOINED) ? entry.slice(JOINED.length) : entry);
