/**
 * Reads certificates (RFC 5280) as far as a signature of mail needs them (RFC 8550): the named people, and whether an authority of the
 * operator issued them. Revocation is not checked, because nothing here reaches a network.
 */
import { type AltName, type Certificate, type CryptoEngine, type Extension, id_BasicConstraints } from 'pkijs';

const KEY_USAGE = '2.5.29.15';
const SUBJECT_NAMES = '2.5.29.17';
const NAME_CONSTRAINTS = '2.5.29.30';
const PURPOSES = '2.5.29.37';
/** Extensions that are checked here, or that say nothing against a signature. */
const UNDERSTOOD: readonly string[] = [KEY_USAGE, SUBJECT_NAMES, id_BasicConstraints, '2.5.29.32', PURPOSES];
const MAIL_PURPOSES: readonly string[] = ['1.3.6.1.5.5.7.3.4', '2.5.29.37.0'];
const EMAIL = '1.2.840.113549.1.9.1';
/** RSA with SHA-2, RSA-PSS, ECDSA with SHA-2. Signatures over older digests can be forged. */
const SOUND: readonly string[] = [
  ...['10', '11', '12', '13'].map((last) => `1.2.840.113549.1.1.${last}`),
  ...['2', '3', '4'].map((last) => `1.2.840.10045.4.3.${last}`),
];
/** Bits of the first octet of KeyUsage (RFC 5280 §4.2.1.3). */
const [MAY_SIGN, MAY_CERTIFY] = [0x80 | 0x40, 0x04];
/** Authorities below each other. Public ones have two or three. */
const MAX_CHAIN_LENGTH = 6;

/** Returns the addresses that a certificate names (RFC 8550 §3). */
export function addressesOf(certificate: Certificate): string[] {
  const names = extensionOf(certificate, SUBJECT_NAMES)?.parsedValue as AltName | undefined;
  const alternative = (names?.altNames ?? []).filter(({ type }) => type === 1).map(({ value }) => String(value));
  const subject = certificate.subject.typesAndValues.filter(({ type }) => type === EMAIL);
  return [...alternative, ...subject.map(({ value }) => String(value.valueBlock.value))];
}

/** The certificate of a signature. */
export interface ChainRequest {
  readonly signer: Certificate;
  /** The certificates that came with the signature. */
  readonly others: readonly Certificate[];
  readonly authorities: readonly Certificate[];
  readonly nowMs: number;
  readonly engine: CryptoEngine;
}

/** Returns the reason why the operator does not trust the signer, in plain words; null when he does. */
export async function doubtOfSigner({
  signer,
  others,
  authorities,
  nowMs,
  engine,
}: ChainRequest): Promise<string | null> {
  const wrong = doubtOf(signer, nowMs) ?? (maySign(signer) ? null : 'its certificate is not for signing mail');
  if (wrong !== null) return wrong;
  let last = signer;
  for (let below = 0; below < MAX_CHAIN_LENGTH; below++) {
    const current = last;
    if (authorities.some((authority) => isSame(authority, current))) return null;
    if (!SOUND.includes(current.signatureAlgorithm.algorithmId))
      return 'a certificate behind it is signed in a weak way';
    const issuers = [...authorities, ...others].filter((issuer) => issuer.subject.isEqual(current.issuer));
    // A certificate that issued itself leads nowhere else.
    const issuer = await firstOf(
      issuers.filter((each) => !isSame(each, current)),
      (one) => current.verify(one, engine).catch(() => false),
    );
    if (issuer === null) return 'no authority that is trusted here stands behind its certificate';
    const doubt =
      doubtOf(issuer, nowMs) ?? (mayCertify(issuer, below) ? null : 'a certificate behind it is of no authority');
    if (doubt !== null) return doubt;
    last = issuer;
  }
  return 'too many authorities stand behind its certificate';
}

async function firstOf<T>(all: readonly T[], accepts: (one: T) => Promise<boolean>): Promise<T | null> {
  for (const one of all) if (await accepts(one)) return one;
  return null;
}

function isSame(one: Certificate, other: Certificate): boolean {
  return Buffer.from(one.toSchema().toBER()).equals(Buffer.from(other.toSchema().toBER()));
}

function doubtOf({ notBefore, notAfter, extensions = [] }: Certificate, nowMs: number): string | null {
  if (nowMs < notBefore.value.getTime()) return 'a certificate behind it is not valid yet';
  if (nowMs > notAfter.value.getTime()) return 'a certificate behind it has expired';
  // The names that an authority may certify are not checked here, so an authority with such a limit is not trusted.
  const isOdd = ({ extnID, critical }: Extension) =>
    extnID === NAME_CONSTRAINTS || (critical && !UNDERSTOOD.includes(extnID));
  return extensions.some(isOdd) ? 'a certificate behind it has limits that are not checked here' : null;
}

const extensionOf = ({ extensions = [] }: Certificate, id: string) => extensions.find(({ extnID }) => extnID === id);

/** Returns true when the certificate does not restrict its key to other uses. */
function hasUsage(certificate: Certificate, bits: number): boolean {
  const usage = extensionOf(certificate, KEY_USAGE)?.parsedValue as
    | { valueBlock: { valueHexView: Uint8Array } }
    | undefined;
  const purposes = extensionOf(certificate, PURPOSES)?.parsedValue as { keyPurposes: string[] } | undefined;
  const isForMail = purposes === undefined || purposes.keyPurposes.some((purpose) => MAIL_PURPOSES.includes(purpose));
  return isForMail && (usage === undefined || ((usage.valueBlock.valueHexView[0] ?? 0) & bits) !== 0);
}

const maySign = (certificate: Certificate) => hasUsage(certificate, MAY_SIGN);

/** Returns whether a certificate may issue others. `below`: the number of authorities between this one and the signer. */
function mayCertify(certificate: Certificate, below: number): boolean {
  const constraints = extensionOf(certificate, id_BasicConstraints)?.parsedValue as
    | { cA: boolean; pathLenConstraint?: unknown }
    | undefined;
  const most = constraints?.pathLenConstraint;
  return constraints?.cA === true && hasUsage(certificate, MAY_CERTIFY) && (typeof most !== 'number' || below <= most);
}
