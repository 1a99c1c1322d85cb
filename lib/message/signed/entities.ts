/** Clear-signed parts of a message (RFC 1847): multipart/signed with the signed content and its signature. */
import { asBuffer } from '../../formats/byte-scan.ts';
import type { SignatureKind } from '../../formats/signed/signature-check.ts';
import { decodePart } from '../encodings/decode-part.ts';
import { parseStructured } from '../headers/params.ts';
import { rawHeader } from '../headers/raw-fields.ts';
import type { ByteRange, MessagePart } from '../model.ts';
import { isDetachedSignature } from './detached.ts';

export interface SignedEntity {
  readonly kind: SignatureKind;
  /** Paths of the multipart/signed, of the signed part, and of the signature. */
  readonly path: string;
  readonly contentPath: string;
  readonly signaturePath: string;
}

const KINDS: Readonly<Record<string, SignatureKind>> = {
  'application/pkcs7-signature': 'smime',
  'application/x-pkcs7-signature': 'smime',
  'application/pgp-signature': 'pgp',
};

/**
 * Returns the signed entities of a reading of `email`, in document order. An entity must have exactly two parts, and the second must be a
 * signature of the named protocol. Programs do not agree on the signed content of any other.
 */
export function signedEntities(email: Uint8Array, parts: readonly MessagePart[]): SignedEntity[] {
  const signed = parts.filter(({ role, declaredType }) => role === 'multipart' && declaredType === 'multipart/signed');
  return signed.flatMap((multipart) => {
    const [content, signature, ...others] = parts.filter(({ parent }) => parent === multipart.path);
    if (content === undefined || signature === undefined || others.length > 0) return [];
    const kind = KINDS[signature.declaredType];
    if (kind === undefined || kind !== protocolOf(email, multipart.header) || signature.sha256 === null) return [];
    if (!isDetachedSignature(kind, decodePart(email, signature))) return [];
    return [{ kind, path: multipart.path, contentPath: content.path, signaturePath: signature.path }];
  });
}

/** Returns the protocol of the signature that the multipart names. */
function protocolOf(email: Uint8Array, header: ByteRange): SignatureKind | undefined {
  const field = rawHeader(asBuffer(email), header).fields.find(({ name }) => name === 'content-type');
  const [protocol] = parseStructured(field?.value ?? '').params.get('protocol') ?? [];
  return KINDS[protocol?.bytes.toLowerCase() ?? ''];
}

/** Returns the bytes of a part with its header, as the email has them. For signed content these are the signed bytes. */
export function entityBytes(email: Uint8Array, { header, body }: Pick<MessagePart, 'header' | 'body'>): Uint8Array {
  return email.subarray(header.start, body.end);
}

/** Returns the same bytes with the line ends of mail, over which signatures are made (RFC 1847 §2.1). */
export function canonical(bytes: Uint8Array): Uint8Array {
  const text = asBuffer(bytes).toString('latin1');
  return /(?<!\r)\n/.test(text) ? Buffer.from(text.replace(/(?<!\r)\n/g, '\r\n'), 'latin1') : bytes;
}
