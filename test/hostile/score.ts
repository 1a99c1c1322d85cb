/** How many payloads of the generated mails the reader finds, by class. */
import { createHash } from 'node:crypto';
import { readMessage } from '../../lib/message/read.ts';
import { DEFAULT_LIMITS } from '../../lib/pipeline/limits.ts';
import { type HostileMail, hostileMail } from './compose.ts';

export interface Score {
  readonly mails: number;
  readonly found: number;
  /** Neither found nor warned of: what must never happen. */
  readonly silent: readonly HostileMail[];
  readonly missed: readonly HostileMail[];
  readonly byTrick: ReadonlyMap<string, { readonly mails: number; readonly found: number }>;
}

/** Reads the mails with the numbers from `first` on. */
export async function scoreOf(first: number, count: number): Promise<Score> {
  const byTrick = new Map<string, { mails: number; found: number }>();
  const missed: HostileMail[] = [];
  const silent: HostileMail[] = [];
  for (let number = first; number < first + count; number++) {
    const mail = hostileMail(number);
    const sha256 = createHash('sha256').update(mail.payload).digest('hex');
    const { parts, warnings } = await readMessage(mail.email, DEFAULT_LIMITS);
    const isFound = parts.some((part) => part.sha256 === sha256);
    if (!isFound) missed.push(mail);
    if (!isFound && warnings.length === 0) silent.push(mail);
    for (const trick of mail.tricks) {
      const entry = byTrick.get(trick) ?? { mails: 0, found: 0 };
      byTrick.set(trick, { mails: entry.mails + 1, found: entry.found + (isFound ? 1 : 0) });
    }
  }
  return { mails: count, found: count - missed.length, silent, missed, byTrick };
}
