/** Shows one run from its signed chain: first a sentence with the reason, then the findings. */

import { readLedger } from '../../pipeline/chain/ledger-store.ts';
import { CorruptDataError, NotFoundError } from '../../pipeline/errors.ts';
import type { Ledger } from '../../pipeline/ledger/ledger.ts';
import { RUN_ID } from '../../pipeline/ledger/run-id.ts';
import { sentenceOf } from '../../pipeline/runs/sentence.ts';
import { safeJson } from '../../pipeline/safe-text.ts';
import { referenceOf } from '../../words/reference.ts';
import { type Console, complain, UsageError, writeLine } from '../console.ts';
import { painterFor } from '../paint.ts';
import type { RunsPlace } from '../places/runs.ts';
import { endedOutcome } from '../session/ended-outcome.ts';
import { treeLines } from './ledger-tree.ts';
import { reportLines } from './report.ts';

const UNREADABLE = 3;

/** Prints the run. The index only finds its id. The content comes from the chain, whose signatures are checked. */
export async function showRun(console: Console, name: string, place: RunsPlace, json: boolean): Promise<number> {
  const runId = await runNamed(place, name);
  const ledger = await trustedLedger(console, place, runId);
  if (ledger === null) return UNREADABLE;
  if (json) {
    await writeLine(console.stdout, safeJson({ reference: referenceOf(runId), why: sentenceOf(ledger), ledger }));
    return 0;
  }
  const paint = painterFor(console);
  const title = `${referenceOf(runId)}  ${runId}`;
  const outcome = endedOutcome(place.files, title, ledger);
  const lines = outcome ? reportLines(outcome, paint) : [title, ...treeLines(ledger, paint)];
  for (const line of [sentenceOf(ledger), '', ...lines]) await writeLine(console.stdout, line);
  return 0;
}

/** Returns the id of the run for an id or a reference. Throws UsageError when there is none, or when several have the reference. */
export async function runNamed(place: RunsPlace, name: string): Promise<string> {
  if (RUN_ID.test(name)) return name;
  const facts = [{ kind: 'reference', value: name.toUpperCase() }] as const;
  const { rows } = await (await place.index()).list({ facts, since: null, until: null, after: null, most: 10 });
  if (rows.length === 1 && rows[0]) return rows[0].runId;
  if (rows.length === 0) {
    const list = '"airlock runs list" shows both.';
    throw new UsageError(`"${name}" is neither the id nor the reference of a run of ${place.name}. ${list}`);
  }
  const ids = rows.map(({ runId }) => runId).join(', ');
  throw new UsageError(`Several runs have the reference ${name}. Name one by its id: ${ids}.`);
}

async function trustedLedger(console: Console, { ctx, name }: RunsPlace, runId: string): Promise<Ledger | null> {
  try {
    return await readLedger(ctx, runId);
  } catch (error) {
    if (error instanceof NotFoundError) throw new UsageError(`${name} has no run ${runId}.`);
    if (!(error instanceof CorruptDataError)) throw error;
    complain(console, `The chain of ${runId} is damaged or was changed, so nothing of it is shown: ${error.message}`);
    return null;
  }
}
