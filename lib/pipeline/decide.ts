/**
 * Stage `decide`: the policy applied. Everything here is pure but the frame: ledger and policy in, dispositions with reasons
 * out, a disposition for every artifact, every leaf, and the message.
 */
import { shortId } from './artifact-id.ts';
import { leavesOf } from './artifacts-of.ts';
import { blockedUrlIds, isTakenOut, withoutCarriers } from './blocked-urls.ts';
import { checkConservation, tally } from './conservation.ts';
import type { DecideContext } from './context.ts';
import { insideOf, withInside } from './inside.ts';
import { dispositionOf, type Judgement, judgeArtifact } from './judge.ts';
import { type Artifact, type Ledger, MEMBER_MARK, type Part, type Reason } from './ledger.ts';
import { onLedger } from './ledger-store.ts';
import { placesIn } from './letter.ts';
import type { Disposition, MessageDisposition, Run } from './model.ts';
import type { Policy } from './policy.ts';

/** Writes the dispositions; the run says whether the message may be rebuilt. */
export async function decide(ctx: DecideContext, run: Run): Promise<Run> {
  const ledger = await onLedger(ctx, 'decide', run.runId, async (found) => decideLedger(ctx.policy, found));
  return { ...run, disposition: ledger.disposition as MessageDisposition };
}

/** A ledger with every disposition set. Pure. */
export function decideLedger(policy: Policy, ledger: Ledger): Ledger {
  const judged = judgeAll(policy, ledger);
  const { artifacts, held } = withoutCarriers({ ...ledger, artifacts: judged.map((judgement) => judgement.artifact) });
  const decided = withPartDispositions({ ...ledger, artifacts });
  const reasons = [
    ...(ledger.failure ? [{ code: ledger.failure.class, text: ledger.failure.detail }] : []),
    ...withoutFlood(judged.flatMap((judgement) => judgement.holds)),
    ...held,
    ...warningReasons(policy, ledger),
    ...verdictReasons(policy, artifacts),
    ...remainderReasons(decided),
  ];
  return { ...decided, reasons, disposition: reasons.length > 0 ? 'quarantine' : 'deliver' };
}

/** A message of thousands of parts of which none could be judged: as many reasons are listed one by one. */
const LISTED_HOLDS = 50;

function withoutFlood(holds: readonly Reason[]): Reason[] {
  const [first, ...rest] = holds.slice(LISTED_HOLDS);
  if (first === undefined) return [...holds];
  return [
    ...holds.slice(0, LISTED_HOLDS),
    { ...first, text: `${first.text}, and ${rest.length} more reasons like it` },
  ];
}

/** Each artifact by itself, then each container with what is inside it. */
function judgeAll(policy: Policy, ledger: Ledger): Judgement[] {
  const placeOf = placesIn(ledger);
  const alone = ledger.artifacts.map((artifact) => judgeArtifact(policy, artifact, placeOf(artifact)));
  const inside = insideOf(ledger, alone);
  return alone.map((judgement) => {
    const held = inside.get(judgement.artifact.id);
    const place = placeOf(judgement.artifact);
    const wanted = (verdict: Artifact['verdict']) => dispositionOf(policy, judgement.artifact, verdict, place);
    return held === undefined ? judgement : withInside(judgement, held, wanted);
  });
}

function withPartDispositions(ledger: Ledger): Ledger {
  const blocked = blockedUrlIds(ledger);
  const rewritten = new Set([
    ...ledger.urls.filter((url) => blocked.has(url.artifactId) && isTakenOut(url)).map((url) => url.path),
    ...ledger.warnings.filter(({ code }) => code === 'unresolved_links').map(({ path }) => path),
  ]);
  const byPath = new Map<string, Disposition>();
  for (const { part, artifact } of leavesOf(ledger)) {
    const own = artifact.disposition as Disposition;
    // A body that keeps its text but loses a link is no longer the sender's bytes: say so.
    byPath.set(part.path, own === 'keep' && rewritten.has(part.path) ? 'disarm' : own);
  }
  // A member goes where its container goes.
  const placeOf = ({ path, container }: Part) => (container === null ? path : (path.split(MEMBER_MARK, 1)[0] ?? path));
  const parts: Part[] = ledger.parts.map((part) => ({ ...part, disposition: byPath.get(placeOf(part)) ?? null }));
  return { ...ledger, parts };
}

function warningReasons(policy: Policy, ledger: Ledger): Reason[] {
  const codes: readonly string[] = policy.message.quarantineWarnings;
  return ledger.warnings
    .filter((warning) => codes.includes(warning.code))
    .map((warning) => ({
      code: warning.code === 'readings_disagree' ? 'unreadable' : warning.code,
      text: warning.path === null ? warning.detail : `part ${warning.path}: ${warning.detail}`,
    }));
}

function verdictReasons(policy: Policy, artifacts: readonly Artifact[]): Reason[] {
  const held: readonly string[] = policy.message.quarantineVerdicts;
  return artifacts
    .filter((artifact) => held.includes(artifact.verdict))
    .map((artifact) => ({
      code: artifact.verdict,
      text: `${shortId(artifact.id)} in part ${artifact.origins.join(', ')}: ${artifact.reasons.join('; ')}`,
    }));
}

/** A person who dropped a file in wants to know what it was taken for, and what would make the difference. */
function nothingLeft(ledger: Ledger): string {
  const [artifact] = ledger.artifacts;
  const why = artifact?.reasons.join('; ') ?? 'no reason is known';
  return `it is no email but a single file (${artifact?.typeGroup}), and that may not be delivered: ${why}. An email starts with header lines such as From: and Subject:`;
}

/** What would leave nothing to deliver, or break the ledger's own invariants, is held. */
function remainderReasons(ledger: Ledger): Reason[] {
  const reasons = checkConservation(ledger, true).map((text) => ({ code: 'inconsistent', text }));
  const counts = tally(ledger);
  if (ledger.failure === null && counts.in === 0) reasons.push({ code: 'unreadable', text: 'no part was found in it' });
  if (ledger.kind === 'file' && counts.removed === counts.in)
    reasons.push({ code: 'nothing_left', text: nothingLeft(ledger) });
  return reasons;
}
