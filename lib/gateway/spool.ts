/**
 * The messages that were accepted, on disk. A message is accepted once it is at its place in the intake folder, which it reaches last:
 *
 *   incoming/ID                  bytes as they arrive; removed at the next start
 *   intake/envelopes/ID.json     the envelope, written and synced first
 *   intake/gateway/ID.eml        the message; its rename is the moment of acceptance
 *   queue/ID.json                how far it has got; absent while it waits to be judged for the first time
 *
 * Every step is safe to repeat, and nothing is removed before what follows it is noted.
 */
import { createHash, randomBytes } from 'node:crypto';
import { CorruptDataError } from '../pipeline/errors.ts';
import { sha256Hex } from '../pipeline/keys.ts';
import { safeJson } from '../pipeline/safe-text.ts';
import { Envelope } from './envelope.ts';
import { type Files, PARTIAL, writeDurably } from './files.ts';
import { newProgress, Progress } from './progress.ts';

/** A message of the spool. */
export interface Entry {
  readonly envelope: Envelope;
  readonly progress: Progress;
}

/** A message that is arriving. */
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
  /** Every accepted message, and the ids of those whose files cannot be read. Cleans up what an earlier process left. */
  recover(): Promise<{ readonly entries: Entry[]; readonly damaged: string[] }>;
  /** Notes durably how far a message has got. */
  note(id: string, progress: Progress): Promise<void>;
  /** The bytes of an accepted message; null when they are not there, or not those that were accepted. */
  read(envelope: Envelope): Promise<Uint8Array | null>;
  /** Removes a message that was sent. */
  finish(id: string, progress: Progress): Promise<void>;
}

const INCOMING = 'incoming';
const MESSAGES = 'intake/gateway';
const ENVELOPES = 'intake/envelopes';
const QUEUE = 'queue';
const ID = /^[0-9a-z]{21}$/;
/** Far more than an envelope of all allowed recipients, in bytes. */
const MAX_NOTE_BYTES = 8 * 1024 * 1024;

/** The key in the intake bucket under which the flow finds a message. */
export const intakeKey = (id: string): string => `gateway/${id}.eml`;
/** The paths of a message and its notes below the root. */
export const messagePath = (id: string): string => `${MESSAGES}/${id}.eml`;
export const envelopePath = (id: string): string => `${ENVELOPES}/${id}.json`;
export const progressPath = (id: string): string => `${QUEUE}/${id}.json`;

/** Ids sort by the time at which they were made. */
export function newId(nowMs: number): string {
  const random = [...randomBytes(12)].map((byte) => (byte % 36).toString(36)).join('');
  return `${nowMs.toString(36).padStart(9, '0')}${random}`;
}

/** The spool below the root of `files`. */
export async function openSpool(files: Files, now: () => number): Promise<Spool> {
  for (const folder of [INCOMING, MESSAGES, ENVELOPES, QUEUE]) await files.makeFolder(folder);
  return {
    begin: () => begin(files, now),
    recover: () => recover(files, now),
    note: (id, progress) => note(files, id, progress),
    async read({ id, message }) {
      const bytes = await files.read(messagePath(id), message.size);
      return bytes !== null && sha256Hex(bytes) === message.sha256 ? bytes : null;
    },
    async finish(id, progress) {
      await note(files, id, { ...progress, state: 'done', mayHaveArrived: false });
      await removeAll(files, id);
    },
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
      await file.write(bytes);
    },
    async commit(facts) {
      await file.sync();
      await close();
      const envelope: Envelope = { ...facts, id, message: { sha256: hash.digest('hex'), size } };
      await writeDurably(files, envelopePath(id), bytesOf(envelope));
      await files.rename(partial, messagePath(id));
      await files.syncFolder(MESSAGES);
      return { envelope, progress: newProgress(envelope.recipients.length, now()) };
    },
    async discard() {
      await close().catch(() => undefined);
      const paths = [messagePath(id), partial, envelopePath(id), `${envelopePath(id)}${PARTIAL}`];
      // The next start removes what cannot be removed now. A message that cannot be removed keeps its envelope, and goes on whole.
      for (const path of paths) if (!(await isRemoved(files, path))) return;
    },
  };
}

