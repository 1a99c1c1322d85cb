/**
 * Sends a delivered message on to the recipients of its envelope. It works after `deliver`, without its rights. A note lists the recipients
 * who have the message, so a repetition sends to nobody twice. Each try has a claim that only one process can create. A message may only
 * arrive twice if the process dies while it sends.
 */
import * as z from 'zod/mini';
import { parseStored } from '../chain/ledger-store.ts';
import { envelopeOf, type MailEnvelope } from '../contents/mail-envelope.ts';
import type { StoreContext } from '../context.ts';
import { ConfigError, TransientError } from '../errors.ts';
import { keys } from '../keys.ts';
import { type TellableLedger, tellable } from '../ledger/dropped.ts';
import { nullIfMissing } from '../null-if-missing.ts';
import { deliveredMessage } from './delivered-object.ts';
import { endedRun } from './ended-run.ts';
import { FORWARD_SECONDS, type Relay, type RelayReply } from './relay-port.ts';
import type { RunEvent } from './run-event.ts';

export interface ForwardContext extends StoreContext {
  readonly relay: Relay;
  /** The prefix of keys of objects that have an envelope. */
  readonly envelopesFor: string;
}

/** A recipient whom the next server does not take. A new try is made when a person moves the message out of the dead letters. */
export class ForwardRefusedError extends Error {
  override readonly name = 'ForwardRefusedError';
}

/** A try, from the time at which its process began to send: milliseconds since the epoch. */
const Claim = z.object({ at: z.number() });

const Note = z.object({
  /** The number of the last try whose answers are here. */
  tries: z._default(z.int(), 0),
  /** The answers of the next server about each recipient. */
  replies: z.array(
    z.object({ recipient: z.string(), outcome: z.enum(['sent', 'refused', 'later']), text: z.string() }),
  ),
});
type Note = z.infer<typeof Note>;

const NOTHING: Note = { tries: 0, replies: [] };
const MAX_NOTE_BYTES = 4 * 1024 * 1024;
const MAX_CLAIM_BYTES = 1_000;
/** The most processes that may die one after the other while they send a message. */
const MAX_DEAD = 100;
/** The clocks of two functions differ by less than this. */
const MAX_SKEW_MS = 10 * 60_000;
/** A claim of this age is of a process that has ended, whatever the clocks say. */
export const MAX_SENDING_MS = 1_000 * FORWARD_SECONDS + MAX_SKEW_MS;
/** SES itself writes this object when a rule is made. */
const SETUP_NOTE = 'AMAZON_SES_SETUP_NOTIFICATION';

/**
 * Forwards the message of an event. Safe to repeat. Refused recipients are tried again only when `isFirstTry`. Throws TransientError while
 * a recipient must wait, and ForwardRefusedError when one was refused.
 *
 * @example
 * ```ts
 * import { type ForwardContext, forward } from './lib/pipeline/results/forward.ts';
 * import type { RunEvent } from './lib/pipeline/results/run-event.ts';
 *
 * const onDelivered = (ctx: ForwardContext, event: RunEvent) => forward(ctx, event, true);
 * ```
 */
export async function forward(ctx: ForwardContext, event: RunEvent, isFirstTry: boolean): Promise<void> {
  const ended = await endedRun(ctx, event);
  const ledger = ended && tellable(ended);
  if (ledger?.terminal?.state !== 'delivered' || ledger.kind !== 'email') return;
  const envelope = await envelopeFor(ctx, ledger);
  if (envelope === null) return;
  const { replies } = await sendOpen(ctx, ledger, envelope, isFirstTry);
  const [later] = replies.filter(({ outcome }) => outcome === 'later');
  if (later) throw new TransientError(`the next server asks to come back: ${later.text}`);
  const [refused] = replies.filter(({ outcome }) => outcome === 'refused');
  if (refused) throw new ForwardRefusedError(`the next server refuses a recipient: ${refused.text}`);
}

