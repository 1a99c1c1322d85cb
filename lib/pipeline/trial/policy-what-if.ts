/**
 * The result of another policy for a run, from its earlier findings. Nothing is analysed again. It is compared with the decision of the
 * policy then, not with later actions of people or stages. Pure.
 */

import type { Chain } from '../chain/chain.ts';
import { fold, withEntry } from '../chain/fold.ts';
import { decideLedger } from '../decide.ts';
import { kindsWanted } from '../judging/wanted.ts';
import type { Artifact, Submission } from '../ledger/artifact.ts';
import type { Ledger, Part } from '../ledger/ledger.ts';
import type { Disposition, Kind } from '../model.ts';
import { policyFor } from '../policy/for-recipients.ts';
import type { Policy } from '../policy/policy.ts';

/**
 * The end of a message under the other policy. `held` and `delivered`: it really ended the other way. `parts`: it was delivered, but would
 * be with other parts. `unknown`: the policy needs an analysis that was not made, and the message may be delivered if that finds nothing.
 */
export const TURNS = ['same', 'held', 'delivered', 'parts', 'unknown'] as const;
export type Turn = (typeof TURNS)[number];

/** A part about which the other policy decides otherwise. */
export interface OtherPart {
  readonly path: string;
  readonly untrustedName: string;
  readonly before: Disposition | null;
  readonly after: Disposition | null;
}

export interface WhatIf {
  readonly turn: Turn;
  /** Codes of the reasons to hold it. */
  readonly reasons: { readonly before: readonly string[]; readonly after: readonly string[] };
  /** Empty when `turn` is `unknown`. */
  readonly parts: readonly OtherPart[];
  /** Analyses that the policy asks for and that were not made. */
  readonly missing: readonly Kind[];
}

/**
 * Tries a policy on an attempt that no person released. Returns null when it has not ended, or when a stage held it because it failed or
 * found something.
 */
export function whatIf(policy: Policy, { entries, ledger }: Pick<Chain, 'entries' | 'ledger'>): WhatIf | null {
  const at = entries.findIndex(({ stage }) => stage === 'decide');
  const entry = entries[at];
  if (entry === undefined || ledger.terminal === null) return null;
  const found = fold(entries.slice(0, at));
  const before = withEntry(found, entry);
  if ((before.disposition === 'deliver') !== (ledger.terminal.state === 'delivered')) return null;
  const missing = missingKinds(policy, found);
  const listed = new Map(before.artifacts.map((artifact) => [artifact.id, artifact.listed ?? null] as const));
  const after = decideLedger(
    policy,
    missing.length === 0 ? found : atBest(policy, found),
    ({ id }) => listed.get(id) ?? null,
  );
  const parts = otherParts(before, after);
  const turn = turnOf(before, after, missing.length > 0, parts.length > 0);
  const reasons = { before: codesOf(before), after: codesOf(after) };
  return { turn, reasons, parts: turn === 'unknown' ? [] : parts, missing };
}

/** Compares the end of a run with its end when the original is analysed again. Both must have ended. */
export function endsCompared(before: Ledger, after: Ledger): WhatIf {
  const isHeld = (ledger: Ledger) => ledger.terminal?.state !== 'delivered';
  const parts = otherParts(before, after);
  const turn = isHeld(after) ? (isHeld(before) ? 'same' : 'held') : endOfDelivered(isHeld(before), parts.length > 0);
  return { turn, reasons: { before: codesOf(before), after: codesOf(after) }, parts, missing: [] };
}

function turnOf(before: Ledger, after: Ledger, isMissing: boolean, areOthers: boolean): Turn {
  if (after.disposition === 'quarantine') return before.disposition === 'quarantine' ? 'same' : 'held';
  return isMissing ? 'unknown' : endOfDelivered(before.disposition === 'quarantine', areOthers);
}

function endOfDelivered(wasHeld: boolean, areOthers: boolean): Turn {
  if (wasHeld) return 'delivered';
  return areOthers ? 'parts' : 'same';
}

const codesOf = ({ reasons }: Ledger) => [...new Set(reasons.map(({ code }) => code))];

function missingOf(policy: Policy, artifact: Artifact): Kind[] {
  // Nothing is analysed in an empty file.
  if (artifact.type === 'file' && artifact.size === 0) return [];
  return kindsWanted(policy, artifact).filter((kind) => !artifact.submissions.some((made) => made.kind === kind));
}

function missingKinds(given: Policy, ledger: Ledger): Kind[] {
  const policy = policyFor(given, ledger);
  return [...new Set(ledger.artifacts.flatMap((artifact) => missingOf(policy, artifact)))];
}

/** Returns the ledger as if every missing analysis had found nothing. A message that is still held is certainly held. */
function atBest(given: Policy, ledger: Ledger): Ledger {
  const policy = policyFor(given, ledger);
  const artifacts = ledger.artifacts.map((artifact) => ({
    ...artifact,
    submissions: [...artifact.submissions, ...missingOf(policy, artifact).map((kind) => nothingFound(kind, ledger))],
  }));
  return { ...ledger, artifacts };
}

function nothingFound(kind: Kind, { bornAt }: Ledger): Submission {
  return {
    kind,
    source: 'submitted',
    engines: null,
    submissionId: null,
    status: 'completed',
    verdict: 'benign',
    score: null,
    untrustedReasons: [],
    untrustedRemoved: [],
    untrustedSanitized: [],
    failure: null,
    readAs: null,
    disarmed: kind === 'cdr' ? { sha256: '0'.repeat(64), size: 1 } : null,
    fetched: true,
    submittedAt: bornAt,
    finishedAt: bornAt,
  };
}

function otherParts(before: Ledger, after: Ledger): OtherPart[] {
  const then = new Map(before.parts.map((part) => [part.path, part.disposition]));
  return after.parts
    .filter(({ path, disposition }) => then.get(path) !== disposition)
    .map((part) => ({
      path: part.path,
      untrustedName: nameOf(part),
      before: then.get(part.path) ?? null,
      after: part.disposition,
    }));
}

const nameOf = ({ untrustedNames, role }: Part) => untrustedNames[0] || role;
