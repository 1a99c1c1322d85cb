/**
 * Brings every accepted message to its end: judged, sent on or held. Each result is noted on disk before the next step, unless the judge
 * would return the same again. So a process that dies at any point continues where it was. One thing cannot be known: whether the next hop
 * took a message whose answer was lost with the process. Such a message is sent again, and counted.
 */
import { afterFirst, afterJudgement, afterLoss, afterRelease, afterRetry, afterSending } from './attempt.ts';
import type { FirstMessage, Judge } from './judge.ts';
import { KnownMessages } from './known-messages.ts';
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
import { createSteps, type Steps } from './steps.ts';
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

/** Opens the queue. It is empty until messages are added. */
export function openQueue(options: QueueOptions): Queue {
  return new MessageQueue(options);
}

class MessageQueue implements Queue {
  private readonly known = new KnownMessages();
  /** First messages that are not sent any more. */
  private readonly closing = new Set<string>();
  /** The progress of messages that could not be noted. It is noted again, and not done again: the message may have been sent. */
  private readonly unnoted = new Map<string, Progress>();
  private readonly steps: Steps;

  constructor(private readonly options: QueueOptions) {
    const { limits, now, alarms, onFault } = options;
    this.steps = createSteps({
      limits,
      now,
      alarms,
      onFault,
      entryOf: (id) => (this.closing.has(id) ? undefined : this.known.get(id)),
      stepOf: (entry) => this.step(entry),
    });
  }

  add(entry: Entry): void {
    this.known.set(entry);
    this.options.onChange(entry, null);
    this.steps.schedule(entry);
  }

  size(): number {
    return this.known.openCount();
  }

  entries(): IterableIterator<Entry> {
    return this.known.values();
  }

  async lookForReleased(only?: string): Promise<void> {
    for (const { envelope, progress } of [...this.known.values()])
      if (isHeldRun(progress, only)) await this.steps.alone(envelope.id, () => this.release(envelope.id));
  }

  async request({ id, kind }: Request): Promise<'done' | 'busy' | 'unknown'> {
    const entry = this.known.get(id);
    if (entry === undefined) return 'unknown';
    const isBusy = [id, entry.progress.first?.id ?? ''].some((each) => this.steps.inProgress(each) !== null);
    if (isBusy || this.steps.isStopped()) return 'busy';
    await this.steps.alone(id, async () => {
      if (kind === 'drop') await this.drop(entry);
      else await this.change(entry, afterRetry(entry.progress, this.options.now()));
    });
    return 'done';
  }

  stop(): Promise<void> {
    return this.steps.stop();
  }

  /** Does the next step of a message. */
  private async step(entry: Entry): Promise<void> {
    const unnoted = this.unnoted.get(entry.envelope.id);
    const { first, state } = entry.progress;
    if (first?.isOpen && state !== 'judging') await this.closeFirst(entry, first.id);
    else if (unnoted !== undefined) await this.change(entry, unnoted);
    else if (state === 'judging') await this.judge(entry);
    else if (state === 'sending') await this.send(entry);
    else await this.tell(entry);
  }

  /** Notes the progress of a message, on the disk first. */
  private async change(entry: Entry, progress: Progress): Promise<Entry> {
    const { id } = entry.envelope;
    const { spool, onChange } = this.options;
    const next = { ...entry, progress };
    this.unnoted.set(id, progress);
    if (progress.state === 'done') await spool.finish(id, progress);
    else if (!isFoundAgain(entry.progress, progress)) await spool.note(id, progress);
    this.unnoted.delete(id);
    if (progress.state === 'done') this.known.delete(id);
    else this.known.set(next);
    onChange(next, entry.progress);
    return next;
  }

  private async judge(entry: Entry): Promise<void> {
    const { judge, limits, now, offers } = this.options;
    const { id, message, origin, sender } = entry.envelope;
    if (!isJudged(origin)) return void (await this.change(entry, { ...entry.progress, state: 'sending' }));
    const recipients = entry.envelope.recipients.map(({ address }) => address);
    const shares = sharesOf(recipients.map(judge.ruleOf));
    const isWhole = entry.progress.recipients.every(({ state }) => state === 'waiting');
    if (shares.length > 1 && isWhole) return await this.split(entry, shares);
    const envelope = { sender, recipients };
    const isAgain = !isFirstJudgement(entry.progress);
    const onFirst = (first: FirstMessage) => this.beginFirst(id, first);
    const judgement = await judge.judge({ envelope, id, ...message, isAgain }, onFirst);
    if (judgement.state === 'unfinished' && this.steps.isStopped()) return;
    const current = this.known.get(id) ?? entry;
    if ((await offers.answer(current, judgement)) === 'theirs') return await this.handBack(current);
    await this.change(current, afterJudgement(limits, current.progress, judgement, now()));
  }

  /** Splits a message whose recipients are under different rules: each share continues as a message of its own. */
  private async split(entry: Entry, shares: readonly (readonly number[])[]): Promise<void> {
    const { offers, spool, onSplit } = this.options;
    if ((await offers.answer(entry, 'split')) === 'theirs') return await this.handBack(entry);
    const made = await spool.split(entry, shares);
    this.known.delete(entry.envelope.id);
    onSplit(entry, made);
    for (const share of made) this.add(share);
  }

