/** A limit on the time of an execution that does not count what only this machine makes it wait for. */
import type { ToldClock } from '../clock.ts';

/** How long functions of an execution have waited for a processor of this machine: in AWS, each has its own. */
export class ProcessorWaits {
  private readonly open = new Set<{ readonly since: number }>();
  private readonly clock: ToldClock;
  private endedMs = 0;

  constructor(clock: ToldClock) {
    this.clock = clock;
  }

  /** A wait begins. The function that is returned ends it. */
  begin(): () => void {
    const wait = { since: this.clock.now() };
    this.open.add(wait);
    return () => {
      if (this.open.delete(wait)) this.endedMs += this.clock.now() - wait.since;
    };
  }

  /** Sleeps so many seconds of told time, and as long as was waited meanwhile. Ends early when the signal is aborted. */
  async sleep(seconds: number, signal: AbortSignal): Promise<void> {
    const [started, limitMs] = [this.clock.now(), seconds * 1000];
    const usedMs = () => this.clock.now() - started - this.totalMs();
    while (!signal.aborted && usedMs() < limitMs) await this.clock.sleep(limitMs - usedMs(), signal);
  }

  private totalMs(): number {
    return [...this.open].reduce((sum, { since }) => sum + this.clock.now() - since, this.endedMs);
  }
}
