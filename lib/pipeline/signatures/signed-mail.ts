/** Signatures of mail. A signature that no longer fits is worse than none, so it is delivered only beside exactly what it signs. Pure. */

import type { Judgement } from '../judging/judge.ts';
import type { Artifact } from '../ledger/artifact.ts';
import type { Ledger, Signature } from '../ledger/ledger.ts';
import type { Policy } from '../policy/policy.ts';
import { inertText } from '../safe-text.ts';

/** Returns the signature if an artifact is a signature and nothing else in the message; null for every other artifact. */
export function signatureOf({ signatures }: Ledger, { origins }: Artifact): Signature | null {
  const own = signatures.find(({ signaturePath }) => signaturePath === origins[0]);
  const isOnly = origins.every((path) => signatures.some(({ signaturePath }) => signaturePath === path));
  return isOnly ? (own ?? null) : null;
}

/**
 * Returns the judgement of a signature. The reader found that it is a signature and nothing else, so it may stay although no analysis knows
 * such files. A finding against it counts.
 */
export function judgeSignature(policy: Policy, judged: Judgement, { kind, contentPath }: Signature): Judgement {
  const { artifact } = judged;
  if (policy.signed.mail === 'content') {
    const reasons = ['policy delivers signed mail without its signature'];
    return { ...judged, artifact: { ...artifact, disposition: 'remove', removedFor: 'type_not_allowed', reasons } };
  }
  const isHarmless = !judged.hasFailed && (artifact.verdict === 'unknown' || artifact.verdict === 'benign');
  const isSignatureFile = kind === 'smime' ? artifact.typeGroup === 'other' : artifact.typeGroup === 'text';
  if (!isHarmless || !isSignatureFile || artifact.disposition === 'keep') return judged;
  return {
    ...judged,
    artifact: { ...artifact, disposition: 'keep', reasons: [`it is the signature of part ${contentPath}`] },
  };
}

/** Returns the signatures of a ledger under the policy. Opaque-signed mail is delivered as its content when policy says so. */
export function signaturesUnder({ signed }: Policy, { signatures }: Ledger): Signature[] {
  const isOpened = ({ signaturePath }: Signature) => signaturePath === null && signed.mail === 'content';
  return signatures.map((signature) => (isOpened(signature) ? { ...signature, isDelivered: false } : signature));
}

/** Returns the signatures whose part of the message is delivered unchanged. */
export function keptSignatures({ signatures, parts }: Ledger): Signature[] {
  const kept = new Set(parts.filter(({ disposition }) => disposition === 'keep').map(({ path }) => path));
  const isKept = (path: string | null) => path === null || kept.has(path);
  return signatures.filter(({ signaturePath, isDelivered }) => isKept(signaturePath) && isDelivered !== false);
}

const RESULT_WORDS: Readonly<Record<Signature['result'], string>> = {
  verified: 'The signature was valid, and its signer is trusted here.',
  unknown_signer: 'The signature may be valid, but nobody who is trusted here confirms its signer.',
  broken: 'The signature was not valid when the message came in: the message was changed after it was signed.',
  unchecked: 'The signature could not be checked.',
};

/** Returns the notice that replaces a signature. It is plain text with CRLF, for the person who opens the mail. */
export function signatureNotice({ result, untrustedSigner }: Signature): string {
  const signer =
    untrustedSigner === null ? 'somebody whose address is not known here' : inertText(untrustedSigner, 200);
  const why =
    'The signature was removed, because the message was changed to make it safe, or because policy asks for it.';
  return [
    `This message was signed by ${signer}.`,
    RESULT_WORDS[result],
    '',
    why,
    'The mail gateway keeps the original message.',
    '',
  ].join('\r\n');
}
