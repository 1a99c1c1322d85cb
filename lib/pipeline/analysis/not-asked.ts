/** The analyses that were not requested, because their budget was kept for other files. Pure. */
import type { Artifact, Submission } from '../ledger/artifact.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Kind } from '../model.ts';

export interface NotAsked {
  readonly artifact: Artifact;
  readonly kind: Kind;
  /** Plain words. */
  readonly why: string;
}

/** Returns every analysis in a ledger that was not requested. */
export function notAskedOf({ artifacts }: Pick<Ledger, 'artifacts'>): NotAsked[] {
  return artifacts.flatMap((artifact) =>
    artifact.submissions
      .filter(isNotAsked)
      .map(({ kind, failure }) => ({ artifact, kind, why: failure?.detail ?? '' })),
  );
}

/** Returns true for an analysis that was not requested. */
export const isNotAsked = ({ failure }: Pick<Submission, 'failure'>): boolean => failure?.class === 'not_asked';
