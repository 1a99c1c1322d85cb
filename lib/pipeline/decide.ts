/**
 * Stage `decide`: applies the policy. It takes ledger and policy, and gives every artifact, every leaf and the message a
 * disposition with reasons. Everything but the stage function itself is pure.
 */

import { onLedger } from './chain/ledger-store.ts';
import { reasonsDespiteRelease } from './chain/release.ts';
import type { DecideContext } from './context.ts';
import { blockedSender, judgeBlocked } from './judging/blocked.ts';
import { bookmarkletIds, pathsThatLoseLinks, withoutCarriers } from './judging/blocked-urls.ts';
import { type Place, placesIn } from './judging/body-removals.ts';
import { containerContents, judgeWithContents } from './judging/container-contents.ts';
import { cameBackUnchanged, dispositionOf, isWrittenAnew, type Judgement, judgeArtifact } from './judging/judge.ts';
import { judgeListed } from './judging/listed.ts';
import { withMemberDispositions } from './judging/member-dispositions.ts';
import type { Artifact } from './ledger/artifact.ts';
import { shortId } from './ledger/artifact-id.ts';
import { leavesOf } from './ledger/artifacts-of.ts';
import { checkConservation, tally } from './ledger/conservation.ts';
import type { Ledger, Reason } from './ledger/ledger.ts';
import type { ListEntry } from './ledger/list-entry.ts';
import type { Disposition, MessageDisposition, Run } from './model.ts';
import { policyFor } from './policy/for-recipients.ts';
import type { LookedUp } from './policy/operator-lists.ts';
import type { Policy } from './policy/policy.ts';
import { isEncryptedMail, judgeEncrypted } from './signatures/encrypted-mail.ts';
import { withSignedFiles } from './signatures/signed-files.ts';
import { judgeSignature, signatureOf, signaturesUnder } from './signatures/signed-mail.ts';

/**
 * Writes the dispositions. The returned run says whether the message may be rebuilt.
 *
 * @example
 * ```ts
 * import type { Run } from './lib/pipeline/model.ts';
 * import type { DecideContext } from './lib/pipeline/context.ts';
 *
 * async function mayBeDelivered(ctx: DecideContext, run: Run): Promise<boolean> {
 *   return (await decide(ctx, run)).disposition === 'deliver';
 * }
 * ```
 */
export async function decide(ctx: DecideContext, run: Run): Promise<Run> {
  const done = await onLedger(ctx, 'decide', run, async (found) => decideLedger(ctx.policy, found, ctx.lists));
  return { ...done.run, disposition: done.ledger.disposition as MessageDisposition };
}

/**
 * Returns a ledger with every disposition set. `lists` are the lists of the operator. Without them, the recorded entries count. Pure.
 *
 * @example
 * ```ts
 * import type { Ledger } from './lib/pipeline/ledger/ledger.ts';
 * import { parsePolicy } from './lib/pipeline/policy/policy.ts';
 *
 * function reasonsUnder(policyJson: string, ledger: Ledger): string[] {
 *   return decideLedger(parsePolicy(policyJson), ledger).reasons.map(({ code }) => code);
 * }
 * ```
 */
export function decideLedger(given: Policy, ledger: Ledger, lists: LookedUp = recorded): Ledger {
  const policy = policyFor(given, ledger);
  const judged = judgeAll(policy, ledger, lists);
  const { artifacts, held } = withoutCarriers({ ...ledger, artifacts: judged.map((judgement) => judgement.artifact) });
  const signatures = signaturesUnder(policy, ledger);
  const decided = withSignedFiles(policy, withPartDispositions({ ...ledger, artifacts, signatures }));
  const reasons = [
    ...(ledger.failure ? [{ code: ledger.failure.class, text: ledger.failure.detail }] : []),
    ...withoutFlood(judged.flatMap((judgement) => judgement.holds)),
    ...held,
    ...blockedSender(policy, ledger),
    ...warningReasons(policy, ledger),
    ...keptArchives(decided),
    ...verdictReasons(policy, decided),
    ...remainderReasons(decided),
  ];
  const left = reasonsDespiteRelease(policy, { ...decided, reasons });
  return { ...decided, reasons: left, disposition: left.length > 0 ? 'quarantine' : 'deliver' };
}

const recorded: LookedUp = ({ listed }) => listed ?? null;

/** The most reasons of one kind that are listed one by one. A message may have thousands of parts that could not be judged. */
const LISTED_HOLDS = 50;

function withoutFlood(holds: readonly Reason[]): Reason[] {
  const [first, ...rest] = holds.slice(LISTED_HOLDS);
  if (first === undefined) return [...holds];
  return [
    ...holds.slice(0, LISTED_HOLDS),
    { ...first, text: `${first.text}, and ${rest.length} more reasons like it` },
  ];
}

