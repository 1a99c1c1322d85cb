/** A queue of work by group. The groups take turns, so that a group of a thousand does not delay the next group. */
export class FairQueue<T> {
  /** The groups in the order of their turns. */
  readonly #groups = new Map<string, T[]>();

  /** Returns whether a group is waiting that may go. */
  has(mayGo: (group: string) => boolean): boolean {
    return [...this.#groups.keys()].some(mayGo);
  }

  push(group: string, item: T): void {
    const items = this.#groups.get(group);
    if (items === undefined) this.#groups.set(group, [item]);
    else items.push(item);
  }

  /** Returns the first item of the next group in turn that may go; undefined when there is none. */
  take(mayGo: (group: string) => boolean): T | undefined {
    for (const [group, [item, ...rest]] of this.#groups) {
      if (item === undefined || !mayGo(group)) continue;
      this.#groups.delete(group);
      if (rest.length > 0) this.#groups.set(group, rest);
      return item;
    }
    return undefined;
  }

  clear(): void {
    this.#groups.clear();
  }
}
