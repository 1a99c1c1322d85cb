/** One round of digests, within its time limit: it returns the next recipient, and a later round continues from there. */
import { keys } from '../../pipeline/keys.ts';
import { type OneMail, type SendingParts, sendOnce } from '../../pipeline/recall/send-once.ts';
import { type Digest, type DigestParts, digestsOf } from './digest.ts';

export interface RoundParts extends DigestParts {
  readonly sending: SendingParts;
  /** Returns true when the time of this round is up. */
  readonly isOver: () => boolean;
}

/**
 * The most digests of a day. Without it, a sender of mail to a thousand invented names of a domain of ours could make us write to all of
 * them, until SES stops the account.
 */
const MAX_DIGESTS = 20_000;

/** The digests of a day behind this place. */
export interface RoundRequest {
  /** Such as `2026-11-23`, in UTC. */
  readonly day: string;
  /** Null for the beginning. */
  readonly after: string | null;
}

export interface Round {
  readonly sent: number;
  readonly sentBefore: number;
  /** The number of recipients whose digests the next server refuses. */
  readonly refused: number;
  /** The next server asks to come back, or another process sends them just now. */
  readonly later: number;
  /** Held runs that no recipient hears of, because their record is damaged or gone. */
  readonly unreadable: readonly string[];
  /** Digests above the most that a day has. They are not sent. */
  readonly tooMany: number;
  /** The place behind which the next round begins; null when nobody is left. */
  readonly next: string | null;
}

/** Sends the digests of a day that were not sent yet. At least one is tried. Throws TransientError when a store does not answer. */
export async function digestRound(parts: RoundParts, { day, after }: RoundRequest): Promise<Round> {
  const { digests, unreadable } = await digestsOf(parts, day);
  const tooMany = Math.max(0, digests.length - MAX_DIGESTS);
  const open = digests.slice(0, MAX_DIGESTS).filter(({ place }) => after === null || place > after);
  const counts = { sent: 0, 'sent before': 0, refused: 0, later: 0 };
  let next: string | null = null;
  for (const [at, digest] of open.entries()) {
    const { outcome } = await sendOnce(parts.sending, digestMail(day, digest));
    counts[outcome] += 1;
    if (parts.isOver() && at + 1 < open.length) {
      next = digest.place;
      break;
    }
  }
  const { sent, refused, later, 'sent before': sentBefore } = counts;
  return { sent, sentBefore, refused, later, unreadable, tooMany, next };
}

/** Sends the digest of one recipient, once. */
export function digestMail(day: string, digest: Digest): OneMail {
  const { recipient, recipientHash } = digest;
  return {
    recipient,
    noteOf: (time: number) => keys.digest(day, recipientHash, time),
    get email() {
      return digest.email;
    },
  };
}
