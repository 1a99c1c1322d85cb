/** Says when no message can be taken, before memory or disk run out. The sender keeps it and comes back. */
import type { Files } from './files.ts';
import type { GatewayLimits } from './limits.ts';
import type { Refusal } from './smtp-path.ts';

export interface PressureOptions {
  readonly files: Pick<Files, 'freeBytes'>;
  readonly limits: GatewayLimits;
  /** Messages that wait to be judged or sent. */
  readonly queued: () => number;
  /** Bytes of memory that this process holds. */
  readonly residentBytes: () => number;
}

const later = (status: string, text: string): Refusal => ({ code: 452, status, text: `${text}: try again later` });

/** The answer to MAIL while there is no room; null while there is. Rejects when the disk cannot be asked. */
export async function pressureOf({ files, limits, queued, residentBytes }: PressureOptions): Promise<Refusal | null> {
  if (queued() >= limits.queuedMessages) return later('4.3.1', 'Too many messages wait');
  if (residentBytes() > limits.residentBytes) return later('4.3.1', 'Not enough memory');
  if ((await files.freeBytes()) < limits.freeDiskBytes) return later('4.3.1', 'Not enough disk space');
  return null;
}
