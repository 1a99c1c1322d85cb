/** Finds the runs that delivered something that people have blocked since, or that is worse now. */

import { mapBounded } from '../bounded.ts';
import { readLedger } from '../chain/ledger-store.ts';
import type { StoreContext } from '../context.ts';
import { isLostRecord } from '../errors.ts';
import { blockedSender, isBlocked } from '../judging/blocked.ts';
import type { Artifact } from '../ledger/artifact.ts';
import { hashOf } from '../ledger/artifact-id.ts';
import { type TellableLedger, tellable } from '../ledger/dropped.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Disposition, Verdict } from '../model.ts';
import type { Policy } from '../policy/policy.ts';
import type { Runs } from '../ports.ts';
import type { RunRow } from '../runs/row.ts';
import { artifactName } from '../runs/sentence.ts';
import { worseOfFile } from './worse.ts';

/** Something that a run delivered and should not have delivered. */
export interface Exposure {
  /** `unreadable`: the record of the run is damaged or missing, so nobody knows what it delivered. */
  readonly cause: 'blocked' | 'worse' | 'unreadable';
  readonly of: 'file' | 'url' | 'sender' | 'record';
  /** The name of the file, or the address, made inert. Empty for a sender or a record. */
  readonly name: string;
  /** Null unless it is a file. */
  readonly sha256: string | null;
  /** The form of its delivery. A disarmed file has nothing that could act. */
  readonly delivered: Exclude<Disposition, 'remove'>;
  /** Its current verdict; null for a blocked file. */
  readonly verdict: Verdict | null;
}

export interface Recalled {
  readonly row: RunRow;
  readonly exposures: readonly Exposure[];
}

/** A delivered run with its data: null when its record is damaged or missing. */
/** A run that was delivered to people. */
export interface DeliveredRun {
  readonly row: RunRow;
  readonly ledger: TellableLedger | null;
}

interface Range {
  /** Came in at this time or later, in milliseconds since the epoch. */
  readonly since: number;
  readonly most: number;
  /** Runs behind this place of the index. @default from the newest on */
  readonly after?: string | null;
}

/** Ledgers of a page are in memory together, so a page is short. */
const [PAGE, READ_AT_ONCE] = [50, 10];

/** Returns the runs that were delivered, the newest first. */
export async function* deliveredRuns(
  ctx: StoreContext,
  runs: Pick<Runs, 'list'>,
  { since, most, after: from = null }: Range,
): AsyncGenerator<DeliveredRun> {
  const facts = [{ kind: 'state', value: 'delivered' }] as const;
  let [after, left]: [string | null, number] = [from, most];
  do {
    const page = await runs.list({ facts, since, until: null, after, most: Math.min(PAGE, left) });
    const read = ({ runId }: RunRow) => ledgerOrNull(ctx, runId);
    const ledgers = await mapBounded(page.rows, READ_AT_ONCE, read);
    for (const [at, row] of page.rows.entries()) {
      const ledger = ledgers[at] ?? null;
      // Nobody has received a copy that was dropped at a desk.
      const told = ledger && tellable(ledger);
      if (ledger === null || (told !== null && told.terminal?.state === 'delivered')) yield { row, ledger: told };
    }
    left -= page.rows.length;
    after = page.next;
  } while (after !== null && left > 0);
}

/** Returns the ledger, or null when the entry of the end is lost. A delivered run has no later attempt, so its ledger must name an end. */
async function ledgerOrNull(ctx: StoreContext, runId: string): Promise<Ledger | null> {
  try {
    const ledger = await readLedger(ctx, runId);
    return ledger.terminal === null ? null : ledger;
  } catch (error) {
    if (isLostRecord(error)) return null;
    throw error;
  }
}

const UNREADABLE: Exposure = {
  cause: 'unreadable',
  of: 'record',
  name: '',
  sha256: null,
  delivered: 'keep',
  verdict: null,
};

/** Returns the runs to recall under a policy with the current block list, and those that nobody can read. */
export async function* recalls(
  ctx: StoreContext,
  runs: Pick<Runs, 'list'>,
  policy: Policy,
  range: Range,
): AsyncGenerator<Recalled> {
  for await (const { row, ledger } of deliveredRuns(ctx, runs, range)) {
    const exposures = ledger === null ? [UNREADABLE] : await exposuresOf(ctx, policy, ledger);
    if (exposures.length > 0) yield { row, exposures };
  }
}

async function exposuresOf(ctx: StoreContext, policy: Policy, ledger: Ledger): Promise<Exposure[]> {
  const sender: Exposure = { cause: 'blocked', of: 'sender', name: '', sha256: null, delivered: 'keep', verdict: null };
  const found = blockedSender(policy, ledger).length > 0 ? [sender] : [];
  for (const artifact of ledger.artifacts) {
    const delivered = wayOut(ledger, artifact);
    if (delivered === null) continue;
    const about = { of: artifact.type, name: artifactName(ledger, artifact), delivered } as const;
    const sha256 = artifact.type === 'file' ? hashOf(artifact.id) : null;
    if (isBlocked(policy, artifact)) found.push({ cause: 'blocked', ...about, sha256, verdict: null });
    const worse = sha256 === null ? null : await worseOfFile(ctx, sha256);
    if (worse !== null) found.push({ cause: 'worse', ...about, sha256, verdict: worse.after });
  }
  return found;
}

/** Returns the form in which the recipient got it; null when he did not get it, or when it is a link that leads nowhere any more. */
export function wayOut(ledger: Ledger, { type, disposition }: Artifact): Exposure['delivered'] | null {
  if (ledger.attempt.release?.form === 'original') return 'keep';
  if (disposition === null || disposition === 'remove') return null;
  return type === 'url' && disposition === 'disarm' ? null : disposition;
}
