/** The request to a reader of signatures, and its answer. */

/** The result of a check of a signature. `unchecked`: nothing here can say whether it is valid. */
export const SIGNATURE_RESULTS = ['verified', 'unknown_signer', 'broken', 'unchecked'] as const;
export type SignatureResult = (typeof SIGNATURE_RESULTS)[number];

export const SIGNATURE_KINDS = ['smime', 'pgp'] as const;
export type SignatureKind = (typeof SIGNATURE_KINDS)[number];

export interface SignatureRequest {
  readonly kind: SignatureKind;
  /** CMS SignedData in DER, or a detached OpenPGP signature in armor. */
  readonly bytes: Uint8Array;
  /** The signed bytes, with the line ends of mail (CRLF). Null when it is in the signature itself. */
  readonly content: Uint8Array | null;
  /** Certificates in PEM, or OpenPGP keys in armor, in which the operator trusts. */
  readonly trusted: readonly string[];
  /** The address that the message says it is from, in small letters. Null when programs do not read one address in it. */
  readonly sender: string | null;
  /** The time at which certificates and keys must be valid. Milliseconds since the epoch. */
  readonly nowMs: number;
  /** Milliseconds of processor time that it may take. */
  readonly workMs: number;
}

export interface SignatureCheck {
  /** `verified`: it is valid, by a signer that the operator trusts, whose address is the sender's. */
  readonly result: SignatureResult;
  /** The address that the certificate or key names; null when none was found. */
  readonly untrustedSigner: string | null;
  /** Why it is not verified, in plain words; empty when it is. */
  readonly detail: string;
  /** Hash of the content as the library reads it in the signature. Null when the content is not in it, or was not read. */
  readonly contentSha256: string | null;
}

/** Never rejects. */
export type CheckSignature = (request: SignatureRequest) => Promise<SignatureCheck>;

/** An answer without a signer. */
export function unchecked(detail: string): SignatureCheck {
  return { result: 'unchecked', untrustedSigner: null, detail, contentSha256: null };
}

/** The answer for a signature whose content is not what was signed. */
export function brokenBy(address: string | undefined): SignatureCheck {
  const untrustedSigner = address?.toLowerCase() ?? null;
  return { result: 'broken', untrustedSigner, detail: 'what it signs was changed', contentSha256: null };
}

/** The answer for a valid signature: verified when `doubt` is null and one of the signer's addresses is the sender's. */
export function checkedSigner(
  addresses: readonly string[],
  sender: string | null,
  doubt: string | null,
): SignatureCheck {
  const small = addresses.map((address) => address.toLowerCase());
  const own = small.find((address) => address === sender) ?? null;
  const untrustedSigner = own ?? small[0] ?? null;
  const detail = doubt ?? (own === null ? 'the signer is not who the message says it is from' : '');
  return { result: detail === '' ? 'verified' : 'unknown_signer', untrustedSigner, detail, contentSha256: null };
}
