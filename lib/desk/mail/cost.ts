/** The cost of a mail with all of its attempts. */
import { FIRST_ATTEMPT } from '../../pipeline/ledger/attempt.ts';
import type { Ledger } from '../../pipeline/ledger/ledger.ts';
import type { Runs } from '../../pipeline/ports.ts';
import { runCostUsd } from '../../pipeline/results/run-cost.ts';
import type { RunRow } from '../../pipeline/runs/row.ts';

export interface MailCost {
  /** Dollars, by list price. */
  readonly usd: number;
  /** Whether it includes all attempts, and not the newest alone. */
  readonly isOfAll: boolean;
}

/** Returns the cost by the row that the index has of the mail, or null. A row of another moment says nothing about this ledger. */
export function mailCost(ledger: Ledger, row: Pick<RunRow, 'attempt' | 'state' | 'spent'> | null): MailCost {
  const isOfNow = row?.attempt === ledger.attempt.number && row.state === (ledger.terminal?.state ?? 'running');
  if (isOfNow && row.spent !== undefined) return { usd: row.spent.usd, isOfAll: true };
  return { usd: runCostUsd(ledger), isOfAll: ledger.attempt.number === FIRST_ATTEMPT };
}

/** Returns the same, with the row of this index. */
export const mailCostIn = async (runs: Pick<Runs, 'get'>, ledger: Ledger): Promise<MailCost> =>
  mailCost(ledger, await runs.get(ledger.runId));
