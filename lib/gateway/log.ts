/** One JSON line for each event. Values of a sender are only in fields named `untrusted…`, cut and escaped. */
import type { Writable } from 'node:stream';
import { safeJson } from '../pipeline/safe-text.ts';

export type Level = 'info' | 'warn' | 'error';
export type Fields = Readonly<Record<string, string | number | boolean | null>>;
export type GatewayLog = (level: Level, event: string, fields?: Fields) => void;

/** Writes to a stream. Lines are dropped when its reader is too slow, because they must not fill the memory. */
export function streamLog(stream: Writable, now: () => number): GatewayLog {
  return (level, event, fields = {}) => {
    if (stream.destroyed || stream.writableNeedDrain) return;
    stream.write(`${safeJson({ time: new Date(now()).toISOString(), level, event, ...fields })}\n`);
  };
}

/** Returns the fields of a log line about an error: its name and code, and the text of system errors, which quote no sender. */
export function errorFields(error: unknown): Fields {
  if (!(error instanceof Error)) return { error: typeof error };
  const { code, syscall } = error as NodeJS.ErrnoException;
  return { error: error.name, code: code ?? null, ...(syscall === undefined ? {} : { syscall }) };
}
