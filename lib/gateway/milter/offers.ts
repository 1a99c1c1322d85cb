/**
 * Messages that a mail server offers by the milter protocol. It keeps the message, and its sender waits, until we answer. So nothing of an
 * offer may be sent before one thing is sure: the message is ours, which is noted on the disk, or it stays with the mail server.
 */
import type { Judge, Judgement } from '../judge.ts';
import { hasPlainLines } from '../message-scan.ts';
import type { Spool } from '../spool.ts';
import type { Entry } from '../spool-reading.ts';
import type { Alarms } from '../timers.ts';
import { type Edit, editsBetween } from './edits.ts';

/** The final owner of a message. */
export type Owner = 'ours' | 'theirs';

/** The answer to the mail server. */
export type Answer =
  /** It delivers the message with these changes. */
  | { readonly kind: 'accept'; readonly edits: readonly Edit[] }
  /** It takes the message from its sender and forgets it, because it is ours. */
  | { readonly kind: 'take' }
  /** Its sender is told that the message is refused, or it keeps it in a quarantine of its own. */
  | { readonly kind: 'reject' | 'quarantine'; readonly runId: string }
  /** Its sender comes back later. */
  | { readonly kind: 'later' };

/** The handling of mail that policy holds: `hold` takes it, so that it can be released; the others leave it with the mail server. */
export type Held = 'hold' | 'reject' | 'quarantine';

/** The part that the queue uses. Neither function rejects. */
export interface Offers {
  /** Makes a message ours, if it is not yet, and if the mail server still offers it. */
  take(id: string): Promise<Owner>;
  /**
   * Tells the mail server the end of the message. A message that stays with it is forgotten here. `split`: its recipients are under
   * different rules, and a mail server can get only one answer, so the message is taken.
   */
  answer(entry: Entry, judgement: Judgement | 'split'): Promise<Owner>;
}

/** The part that the door uses. */
export interface OfferDesk extends Offers {
  /** Offers a message. Called before the queue gets it. `onAnswer` is called once, unless the returned function withdraws the offer. */
  offer(entry: Entry, onAnswer: (answer: Answer) => void): () => void;
  /** Leaves all offers without an answer, and all later offers, with the mail server. Resolves when the running acceptances have ended. */
  close(): Promise<void>;
}

export interface OfferOptions {
  readonly spool: Pick<Spool, 'own' | 'disown' | 'read'>;
  readonly judge: Pick<Judge, 'cleanMessage' | 'forget'>;
  readonly held: Held;
  /** Milliseconds after which a message that is still judged is taken. */
  readonly waitMs: number;
  readonly now: () => number;
  readonly alarms: Alarms;
  /** Called for a message that is ours from now on. */
  readonly onTaken: (entry: Entry) => void;
  readonly onFault: (error: unknown, id: string) => void;
}

interface Offer {
  readonly entry: Entry;
  readonly onAnswer: (answer: Answer) => void;
  readonly endAlarm: () => void;
  owner: Owner | null;
  taking: Promise<void> | null;
}

/** Returns the offers of one process. A message that is not offered is ours. */
export function openOffers(options: OfferOptions): OfferDesk {
  return new OpenOffers(options);
}

class OpenOffers implements OfferDesk {
  private readonly offers = new Map<string, Offer>();
  private isClosed = false;

  constructor(private readonly options: OfferOptions) {}

  offer(entry: Entry, onAnswer: (answer: Answer) => void): () => void {
    const { alarms, now, waitMs } = this.options;
    const endAlarm = alarms.at(now() + waitMs, () => void this.takeOffer(offer));
    const offer: Offer = { entry, onAnswer, endAlarm, owner: null, taking: null };
    this.offers.set(entry.envelope.id, offer);
    if (this.isClosed) endOffer(offer, 'theirs', { kind: 'later' });
    return () => {
      if (offer.owner === null) endOffer(offer, 'theirs', null);
    };
  }

  async take(id: string): Promise<Owner> {
    const offer = this.offers.get(id);
    return offer === undefined ? 'ours' : await this.takeOffer(offer);
  }

  async answer(entry: Entry, judgement: Judgement | 'split'): Promise<Owner> {
    const { id } = entry.envelope;
    const offer = this.offers.get(id);
    if (offer === undefined) return 'ours';
    const owner = await this.answerOffer(offer, entry, judgement).catch((error: unknown): Owner => {
      this.options.onFault(error, id);
      if (offer.owner === null) endOffer(offer, 'theirs', { kind: 'later' });
      return offer.owner ?? 'theirs';
    });
    this.offers.delete(id);
    return owner;
  }

  async close(): Promise<void> {
    this.isClosed = true;
    for (const offer of this.offers.values())
      if (offer.owner === null && offer.taking === null) endOffer(offer, 'theirs', { kind: 'later' });
    await Promise.all(Array.from(this.offers.values(), ({ taking }) => taking));
  }

  private async takeOffer(offer: Offer): Promise<Owner> {
    if (offer.owner === null) offer.taking ??= this.takeNow(offer);
    await offer.taking;
    return offer.owner ?? 'theirs';
  }

  /**
   * Takes a message. The offer may be withdrawn while the disk is busy: then its sender comes back, and the message must not be sent here.
   */
  private async takeNow(offer: Offer): Promise<void> {
    const { spool, onFault, onTaken } = this.options;
    const { id } = offer.entry.envelope;
    try {
      await spool.own(id);
      if (offer.owner !== null) return await spool.disown(id);
      endOffer(offer, 'ours', { kind: 'take' });
      onTaken(offer.entry);
    } catch (error) {
      onFault(error, id);
      // The note may be there although the disk said that it failed.
      await spool.disown(id).catch((again: unknown) => onFault(again, id));
      if (offer.owner === null) endOffer(offer, 'theirs', { kind: 'later' });
    }
  }

  private async answerOffer(offer: Offer, entry: Entry, judgement: Judgement | 'split'): Promise<Owner> {
    const answer = await this.answerOf(entry, judgement);
    await (answer.kind === 'take' ? this.takeOffer(offer) : offer.taking);
    const isUnused = answer.kind === 'later' || offer.owner !== null;
    if (offer.owner === null) endOffer(offer, 'theirs', answer);
    // Its sender comes back with a message that is judged anew.
    if (offer.owner === 'theirs' && isUnused && judgement !== 'split' && judgement.state !== 'unfinished')
      await this.options.judge.forget(judgement.runId);
    return offer.owner ?? 'theirs';
  }

  /** Returns the answer about a message that is still offered. */
  private async answerOf({ envelope }: Entry, judgement: Judgement | 'split'): Promise<Answer> {
    const { spool, judge, held } = this.options;
    if (judgement === 'split') return { kind: 'take' };
    if (judgement.state === 'unfinished') return { kind: 'later' };
    const { runId } = judgement;
    if (judgement.state === 'quarantined') {
      if (judgement.isPassing) return { kind: 'later' };
      return held === 'hold' ? { kind: 'take' } : { kind: held, runId };
    }
    const [original, clean] = [await spool.read(envelope), await judge.cleanMessage(runId, judgement.sha256)];
    if (original === null || clean === null) return { kind: 'later' };
    const edits = hasPlainLines(clean) ? editsBetween(original, clean) : null;
    return edits === null ? { kind: 'take' } : { kind: 'accept', edits };
  }
}

function endOffer(offer: Offer, owner: Owner, answer: Answer | null): void {
  offer.owner = owner;
  offer.endAlarm();
  if (answer !== null) offer.onAnswer(answer);
}
