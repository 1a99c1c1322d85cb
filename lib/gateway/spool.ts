/**
 * The messages that were accepted, on disk. A message is accepted once it is at its place in the intake folder, which it reaches last:
 *
 *   incoming/ID                  bytes as they arrive; removed at the next start
 *   intake/envelopes/ID.json     the envelope, written and synced first
 *   intake/gateway/ID.eml        the message; its rename is the moment of acceptance
 *   queue/ID.json                how far it has got; absent until something happened to it that a repetition would not find again
 *   queue/ID.sending             empty; there while the next hop may have the message without our knowing
 *   queue/ID.owned               empty; there once a message that came by milter is ours. Until then its mail server has it.
 *
 * Every step is safe to repeat. Only what must outlive a cut of the power is synced: the acceptance, notes, and that a message is finished.
 */
import { createHash, randomBytes } from 'node:crypto';
import { CorruptDataError } from '../pipeline/errors.ts';
import { sha256Hex } from '../pipeline/keys.ts';
import { safeJson } from '../pipeline/safe-text.ts';
import type { Envelope } from './envelope.ts';
import { type Files, PARTIAL, writeDurably, writeSynced } from './files.ts';
import { newProgress, type Progress } from './progress.ts';
import {
  ENVELOPES,
  type Entry,
  envelopePath,
  MESSAGES,
  markPath,
  messagePath,
  ownedPath,
  progressPath,
  QUEUE,
  readSpool,
} from './spool-reading.ts';

/** An arriving message. */
export interface Incoming {
  readonly id: string;
  write(bytes: Uint8Array): Promise<void>;
  /** Returns when message and envelope are on the disk. From then on the message is ours. */
  commit(envelope: Omit<Envelope, 'id' | 'message'>): Promise<Entry>;
  /** Forgets it. Never rejects. */
  discard(): Promise<void>;
}

export interface Spool {
  begin(): Promise<Incoming>;
  /** Returns every accepted message, and the ids of those with unreadable files. Removes the remains of an earlier process. */
  recover(): Promise<{ readonly entries: Entry[]; readonly damaged: string[] }>;
  /** Notes the progress of a message durably. */
  note(id: string, progress: Progress): Promise<void>;
  /** Marks that the next hop may have the message from now on. The mark outlives the process, and may be lost in a cut of the power. */
  mark(id: string): Promise<void>;
  /** Notes durably that a message which a mail server offered by milter is ours. */
  own(id: string): Promise<void>;
  /** Withdraws that note: the mail server still has the message. */
  disown(id: string): Promise<void>;
  /** Returns the bytes of an accepted message, or null when they are missing or different. */
  read(envelope: Envelope): Promise<Uint8Array | null>;
  /**
   * Makes a message of each list of recipients, by their index, and forgets the whole one. When the process dies meanwhile, the whole one
   * is still there and is split again.
   */
  split(entry: Entry, shares: readonly (readonly number[])[]): Promise<Entry[]>;
  /**
   * Stores the first message of a message that is still judged. It belongs to no message until that one notes it. The next start removes it
   * until then.
   */
  addFirst(whole: Entry, bytes: Uint8Array): Promise<Entry>;
  /** Removes a message that was sent. */
  finish(id: string, progress: Progress): Promise<void>;
}

const INCOMING = 'incoming';
/** Bytes of an arriving message that are written together: most messages completely. Each open connection may hold this many. */
const GATHERED_BYTES = 32 * 1024;

/** Returns an id. Ids sort by the time at which they were made. */
export function newId(nowMs: number): string {
  const random = [...randomBytes(12)].map((byte) => (byte % 36).toString(36)).join('');
  return `${nowMs.toString(36).padStart(9, '0')}${random}`;
}

/** Returns the spool below the root of `files`. */
export async function openSpool(files: Files, now: () => number): Promise<Spool> {
  for (const folder of [INCOMING, MESSAGES, ENVELOPES, QUEUE]) await files.makeFolder(folder);
  return {
    begin: () => begin(files, now),
    recover: () => recover(files, now),
    async note(id, progress) {
      await note(files, id, progress);
      if (!progress.mayHaveArrived) await files.remove(markPath(id));
    },
    async mark(id) {
      await files.remove(markPath(id));
      await (await files.create(markPath(id))).close();
    },
    own: (id) => writeDurably(files, ownedPath(id), new Uint8Array()),
    async disown(id) {
      await files.remove(ownedPath(id));
      await files.syncFolder(QUEUE);
    },
    async read({ id, message }) {
      const bytes = await files.read(messagePath(id), message.size);
      return bytes !== null && sha256Hex(bytes) === message.sha256 ? bytes : null;
    },
    split: (entry, shares) => split(files, entry, shares, now),
    addFirst: (whole, bytes) => addFirst(files, whole.envelope, bytes, now),
    finish: (id, progress) => finish(files, id, progress),
  };
}

const bytesOf = (value: unknown) => new TextEncoder().encode(`${safeJson(value)}\n`);
const note = (files: Files, id: string, progress: Progress) => writeDurably(files, progressPath(id), bytesOf(progress));

