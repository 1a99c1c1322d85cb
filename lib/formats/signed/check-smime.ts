/** Checks signatures in CMS (RFC 5652 §5, RFC 8551). */
import { createHash, webcrypto } from 'node:crypto';
import { Certificate, ContentInfo, CryptoEngine, SignedData, SignedDataVerifyError } from 'pkijs';
import { addressesOf, doubtOfSigner } from './certificates.ts';
import { brokenBy, checkedSigner, type SignatureCheck, type SignatureRequest, unchecked } from './signature-check.ts';

const DATA = '1.2.840.113549.1.7.1';
/** SHA-256, SHA-384, SHA-512. */
const DIGESTS: readonly string[] = ['1', '2', '3'].map((last) => `2.16.840.1.101.3.4.2.${last}`);
/** Certificates that are examined. Each may cost a verification. */
const MAX_CERTIFICATES = 20;

const engine = new CryptoEngine({ name: 'node', crypto: webcrypto as never });

/** Checks a message with one signer. Rejects with the errors of the libraries on malformed bytes. */
export async function checkSmime(request: SignatureRequest): Promise<SignatureCheck> {
  const signed = new SignedData({ schema: ContentInfo.fromBER(exact(request.bytes)).content });
  const [signer, ...others] = signed.signerInfos;
  if (signer === undefined || others.length > 0) return unchecked('it is not of exactly one signer');
  if (signed.encapContentInfo.eContentType !== DATA || !DIGESTS.includes(signer.digestAlgorithm.algorithmId))
    return unchecked('it is of a kind that is not checked here');
  // Without signed attributes, the attributes of one signature are the content of another (RFC 5652 §5.3).
  if (signer.signedAttrs === undefined) return unchecked('it has no signed attributes');
  const certificates = (signed.certificates ?? [])
    .filter((each) => each instanceof Certificate)
    .slice(0, MAX_CERTIFICATES);
  const proven = await proof(signed, request.content);
  if (proven.signerCertificate === null) return unchecked('it does not bring the certificate of its signer');
  if (proven.isValid === null) return unchecked('it cannot be checked here');
  const addresses = addressesOf(proven.signerCertificate);
  if (!proven.isValid) return { ...brokenBy(addresses[0]), contentSha256: contentHash(signed) };
  const authorities = request.trusted.flatMap(certificatesIn);
  const chain = { signer: proven.signerCertificate, others: certificates, authorities, nowMs: request.nowMs, engine };
  const checked = checkedSigner(addresses, request.sender, await doubtOfSigner(chain));
  return { ...checked, contentSha256: contentHash(signed) };
}

function contentHash({ encapContentInfo: { eContent } }: SignedData): string | null {
  return eContent === undefined ? null : createHash('sha256').update(new Uint8Array(eContent.getValue())).digest('hex');
}

interface Proof {
  /** Null when nothing is known. */
  readonly isValid: boolean | null;
  readonly signerCertificate: Certificate | null;
}

/** The message by which the library reports a different digest. It reports this in no other way. */
const OTHER_DIGEST = /digest doesn't match/;

async function proof(signed: SignedData, content: Uint8Array | null): Promise<Proof> {
  const data = content === null ? undefined : exact(content);
  try {
    const verified = await signed.verify({ signer: 0, extendedMode: true, ...(data && { data }) }, engine);
    return { isValid: verified.signatureVerified ?? null, signerCertificate: verified.signerCertificate ?? null };
  } catch (error) {
    if (!(error instanceof SignedDataVerifyError)) throw error;
    return {
      isValid: OTHER_DIGEST.test(error.message) ? false : null,
      signerCertificate: error.signerCertificate ?? null,
    };
  }
}

/** Reads certificates in PEM. Throws when one is invalid, because the operator wrote it. */
function certificatesIn(pem: string): Certificate[] {
  return [...pem.matchAll(/-----BEGIN CERTIFICATE-----([A-Za-z0-9+/=\s]+)-----END CERTIFICATE-----/g)].map(
    ([, text = '']) => Certificate.fromBER(exact(Buffer.from(text, 'base64'))),
  );
}

/** Copies the bytes into a separate buffer, because the library reads from the start of the buffer. */
function exact(bytes: Uint8Array): ArrayBuffer {
  return new Uint8Array(bytes).buffer;
}
