/** The request to a reader of signatures, and its answer. */

/** The result of checking a signature. `unchecked`: nothing here can say whether it is valid. */
export const SIGNATURE_RESULTS = ['verified', 'unknown_signer', 'broken', 'unchecked'] as const;
export type SignatureResult = (typeof SIGNATURE_RESULTS)[number];

export const SIGNATURE_KINDS = ['smime', 'pgp'] as const;
export type SignatureKind = (typeof SIGNATURE_KINDS)[number];

export interface SignatureRequest {
  readonly kind: SignatureKind;
  /** CMS SignedData in DER, or a detached OpenPGP signature in armor. */
  readonly bytes: Uint8Array;
  /** The signed bytes, with the line ends of mail (CRLF). Null when the signature contains them. */
  readonly content: Uint8Array | null;
  /** Trusted certificates in PEM, or trusted OpenPGP keys in armor. */
  readonly trusted: readonly string[];
  /** The sender address of the message, in small letters. Null when programs read no single address in it. */
  readonly sender: string | null;
  /** The time at which certificates and keys must be valid. Milliseconds since the epoch. */
  readonly nowMs: number;
  /** The processor time that it may take, in milliseconds. */
  readonly workMs: number;
}

export interface SignatureCheck {
  /** `verified`: it is valid, its signer is trusted by the operator, and the signer's address is the sender's. */
  readonly result: SignatureResult;
  /** The address that the certificate or key names; null when none was found. */
  readonly untrustedSigner: string | null;
  /** The reason why it is not verified, in plain words; empty when it is. */
  readonly detail: string;
  /** Hash of the content that the library reads in the signature. Null when the content is not in it, or was not read. */
  readonly contentSha256: string | null;
}

/** Checks the signature. Never rejects. */
export type CheckSignature = (request: SignatureRequest) => Promise<SignatureCheck>;

/** Returns an answer without a signer. */
export function unchecked(detail: string): SignatureCheck {
  return { result: 'unchecked', untrustedSigner: null, detail, contentSha256: null };
}

/** Returns the answer for a signature of different content. */
export function brokenBy(address: string | undefined): SignatureCheck {
  const untrustedSigner = address?.toLowerCase() ?? null;
  return { result: 'broken', untrustedSigner, detail: 'what it signs was changed', contentSha256: null };
}

/** Returns the answer for a valid signature: verified when `doubt` is null and one of the signer's addresses is the sender's. */
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
