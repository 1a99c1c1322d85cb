/**
 * Brings every accepted message to its end: judged, sent on or held. What has happened is noted on disk before the next step, unless the
 * judge would say the same again, so a process that dies at any point goes on where it was. The one thing that nobody can know is whether the next hop took a message whose answer was
 * lost with the process; such a message is sent again, and counted.
 */
import { afterJudgement, afterLoss, afterRelease, afterRetry, afterSending } from './attempt.ts';
import type { Judge } from './judge.ts';
import type { GatewayLimits } from './limits.ts';
import { type LoopKey, passField } from './loop.ts';
import { hasPlainLines } from './message-scan.ts';
import type { NextHop } from './next-hop.ts';
import type { Progress } from './progress.ts';
import type { Request } from './requests.ts';
import type { Spool } from './spool.ts';
import type { Entry } from './spool-reading.ts';
import type { Alarms } from './timers.ts';

export interface QueueOptions {
  readonly spool: Spool;
  readonly judge: Judge;
  readonly nextHop: NextHop;
  readonly limits: GatewayLimits;
  readonly loopKey: LoopKey;
  readonly now: () => number;
  readonly alarms: Alarms;
  /** Told of every change. `before` is null for a message that is new to this process. */
  readonly onChange: (entry: Entry, before: Progress | null) => void;
  /** Told when a message went on as several. */
  readonly onSplit: (whole: Entry, shares: readonly Entry[]) => void;
  /** Told when a message is sent again that the next hop may have. */
  readonly onPossibleDuplicate: (entry: Entry) => void;
  /**
   * Puts the notice of the end of a message into the spool; null when there is none. Repeated when it rejects, and when the process dies
   * before that is noted.
   */
  readonly tell: (entry: Entry) => Promise<Entry | null>;
  readonly onFault: (error: unknown, id: string) => void;
}

export interface Queue {
  /** Takes a message. It begins at once. */
  add(entry: Entry): void;
  /** Messages that are judged, sent or waited for. */
  size(): number;
  entries(): IterableIterator<Entry>;
  /** Looks whether somebody released held messages; with a run, only the message of that run. */
  lookForReleased(only?: string): Promise<void>;
  /** Does what a person asked for. `busy`: the message is in progress just now. */
  request(request: Request): Promise<'done' | 'busy' | 'unknown'>;
  /** Begins no further step, and resolves when those in progress have ended. */
  stop(): Promise<void>;
}

/** How many messages are in each step, and which wait for their turn. */
interface Lane {
  readonly most: number;
  readonly waiting: string[];
  running: number;
}

type LaneName = 'judging' | 'sending' | 'telling';

/** What is to be done for a message next; null when it has come to its end. */
function laneOf({ state, mustTell }: Progress): LaneName | null {
  if (state === 'judging' || state === 'sending') return state;
  return mustTell ? 'telling' : null;
}

/** True for the first judgement of a message that may go on: a run that has ended is not begun again, so the judge finds its end again. */
function isFoundAgain(before: Progress, after: Progress): boolean {
  return before.state === 'judging' && isFirstJudgement(before) && after.state === 'sending';
}

/** The indexes of the recipients under each rule, in the order in which the rules first occur. */
function sharesOf(rules: readonly string[]): number[][] {
  return [...new Set(rules)].map((rule) => rules.flatMap((other, index) => (other === rule ? [index] : [])));
}

const isFirstJudgement = ({ judgements, runId }: Progress): boolean => judgements === 0 && runId === null;

