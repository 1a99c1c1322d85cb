/**
 * The sender and the recipients of a message, in the form in which addresses are compared. The sender of the message chose all of it. Pure.
 */
import { addressesIn, normalFact } from './header-addresses.ts';
import type { Ledger } from './ledger.ts';

export interface Correspondents {
  readonly senders: readonly string[];
  readonly recipients: readonly string[];
}

/** Reads the header, and the envelope if there is one. */
export function correspondentsOf({ message, intake: { envelope } }: Ledger): Correspondents {
  const senders = [...addressesIn(message?.untrustedFrom ?? ''), ...addressesIn(envelope?.sender ?? '')];
  const recipients = [...(envelope?.recipients ?? []).map(normalFact), ...addressesIn(message?.untrustedTo ?? '')];
  return { senders: [...new Set(senders)], recipients: [...new Set(recipients)] };
}

/**
 * Returns the recipients as people read them: from the envelope, or from the header if there is no envelope; null when nothing is known.
 * They are not made safe.
 */
export const recipientsText = ({ message, intake: { envelope } }: Pick<Ledger, 'message' | 'intake'>): string | null =>
  envelope?.recipients.join(', ') ?? message?.untrustedTo ?? null;

/** Returns true when both went from one address to the same other address, or one of them is an answer. */
export function wroteEachOther(one: Correspondents, other: Correspondents): boolean {
  const meet = (some: readonly string[], others: readonly string[]) => some.some((address) => others.includes(address));
  const isSameWay = meet(one.senders, other.senders) && meet(one.recipients, other.recipients);
  return isSameWay || (meet(one.senders, other.recipients) && meet(one.recipients, other.senders));
}

/** Returns pairs of a sender and a recipient, up to a maximum. A person who writes to himself is no pair. */
export function pairsOf({ senders, recipients }: Correspondents, most: number): (readonly [string, string])[] {
  const all = senders.slice(0, most).flatMap((sender) =>
    recipients
      .slice(0, most)
      .filter((recipient) => recipient !== sender)
      .map((recipient) => [sender, recipient] as const),
  );
  return all.slice(0, most);
}
