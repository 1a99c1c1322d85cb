/** How many payloads of the generated mails the reader finds, by class. */
import { createHash } from 'node:crypto';
import { readMessage } from '../../lib/message/reading/read.ts';
import { fileIdOf } from '../../lib/pipeline/ledger/artifact-id.ts';
import { DEFAULT_LIMITS } from '../../lib/pipeline/limits.ts';
import { smallEmails } from '../bench/mails.ts';
import { ledgerOf } from '../bench/reading-ledger.ts';
import { evasionCases } from '../fixtures/cases.ts';
import { ORDINARY_MAIL } from '../message/ordinary-mail.ts';
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

/** The cases whose payload is an artifact of the ledger, as its bytes or, where the case is about a URL, as that. */
export async function evasionScore(): Promise<{ readonly cases: number; readonly missed: readonly string[] }> {
  const index = evasionCases();
  const missed: string[] = [];
  for (const { id, kind, email } of index.cases) {
    const { artifacts, urls } = await ledgerOf(email);
    const hidden = /url="([^"]+)"/i.exec(email.toString('latin1'))?.[1];
    const isFound =
      kind === 'url'
        ? urls.some(({ normalised }) => normalised === hidden)
        : artifacts.some(({ id }) => id === fileIdOf(index.payloadSha256));
    if (!isFound) missed.push(id);
  }
  return { cases: index.cases.length, missed };
}

/** Checks ordinary mail: it has no warning, and no part that only one reading lists. */
export async function ordinaryScore() {
  const small = await smallEmails();
  const mails = [...ORDINARY_MAIL.map(({ email }) => email), ...Array.from({ length: 10 }, (_, at) => small(at))];
  const score = { mails: mails.length, parts: 0, warnings: 0, extras: 0 };
  for (const email of mails) {
    const { parts, warnings } = await readMessage(email, DEFAULT_LIMITS);
    score.parts += parts.length;
    score.warnings += warnings.length;
    score.extras += parts.filter(({ sha256, readings }) => sha256 !== null && readings.length < 2).length;
  }
  return score;
}
