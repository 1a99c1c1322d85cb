/** The messages in a spool, by its notes. It works with or without a running gateway, and changes nothing. */
import type { Files } from './files.ts';
import { isTrouble, isUnderWay, type Progress } from './progress.ts';
import { type Entry, readSpool } from './spool-reading.ts';
import { serversWithoutXforward } from './xforward-watch.ts';

export interface StatusLine {
  readonly id: string;
  readonly state: Progress['state'];
  readonly receivedAt: string;
  readonly untrustedSender: string;
  /** The message of which this is the text, sent before its files; null for every other. */
  readonly firstOf: string | null;
  readonly recipients: number;
  readonly waiting: number;
  readonly attempts: number;
  /** Null when nothing is tried again by itself. */
  readonly nextAttemptAt: string | null;
  /** True when a person has to act. */
  readonly isTrouble: boolean;
  readonly runId: string | null;
  readonly untrustedDetail: string;
}

export interface Status {
  readonly counts: Readonly<Record<'judging' | 'sending' | 'held' | 'undelivered' | 'damaged', number>>;
  readonly oldestReceivedAt: string | null;
  readonly freeBytes: number;
  /** Addresses of servers that pass on mail without naming its client, though they would be believed. */
  readonly withoutXforward: readonly string[];
  readonly messages: readonly StatusLine[];
}

/** Returns the status of the spool below the root of `files`. */
export async function readStatus(files: Files, now: () => number): Promise<Status> {
  const { entries, damaged } = await readSpool(files, now);
  const count = (state: Progress['state']) => entries.filter(({ progress }) => progress.state === state).length;
  const open = entries.filter(({ progress }) => isUnderWay(progress));
  return {
    counts: {
      judging: count('judging'),
      sending: count('sending'),
      held: count('held'),
      undelivered: count('undelivered'),
      damaged: damaged.length,
    },
    oldestReceivedAt: open.map(({ envelope }) => envelope.receivedAt).sort()[0] ?? null,
    freeBytes: await files.freeBytes(),
    withoutXforward: await serversWithoutXforward(files),
    messages: entries.map(lineOf),
  };
}

function lineOf({ envelope, progress }: Entry): StatusLine {
  const { state, attempts, nextAttemptAt, runId, detail } = progress;
  const goesOn = state === 'judging' || state === 'sending';
  return {
    ...{ id: envelope.id, state, receivedAt: envelope.receivedAt, untrustedSender: envelope.sender },
    firstOf: envelope.firstOf ?? null,
    recipients: envelope.recipients.length,
    waiting: progress.recipients.filter((recipient) => recipient.state === 'waiting').length,
    ...{ attempts, nextAttemptAt: goesOn ? nextAttemptAt : null },
    ...{ isTrouble: isTrouble(progress), runId, untrustedDetail: detail },
  };
}
