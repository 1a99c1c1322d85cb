/** The outcome of an input. Each input has exactly one. */
import type { Ledger } from '../pipeline/ledger/ledger.ts';

/** Files written for a run, as paths that a person can open. */
export interface WrittenFiles {
  readonly ledger: string;
  readonly message: string | null;
  readonly files: readonly string[];
  readonly quarantineRecord: string | null;
  readonly original: string | null;
  /** The notice about a held message, as an email. */
  readonly notice: string | null;
}

export type Outcome =
  /** The run was completed. */
  | {
      readonly input: string;
      readonly state: 'delivered' | 'quarantined';
      readonly runId: string;
      readonly ledger: Ledger;
      readonly written: WrittenFiles;
      /** The run had ended before this scan, and was not begun again. */
      readonly isEarlier?: true;
    }
  /** Not an input: nothing was scanned for this path. */
  | { readonly input: string; readonly state: 'rejected'; readonly code: string; readonly message: string }
  /** The run failed and could not even be quarantined, or it was stopped before its end. It can be run again. */
  | {
      readonly input: string;
      readonly state: 'failed' | 'interrupted';
      readonly code: string;
      readonly message: string;
    };

/** The exit codes of `airlock scan`. */
export const EXIT = { delivered: 0, quarantined: 1, usage: 2, failed: 3 } as const;

/** Returns true when the run itself failed, even if its message was quarantined because of that. */
export function hasRunFailed(outcome: Outcome): boolean {
  if (outcome.state === 'quarantined') return outcome.ledger.reasons.some((reason) => reason.code === 'run_failed');
  return outcome.state === 'failed' || outcome.state === 'interrupted';
}

/** Returns the exit code of all outcomes. A failed run outweighs a wrong path, and a wrong path outweighs a quarantine. */
export function exitCodeOf(outcomes: readonly Outcome[]): number {
  if (outcomes.some(hasRunFailed)) return EXIT.failed;
  if (outcomes.some((outcome) => outcome.state === 'rejected')) return EXIT.usage;
  return outcomes.some((outcome) => outcome.state === 'quarantined') ? EXIT.quarantined : EXIT.delivered;
}