export function openQueue(options: QueueOptions): Queue {
  const { limits, now, alarms } = options;
  const entries = new Map<string, Entry>();
  const running = new Set<Promise<void>>();
  const inProgress = new Set<string>();
  /** What happened to a message and could not be noted. It is noted again, and not done again: it may have been sent. */
  const unnoted = new Map<string, Progress>();
  const lanes: Record<LaneName, Lane> = {
    judging: { most: limits.concurrentJudgements, waiting: [], running: 0 },
    sending: { most: limits.concurrentSends, waiting: [], running: 0 },
    telling: { most: 1, waiting: [], running: 0 },
  };
  let isStopped = false;

  const schedule = (entry: Entry | undefined) => {
    if (entry === undefined) return;
    const lane = laneOf(entry.progress);
    if (lane !== null) begin(entry, lane, Date.parse(entry.progress.nextAttemptAt));
  };
  const begin = ({ envelope }: Entry, lane: LaneName, timeMs: number) => {
    if (isStopped) return;
    alarms.at(timeMs, () => {
      lanes[lane].waiting.push(envelope.id);
      advance(lane);
    });
  };
  const advance = (name: LaneName) => {
    const lane = lanes[name];
    while (!isStopped && lane.running < lane.most) {
      const id = lane.waiting.shift();
      if (id === undefined) return;
      const entry = entries.get(id);
      // Two alarms may stand for one message, when a person wanted it at once.
      if (entry === undefined || laneOf(entry.progress) !== name || inProgress.has(id)) continue;
      if (Date.parse(entry.progress.nextAttemptAt) > now()) continue;
      inProgress.add(id);
      lane.running += 1;
      const step: Promise<void> = stepOf(entry)
        .then(
          () => () => schedule(entries.get(id)),
          (error: unknown) => () => retryLater(entry, error),
        )
        .then((goOn) => {
          lane.running -= 1;
          inProgress.delete(id);
          running.delete(step);
          goOn();
          advance(name);
        });
      running.add(step);
    }
  };
  const stepOf = async (entry: Entry): Promise<void> => {
    const known = unnoted.get(entry.envelope.id);
    if (known !== undefined) await change(entry, known);
    else if (entry.progress.state === 'judging') await judgeEntry(entry);
    else await (entry.progress.state === 'sending' ? sendEntry(entry) : tellOf(entry));
  };
  /** A fault of the disk: the same step comes again, or what it found is noted again. */
  const retryLater = (entry: Entry, error: unknown) => {
    options.onFault(error, entry.envelope.id);
    const lane = laneOf(entry.progress);
    if (lane !== null) begin(entry, lane, now() + limits.firstRetrySeconds * 1000);
  };
  const change = async (entry: Entry, progress: Progress): Promise<Entry> => {
    const { id } = entry.envelope;
    const next = { ...entry, progress };
    unnoted.set(id, progress);
    if (progress.state === 'done') await options.spool.finish(id, progress);
    else if (!isFoundAgain(entry.progress, progress)) await options.spool.note(id, progress);
    unnoted.delete(id);
    if (progress.state === 'done') entries.delete(id);
    else entries.set(id, next);
    options.onChange(next, entry.progress);
    return next;
  };

  async function judgeEntry(entry: Entry): Promise<void> {
    const { id, message, origin, sender } = entry.envelope;
    const recipients = entry.envelope.recipients.map(({ address }) => address);
    if (origin === 'notice') return void (await change(entry, { ...entry.progress, state: 'sending' }));
    const shares = sharesOf(recipients.map(options.judge.ruleOf));
    const isWhole = entry.progress.recipients.every(({ state }) => state === 'waiting');
    if (shares.length > 1 && isWhole) return await splitEntry(entry, shares);
    const envelope = { sender, recipients };
    const judgement = await options.judge.judge({
      envelope,
      id,
      ...message,
      isAgain: !isFirstJudgement(entry.progress),
    });
    if (judgement.state === 'unfinished' && isStopped) return;
    await change(entry, afterJudgement(limits, entry.progress, judgement, now()));
  }

  /** Its recipients are under different rules: each share goes on as a message of its own. */
  async function splitEntry(entry: Entry, shares: readonly (readonly number[])[]): Promise<void> {
    const made = await options.spool.split(entry, shares);
    entries.delete(entry.envelope.id);
    options.onSplit(entry, made);
    for (const share of made) add(share);
  }

  async function tellOf(entry: Entry): Promise<void> {
    const notice = await options.tell(entry);
    try {
      await change(entry, { ...entry.progress, mustTell: false });
    } finally {
      if (notice !== null) add(notice);
    }
  }

  async function sendEntry(entry: Entry): Promise<void> {
    const { envelope, progress } = entry;
    const bytes = await readClean(entry);
    if (bytes === null) return void (await change(entry, afterLoss(limits, progress, now())));
    const marked: Progress = { ...progress, mayHaveArrived: true };
    await options.spool.mark(envelope.id);
    if (progress.mayHaveArrived) options.onPossibleDuplicate(entry);
    const waiting = envelope.recipients.filter((_, index) => progress.recipients[index]?.state === 'waiting');
    const sent = await options.nextHop.send(envelope, waiting, bytes);
    await change({ envelope, progress: marked }, afterSending(limits, envelope, marked, sent, now()));
  }

  /** The bytes that go on; null when they are not those that were judged, or when they could be read in two ways as SMTP. */
  async function readClean({ envelope, progress }: Entry): Promise<Uint8Array | null> {
    if (envelope.origin === 'notice') return options.spool.read(envelope);
    const { runId, message } = progress;
    if (runId === null || message === null) return null;
    const clean = await options.judge.cleanMessage(runId, message.sha256);
    if (clean === null || !hasPlainLines(clean)) return null;
    return Buffer.concat([Buffer.from(`${passField(options.loopKey, envelope.passes + 1)}\r\n`), clean]);
  }

  /** The run goes first: when the process dies in between, the message is still there to be dropped again. */
  async function drop(entry: Entry): Promise<void> {
    if (entry.progress.runId !== null) await options.judge.forget(entry.progress.runId);
    await change(entry, { ...entry.progress, state: 'done' });
  }

  function add(entry: Entry): void {
    entries.set(entry.envelope.id, entry);
    options.onChange(entry, null);
    schedule(entry);
  }

  return {
    add,
    size: () =>
      [...entries.values()].filter(({ progress: { state } }) => state === 'judging' || state === 'sending').length,
    entries: () => entries.values(),
    async lookForReleased(only) {
      for (const entry of [...entries.values()]) {
        const { state, runId } = entry.progress;
        if (state !== 'held' || runId === null || isStopped || runId !== (only ?? runId)) continue;
        const released = await options.judge.released(runId);
        if (released !== null) schedule(await change(entry, afterRelease(entry.progress, released, now())));
      }
    },
    async request({ id, kind }) {
      const entry = entries.get(id);
      if (entry === undefined) return 'unknown';
      if (inProgress.has(id)) return 'busy';
      if (kind === 'drop') await drop(entry);
      else schedule(await change(entry, afterRetry(entry.progress, now())));
      return 'done';
    },
    async stop() {
      isStopped = true;
      while (running.size > 0) await Promise.all(running);
    },
  };
}
