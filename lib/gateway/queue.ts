/**
 * Brings every accepted message to its end: judged, sent on or held. Each result is noted on disk before the next step, unless the judge
 * would return the same again. So a process that dies at any point continues where it was. One thing cannot be known: whether the next hop
 * took a message whose answer was lost with the process. Such a message is sent again, and counted.
 */
import { afterFirst, afterJudgement, afterLoss, afterRelease, afterRetry, afterSending } from './attempt.ts';
import type { FirstMessage, Judge } from './judge.ts';
import { isFirstJudgement, isFoundAgain, sharesOf } from './lanes.ts';
import type { GatewayLimits } from './limits.ts';
import { type LoopKey, passField } from './loop.ts';
import { hasPlainLines } from './message-scan.ts';
import type { Offers } from './milter/offers.ts';
import type { NextHop } from './next-hop.ts';
import { isJudged, type Progress } from './progress.ts';
import type { Request } from './requests.ts';
import type { Spool } from './spool.ts';
import type { Entry } from './spool-reading.ts';
import { createSteps } from './steps.ts';
import type { Alarms } from './timers.ts';

export interface QueueOptions {
  readonly spool: Spool;
  readonly judge: Judge;
  readonly nextHop: NextHop;
  readonly limits: GatewayLimits;
  readonly loopKey: LoopKey;
  /** The messages that a mail server still has. */
  readonly offers: Offers;
  readonly now: () => number;
  readonly alarms: Alarms;
  /** Called for every change. `before` is null for a message that is new to this process. */
  readonly onChange: (entry: Entry, before: Progress | null) => void;
  /** Called when a message is split into several. */
  readonly onSplit: (whole: Entry, shares: readonly Entry[]) => void;
  /** Called when the text of a message is sent before its files. */
  readonly onFirst: (whole: Entry, first: Entry) => void;
  /** Called when a message is sent again that the next hop may have. */
  readonly onPossibleDuplicate: (entry: Entry) => void;
  /**
   * Puts the notices about the end of a message into the spool. Repeated when it rejects, and when the process dies before that is noted.
   */
  readonly tell: (entry: Entry) => Promise<readonly Entry[]>;
  readonly onFault: (error: unknown, id: string) => void;
}

export interface Queue {
  /** Takes a message. It begins at once. */
  add(entry: Entry): void;
  /** Returns the messages that are judged, sent or waited for. */
  size(): number;
  entries(): IterableIterator<Entry>;
  /** Checks whether somebody released held messages; with a run, only the message of that run. */
  lookForReleased(only?: string): Promise<void>;
  /** Carries out the request of a person. `busy`: the message is in progress just now. */
  request(request: Request): Promise<'done' | 'busy' | 'unknown'>;
  /** Begins no further step, and resolves when the steps in progress have ended. */
  stop(): Promise<void>;
}

