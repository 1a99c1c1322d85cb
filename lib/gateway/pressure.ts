/** Decides when no message can be taken, before memory or disk run out. The sender keeps it and comes back. */
import type { Files } from './files.ts';
import type { GatewayLimits } from './limits.ts';
import type { Refusal } from './smtp-path.ts';

export interface PressureOptions {
  readonly files: Pick<Files, 'freeBytes'>;
  readonly limits: GatewayLimits;
  /** Returns the number of messages that wait to be judged or sent. */
  readonly queued: () => number;
  /** Returns the bytes of memory that this process uses. */
  readonly residentBytes: () => number;
}

const later = (status: string, text: string): Refusal => ({ code: 452, status, text: `${text}: try again later` });

/** Returns the answer to MAIL while there is no room, or null while there is. Rejects when the disk cannot be read. */
export async function pressureOf({ files, limits, queued, residentBytes }: PressureOptions): Promise<Refusal | null> {
  if (queued() >= limits.queuedMessages) return later('4.3.1', 'Too many messages wait');
  if (residentBytes() > limits.residentBytes) return later('4.3.1', 'Not enough memory');
  if ((await files.freeBytes()) < limits.freeDiskBytes) return later('4.3.1', 'Not enough disk space');
  return null;
}
