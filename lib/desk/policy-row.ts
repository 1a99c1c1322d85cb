/** Finds the row of the policy that decided about a file or a link. */
import type { Artifact } from '../pipeline/ledger/artifact.ts';
import { FAILURE_CLASSES } from '../pipeline/model.ts';

/** Returns the field of the policy and its value, such as `types.pdf.verdicts.malicious = remove`. Empty while nothing is decided. */
export function policyRow({ typeGroup, verdict, disposition, removedFor }: Artifact): string {
  if (disposition === null) return '';
  if (removedFor === 'blocked') return 'blocked';
  const failure = FAILURE_CLASSES.find((name) => name === removedFor);
  return failure === undefined ? `types.${typeGroup}.verdicts.${verdict} → ${disposition}` : `failures.${failure}`;
}
