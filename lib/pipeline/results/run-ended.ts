/**
 * The log line about the end of a run. The metrics of the operator are counted from it. It has counts and codes, and nothing of the
 * message.
 */

import type { StoreContext } from '../context.ts';
import type { Artifact } from '../ledger/artifact.ts';
import type { Ledger, Part, Terminal } from '../ledger/ledger.ts';
import { type Disposition, VERDICTS } from '../model.ts';

/** The message of the line. */
export const RUN_ENDED = 'run ended';

/** Logs the end of a run. A stage that is repeated logs it again. */
export function logRunEnded(ctx: StoreContext, ledger: Ledger, state: Terminal['state']): void {
  const { runId, bornAt, parts, artifacts, polls, reasons } = ledger;
  const count = (disposition: Disposition) => parts.filter((part) => part.disposition === disposition).length;
  ctx.log.info(RUN_ENDED, {
    runId,
    state,
    // The first reason is enough for a metric; the ledger has all of them.
    reason: state === 'quarantined' ? (reasons[0]?.code ?? 'none') : 'none',
    seconds: (ctx.clock.now() - Date.parse(bornAt)) / 1000,
    analysisSeconds: analysisSeconds(artifacts),
    parts: parts.length,
    disarmed: count('disarm'),
    removed: count('remove'),
    ...removedByGroup(parts),
    linksOff: artifacts.filter(({ type, disposition }) => type === 'url' && disposition === 'disarm').length,
    ...byVerdict(artifacts),
    polls,
  });
}

/** Returns the time from the first submission to the last answer; 0 when nothing was requested. */
function analysisSeconds(artifacts: readonly Artifact[]): number {
  const submissions = artifacts.flatMap((artifact) => artifact.submissions);
  const began = submissions.map(({ submittedAt }) => Date.parse(submittedAt));
  const ended = submissions.flatMap(({ finishedAt }) => (finishedAt === null ? [] : [Date.parse(finishedAt)]));
  if (ended.length === 0) return 0;
  return Math.max(0, ended.reduce((a, b) => Math.max(a, b)) - began.reduce((a, b) => Math.min(a, b))) / 1000;
}

/** Returns how many parts of each group of types were removed, as `removed_executable: 2`. Groups without a removal are left out. */
function removedByGroup(parts: readonly Part[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { disposition, typeGroup } of parts)
    if (disposition === 'remove') counts[`removed_${typeGroup}`] = (counts[`removed_${typeGroup}`] ?? 0) + 1;
  return counts;
}

/** Returns how many files and links have each verdict, as `verdict_malicious: 1`. */
function byVerdict(artifacts: readonly Artifact[]): Record<string, number> {
  const having = (verdict: string) => artifacts.filter((artifact) => artifact.verdict === verdict).length;
  return Object.fromEntries(VERDICTS.map((verdict) => [`verdict_${verdict}`, having(verdict)]));
}
