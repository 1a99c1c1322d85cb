/** The open elements of one text, from the outermost to the innermost. A page can open thousands, so no question walks through all of them. */

interface OpenElement {
  readonly tag: string;
  /** True when its style puts it into the line of its neighbours. */
  readonly joins: boolean;
}

export class OpenElements {
  /** Null as long as no element was opened: most cells of a table have none. */
  private elements: OpenElement[] | null = null;
  private counts: Map<string, number> | null = null;

  get size(): number {
    return this.elements === null ? 0 : this.elements.length;
  }

  /** `joins`: its style puts the element into the line of its neighbours. */
  push(tag: string, joins = false): void {
    this.elements ??= [];
    this.counts ??= new Map();
    this.elements.push({ tag, joins });
    this.counts.set(tag, this.count(tag) + 1);
  }

  /** Returns how many elements of this name are open. */
  count(tag: string): number {
    return this.counts?.get(tag) ?? 0;
  }

  /** Closes all elements inside the innermost one of this name. Returns false when none is open. */
  closeInside(tag: string): boolean {
    if (this.count(tag) === 0) return false;
    while (this.elements?.at(-1)?.tag !== tag) this.pop();
    return true;
  }

  /** Closes the innermost element of this name and all inside it. Returns whether it stood apart, or null when none is open. */
  close(tag: string): boolean | null {
    return this.closeInside(tag) ? !this.pop().joins : null;
  }

  /** Returns a copy that changes by itself. */
  copy(): OpenElements {
    const copied = new OpenElements();
    for (const { tag, joins } of this.elements ?? []) copied.push(tag, joins);
    return copied;
  }

  private pop(): OpenElement {
    const closed = this.elements?.pop() as OpenElement;
    this.counts?.set(closed.tag, this.count(closed.tag) - 1);
    return closed;
  }
}
