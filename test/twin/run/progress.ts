/** What a person sees of a run of several faults while it goes on. */
import { secondsLeft, timeText, type Work } from './remaining-time.ts';
import type { FaultResult } from './run-fault.ts';
import { quarantinedOf } from './table.ts';

export class Progress {
  private readonly work: Work;
  private readonly startedMs = performance.now();
  private done = 0;

  constructor(work: Work) {
    this.work = work;
  }

  /** A fault is under way. Only a terminal shows it, in one line that is written over. */
  show(name: string, ended: number, sent: number): void {
    if (!process.stderr.isTTY) return;
    const share = Math.min(1, ended / Math.max(1, sent, this.work.mails));
    this.write(`${this.head(name)}${ended} of ${sent} mails ended${this.left(share)}`);
  }

  /** A fault has ended. */
  end(result: FaultResult): void {
    const { name, problems, sent, delivered, realSeconds } = result;
    const head = this.head(name);
    this.done += 1;
    const held = problems.length === 0 ? 'held' : 'DID NOT HOLD';
    const mails = `${sent} sent, ${delivered} delivered, quarantined: ${quarantinedOf(result)}`;
    this.write(`${head}${held}: ${mails}; ${timeText(realSeconds)}${this.left(0)}\n`);
    for (const problem of problems) process.stderr.write(`    ${problem}\n`);
  }

  private head(name: string): string {
    return `${this.done + 1}/${this.work.faults} ${name}: `;
  }

  private left(share: number): string {
    const seconds = secondsLeft(this.work, this.done, share, (performance.now() - this.startedMs) / 1000);
    return seconds === null || this.done === this.work.faults ? '' : `, about ${timeText(seconds)} left`;
  }

  private write(text: string): void {
    process.stderr.write(process.stderr.isTTY ? `\r\u001b[K${text}` : text);
  }
}
