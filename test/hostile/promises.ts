/** Checks what the reader promises for any bytes. */
import { createHash } from 'node:crypto';
import { decodePart } from '../../lib/message/encodings/decode-part.ts';
import type { MessageReading } from '../../lib/message/model.ts';
import { readMessage } from '../../lib/message/reading/read.ts';
import { DEFAULT_LIMITS } from '../../lib/pipeline/limits.ts';

/** Much more processor time than 200 KB take on the slowest machine. */
const MILLISECONDS = 20_000;

export interface Verdict {
  /** What promise does not hold, in words; null when all do. */
  readonly broken: string | null;
  /** The codes of the warnings and how many parts: mails of one kind take one path through the reader. */
  readonly kind: string;
}

/** Reads the bytes twice and checks the promises: the reading ends, is the same twice, and accounts for every byte and leaf. */
export async function brokenPromise(email: Buffer): Promise<Verdict> {
  const started = process.cpuUsage();
  try {
    const reading = await readMessage(email, DEFAULT_LIMITS);
    const again = await readMessage(Buffer.from(email), DEFAULT_LIMITS);
    const codes = [...new Set(reading.warnings.map(({ code }) => code))].sort().join(' ');
    const kind = `${codes} ${Math.min(reading.parts.length, 12)}`;
    const { user, system } = process.cpuUsage(started);
    if ((user + system) / 1_000 > MILLISECONDS) return { broken: 'it took too long', kind };
    return { broken: problemOf(email, reading, again), kind };
  } catch (error) {
    return { broken: `it threw: ${error instanceof Error ? error.message : String(error)}`, kind: 'threw' };
  }
}

function problemOf(email: Buffer, reading: MessageReading, again: MessageReading): string | null {
  const { parts, account } = reading;
  if (parts.length === 0) return 'no part was found';
  if (new Set(parts.map(({ path }) => path)).size !== parts.length) return 'two parts have one path';
  if (account.headers + account.bodies + account.boundariesAndOutside !== email.length)
    return 'bytes are unaccounted for';
  for (const part of parts.filter(({ sha256 }) => sha256 !== null)) {
    const bytes = decodePart(email, part);
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    if (sha256 !== part.sha256 || bytes.length !== part.size) return `part ${part.path} does not hash to its id`;
  }
  const summary = ({ parts: list, warnings }: MessageReading) =>
    JSON.stringify([list.map(({ path, sha256, readings }) => [path, sha256, readings]), warnings]);
  return summary(reading) === summary(again) ? null : 'a second reading of the same bytes is another one';
}
