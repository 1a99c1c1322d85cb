/** The short notice that takes the place of something that was removed. It is written for the person who opens the mail. */
import { hashOf } from './artifact-id.ts';
import type { Artifact, Part } from './ledger.ts';
import type { Limits } from './limits.ts';
import { inertText } from './safe-text.ts';

/** Plain text, CRLF line ends, UTF-8 when encoded. No text of the sender or the service can act in it. */
export function placeholderText(limits: Limits, part: Part, artifact: Artifact): string {
  const shown = (untrusted: string) => inertText(untrusted, Math.min(200, limits.untrustedTextLength));
  const what =
    part.role === 'body'
      ? 'The text of this message'
      : `The attachment "${shown(part.untrustedNames[0] ?? 'without a name')}"`;
  return [
    `${what} was removed by Mail Airlock before delivery.`,
    '',
    `Why:       ${artifact.reasons.map(shown).join('; ') || 'policy'}`,
    `Verdict:   ${artifact.verdict}`,
    `Type:      ${shown(part.detectedType ?? 'unknown')}, ${part.size} bytes`,
    `SHA-256:   ${hashOf(artifact.id)}`,
    '',
    'The mail gateway keeps the original message. If you need what was removed, ask the people who run the gateway.',
    '',
  ].join('\r\n');
}
