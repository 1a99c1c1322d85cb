/**
 * The time of the twin. It runs as the real time does, and jumps to the next timer when nothing works: a wait of two minutes takes none.
 * The functions see the same time (lambdas/preload.cjs): its distance from the real time stands in a file that each of them reads.
 */
import { closeSync, openSync, writeSync } from 'node:fs';

interface Timer {
  readonly at: number;
  readonly wake: () => void;
}

/** Turns of the event loop without work before time jumps, so that what was just answered can ask for more. */
const QUIET_TURNS = 3;

/** Node's timers go no further. */
const MAX_TIMER_MS = 2 ** 31 - 1;

export class ToldClock {
  /** The file with the distance, a float64 in milliseconds. */
  readonly file: string;
  private readonly descriptor: number;
  private offsetMs = 0;
  private working = 0;
  private timers: Timer[] = [];
  private next: NodeJS.Timeout | null = null;
  private isLooking = false;
  private isClosed = false;
  private idle: (() => void)[] = [];

  constructor(file: string) {
    this.file = file;
    this.descriptor = openSync(file, 'w');
    this.tell();
  }

  /** Milliseconds since the epoch. */
  now(): number {
    return Date.now() + this.offsetMs;
  }

  /** Milliseconds that were jumped over so far. */
  jumpedMs(): number {
    return this.offsetMs;
  }

  /** Does work during which time does not jump. Errors of the work are its caller's. */
  async work<T>(work: () => Promise<T>): Promise<T> {
    this.working += 1;
    try {
      return await work();
    } finally {
      this.working -= 1;
      this.look();
    }
  }

  /** Waits told time, within `work`. Resolves early when the signal is aborted. */
  async sleep(ms: number, signal?: AbortSignal): Promise<void> {
    if (signal?.aborted) return;
    this.working -= 1;
    await new Promise<void>((resolve) => {
      const abort = () => this.cancel(timer);
      const wake = () => {
        signal?.removeEventListener('abort', abort);
        resolve();
      };
      const timer = { at: this.now() + ms, wake };
      signal?.addEventListener('abort', abort);
      // Most timers are later than all others.
      this.timers.splice(this.timers.findLastIndex(({ at }) => at <= timer.at) + 1, 0, timer);
      this.arm();
      this.look();
    });
    this.working += 1;
  }

  /** Waits for the work of others, within `work`: time may jump meanwhile. */
  async awaitOthers<T>(others: Promise<T>): Promise<T> {
    this.working -= 1;
    this.look();
    try {
      return await others;
    } finally {
      this.working += 1;
    }
  }

  /** Resolves when nothing works and nothing waits any more. */
  settled(): Promise<void> {
    return new Promise((resolve) => {
      this.idle.push(resolve);
      this.look();
    });
  }

  close(): void {
    this.isClosed = true;
    if (this.next) clearTimeout(this.next);
    closeSync(this.descriptor);
  }

  private cancel(timer: Timer): void {
    if (!this.timers.includes(timer)) return;
    this.timers = this.timers.filter((one) => one !== timer);
    timer.wake();
  }

  /** Wakes the next timer at its time, in case that work goes on until then. */
  private arm(): void {
    if (this.next) clearTimeout(this.next);
    const [first] = this.timers;
    this.next = first && !this.isClosed ? setTimeout(() => this.fire(), this.untilMs(first)) : null;
  }

  private untilMs({ at }: Timer): number {
    return Math.min(MAX_TIMER_MS, Math.max(0, at - this.now()));
  }

  private fire(): void {
    const due = this.timers.filter(({ at }) => at <= this.now());
    this.timers = this.timers.filter((timer) => !due.includes(timer));
    for (const { wake } of due) wake();
    this.arm();
  }

  private look(): void {
    if (this.isLooking || this.isClosed || this.working > 0) return;
    this.isLooking = true;
    let turns = 0;
    const turn = () => {
      if (this.working > 0 || this.isClosed) {
        this.isLooking = false;
        return;
      }
      turns += 1;
      if (turns < QUIET_TURNS) setImmediate(turn);
      else {
        this.isLooking = false;
        this.jump();
      }
    };
    setImmediate(turn);
  }

  private jump(): void {
    const [first] = this.timers;
    if (!first) {
      for (const resolve of this.idle.splice(0)) resolve();
      return;
    }
    const missing = first.at - this.now();
    if (missing > 0) {
      this.offsetMs += missing;
      this.tell();
    }
    this.fire();
  }

  private tell(): void {
    const bytes = Buffer.alloc(8);
    bytes.writeDoubleLE(this.offsetMs);
    writeSync(this.descriptor, bytes, 0, 8, 0);
  }
}
