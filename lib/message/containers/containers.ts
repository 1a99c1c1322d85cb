/** Every kind of container. The first that accepts a candidate opens it. */
import { archives, trailingZip } from './archives.ts';
import type { Candidate, Container, Opened } from './container.ts';
import { dataUrl } from './data-url.ts';
import { email } from './email.ts';
import { encodedBlock } from './encoded-block.ts';
import { outlookMessage } from './outlook-message.ts';
import { inlinePgp, pgp } from './pgp.ts';
import { smime } from './smime.ts';
import { tnef } from './tnef.ts';

export const CONTAINERS: readonly Container[] = [
  tnef,
  outlookMessage,
  smime,
  ...archives,
  email,
  pgp,
  inlinePgp,
  encodedBlock,
  dataUrl,
];

/** Returns the module that opens a candidate, or null when it is not a container. Never throws. */
export function containerOf(candidate: Candidate): Container | null {
  if (candidate.bytes.length === 0) return null;
  const first = CONTAINERS.find((container) => container.accepts(candidate)) ?? null;
  if (!trailingZip.accepts(candidate)) return first;
  return first === null ? trailingZip : bothOf(first, trailingZip);
}

/** Returns a file of two formats. Some programs open it as one and some as the other, so both are opened. */
function bothOf(first: Container, second: Container): Container {
  return {
    ...first,
    async open(candidate, context) {
      const one = await first.open(candidate, context);
      // The member is counted again after the opening, so a file of two formats pays twice for its first format.
      context.budget.spend(one.members);
      const other = await second.open(candidate, context);
      return merged(one, other);
    },
  };
}

function merged(one: Opened, other: Opened): Opened {
  const behind = other.members.map((member) => ({ ...member, path: `zip.${member.path}` }));
  const failed = one.outcome === 'opened' ? other : one;
  return {
    ...one,
    outcome: failed.outcome,
    detail: failed.detail,
    members: [...one.members, ...behind],
    untrustedPassword: one.untrustedPassword ?? other.untrustedPassword,
  };
}
