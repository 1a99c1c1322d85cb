/** What becomes of signatures in the rebuilt message. */
import type { MessageReading, Replacement } from '../message/model.ts';
import { entityBytes } from '../message/signed/signed-entities.ts';
import { sha256Hex } from './keys.ts';
import type { Ledger, Part, Signature } from './ledger.ts';
import { keptSignatures, signatureNotice } from './signed-mail.ts';

/** A message and its reading. */
export interface ReadEmail {
  readonly bytes: Uint8Array;
  readonly reading: MessageReading;
}

/** The signatures that would be delivered beside something else than what they sign. */
export function brokenSignatures(ledger: Ledger, original: ReadEmail, rebuilt: ReadEmail): Signature[] {
  return keptSignatures(ledger).filter(({ contentPath }) => {
    const [before, after] = [signedBytes(original, contentPath), signedBytes(rebuilt, contentPath)];
    return before === null || after === null || Buffer.compare(before, after) !== 0;
  });
}

function signedBytes({ bytes, reading }: ReadEmail, path: string): Uint8Array | null {
  const part = reading.parts.find((each) => each.path === path);
  return part === undefined ? null : entityBytes(bytes, part);
}

/** The signatures whose part policy or an analysis removed. */
export function signaturesNotKept(ledger: Ledger): Signature[] {
  const kept = keptSignatures(ledger);
  return ledger.signatures.filter((signature) => !kept.includes(signature));
}

/**
 * The ledger with a notice in the place of these signatures; `replacements` gets the notices. Every other signature counts as delivered.
 */
export function withoutSignatures(
  ledger: Ledger,
  gone: readonly Signature[],
  replacements: Map<string, Replacement>,
): Ledger {
  const notices = new Map(gone.map((signature) => [signature.signaturePath, noticeOf(signature)]));
  for (const [path, notice] of notices) replacements.set(path, notice);
  return {
    ...ledger,
    parts: ledger.parts.map((part) => withNotice(part, notices.get(part.path))),
    signatures: ledger.signatures.map((signature) => ({
      ...signature,
      isDelivered: signature.isDelivered !== false && !gone.includes(signature),
    })),
  };
}

function noticeOf(signature: Signature): Replacement {
  const bytes = new TextEncoder().encode(signatureNotice(signature));
  const filename = 'signature (removed).txt';
  return { type: 'text/plain', charset: 'utf-8', method: null, filename, isInline: true, keepContentId: false, bytes };
}

function withNotice(part: Part, notice: Replacement | undefined): Part {
  if (notice === undefined) return part;
  const { bytes, type, filename } = notice;
  const delivered = { sha256: sha256Hex(bytes), size: bytes.length, type, extension: 'txt', untrustedName: filename };
  return { ...part, disposition: 'remove', delivered };
}
