/**
 * Signatures of mail. One that fits nothing any more is worse than none, so a signature is delivered only beside exactly what it
 * signs. Pure.
 */

import type { Judgement } from '../judging/judge.ts';
import type { Artifact } from '../ledger/artifact.ts';
import type { Ledger, Signature } from '../ledger/ledger.ts';
import type { Policy } from '../policy/policy.ts';
import { inertText } from '../safe-text.ts';

/** The signature that an artifact is, and nothing else in the message; null for every other artifact. */
export function signatureOf({ signatures }: Ledger, { origins }: Artifact): Signature | null {
  const own = signatures.find(({ signaturePath }) => signaturePath === origins[0]);
  const isOnly = origins.every((path) => signatures.some(({ signaturePath }) => signaturePath === path));
  return isOnly ? (own ?? null) : null;
}

/**
 * The judgement of a signature. The reader found that it is one and nothing else, so it may stay although no analysis knows such files;
 * what one says against it counts.
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

/** The signatures of a ledger under the policy: what is opaque-signed is delivered as its content when policy says so. */
export function signaturesUnder({ signed }: Policy, { signatures }: Ledger): Signature[] {
  const isOpened = ({ signaturePath }: Signature) => signaturePath === null && signed.mail === 'content';
  return signatures.map((signature) => (isOpened(signature) ? { ...signature, isDelivered: false } : signature));
}

/** The signatures whose part of the message is delivered as it is. */
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

/** The notice that takes the place of a signature. Plain text with CRLF, for the person who opens the mail. */
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
