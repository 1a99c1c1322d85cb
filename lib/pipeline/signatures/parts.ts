/** Decides about signatures in the rebuilt message. */
import type { MessageReading, Replacement } from '../../message/model.ts';
import { type RebuildPlan, rebuildMessage } from '../../message/rebuilding/rebuild.ts';
import { entityBytes } from '../../message/signed/entities.ts';
import { contentOf } from '../../message/signed/opaque.ts';
import { type OpenedMail, readOpened } from '../contents/opened-mail.ts';
import { sha256Hex } from '../keys.ts';
import type { Ledger, Part, Signature } from '../ledger/ledger.ts';
import type { Limits } from '../limits.ts';
import { keptSignatures, signatureNotice } from './signed-mail.ts';

/** A message and its reading. */
export interface ReadEmail {
  readonly bytes: Uint8Array;
  readonly reading: MessageReading;
}

/** Returns the signatures that would be delivered beside other content than they sign. */
export function brokenSignatures(ledger: Ledger, original: ReadEmail, rebuilt: ReadEmail): Signature[] {
  return keptSignatures(ledger).filter((signature) => {
    const [before, after] = [signedBytes(original, signature), signedBytes(rebuilt, signature)];
    return before === null || after === null || Buffer.compare(before, after) !== 0;
  });
}

/**
 * Returns the part that has the fields about opaque-signed content. The content has no header of its own in the judged message, so its
 * fields are in the header of the message.
 */
function signedBytes({ bytes, reading }: ReadEmail, { contentPath, signaturePath }: Signature): Uint8Array | null {
  const part = reading.parts.find((each) => each.path === contentPath);
  if (part === undefined) return null;
  return signaturePath === null ? contentOf(bytes, part) : entityBytes(bytes, part);
}

/** Returns the signatures that contain what they sign, and will be delivered. */
export function opaqueSignatures(ledger: Ledger): Signature[] {
  return keptSignatures(ledger).filter(({ signaturePath }) => signaturePath === null);
}

/**
 * Returns the original opaque-signed message, with its header cleaned as usual. It is opened again. Returns null when its file differs from
 * the original.
 */
export async function wholeMessage(
  { email, signed }: OpenedMail,
  limits: Limits,
  { links, headers, trustedServers = [] }: RebuildPlan,
): Promise<OpenedMail | null> {
  if (signed === null) return null;
  const plan = { links, headers, trustedServers, replacements: new Map(), names: new Map() };
  const again = await readOpened(rebuildMessage(email, signed.reading, plan).bytes, limits);
  if (again.signed === null) return null;
  return Buffer.compare(again.signed.message.signature, signed.message.signature) === 0 ? again : null;
}

/** Returns the signatures whose part policy or an analysis removed. */
export function signaturesNotKept(ledger: Ledger): Signature[] {
  const kept = keptSignatures(ledger);
  return ledger.signatures.filter((signature) => !kept.includes(signature));
}

/**
 * Returns the ledger with a notice instead of these signatures; `replacements` gets the notices. Every other signature counts as delivered.
 */
export function withoutSignatures(
  ledger: Ledger,
  gone: readonly Signature[],
  replacements: Map<string, Replacement>,
): Ledger {
  const notices = new Map(
    gone.flatMap((signature) => {
      const { signaturePath } = signature;
      return signaturePath === null ? [] : [[signaturePath, noticeOf(signature)] as const];
    }),
  );
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
  const delivered = {
    sha256: sha256Hex(bytes),
    size: bytes.length,
    type,
    extension: 'txt',
    untrustedName: filename,
    hasOurWords: false,
  };
  return { ...part, disposition: 'remove', delivered };
}
