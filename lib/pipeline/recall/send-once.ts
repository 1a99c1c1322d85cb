/**
 * Sends mails of ours, each once to each recipient. Each try has a note that only one process can create, so two rounds never make the same
 * try. A mail may only arrive twice if a process dies while it sends.
 */
import * as z from 'zod/mini';
import { nullIfMissing } from '../null-if-missing.ts';
import type { Blobs, Log } from '../ports.ts';
import type { Relay } from '../results/relay-port.ts';
import { safeText } from '../safe-text.ts';

export interface SendingParts {
  readonly blobs: Pick<Blobs, 'get' | 'put'>;
  readonly relay: Relay;
  readonly log: Pick<Log, 'warn'>;
  /** Returns milliseconds since the epoch. */
  readonly now: () => number;
}

/** One mail to one recipient. */
export interface OneMail {
  readonly recipient: string;
  /** Made on demand, because there may be many mails. */
  readonly email: string;
  /** Returns the key of the note about a try, counted from 1. */
  readonly noteOf: (time: number) => string;
}

/** The outcome of one mail. `why` is the answer of the next server. */
export type Sending =
  | { readonly outcome: 'sent' | 'sent before' }
  | { readonly outcome: 'refused' | 'later'; readonly why: string };

const Note = z.object({
  state: z.enum(['sending', 'sent', 'refused', 'later']),
  /** Milliseconds since the epoch. */
  at: z.number(),
  why: z.string(),
});
type Note = z.infer<typeof Note>;

const MAX_NOTE_BYTES = 10_000;
const MAX_REPLY_LENGTH = 300;
/** A function lives for a quarter of an hour. After that, its try has ended. */
const MAX_SENDING_MS = 20 * 60_000;
/** The most tries. A queue makes some tens of tries, and each note is read before the next try. */
const MAX_TRIES = 50;

const BUSY: Sending = { outcome: 'later', why: 'another process sends it' };

/** Sends the mail unless its recipient has it. Throws TransientError when a note cannot be read or written. */
export async function sendOnce(parts: SendingParts, mail: OneMail): Promise<Sending> {
  const { relay, now } = parts;
  const { time, note: before } = await lastTry(parts, mail);
  const open = before === null ? null : openOf(parts, before);
  if (open !== null) return open;
  if (time === MAX_TRIES) return { outcome: 'refused', why: `${MAX_TRIES} tries failed: ${before?.why ?? ''}` };
  const key = mail.noteOf(time + 1);
  if (!(await write(parts, key, { state: 'sending', at: now(), why: '' }, true))) return BUSY;
  if (before?.state === 'sending')
    parts.log.warn('a mail may arrive twice', { fault: 'died_while_sending', note: key });
  const bytes = new TextEncoder().encode(mail.email);
  // The null sender is used, so that nothing answers the mail.
  const [reply] = await relay.send({ sender: '', recipients: [mail.recipient], bytes });
  const { outcome, text } = reply ?? { outcome: 'later', text: 'no answer came' };
  const why = safeText(text, MAX_REPLY_LENGTH);
  await write(parts, key, { state: outcome, at: now(), why }, false);
  return outcome === 'sent' ? { outcome } : { outcome, why };
}

/** Returns true when the recipient has the mail. Throws TransientError. */
export async function wasSent(parts: SendingParts, mail: OneMail): Promise<boolean> {
  return (await lastTry(parts, mail)).note?.state === 'sent';
}

/** Returns null when the mail must be sent. A recipient whom the next server refused before is tried again. */
function openOf({ now }: SendingParts, { state, at }: Note): Sending | null {
  if (state === 'sent') return { outcome: 'sent before' };
  const isAlive = state === 'sending' && now() - at < MAX_SENDING_MS;
  return isAlive ? BUSY : null;
}

/**
 * Returns the newest try and its note. Only the process that made a try writes its note, so older notes do not matter. Returns 0 and null
 * when there is none.
 */
async function lastTry(parts: SendingParts, { noteOf }: OneMail): Promise<{ time: number; note: Note | null }> {
  let last: { time: number; note: Note | null } = { time: 0, note: null };
  for (let time = 1; time <= MAX_TRIES; time++) {
    const note = await noteAt(parts, noteOf(time));
    if (note === null) break;
    last = { time, note };
  }
  return last;
}

/** Returns null when there is none. A note of an earlier version exists only when the mail was sent. */
async function noteAt({ blobs }: SendingParts, key: string): Promise<Note | null> {
  const bytes = await nullIfMissing(blobs.get('work', key, { maxBytes: MAX_NOTE_BYTES }));
  if (bytes === null) return null;
  const text = new TextDecoder().decode(bytes);
  const note = Note.safeParse(text.startsWith('{') ? JSON.parse(text) : null);
  return note.success ? note.data : { state: 'sent', at: 0, why: '' };
}

function write({ blobs }: SendingParts, key: string, note: Note, ifAbsent: boolean): Promise<boolean> {
  const bytes = new TextEncoder().encode(JSON.stringify(note));
  return blobs.put('work', key, bytes, { contentType: 'application/json', ifAbsent });
}