async function begin(files: Files, now: () => number): Promise<Incoming> {
  const id = newId(now());
  const partial = `${INCOMING}/${id}`;
  const file = await files.create(partial);
  const hash = createHash('sha256');
  let size = 0;
  let gathered: Uint8Array[] = [];
  let gatheredBytes = 0;
  const writeGathered = async () => {
    const [first, ...others] = gathered;
    [gathered, gatheredBytes] = [[], 0];
    if (first !== undefined) await file.write(others.length === 0 ? first : Buffer.concat([first, ...others]));
  };
  let isOpen = true;
  const close = async () => {
    if (isOpen) await file.close();
    isOpen = false;
  };
  return {
    id,
    async write(bytes) {
      hash.update(bytes);
      size += bytes.length;
      gathered.push(bytes);
      gatheredBytes += bytes.length;
      if (gatheredBytes >= GATHERED_BYTES) await writeGathered();
    },
    async commit(facts) {
      const envelope: Envelope = { ...facts, id, message: { sha256: hash.digest('hex'), size } };
      await writeGathered();
      // An envelope without its message belongs to nobody, so it needs no other name while it is written.
      await bothEnded(file.sync().then(close), writeSynced(files, envelopePath(id), bytesOf(envelope)));
      await files.rename(partial, messagePath(id));
      await files.syncFolder(MESSAGES);
      return { envelope, progress: newProgress(envelope, now()) };
    },
    async discard() {
      await close().catch(() => undefined);
      const paths = [messagePath(id), partial, envelopePath(id)];
      // The next start removes the rest. A message that cannot be removed keeps its envelope, and is sent whole.
      for (const path of paths) if (!(await isRemoved(files, path))) return;
    },
  };
}

async function split(
  files: Files,
  whole: Entry,
  shares: readonly (readonly number[])[],
  now: () => number,
): Promise<Entry[]> {
  const { id, message } = whole.envelope;
  const bytes = await files.read(messagePath(id), message.size);
  if (bytes === null) throw new CorruptDataError(`${messagePath(id)} is not there`);
  const made: Entry[] = [];
  for (const share of shares) {
    const recipients = whole.envelope.recipients.filter((_, index) => share.includes(index));
    const envelope: Envelope = { ...whole.envelope, id: shareId(id, share), origin: 'smtp', recipients, splitFrom: id };
    await writeDurably(files, envelopePath(envelope.id), bytesOf(envelope));
    await writeDurably(files, messagePath(envelope.id), bytes);
    made.push({ envelope, progress: newProgress(envelope, now()) });
  }
  await finish(files, id, whole.progress);
  return made;
}

async function addFirst(
  files: Files,
  { splitFrom: _, ...whole }: Envelope,
  bytes: Uint8Array,
  now: () => number,
): Promise<Entry> {
  const message = { sha256: sha256Hex(bytes), size: bytes.length };
  const id = shareId(whole.id, ['first']);
  const envelope: Envelope = { ...whole, id, origin: 'first', firstOf: whole.id, message };
  await writeDurably(files, envelopePath(id), bytesOf(envelope));
  await writeDurably(files, messagePath(id), bytes);
  return { envelope, progress: newProgress(envelope, now()) };
}

/**
 * Reads the note of a removed message. A message without a note is gone with its file. A note without a message would be damage, so the
 * note says that this is the end.
 */
async function finish(files: Files, id: string, progress: Progress): Promise<void> {
  if ((await files.modifiedAt(progressPath(id))) !== null)
    await note(files, id, { ...progress, state: 'done', mayHaveArrived: false });
  await removeAll(files, id);
}

/** Returns an id that is the same for the same recipients, so that a repeated split makes the same messages. */
function shareId(id: string, share: readonly (number | string)[]): string {
  const bytes = createHash('sha256')
    .update(JSON.stringify([id, ...share]))
    .digest();
  return `${id.slice(0, 9)}${[...bytes.subarray(0, 12)].map((byte) => (byte % 36).toString(36)).join('')}`;
}

/** Resolves when both are done. Rejects when one failed, and not before the other has ended, too. */
async function bothEnded(one: Promise<void>, other: Promise<void>): Promise<void> {
  await Promise.allSettled([one, other]);
  await one;
  await other;
}

const isRemoved = (files: Files, path: string) =>
  files.remove(path).then(
    () => true,
    () => false,
  );

async function recover(files: Files, now: () => number): Promise<{ entries: Entry[]; damaged: string[] }> {
  for (const name of await files.list(INCOMING)) await files.remove(`${INCOMING}/${name}`);
  for (const folder of [MESSAGES, ENVELOPES, QUEUE])
    for (const name of await files.list(folder)) if (name.endsWith(PARTIAL)) await files.remove(`${folder}/${name}`);
  const { entries, damaged, done, orphans, staleMarks, unsplit, offered } = await readSpool(files, now);
  for (const id of [...done, ...orphans, ...unsplit, ...offered]) await removeAll(files, id);
  for (const id of staleMarks) await files.remove(markPath(id));
  return { entries, damaged };
}

/**
 * Removes the files of a message. The message goes first and durably: the next start removes the rest. The envelope must not go before,
 * because a message without one cannot be sent. The note goes last: while it is there, the rest is removed again.
 */
async function removeAll(files: Files, id: string): Promise<void> {
  await files.remove(messagePath(id));
  await files.syncFolder(MESSAGES);
  for (const path of [envelopePath(id), markPath(id), ownedPath(id), progressPath(id)]) await files.remove(path);
}
