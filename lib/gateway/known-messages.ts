/** The messages of a queue, and how many of them are open. Each MAIL asks for that number, and a queue may have thousands of messages. */
import { isUnderWay } from './progress.ts';
import type { Entry } from './spool-reading.ts';

/** A map of messages by their id. Only `set` and `delete` change the number of open ones, so that it is always the one of the map. */
export class KnownMessages {
  private readonly byId = new Map<string, Entry>();
  private open = 0;

  get(id: string): Entry | undefined {
    return this.byId.get(id);
  }

  /** Adds a message, or replaces it by its present state. */
  set(entry: Entry): void {
    const { id } = entry.envelope;
    this.open += countOf(entry) - countOf(this.byId.get(id));
    this.byId.set(id, entry);
  }

  delete(id: string): void {
    this.open -= countOf(this.byId.get(id));
    this.byId.delete(id);
  }

  values(): IterableIterator<Entry> {
    return this.byId.values();
  }

  /** Returns how many messages are judged, sent or waited for. */
  openCount(): number {
    return this.open;
  }
}

const countOf = (entry: Entry | undefined): number => Number(entry !== undefined && isUnderWay(entry.progress));
