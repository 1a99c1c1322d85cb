/** Processes that are killed at a call to AWS: before it is done, or after it is done and before the answer is heard. */
import { badMail, type Mail, mailWithPdf, WORD } from '../run/mails.ts';
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

/** Finds the mails that processes work on. */
class Words {
  private readonly twin: Twin;
  private readonly ofRun = new Map<string, string>();
  private readonly ofEvent = new Map<unknown, string>();

  constructor(twin: Twin) {
    this.twin = twin;
  }

  /** The word of the mail of an event: by the key in an event of the bucket, or by the run in the state. */
  of(event: unknown): string {
    const known = this.ofEvent.get(event);
    if (known !== undefined) return known;
    const { sent } = this.twin;
    for (const { runId, mail } of sent.slice(this.ofRun.size)) this.ofRun.set(runId, mail.word);
    const text = JSON.stringify(event) ?? '';
    const [inKey] = text.match(WORD) ?? [];
    const runs = text.match(RUN) ?? [];
    const word = inKey ?? runs.map((runId) => this.ofRun.get(runId)).find((found) => found !== undefined);
    if (word !== undefined) this.ofEvent.set(event, word);
    return word ?? '';
  }
}

/** Ids of runs, and hashes that begin as one. */
const RUN = /\b[0-9a-f]{32}/g;

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
  const [calls, words] = [new Calls(), new Words(twin)];
  twin.deployment.interrupt = ({ caller }) => {
    if (caller.pid === null) return null;
    const event = twin.deployment.functions.events.get(caller.pid);
    const index = calls.next(event);
    const target = targets.get(words.of(event));
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