const isRemoved = (files: Files, path: string) =>
  files.remove(path).then(
    () => true,
    () => false,
  );

async function recover(files: Files, now: () => number): Promise<{ entries: Entry[]; damaged: string[] }> {
  for (const name of await files.list(INCOMING)) await files.remove(`${INCOMING}/${name}`);
  for (const folder of [ENVELOPES, QUEUE])
    for (const name of await files.list(folder)) if (name.endsWith(PARTIAL)) await files.remove(`${folder}/${name}`);
  const { entries, damaged, done, orphans } = await readSpool(files, now);
  for (const id of done) await removeAll(files, id);
  for (const id of orphans) await files.remove(envelopePath(id));
  return { entries, damaged };
}

/** Everything that lies in a spool, without changing anything. */
export async function readSpool(
  files: Files,
  now: () => number,
): Promise<{
  entries: Entry[];
  /** Messages whose files cannot be read. */
  damaged: string[];
  /** Messages that were sent, and whose files are still to be removed. */
  done: string[];
  /** Envelopes whose message never came: its sender was not answered, so it is not ours. */
  orphans: string[];
}> {
  const [messages, envelopes, notes] = [
    await idsIn(files, MESSAGES, '.eml'),
    await idsIn(files, ENVELOPES, '.json'),
    await idsIn(files, QUEUE, '.json'),
  ];
  const found = { entries: [] as Entry[], damaged: [] as string[], done: [] as string[] };
  for (const id of new Set([...messages, ...notes])) {
    const entry = await readEntry(files, id, now);
    if (entry === 'done') found.done.push(id);
    else if (entry !== 'damaged' && messages.has(id)) found.entries.push(entry);
    else found.damaged.push(id);
  }
  const orphans = [...envelopes].filter((id) => !messages.has(id) && !notes.has(id));
  return { ...found, orphans };
}

async function idsIn(files: Files, folder: string, extension: string): Promise<Set<string>> {
  const names = (await files.list(folder)).filter((name) => name.endsWith(extension));
  return new Set(names.map((name) => name.slice(0, -extension.length)).filter((id) => ID.test(id)));
}

async function readEntry(files: Files, id: string, now: () => number): Promise<Entry | 'done' | 'damaged'> {
  try {
    const progress = await readNote(files, progressPath(id), Progress);
    if (progress?.state === 'done') return 'done';
    const envelope = await readNote(files, envelopePath(id), Envelope);
    if (envelope === null || envelope.id !== id) return 'damaged';
    const known = progress ?? newProgress(envelope.recipients.length, now());
    return known.recipients.length === envelope.recipients.length ? { envelope, progress: known } : 'damaged';
  } catch (error) {
    if (error instanceof CorruptDataError) return 'damaged';
    throw error;
  }
}

async function readNote<T>(
  files: Files,
  path: string,
  schema: { safeParse(value: unknown): { success: true; data: T } | { success: false } },
): Promise<T | null> {
  const bytes = await files.read(path, MAX_NOTE_BYTES);
  if (bytes === null) return null;
  const parsed = schema.safeParse(parseJson(bytes, path));
  if (!parsed.success) throw new CorruptDataError(`${path} is not what this version writes`);
  return parsed.data;
}

function parseJson(bytes: Uint8Array, path: string): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw new CorruptDataError(`${path} is not JSON`);
  }
}

/** The note goes last: while it is there, the rest is removed again. */
async function removeAll(files: Files, id: string): Promise<void> {
  await files.remove(messagePath(id));
  await files.remove(envelopePath(id));
  await files.syncFolder(MESSAGES);
  await files.remove(progressPath(id));
}
