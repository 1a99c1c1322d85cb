/**
 * Time that is told. Whatever happens later is an event in a heap; the earliest is taken out, happens, and everything that follows from
 * it by itself has happened before the next one is taken. So a run of a whole day takes no longer than its work.
 */

interface Event {
  readonly atMs: number;
  readonly order: number;
  readonly happen: () => void;
}

const isBefore = (one: Event, other: Event) =>
  one.atMs < other.atMs || (one.atMs === other.atMs && one.order < other.order);

export interface Scheduler {
  /** When it began. Milliseconds since the epoch. */
  readonly startMs: number;
  /** Milliseconds since the epoch, with a fraction. */
  nowMs(): number;
  /** Lets something happen after this many milliseconds. Events of one moment happen in the order in which they were asked for. */
  after(delayMs: number, happen: () => void): void;
  /** Says that a promise was settled, on which something waits. */
  wake(): void;
  /** Runs until nothing is left to happen or `isOver` says so. Returns how many events happened. */
  run(isOver: () => boolean): Promise<number>;
}

/** A scheduler. `isIdle` is false while work goes on that takes no told time, such as a first reading of a mail. */
export function createScheduler(startMs: number, isIdle: () => boolean): Scheduler {
  const heap: Event[] = [];
  let nowMs = startMs;
  let asked = 0;
  let isWoken = true;

  return {
    startMs,
    nowMs: () => nowMs,
    after: (delayMs, happen) => push(heap, { atMs: nowMs + Math.max(0, delayMs), order: asked++, happen }),
    wake: () => {
      isWoken = true;
    },
    async run(isOver) {
      let happened = 0;
      /** Lets events happen until work goes on that takes no told time. True at the end. */
      const isDone = (): boolean => {
        for (;;) {
          if (isWoken) settle();
          isWoken = !isIdle();
          if (isWoken) return false;
          if (isOver()) return true;
          const next = pop(heap);
          if (next === undefined) return true;
          nowMs = next.atMs;
          happened++;
          next.happen();
        }
      };
      while (!(await inTurn(isDone)));
      return happened;
    },
  };
}

/** Runs work in a turn of the event loop of its own, where nothing else is on the stack. */
const inTurn = <T>(work: () => T): Promise<T> =>
  new Promise((resolve, reject) => {
    setImmediate(() => {
      try {
        resolve(work());
      } catch (error) {
        reject(error);
      }
    });
  });

/**
 * Settles every promise that can be settled. Node does this by itself only between two events of its loop, and a turn of the loop or a promise to
 * wait for takes longer than most steps of a simulation.
 */
const settle = (process as unknown as { readonly _tickCallback: () => void })._tickCallback;

function push(heap: Event[], event: Event): void {
  let at = heap.length;
  while (at > 0) {
    const parent = (at - 1) >> 1;
    const above = heap[parent] as Event;
    if (!isBefore(event, above)) break;
    heap[at] = above;
    at = parent;
  }
  heap[at] = event;
}

function pop(heap: Event[]): Event | undefined {
  const first = heap[0];
  const last = heap.pop();
  if (first === undefined || last === undefined || heap.length === 0) return first;
  let at = 0;
  for (;;) {
    let child = 2 * at + 1;
    if (child >= heap.length) break;
    if (child + 1 < heap.length && isBefore(heap[child + 1] as Event, heap[child] as Event)) child++;
    if (!isBefore(heap[child] as Event, last)) break;
    heap[at] = heap[child] as Event;
    at = child;
  }
  heap[at] = last;
  return first;
}
