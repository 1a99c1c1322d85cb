/** The ledger that follows from the entries of a chain. Pure: the same entries always give the same ledger. */

import { CorruptDataError } from '../errors.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { withChange } from './change.ts';
import type { Entry } from './entry.ts';
import { mayFollow, ruleBroken } from './stage-rules.ts';

/** Entries that begin a chain, and the ledger that follows from them. */
export interface Folded {
  readonly entries: readonly Entry[];
  readonly ledger: Ledger;
}

/**
 * Folds the entries into a ledger. Throws CorruptDataError when an entry is out of order, or makes a change that its stage may not make.
 * `known` is the earlier fold of the first of these entries.
 */
export function fold(entries: readonly Entry[], known: Folded | null = null): Ledger {
  let ledger: Ledger | null = known?.ledger ?? null;
  for (const [index, entry] of entries.entries()) {
    if (index < (known?.entries.length ?? 0)) continue;
    const before = entries[index - 1] ?? null;
    if (!mayFollow(before?.stage ?? null, entry.stage))
      throw new CorruptDataError(`an entry of ${entry.stage} may not stand behind ${before?.stage ?? 'nothing'}`);
    ledger = withEntry(ledger, entry);
  }
  if (ledger === null) throw new CorruptDataError('the chain has no entry');
  return ledger;
}

/** Returns the ledger with one more entry. */
export function withEntry(ledger: Ledger | null, entry: Entry): Ledger {
  if (ledger?.terminal) throw new CorruptDataError(`the entry of ${entry.stage} stands behind the end`);
  const before = startOf(ledger, entry);
  const { stage, startedAt, durationMs } = entry;
  const changed = withChange(before, entry.change);
  const problem = ruleBroken(stage, before, changed);
  if (problem !== null) throw new CorruptDataError(`the entry of ${stage} ${problem}`);
  return { ...changed, stages: [...changed.stages, { stage, startedAt, durationMs }] };
}

function startOf(ledger: Ledger | null, { stage, start, runId, attempt }: Entry): Ledger {
  if ((ledger === null) !== (start !== null))
    throw new CorruptDataError(`only the first entry begins a ledger, and that of ${stage} is not`);
  const before = ledger ?? (start as Ledger);
  if (start === null) return before;
  if (start.runId !== runId || start.attempt.number !== attempt)
    throw new CorruptDataError(`the entry of ${stage} begins the ledger of another run`);
  if (start.attempt.release !== undefined || start.attempt.reason === 'delete')
    throw new CorruptDataError(`the entry of ${stage} says what only a person may decide`);
  // Passwords of other mail are tried while a message is read, so no other entry may claim such a try.
  if (start.attempt.reason === 'password' && (stage !== 'parse' || !start.attempt.passwordsFrom))
    throw new CorruptDataError(`the entry of ${stage} names no mail whose passwords were tried`);
  const early = alreadyDecided(start);
  if (early !== null) throw new CorruptDataError(`the entry of ${stage} says already what ${early}`);
  return before;
}

/** Returns a field that a ledger may not have at its beginning, because only a later stage may set it; null when there is none. */
function alreadyDecided({ parts, artifacts, ...ledger }: Ledger): string | null {
  if (artifacts.some(({ submissions }) => submissions.length > 0) || ledger.polls > 0) return 'the service answers';
  const isJudged =
    artifacts.some(({ verdict, disposition, reasons, removedFor }) =>
      [verdict !== 'unknown', disposition !== null, reasons.length > 0, removedFor !== null].includes(true),
    ) || parts.some(({ disposition }) => disposition !== null);
  if (isJudged || ledger.disposition !== null || ledger.reasons.length > 0) return 'is decided';
  if (ledger.rebuilt !== null || ledger.early !== undefined || parts.some(({ delivered }) => delivered !== null))
    return 'is rebuilt';
  return ledger.terminal !== null || ledger.stages.length > 0 ? 'the end is' : null;
}
