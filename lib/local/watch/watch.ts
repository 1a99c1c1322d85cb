/**
 * Scans every file of a folder once, and those that arrive later. A file is noted as done when its run has ended and was reported. Until
 * then the next look takes it again, in this process or in the next one. An ended run is not begun again.
 */
import type { Outcome } from '../outcome.ts';
import type { WatchNotes } from './notes.ts';
import { changesOf, filesIn, type WatchedFile } from './watched-folder.ts';

export interface WatchOptions {
  readonly folder: string;
  readonly isMaildir: boolean;
  readonly notes: WatchNotes;
  /** Scans a file: one outcome, or one for each message of an mbox. Never rejects. */
  readonly scan: (file: WatchedFile) => Promise<Outcome[]>;
  readonly report: (outcome: Outcome) => Promise<void>;
  readonly signal: AbortSignal;
  /** The number of files that are scanned at the same time. */
  readonly concurrent: number;
}

/** A file is complete when its size and time have not changed for this time. In a Maildir, every file is complete. */
const SETTLED_MS = 2_000;
/** The folder is also checked without a change, because some network file systems report none. */
const LOOK_MS = 60_000;
/** The first and the longest wait before a file is tried again whose run failed or that could not be read. */
const FIRST_RETRY_MS = 60_000;
const MAX_RETRY_MS = 3_600_000;

interface Failure {
  readonly tries: number;
  readonly againAt: number;
}

/** Watches until the signal, and resolves when nothing is in progress. Rejects when the folder can no longer be read. */
export async function watchFolder(options: WatchOptions): Promise<void> {
  const { folder, isMaildir, notes, signal } = options;
  const changes = changesOf(folder, isMaildir);
  const inProgress = new Map<string, Promise<void>>();
  const failures = new Map<string, Failure>();
  const seen = new Map<string, { readonly size: number; readonly modifiedMs: number; readonly since: number }>();
  let fault: Error | null = null;
  signal.addEventListener('abort', changes.wake, { once: true });

  /** Returns true when nobody writes the file any more. */
  const isComplete = (file: WatchedFile, now: number): boolean => {
    if (isMaildir || now - file.modifiedMs >= SETTLED_MS) return true;
    const before = seen.get(file.key);
    const stands = before?.size === file.size && before.modifiedMs === file.modifiedMs;
    if (!stands) seen.set(file.key, { ...file, since: now });
    return stands && now - before.since >= SETTLED_MS;
  };
  const begin = (file: WatchedFile) => {
    const work = scanFile(options, failures, file)
      .catch((error: Error) => {
        fault = error;
      })
      .then(() => {
        inProgress.delete(file.key);
        seen.delete(file.key);
        changes.wake();
      });
    inProgress.set(file.key, work);
  };
  /** Begins all work that can begin. Returns the milliseconds until the next useful look. */
  const look = async (): Promise<number> => {
    const now = Date.now();
    let soonest = LOOK_MS;
    for (const file of await filesIn(folder, isMaildir, notes.isKnown).catch((error) => unreadable(folder, error))) {
      if (inProgress.has(file.key) || notes.isDone(file)) continue;
      const againAt = failures.get(file.key)?.againAt ?? 0;
      if (againAt > now) soonest = Math.min(soonest, againAt - now);
      else if (!isComplete(file, now)) soonest = Math.min(soonest, SETTLED_MS);
      else if (inProgress.size >= options.concurrent) return LOOK_MS;
      else begin(file);
    }
    return soonest;
  };
  try {
    while (!signal.aborted && fault === null) await changes.next(await look());
    if (fault !== null) throw fault;
  } finally {
    changes.close();
    await Promise.all(inProgress.values());
  }
}

function unreadable(folder: string, { code }: NodeJS.ErrnoException): never {
  throw new Error(
    `${folder} can no longer be read (${code}). Every mail that was begun has ended. Start airlock watch again when the folder is back: it goes on where it ended.`,
  );
}

async function scanFile(
  { notes, scan, report, signal }: WatchOptions,
  failures: Map<string, Failure>,
  file: WatchedFile,
): Promise<void> {
  const outcomes = await scan(file);
  // Its reader moved it while it was opened. The next look finds it in its new place.
  if (outcomes.some((outcome) => outcome.state === 'rejected' && outcome.code === 'input_missing')) return;
  if (signal.aborted && outcomes.some(({ state }) => state === 'interrupted')) return;
  for (const outcome of outcomes) await report(outcome);
  if (!outcomes.some(mustComeAgain)) {
    failures.delete(file.key);
    return notes.done(file);
  }
  const tries = (failures.get(file.key)?.tries ?? 0) + 1;
  const waitMs = Math.min(MAX_RETRY_MS, FIRST_RETRY_MS * 2 ** (tries - 1));
  failures.set(file.key, { tries, againAt: Date.now() + waitMs });
}

/** Returns true for an unfinished run, and for a file that could not be read. A message about which a person decided has ended. */
function mustComeAgain(outcome: Outcome): boolean {
  if (outcome.state === 'rejected') return outcome.code !== 'decided_before';
  return outcome.state === 'failed' || outcome.state === 'interrupted';
}
