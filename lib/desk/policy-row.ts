/** Which row of the policy decided about a file or a link. */
import type { Artifact } from '../pipeline/ledger/artifact.ts';
import { FAILURE_CLASSES } from '../pipeline/model.ts';

/** The field of the policy and what it says, such as `types.pdf.verdicts.malicious = remove`. Empty while nothing is decided. */
export function policyRow({ typeGroup, verdict, disposition, removedFor }: Artifact): string {
  if (disposition === null) return '';
  if (removedFor === 'blocked') return 'blocked';
  const failure = FAILURE_CLASSES.find((name) => name === removedFor);
  return failure === undefined ? `types.${typeGroup}.verdicts.${verdict} → ${disposition}` : `failures.${failure}`;
}
