/** Processes that are killed at a call to AWS: before it is done, or after it is done and before the answer is heard. */
import { badMail, type Mail, mailWithPdf } from '../run/mails.ts';
import type { Twin } from '../run/twin.ts';
import type { AwsCall } from '../servers/call.ts';
import type { FaultGroup } from './fault.ts';

interface Point {
  readonly stage: string;
  /** Which call of the invocation, from 0. */
  readonly index: number;
  readonly when: 'kill-before' | 'kill-after';
}

/** Counts the calls of each invocation. */
class Calls {
  private readonly counts = new Map<unknown, number>();

  /** Position of a call in its invocation. */
  next(event: unknown): number {
    const index = this.counts.get(event) ?? 0;
    this.counts.set(event, index + 1);
    return index;
  }
}

/** The word of the mail that a process works on: by the key in an event of the bucket, or by the run in the state. */
function wordOf(twin: Twin, words: Iterable<string>, event: unknown): string {
  const text = JSON.stringify(event) ?? '';
  const inEvent = [...words].find((word) => text.includes(word));
  return inEvent ?? twin.sent.find(({ runId }) => text.includes(runId))?.mail.word ?? '';
}

/** Sends one mail of each kind and lists the points at which its stages can be killed. */
async function pointsOf(twin: Twin): Promise<{ readonly make: () => Mail; readonly points: Point[] }[]> {
  const found: { make: () => Mail; points: Point[] }[] = [];
  for (const make of [mailWithPdf, badMail]) {
    const points: Point[] = [];
    const calls = new Calls();
    twin.deployment.onCall = ({ caller }: AwsCall) => {
      if (caller.pid === null) return;
      const index = calls.next(twin.deployment.functions.events.get(caller.pid));
      for (const when of ['kill-before', 'kill-after'] as const) points.push({ stage: caller.name, index, when });
    };
    await twin.send(make());
    await twin.clock.settled();
    found.push({ make, points });
  }
  twin.deployment.onCall = () => {};
  return found;
}

/** So many of the list, spread over all of it. */
function spread<T>(list: readonly T[], count: number): T[] {
  if (count >= list.length) return [...list];
  return Array.from({ length: count }, (_, index) => list[Math.floor((index * list.length) / count)] as T);
}

/** Sends a mail for each point, whose process is killed there the first `times` times. */
async function killEach(twin: Twin, mails: number, times: number): Promise<void> {
  const kinds = await pointsOf(twin);
  const all = kinds.flatMap(({ make, points }) => points.map((point) => ({ make, point })));
  const targets = new Map<string, { readonly point: Point; left: number }>();
  const calls = new Calls();
  twin.deployment.interrupt = ({ caller }) => {
    if (caller.pid === null) return null;
    const event = twin.deployment.functions.events.get(caller.pid);
    const index = calls.next(event);
    const target = targets.get(wordOf(twin, targets.keys(), event));
    if (!target || target.left === 0 || target.point.stage !== caller.name || target.point.index !== index) return null;
    target.left -= 1;
    return { do: target.point.when };
  };
  for (const { make, point } of spread(all, mails)) {
    const mail = make();
    targets.set(mail.word, { point, left: times });
    await twin.send(mail);
  }
}

export const KILL: FaultGroup = [
  {
    name: 'kill',
    says: 'each mail has one process killed, each at another call to AWS; with enough mails at every call of every stage',
    run: (twin, mails) => killEach(twin, mails, 1),
  },
  {
    name: 'kill-twice',
    says: 'the same, and the process that takes over is killed there, too',
    run: (twin, mails) => killEach(twin, mails, 2),
  },
];