/** Returns null for an object that nobody sent in SMTP. Throws TransientError while the envelope is not noted yet. */
async function envelopeFor(ctx: ForwardContext, { intake, runId }: TellableLedger): Promise<MailEnvelope | null> {
  const envelope = await envelopeOf(ctx, intake);
  if (envelope !== null) return envelope;
  const { untrustedKey } = intake;
  if (untrustedKey.startsWith(ctx.envelopesFor) && !untrustedKey.endsWith(SETUP_NOTE))
    throw new TransientError(`the envelope of run ${runId} is not noted yet`);
  ctx.log.info('not forwarded: it has no envelope', { runId });
  return null;
}

function openRecipients({ recipients }: MailEnvelope, { replies }: Note, isFirstTry: boolean): string[] {
  const isDone = (recipient: string) =>
    replies.some(
      (reply) =>
        reply.recipient === recipient && (reply.outcome === 'sent' || (reply.outcome === 'refused' && !isFirstTry)),
    );
  return [...new Set(recipients)].filter((recipient) => !isDone(recipient));
}

/** Sends to every recipient who still needs the message. Returns the note with all answers. */
async function sendOpen(
  ctx: ForwardContext,
  ledger: TellableLedger,
  envelope: MailEnvelope,
  isFirstTry: boolean,
): Promise<Note> {
  const { runId } = ledger;
  const before = await readNote(ctx, runId);
  if (openRecipients(envelope, before, isFirstTry).length === 0) return before;
  const bytes = await deliveredMessage(ctx, ledger);
  const tries = await claimTry(ctx, runId, before.tries);
  // The process that had the claim before may have noted its answers meanwhile.
  const note = await readNote(ctx, runId);
  const recipients = openRecipients(envelope, note, isFirstTry);
  const noted = async (replies: Note['replies']) => {
    const now: Note = { tries, replies };
    await write(ctx, keys.forwarded(runId), now);
    return now;
  };
  if (recipients.length === 0) return noted(note.replies);
  const answers = await ctx.relay.send({ sender: envelope.sender, recipients, bytes }).catch(async (error: unknown) => {
    // Nothing was sent, so the next try need not wait for this one.
    if (error instanceof ConfigError || error instanceof TransientError) await noted(note.replies);
    throw error;
  });
  const now = await noted([...note.replies.filter(({ recipient }) => !recipients.includes(recipient)), ...answers]);
  const count = (outcome: RelayReply['outcome']) => answers.filter((reply) => reply.outcome === outcome).length;
  ctx.log.info('forwarded', { runId, sent: count('sent'), refused: count('refused'), later: count('later') });
  return now;
}

/**
 * Claims the next try, and returns its number. Only one process can create a claim. A dead process leaves its claim, and nobody knows how
 * far it came. Throws TransientError while another process may be sending.
 */
async function claimTry(ctx: ForwardContext, runId: string, before: number): Promise<number> {
  for (let time = before + 1; time <= before + MAX_DEAD; time++) {
    const at = await claimedAt(ctx, runId, time);
    const now = ctx.clock.now();
    if (at === null && (await write(ctx, keys.forwarding(runId, time), { at: now }, true))) {
      if (time > before + 1) ctx.log.warn('a message may arrive twice', { runId, fault: 'died_while_sending' });
      return time;
    }
    if (at === null || now - at < MAX_SENDING_MS) break;
  }
  throw new TransientError(`run ${runId} is being forwarded`);
}

/** Returns when a process began this try; null when nobody has. */
async function claimedAt(ctx: StoreContext, runId: string, time: number): Promise<number | null> {
  const what = `the claim of try ${time} to forward run ${runId}`;
  const key = keys.forwarding(runId, time);
  const bytes = await nullIfMissing(ctx.blobs.get('work', key, { maxBytes: MAX_CLAIM_BYTES }));
  return bytes && Claim.parse(parseStored(bytes, what)).at;
}

async function readNote(ctx: StoreContext, runId: string): Promise<Note> {
  const bytes = await nullIfMissing(ctx.blobs.get('work', keys.forwarded(runId), { maxBytes: MAX_NOTE_BYTES }));
  return bytes === null ? NOTHING : Note.parse(parseStored(bytes, `the note of what run ${runId} has sent`));
}

function write(ctx: StoreContext, key: string, value: object, ifAbsent = false): Promise<boolean> {
  const bytes = new TextEncoder().encode(JSON.stringify(value));
  return ctx.blobs.put('work', key, bytes, { contentType: 'application/json', ifAbsent });
}
