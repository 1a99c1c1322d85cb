/** The places of the files of a spool, and its content. */
import { CorruptDataError } from '../pipeline/errors.ts';
import { Envelope } from './envelope.ts';
import type { Files } from './files.ts';
import { isUnderWay, newProgress, Progress } from './progress.ts';

/** A message of the spool. */
export interface Entry {
  readonly envelope: Envelope;
  readonly progress: Progress;
}

export const MESSAGES = 'intake/gateway';
export const ENVELOPES = 'intake/envelopes';
export const QUEUE = 'queue';
const ID = /^[0-9a-z]{21}$/;
/** Far more than an envelope of all allowed recipients, in bytes. */
const MAX_NOTE_BYTES = 8 * 1024 * 1024;

/** Returns the key in the intake bucket under which the flow finds a message. */
export const intakeKey = (id: string): string => `gateway/${id}.eml`;
/** Returns the paths of a message and its notes below the root. */
export const messagePath = (id: string): string => `${MESSAGES}/${id}.eml`;
export const envelopePath = (id: string): string => `${ENVELOPES}/${id}.json`;
export const progressPath = (id: string): string => `${QUEUE}/${id}.json`;
export const MARK = '.sending';
export const markPath = (id: string): string => `${QUEUE}/${id}${MARK}`;
const OWNED = '.owned';
export const ownedPath = (id: string): string => `${QUEUE}/${id}${OWNED}`;

/** Reads the whole content of a spool, without changing anything. */
export async function readSpool(
  files: Files,
  now: () => number,
): Promise<{
  entries: Entry[];
  /** Messages whose files cannot be read. */
  damaged: string[];
  /** Messages that were sent, and whose files are still to be removed. */
  done: string[];
  /** Envelopes and marks without a message: its sender got no answer, or it was sent and its file is removed. */
  orphans: string[];
  /** Marks of messages whose end is noted. */
  staleMarks: string[];
  /** Shares of a message that is still there as a whole, and first messages that the whole message does not know, or has closed. */
  unsplit: string[];
  /** Messages that a mail server offered by milter, and that never became ours: the mail server still has them. */
  offered: string[];
}> {
  const [messages, envelopes, notes, marks, owned] = [
    await idsIn(files, MESSAGES, '.eml'),
    await idsIn(files, ENVELOPES, '.json'),
    await idsIn(files, QUEUE, '.json'),
    await idsIn(files, QUEUE, MARK),
    await idsIn(files, QUEUE, OWNED),
  ];
  const found = { entries: [] as Entry[], damaged: [] as string[], done: [] as string[] };
  for (const id of new Set([...messages, ...notes])) {
    const entry = await readEntry(files, id, now);
    if (entry === 'done') found.done.push(id);
    else if (entry === 'damaged' || !messages.has(id)) found.damaged.push(id);
    else found.entries.push(marks.has(id) && isUnderWay(entry.progress) ? marked(entry) : entry);
  }
  const open = new Set(found.entries.flatMap(({ progress: { first } }) => (first?.isOpen ? [first.id] : [])));
  const isUnsplit = ({ envelope: { id, splitFrom, firstOf } }: Entry) =>
    (splitFrom !== undefined && messages.has(splitFrom)) || (firstOf !== undefined && !open.has(id));
  const unsplit = found.entries.filter(isUnsplit).map(({ envelope }) => envelope.id);
  const staleMarks = found.entries.filter((entry) => marks.has(entry.envelope.id) && !isUnderWay(entry.progress));
  const isOffered = ({ envelope: { id, origin } }: Entry) => origin === 'milter' && !owned.has(id);
  const offered = found.entries.filter(isOffered).map(({ envelope }) => envelope.id);
  const orphans = [...new Set([...envelopes, ...marks, ...owned])].filter((id) => !messages.has(id) && !notes.has(id));
  return {
    ...found,
    entries: found.entries.filter((entry) => !isUnsplit(entry) && !isOffered(entry)),
    orphans,
    ...{ unsplit, offered },
    staleMarks: staleMarks.map(({ envelope }) => envelope.id),
  };
}

const marked = ({ envelope, progress }: Entry): Entry => ({
  envelope,
  progress: { ...progress, mayHaveArrived: true },
});

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
    const known = progress ?? newProgress(envelope, now());
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
