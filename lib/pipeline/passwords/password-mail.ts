/**
 * Begins a held run again when another mail of the same correspondents may tell the password of an archive in it. It works after a run has
 * ended, and decides nothing. The new attempt is judged as if the held message itself contained the words. The index only finds runs, and
 * everything about them is read from their chains.
 */
import { ARCHIVE_FORMATS } from '../../formats/archives/unpacking.ts';
import { mayTellPassword } from '../../message/containers/passwords.ts';
import { hashOfLine } from '../chain/chain-text.ts';
import { timestamp } from '../chain/ledger-store.ts';
import { readLedgerIfAny, textsOf } from '../contents/other-mail-passwords.ts';
import type { RedriveContext } from '../context.ts';
import type { Attempt } from '../ledger/attempt.ts';
import { correspondentsOf, pairsOf, wroteEachOther } from '../ledger/correspondents.ts';
import { tellable } from '../ledger/dropped.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Run } from '../model.ts';
import { policyFor } from '../policy/for-recipients.ts';
import type { Policy } from '../policy/policy.ts';
import type { Runs } from '../ports.ts';
import type { ReasonCode } from '../reason-codes.ts';
import type { LastAttempt } from '../review/redrive.ts';
import { isAsked } from '../review/release-asked.ts';
import type { Fact } from '../runs/row.ts';
import type { PasswordTry } from './password-try.ts';

export interface PasswordMailContext extends RedriveContext {
  readonly policy: Policy;
}

/** The parts that find the runs. */
export type PasswordSearch = Pick<PasswordMailContext, 'policy' | 'limits'> & { readonly runs: Pick<Runs, 'list'> };

const DAY_MS = 86_400_000;
/** Reasons for which a message with a closed archive is held. */
const CLOSED: readonly ReasonCode[] = ['encrypted', 'container_encrypted'];

/**
 * Returns the tries that are possible now that this run has ended: this mail with words of earlier mail, and held mail with words of this
 * one. Throws TransientError.
 */
export async function passwordTries(ctx: PasswordSearch, ended: Ledger): Promise<PasswordTry[]> {
  const days = policyFor(ctx.policy, ended).containers.passwordDays;
  if (days === 0 || !ended.terminal || ended.terminal.state === 'deleted' || tellable(ended) === null) return [];
  const since = Date.parse(ended.bornAt) - days * DAY_MS;
  const own = isClosed(ended)
    ? await found(ctx, ended, { facts: [], since, most: ctx.limits.earlierPasswordMails })
    : [];
  const most = ctx.limits.heldPerPasswordMail;
  const held = new Set<string>();
  for (const value of CLOSED) {
    const facts: Fact[] = [
      { kind: 'reason', value },
      { kind: 'state', value: 'quarantined' },
    ];
    // Most often nobody has such mail. One question then is enough for all pairs of people.
    const any = await ctx.runs.list({ facts, since, until: null, after: null, most: 1 });
    if (any.rows.length === 0 && any.next === null) continue;
    for (const runId of await found(ctx, ended, { facts, since, most })) if (held.size < most) held.add(runId);
  }
  return [
    ...(own.length > 0 ? [{ runId: ended.runId, from: own }] : []),
    ...[...held].map((runId) => ({ runId, from: [ended.runId] })),
  ];
}

/** Other runs between the same people, the newest first. */
async function found(
  { runs, limits }: PasswordSearch,
  ended: Ledger,
  { facts, since, most }: { readonly facts: readonly Fact[]; readonly since: number; readonly most: number },
): Promise<string[]> {
  const rows = new Map<string, number>();
  for (const pair of pairsOf(correspondentsOf(ended), limits.correspondentPairs)) {
    const both = pair.map((value): Fact => ({ kind: 'address', value }));
    const page = await runs.list({ facts: [...facts, ...both], since, until: null, after: null, most: most + 1 });
    for (const { runId, bornAt } of page.rows) if (runId !== ended.runId) rows.set(runId, bornAt);
  }
  const newest = [...rows].sort(([, one], [, other]) => other - one);
  return newest.slice(0, most).map(([runId]) => runId);
}

/**
 * Begins the next attempt of a held run, with the words of these runs beside those that were tried before. Returns null when that is not
 * allowed, or no word is new. The caller has the lock of the run. Throws TransientError.
 */
export async function beginWithPasswords(
  ctx: PasswordMailContext,
  last: LastAttempt,
  from: readonly string[],
): Promise<Run | null> {
  const { chain, number } = last;
  if (chain === null || number >= ctx.limits.attempts || !(await mayBegin(ctx, last))) return null;
  const { ledger } = chain;
  const tried = ledger.attempt.passwordsFrom ?? [];
  const fresh: string[] = [];
  for (const runId of from.slice(0, ctx.limits.earlierPasswordMails)) {
    if (tried.length + fresh.length >= ctx.limits.passwordMails) break;
    if (!tried.includes(runId) && (await mayTell(ctx, ledger, runId))) fresh.push(runId);
  }
  const line = chain.lines.at(-1);
  if (fresh.length === 0 || line === undefined) return null;
  const attempt: Attempt = {
    ...{ number: number + 1, begunAt: timestamp(ctx), reason: 'password', earlier: hashOfLine(line) },
    passwordsFrom: [...fresh, ...tried],
  };
  return ctx.parseAgain(ledger.intake, attempt);
}

/** Returns whether people have decided or are deciding about a run. Then it stays unchanged. */
async function mayBegin(ctx: PasswordMailContext, last: LastAttempt): Promise<boolean> {
  const ledger = last.chain?.ledger;
  if (!ledger || !isClosed(ledger) || ledger.attempt.release || ledger.early || tellable(ledger) === null) return false;
  return !(await isAsked(ctx, last));
}

/** Returns true for a run that is held for an archive that no password opened. */
export function isClosed({ terminal, reasons, artifacts }: Ledger): boolean {
  const formats: readonly string[] = ARCHIVE_FORMATS;
  const isHeld = terminal?.state === 'quarantined' && reasons.some(({ code }) => CLOSED.includes(code));
  return isHeld && artifacts.some(({ opening }) => opening?.outcome === 'encrypted' && formats.includes(opening.as));
}

async function mayTell(ctx: PasswordMailContext, held: Ledger, runId: string): Promise<boolean> {
  const other = runId === held.runId ? null : await readLedgerIfAny(ctx, runId);
  // A person who drops a copy can write anything into it. Such a copy must not open mail of others.
  if (other === null || other.terminal?.state === 'deleted' || tellable(other) === null) return false;
  const days = policyFor(ctx.policy, held).containers.passwordDays;
  const apartMs = Math.abs(Date.parse(other.bornAt) - Date.parse(held.bornAt));
  if (apartMs > days * DAY_MS || !wroteEachOther(correspondentsOf(held), correspondentsOf(other))) return false;
  return mayTellPassword(await textsOf(ctx, other));
}