  /** Drops a message that the mail server which offered it has and handles. */
  private async handBack(entry: Entry): Promise<void> {
    await this.change(entry, { ...entry.progress, state: 'done' });
  }

  /**
   * Sends the first message of a message that is being judged. When it cannot be stored, the message waits until it is judged. Never
   * rejects.
   */
  private async beginFirst(id: string, { runId, bytes }: FirstMessage): Promise<void> {
    const { offers, spool, onFirst, onFault } = this.options;
    const whole = this.known.get(id);
    if (whole === undefined || whole.progress.first !== undefined || !hasPlainLines(bytes)) return;
    if ((await offers.take(id)) === 'theirs') return;
    try {
      const first = await spool.addFirst(whole, bytes);
      const noted = { id: first.envelope.id, runId, isOpen: true, got: [] };
      onFirst(await this.change(whole, { ...whole.progress, first: noted }), first);
      this.add(first);
    } catch (error) {
      // Nothing of it was sent, so nothing has to be noted again.
      this.unnoted.delete(id);
      onFault(error, id);
    }
  }

  /** Closes the first message, because the whole message has ended: a sending in progress ends, and no other begins. */
  private async closeFirst(entry: Entry, firstId: string): Promise<void> {
    this.closing.add(firstId);
    await this.steps.inProgress(firstId);
    const first = this.known.get(firstId);
    await this.change(entry, afterFirst(entry.progress, first?.progress ?? null));
    if (first !== undefined) await this.dropFirst(first);
    this.closing.delete(firstId);
  }

  /** Removes a message. Never rejects: the next start removes the rest. */
  private async dropFirst({ envelope: { id }, progress }: Entry): Promise<void> {
    const { spool, onFault } = this.options;
    this.known.delete(id);
    await spool.finish(id, progress).catch((error: unknown) => onFault(error, id));
  }

  private async send(entry: Entry): Promise<void> {
    const { limits, nextHop, now, onPossibleDuplicate, spool } = this.options;
    const { envelope, progress } = entry;
    const bytes = await this.bytesToSend(entry);
    if (bytes === null) return await this.lose(entry);
    const marked: Progress = { ...progress, mayHaveArrived: true };
    await spool.mark(envelope.id);
    if (progress.mayHaveArrived) onPossibleDuplicate(entry);
    const waiting = envelope.recipients.filter((_, index) => progress.recipients[index]?.state === 'waiting');
    const sent = await nextHop.send(envelope, waiting, bytes);
    const after = afterSending(limits, envelope, marked, sent, now());
    // The end of a first message is reported with the whole one.
    const mustTell = after.mustTell && envelope.origin !== 'first';
    await this.change({ envelope, progress: marked }, { ...after, mustTell });
  }

  /** Handles a message whose bytes cannot be sent. Without its first message, the whole message is sent alone. */
  private async lose(entry: Entry): Promise<void> {
    const { progress, envelope } = entry;
    const { limits, now } = this.options;
    const isFirst = envelope.origin === 'first';
    await this.change(entry, isFirst ? { ...progress, state: 'undelivered' } : afterLoss(limits, progress, now()));
  }

  /** Returns the bytes to send. Returns null when they differ from the judged bytes, or when SMTP could read them in two ways. */
  private async bytesToSend({ envelope, progress }: Entry): Promise<Uint8Array | null> {
    const { loopKey, spool } = this.options;
    if (envelope.origin === 'notice') return spool.read(envelope);
    const clean = await this.cleanMessage({ envelope, progress });
    if (clean === null || !hasPlainLines(clean)) return null;
    return Buffer.concat([Buffer.from(`${passField(loopKey, envelope.passes + 1)}\r\n`), clean]);
  }

  private async cleanMessage({ envelope, progress: { runId, message } }: Entry): Promise<Uint8Array | null> {
    if (envelope.origin === 'first') return this.options.spool.read(envelope);
    return runId === null || message === null ? null : this.options.judge.cleanMessage(runId, message.sha256);
  }

  private async tell(entry: Entry): Promise<void> {
    const notices = await this.options.tell(entry);
    try {
      await this.change(entry, { ...entry.progress, mustTell: false });
    } finally {
      for (const notice of notices) this.add(notice);
    }
  }

  /** Drops a message. The run goes first: when the process dies in between, the message is still there to be dropped again. */
  private async drop(entry: Entry): Promise<void> {
    const { runId, first } = entry.progress;
    const sent = first?.isOpen ? this.known.get(first.id) : undefined;
    if (sent !== undefined) await this.dropFirst(sent);
    const knownRun = runId ?? first?.runId ?? null;
    if (knownRun !== null) await this.options.judge.forget(knownRun);
    await this.change(entry, { ...entry.progress, state: 'done' });
  }

  /** Continues with a held message when somebody released it. */
  private async release(id: string): Promise<void> {
    const entry = this.known.get(id);
    const runId = entry?.progress.runId ?? null;
    if (entry?.progress.state !== 'held' || runId === null || this.steps.isStopped()) return;
    const released = await this.options.judge.released(runId);
    if (released !== null) await this.change(entry, afterRelease(entry.progress, released, this.options.now()));
  }
}

/** Returns true for a message that is held as a run; with `only`, as that run. */
function isHeldRun({ state, runId }: Progress, only?: string): boolean {
  return state === 'held' && runId !== null && runId === (only ?? runId);
}
