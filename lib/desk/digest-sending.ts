/**
 * Sends digests, each once: a note says which recipient has the digest of a day. Only when a process dies while it sends, that digest may
 * arrive twice.
 */
import * as z from 'zod/mini';
import { NotFoundError } from '../pipeline/errors.ts';
import { keys } from '../pipeline/keys.ts';
import type { Blobs, Log } from '../pipeline/ports.ts';
import type { Relay } from '../pipeline/relay-port.ts';
import { safeText } from '../pipeline/safe-text.ts';
import type { Digest } from './digest.ts';

export interface SendingParts {
  readonly blobs: Pick<Blobs, 'get' | 'put'>;
  readonly relay: Relay;
  readonly log: Pick<Log, 'warn'>;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** What became of one digest. `why` is what the next server said. */
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

const MOST_NOTE_BYTES = 10_000;
const LONGEST_WHY = 300;
/** A function lives for a quarter of an hour. After that, nobody sends any more. */
const LONGEST_SENDING_MS = 20 * 60_000;

/** Sends the digest of a day unless its recipient has it. Throws TransientError when the note cannot be read or written. */
export async function sendOnce(parts: SendingParts, day: string, digest: Digest): Promise<Sending> {
  const { relay, now } = parts;
  const key = keys.digest(day, digest.recipientHash);
  const before = await noteAt(parts, key);
  const open = before === null ? null : openOf(parts, before);
  if (open !== null) return open;
  if (before?.state === 'sending')
    parts.log.warn('a digest may arrive twice', { day, fault: 'died_while_sending', recipient: digest.recipientHash });
  const won = await write(parts, key, { state: 'sending', at: now(), why: '' }, before === null);
  if (!won) return { outcome: 'later', why: 'another process sends it' };
  const bytes = new TextEncoder().encode(digest.email);
  // The null sender, so that nothing answers it.
  const [reply] = await relay.send({ sender: '', recipients: [digest.recipient], bytes });
  const { outcome, text } = reply ?? { outcome: 'later', text: 'no answer came' };
  const why = safeText(text, LONGEST_WHY);
  await write(parts, key, { state: outcome, at: now(), why }, false);
  return outcome === 'sent' ? { outcome } : { outcome, why };
}

/** Null when the digest is to be sent. A recipient whom the next server refused before is tried again. */
function openOf({ now }: SendingParts, { state, at }: Note): Sending | null {
  if (state === 'sent') return { outcome: 'sent before' };
  const isAlive = state === 'sending' && now() - at < LONGEST_SENDING_MS;
  return isAlive ? { outcome: 'later', why: 'another process sends it' } : null;
}

/** Null when there is none. A note of an earlier version is there only when the digest was sent. */
async function noteAt({ blobs }: SendingParts, key: string): Promise<Note | null> {
  try {
    const text = new TextDecoder().decode(await blobs.get('work', key, { maxBytes: MOST_NOTE_BYTES }));
    const note = Note.safeParse(text.startsWith('{') ? JSON.parse(text) : null);
    return note.success ? note.data : { state: 'sent', at: 0, why: '' };
  } catch (error) {
    if (error instanceof NotFoundError) return null;
    throw error;
  }
}

function write({ blobs }: SendingParts, key: string, note: Note, ifAbsent: boolean): Promise<boolean> {
  const bytes = new TextEncoder().encode(JSON.stringify(note));
  return blobs.put('work', key, bytes, { contentType: 'application/json', ifAbsent });
}
