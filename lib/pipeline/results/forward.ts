/**
 * Sends a delivered message on to the recipients of its envelope. It works after `deliver`, without its rights. A note lists the recipients
 * who have the message, so a repetition sends to nobody twice. A message may only arrive twice if the process dies while it sends.
 */
import * as z from 'zod/mini';
import { parseStored } from '../chain/ledger-store.ts';
import { envelopeOf, type MailEnvelope } from '../contents/mail-envelope.ts';
import type { StoreContext } from '../context.ts';
import { TransientError } from '../errors.ts';
import { keys } from '../keys.ts';
import { type TellableLedger, tellable } from '../ledger/dropped.ts';
import { nullIfMissing } from '../null-if-missing.ts';
import { deliveredMessage } from './delivered-object.ts';
import { endedRun } from './ended-run.ts';
import type { Relay, RelayReply } from './relay-port.ts';
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

const Note = z.object({
  /** Set while a process sends: milliseconds since the epoch. */
  sendingSince: z.nullable(z.number()),
  /** The answers of the next server about each recipient. */
  replies: z.array(
    z.object({ recipient: z.string(), outcome: z.enum(['sent', 'refused', 'later']), text: z.string() }),
  ),
});
type Note = z.infer<typeof Note>;

const NOTHING: Note = { sendingSince: null, replies: [] };
const MAX_NOTE_BYTES = 4 * 1024 * 1024;
/** A function lives for two minutes. After that, its sending has ended. */
const MAX_SENDING_MS = 3 * 60_000;
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
  const note = await readNote(ctx, event.runId);
  const open = openRecipients(envelope, note, isFirstTry);
  if (open.length > 0) await send(ctx, ledger, { ...envelope, recipients: open }, note);
  const replies = open.length > 0 ? (await readNote(ctx, event.runId)).replies : note.replies;
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

async function send(ctx: ForwardContext, ledger: TellableLedger, envelope: MailEnvelope, note: Note): Promise<void> {
  const { runId } = ledger;
  const bytes = await deliveredMessage(ctx, ledger);
  await claim(ctx, runId, note);
  const { sender, recipients } = envelope;
  const replies = await ctx.relay.send({ sender, recipients, bytes });
  const others = note.replies.filter(({ recipient }) => !recipients.includes(recipient));
  await writeNote(ctx, runId, { sendingSince: null, replies: [...others, ...replies] });
  const count = (outcome: RelayReply['outcome']) => replies.filter((reply) => reply.outcome === outcome).length;
  ctx.log.info('forwarded', { runId, sent: count('sent'), refused: count('refused'), later: count('later') });
}

/** Takes the claim: one process sends at a time. A dead process leaves its claim, and nobody knows how far it came. */
async function claim(ctx: ForwardContext, runId: string, note: Note): Promise<void> {
  const now = ctx.clock.now();
  const { sendingSince } = note;
  if (sendingSince !== null && now - sendingSince < MAX_SENDING_MS)
    throw new TransientError(`run ${runId} is being forwarded`);
  if (sendingSince !== null) ctx.log.warn('a message may arrive twice', { runId, fault: 'died_while_sending' });
  const isFirst = note === NOTHING;
  const won = await writeNote(ctx, runId, { ...note, sendingSince: now }, isFirst);
  if (!won) throw new TransientError(`run ${runId} is being forwarded`);
}

async function readNote(ctx: StoreContext, runId: string): Promise<Note> {
  const bytes = await nullIfMissing(ctx.blobs.get('work', keys.forwarded(runId), { maxBytes: MAX_NOTE_BYTES }));
  return bytes === null ? NOTHING : Note.parse(parseStored(bytes, `the note of what run ${runId} has sent`));
}

function writeNote(ctx: StoreContext, runId: string, note: Note, ifAbsent = false): Promise<boolean> {
  const bytes = new TextEncoder().encode(JSON.stringify(note));
  return ctx.blobs.put('work', keys.forwarded(runId), bytes, { contentType: 'application/json', ifAbsent });
}