export function openQueue(options: QueueOptions): Queue {
  const { limits, now } = options;
  const entries = new Map<string, Entry>();
  /** First messages that are not sent any more. */
  const closing = new Set<string>();
  /** The progress of messages that could not be noted. It is noted again, and not done again: the message may have been sent. */
  const unnoted = new Map<string, Progress>();
  const stepOf = async (entry: Entry): Promise<void> => {
    const known = unnoted.get(entry.envelope.id);
    const { first, state } = entry.progress;
    if (first?.isOpen && state !== 'judging') await closeFirst(entry, first.id);
    else if (known !== undefined) await change(entry, known);
    else if (state === 'judging') await judgeEntry(entry);
    else await (state === 'sending' ? sendEntry(entry) : tellOf(entry));
  };
  const entryOf = (id: string) => (closing.has(id) ? undefined : entries.get(id));
  const steps = createSteps({ limits, now, alarms: options.alarms, entryOf, stepOf, onFault: options.onFault });
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
    if (!isJudged(origin)) return void (await change(entry, { ...entry.progress, state: 'sending' }));
    const recipients = entry.envelope.recipients.map(({ address }) => address);
    const shares = sharesOf(recipients.map(options.judge.ruleOf));
    const isWhole = entry.progress.recipients.every(({ state }) => state === 'waiting');
    if (shares.length > 1 && isWhole)
      return (await options.offers.answer(entry, 'split')) === 'ours'
        ? await splitEntry(entry, shares)
        : await handBack(entry);
    const envelope = { sender, recipients };
    const isAgain = !isFirstJudgement(entry.progress);
    const onFirst = (first: FirstMessage) => beginFirst(id, first);
    const judgement = await options.judge.judge({ envelope, id, ...message, isAgain }, onFirst);
    if (judgement.state === 'unfinished' && steps.isStopped()) return;
    const current = entries.get(id) ?? entry;
    if ((await options.offers.answer(current, judgement)) === 'theirs') return await handBack(current);
    await change(current, afterJudgement(limits, current.progress, judgement, now()));
  }

  /** Drops a message that the mail server which offered it has and handles. */
  async function handBack(entry: Entry): Promise<void> {
    await change(entry, { ...entry.progress, state: 'done' });
  }

  /**
   * Sends the first message of a message that is being judged. When it cannot be stored, the message waits until it is judged. Never
   * rejects.
   */
  async function beginFirst(id: string, { runId, bytes }: FirstMessage): Promise<void> {
    const whole = entries.get(id);
    if (whole === undefined || whole.progress.first !== undefined || !hasPlainLines(bytes)) return;
    if ((await options.offers.take(id)) === 'theirs') return;
    try {
      const first = await options.spool.addFirst(whole, bytes);
      const noted = { id: first.envelope.id, runId, isOpen: true, got: [] };
      options.onFirst(await change(whole, { ...whole.progress, first: noted }), first);
      add(first);
    } catch (error) {
      // Nothing of it was sent, so nothing has to be noted again.
      unnoted.delete(id);
      options.onFault(error, id);
    }
  }

  /** Closes the first message, because the whole message has ended: a sending in progress ends, and no other begins. */
  async function closeFirst(entry: Entry, firstId: string): Promise<void> {
    closing.add(firstId);
    await steps.inProgress(firstId);
    const first = entries.get(firstId);
    await change(entry, afterFirst(entry.progress, first?.progress ?? null));
    if (first !== undefined) await dropFirst(first);
    closing.delete(firstId);
  }

  /** Removes a message. Never rejects: the next start removes the rest. */
  async function dropFirst({ envelope: { id }, progress }: Entry): Promise<void> {
    entries.delete(id);
    await options.spool.finish(id, progress).catch((error: unknown) => options.onFault(error, id));
  }

  /** Splits a message whose recipients are under different rules: each share continues as a message of its own. */
  async function splitEntry(entry: Entry, shares: readonly (readonly number[])[]): Promise<void> {
    const made = await options.spool.split(entry, shares);
    entries.delete(entry.envelope.id);
    options.onSplit(entry, made);
    for (const share of made) add(share);
  }

  async function tellOf(entry: Entry): Promise<void> {
    const notices = await options.tell(entry);
    try {
      await change(entry, { ...entry.progress, mustTell: false });
    } finally {
      for (const notice of notices) add(notice);
    }
  }

  async function sendEntry(entry: Entry): Promise<void> {
    const { envelope, progress } = entry;
    const bytes = await readClean(entry);
    if (bytes === null) {
      // Without its first message, the whole message is sent alone.
      const lost = envelope.origin === 'first' ? { ...progress, state: 'undelivered' as const } : null;
      return void (await change(entry, lost ?? afterLoss(limits, progress, now())));
    }
    const marked: Progress = { ...progress, mayHaveArrived: true };
    await options.spool.mark(envelope.id);
    if (progress.mayHaveArrived) options.onPossibleDuplicate(entry);
    const waiting = envelope.recipients.filter((_, index) => progress.recipients[index]?.state === 'waiting');
    const sent = await options.nextHop.send(envelope, waiting, bytes);
    const after = afterSending(limits, envelope, marked, sent, now());
    // The end of a first message is reported with the whole one.
    const mustTell = after.mustTell && envelope.origin !== 'first';
    await change({ envelope, progress: marked }, { ...after, mustTell });
  }

  /** Returns the bytes to send. Returns null when they differ from the judged bytes, or when SMTP could read them in two ways. */
  async function readClean({ envelope, progress }: Entry): Promise<Uint8Array | null> {
    if (envelope.origin === 'notice') return options.spool.read(envelope);
    const clean = await cleanOf({ envelope, progress });
    if (clean === null || !hasPlainLines(clean)) return null;
    return Buffer.concat([Buffer.from(`${passField(options.loopKey, envelope.passes + 1)}\r\n`), clean]);
  }

  async function cleanOf({ envelope, progress: { runId, message } }: Entry): Promise<Uint8Array | null> {
    if (envelope.origin === 'first') return options.spool.read(envelope);
    return runId === null || message === null ? null : options.judge.cleanMessage(runId, message.sha256);
  }

  /** Drops a message. The run goes first: when the process dies in between, the message is still there to be dropped again. */
  async function drop(entry: Entry): Promise<void> {
    const { runId, first } = entry.progress;
    const sent = first?.isOpen ? entries.get(first.id) : undefined;
    if (sent !== undefined) await dropFirst(sent);
    const known = runId ?? first?.runId ?? null;
    if (known !== null) await options.judge.forget(known);
    await change(entry, { ...entry.progress, state: 'done' });
  }

  /** Continues with a held message when somebody released it. */
  async function release(id: string): Promise<void> {
    const entry = entries.get(id);
    const runId = entry?.progress.runId ?? null;
    if (entry?.progress.state !== 'held' || runId === null || steps.isStopped()) return;
    const released = await options.judge.released(runId);
    if (released !== null) await change(entry, afterRelease(entry.progress, released, now()));
  }

  function add(entry: Entry): void {
    entries.set(entry.envelope.id, entry);
    options.onChange(entry, null);
    steps.schedule(entry);
  }

  return {
    add,
    size: () =>
      [...entries.values()].filter(({ progress: { state } }) => state === 'judging' || state === 'sending').length,
    entries: () => entries.values(),
    async lookForReleased(only) {
      for (const { envelope, progress } of [...entries.values()])
        if (isHeldRun(progress, only)) await steps.alone(envelope.id, () => release(envelope.id));
    },
    async request({ id, kind }) {
      const entry = entries.get(id);
      if (entry === undefined) return 'unknown';
      const isBusy = [id, entry.progress.first?.id ?? ''].some((each) => steps.inProgress(each) !== null);
      if (isBusy || steps.isStopped()) return 'busy';
      await steps.alone(id, async () => {
        if (kind === 'drop') await drop(entry);
        else await change(entry, afterRetry(entry.progress, now()));
      });
      return 'done';
    },
    stop: steps.stop,
  };
}

/** Returns true for a message that is held as a run; with `only`, as that run. */
function isHeldRun({ state, runId }: Progress, only?: string): boolean {
  return state === 'held' && runId !== null && runId === (only ?? runId);
}
