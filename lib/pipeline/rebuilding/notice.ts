/**
 * The notice about a held message, to its recipient or to the operator, never to its sender. It is written beside the quarantined message.
 * Another program sends it.
 */
import { isPlainAddress, type NoticeFacts, noticeEmail } from '../../words/notice.ts';
import type { NoticeContext } from '../context.ts';
import { keys, sha256Hex } from '../keys.ts';
import { type TellableLedger, tellable } from '../ledger/dropped.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { forRun } from '../policy/for-recipients.ts';
import type { Policy } from '../policy/policy.ts';
import { inertText } from '../safe-text.ts';
import { helpOf, languageFor, openedByOther, whyHeld } from './recipient-texts.ts';
import { firstMessageId } from './second-message.ts';

/** Characters shown of a name, a subject or a list of recipients. */
const SHOWN_LENGTH = 200;
/** A header of a megabyte is not searched for addresses, and a message to a thousand people makes no thousand notices. */
const RECIPIENT_LENGTH = 2_000;
const MAX_RECIPIENTS = 10;
const HOUR_MS = 3_600_000;

/**
 * Returns the notice. Returns null when policy wants none, when no recipient of ours is named, or when this sender had all notices of the
 * hour. Throws TransientError.
 */
export async function noticeFor(given: NoticeContext, held: Ledger): Promise<Uint8Array | null> {
  const ledger = tellable(held);
  const ctx = forRun(given, held);
  const { notify, from, admin, perSenderHourly } = ctx.policy.notices;
  if (notify === 'none' || ledger === null) return null;
  const to = notify === 'admin' ? [admin] : ownRecipients(ctx.policy, ledger);
  if (to.length === 0 || !(await takesSlot(ctx, ledger, perSenderHourly))) return null;
  return written(ctx, ledger, { audience: notify, from, to, inReplyTo: null });
}

/** Returns the note to people who already have the text of a message whose files were then withheld. It names nobody but them. */
export function withheldNote(
  given: Pick<NoticeContext, 'policy' | 'clock'>,
  ledger: TellableLedger,
  from: string,
): Uint8Array {
  return written(forRun(given, ledger), ledger, {
    audience: 'reader',
    from,
    to: [],
    inReplyTo: firstMessageId(ledger),
  });
}

function written(
  { policy, clock }: Pick<NoticeContext, 'policy' | 'clock'>,
  ledger: TellableLedger,
  facts: Pick<NoticeFacts, 'audience' | 'from' | 'to' | 'inReplyTo'>,
): Uint8Array {
  const shown = (untrusted: string | undefined) => inertText(untrusted ?? '', SHOWN_LENGTH);
  const { message } = ledger;
  const language = languageFor(policy, ledger);
  const email = noticeEmail({
    language,
    ...facts,
    held: {
      from: shown(message?.untrustedFrom),
      to: shown(message?.untrustedTo),
      subject: shown(message?.untrustedSubject),
      date: shown(message?.untrustedDate),
    },
    why: [...whyHeld(language, ledger), ...openedByOther(language, ledger)],
    help: helpOf(policy),
    runId: ledger.runId,
    at: new Date(clock.now()),
  });
  return new TextEncoder().encode(email);
}

/**
 * Returns the recipients whose domain is ours, from the envelope, or from the header if there is no envelope. A sender writes both, and
 * must not choose our recipients. An address that is also the sender's gets nothing. At most `most` are returned.
 */
export function ownRecipients(
  { notices }: Policy,
  { message, intake }: TellableLedger,
  most = MAX_RECIPIENTS,
): string[] {
  const sender = addressesIn(mailboxesOf(message?.untrustedFrom ?? ''));
  const isOwn = (address: string) =>
    notices.domains.some((domain) => address.endsWith(domain.startsWith('.') ? domain : `@${domain}`));
  const named = intake.envelope?.recipients.flatMap((recipient) => addressesIn(recipient));
  const all = [...new Set(named ?? addressesIn(message?.untrustedTo ?? ''))];
  return all.filter((address) => isOwn(address) && !sender.includes(address)).slice(0, most);
}

/** Returns the text in angle brackets, if there are any. A name beside it may look like the address of somebody else. */
function mailboxesOf(header: string): string {
  const inBrackets = header.slice(0, RECIPIENT_LENGTH).match(/<[^<>]*>/g);
  return inBrackets?.join(' ') ?? header;
}

/** Returns the plain addresses in a header, in small letters, each once. */
function addressesIn(header: string): string[] {
  const words = header
    .slice(0, RECIPIENT_LENGTH)
    .toLowerCase()
    .split(/[\s,;<>"()]+/);
  return [...new Set(words.filter(isPlainAddress))];
}

/**
 * Takes one of the places of a sender in this hour of the clock. A place is an object that is created once, so two runs never share one,
 * and a repeated run finds its own.
 */
async function takesSlot(ctx: NoticeContext, ledger: Ledger, most: number): Promise<boolean> {
  const [address] = addressesIn(ledger.message?.untrustedFrom ?? '');
  const sender = sha256Hex(address ?? '');
  const hour = Math.floor(ctx.clock.now() / HOUR_MS);
  const own = new TextEncoder().encode(ledger.runId);
  for (let slot = 0; slot < most; slot++) {
    const key = keys.noticeSlot(sender, hour, slot);
    if (await ctx.blobs.put('work', key, own, { ifAbsent: true })) return true;
    const holder = await ctx.blobs.get('work', key, { maxBytes: own.length });
    if (new TextDecoder().decode(holder) === ledger.runId) return true;
  }
  return false;
}