/** Judges each artifact by itself, then each container together with its contents. */
function judgeAll(policy: Policy, ledger: Ledger, lists: LookedUp): Judgement[] {
  const placeOf = placesIn(ledger);
  const alone = ledger.artifacts.map((artifact) =>
    judgeBlocked(policy, judgeAlone(policy, ledger, artifact, { place: placeOf(artifact), lists })),
  );
  const contents = containerContents(ledger, alone);
  return alone.map((judgement) => {
    const held = contents.get(judgement.artifact.id);
    const place = placeOf(judgement.artifact);
    const wanted = (verdict: Artifact['verdict']) => dispositionOf(policy, judgement.artifact, verdict, place);
    const isRewritten = policy.containers.badMember === 'remove_member' && isWrittenAnew(judgement.artifact);
    if (held === undefined) return judgement;
    // A blocked container is removed, for any disposition of its contents.
    const isUnchanged = cameBackUnchanged(judgement.artifact);
    return judgeBlocked(policy, judgeWithContents(judgement, held, { wanted, isRewritten, isUnchanged }));
  });
}

/** Returns what a list says against encrypted mail. Such mail has a rule of its own, so a list that allows it changes nothing. */
const againstOnly = (listed: ListEntry | null) => (listed?.verdict === 'allow' ? null : listed);

interface Beside {
  readonly place: Place;
  readonly lists: LookedUp;
}

function judgeAlone(policy: Policy, ledger: Ledger, artifact: Artifact, { place, lists }: Beside): Judgement {
  if (isEncryptedMail(artifact)) {
    const sealed = judgeEncrypted(policy, artifact, place, ledger);
    return judgeListed(policy, sealed, againstOnly(lists(artifact)), place);
  }
  const judged = judgeListed(policy, judgeArtifact(policy, artifact, place, ledger), lists(artifact), place);
  const signature = signatureOf(ledger, artifact);
  return signature === null ? judged : judgeSignature(policy, judged, signature);
}

function withPartDispositions(ledger: Ledger): Ledger {
  const rewritten = pathsThatLoseLinks(ledger);
  const byPath = new Map<string, Disposition>();
  for (const { part, artifact } of leavesOf(ledger)) {
    const own = artifact.disposition as Disposition;
    // A body that loses a link no longer has the sender's bytes, so it does not count as kept.
    byPath.set(part.path, own === 'keep' && rewritten.has(part.path) ? 'disarm' : own);
  }
  return { ...ledger, parts: withMemberDispositions(ledger, byPath) };
}

function warningReasons(policy: Policy, ledger: Ledger): Reason[] {
  const { quarantineWarnings, linksOverBudget } = policy.message;
  const codes: readonly string[] =
    linksOverBudget === 'quarantine' ? [...quarantineWarnings, 'links_not_analysed'] : quarantineWarnings;
  return ledger.warnings
    .filter((warning) => codes.includes(warning.code))
    .map(
      (warning): Reason => ({
        code: warning.code === 'readings_disagree' ? 'unreadable' : warning.code,
        text: warning.path === null ? warning.detail : `part ${warning.path}: ${warning.detail}`,
      }),
    );
}

/**
 * Some programs decode a web archive that is declared as a message, and others do not. So its bytes may not stay
 * (message/reading/archive-file.ts).
 */
function keptArchives({ parts }: Ledger): Reason[] {
  return parts
    .filter(({ role, disposition }) => role === 'attachment' && disposition === 'keep')
    .filter(({ declaredType }) => /^(?:message\/rfc822|multipart\/.*)$/.test(declaredType))
    .filter(({ untrustedNames }) => untrustedNames.some((name) => ARCHIVE_NAME.test(name)))
    .map(({ path }) => ({ code: 'encoded_container', text: `part ${path}: a web archive that would stay as it is` }));
}

/** A name with the extension of a web archive anywhere in it. */
const ARCHIVE_NAME = /\.mht(?:ml)?(?![a-z0-9])/i;

function verdictReasons(policy: Policy, ledger: Ledger): Reason[] {
  const bookmarklets: ReadonlySet<string> = bookmarkletIds(ledger);
  const holding = ledger.artifacts.filter(({ id }) => !bookmarklets.has(id));
  return holding.flatMap(({ id, verdict, origins, reasons }) =>
    policy.message.quarantineVerdicts
      .filter((held) => held === verdict)
      .map((code) => ({ code, text: `${shortId(id)} in part ${origins.join(', ')}: ${reasons.join('; ')}` })),
  );
}

/** Tells the person who dropped a file how it was read, and how an email must look. */
function nothingLeft(ledger: Ledger): string {
  const [artifact] = ledger.artifacts;
  const why = artifact?.reasons.join('; ') ?? 'no reason is known';
  return `it is not an email but a single file (${artifact?.typeGroup}), and the file may not be delivered: ${why}. An email starts with header lines such as From: and Subject:`;
}

/** Returns reasons to hold a message of which nothing would be left to deliver, or whose ledger breaks its own invariants. */
function remainderReasons(ledger: Ledger): Reason[] {
  const reasons = checkConservation(ledger, true).map((text): Reason => ({ code: 'inconsistent', text }));
  const counts = tally(ledger);
  if (ledger.failure === null && counts.in === 0)
    reasons.push({ code: 'unreadable', text: 'no part was found in the message' });
  if (ledger.kind === 'file' && counts.removed === counts.in)
    reasons.push({ code: 'nothing_left', text: nothingLeft(ledger) });
  return reasons;
}
