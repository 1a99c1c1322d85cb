/** The file that AIRLOCK_EVENTS names. It gets the events that EventBridge delivers on AWS, as lines of JSON for a log shipper. */
import { closeSync, fstatSync, openSync, readSync, writeSync } from 'node:fs';
import { TransientError } from '../../pipeline/errors.ts';
import type { Events } from '../../pipeline/ports.ts';
import type { RecallEvent } from '../../pipeline/recall/event.ts';
import { EVENT_SOURCE } from '../../pipeline/results/run-event.ts';
import { safeJson } from '../../pipeline/safe-text.ts';
import { type Console, UsageError } from '../console.ts';

export interface EventFile {
  /** Writes an event. Rejects with TransientError when the line could not be written completely. */
  readonly events: Events;
  /** Does the same for MessageRecalled. */
  readonly emitRecalled: (event: RecallEvent) => Promise<void>;
}

/** Opens the file of a verb; null when it has none. Throws UsageError when nothing can be written to it. */
export function eventFileOf({ env }: Pick<Console, 'env'>): EventFile | null {
  const path = env.AIRLOCK_EVENTS;
  if (!path) return null;
  try {
    closeSync(openedIn(path));
  } catch (error) {
    throw new UsageError(`The file of events ${path} cannot be written (${codeOf(error)}).`);
  }
  return {
    events: { emit: async ({ type, runId, detail }) => append(path, lineOf(type, { ...detail, runId })) },
    emitRecalled: async (event) => append(path, lineOf('MessageRecalled', event)),
  };
}

/** Returns the events of a verb as an option of its session; nothing when it has none. Throws UsageError. */
export function eventsOf(console: Pick<Console, 'env'>): { readonly events?: Events } {
  const file = eventFileOf(console);
  return file === null ? {} : { events: file.events };
}

const lineOf = (type: string, detail: object) =>
  safeJson({ source: EVENT_SOURCE, 'detail-type': type, time: new Date().toISOString(), detail });

/**
 * Appends a line. Several processes append at the same time, and somebody may rename the file. So each line opens the file, and is one
 * write.
 */
function append(path: string, line: string): void {
  try {
    const file = openedIn(path);
    try {
      const bytes = new TextEncoder().encode(`${isTorn(file) ? '\n' : ''}${line}\n`);
      if (writeSync(file, bytes) < bytes.length) throw new TransientError('an event was written in part');
    } finally {
      closeSync(file);
    }
  } catch (error) {
    if (error instanceof TransientError) throw error;
    throw new TransientError(`an event could not be written: ${codeOf(error)}`);
  }
}

const openedIn = (path: string) => openSync(path, 'a+', 0o600);

/**
 * Returns whether the last line has no end, because the disk was full. The next event must not become part of it. A line that another
 * process is writing looks the same. An empty line then follows it, which readers of JSON lines skip.
 */
function isTorn(file: number): boolean {
  const { size } = fstatSync(file);
  const last = new Uint8Array(1);
  return size > 0 && readSync(file, last, 0, 1, size - 1) === 1 && last[0] !== 0x0a;
}

const codeOf = (error: unknown) => (error as NodeJS.ErrnoException).code ?? String(error);
