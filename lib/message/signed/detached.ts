/**
 * Decides whether the second part of a signed entity is a signature and nothing else: CMS SignedData without content (RFC 5652 §5), or one
 * armor with OpenPGP signatures (RFC 9580 §6.2). Any other file is treated like an ordinary one.
 */
import { asBuffer } from '../../formats/byte-scan.ts';
import type { SignatureKind } from '../../formats/signed/signature-check.ts';
import { allOf, framesOf, isFilled, OBJECT_ID, SEQUENCE, SET, shape } from '../containers/cms-frames.ts';
import { packetTags } from '../containers/pgp-packets.ts';

const INTEGER = 0x02;
/** [0] certificates and [1] lists of revoked ones. */
const [CERTIFICATES, REVOKED] = [0xa0, 0xa1] as const;
/** 1.2.840.113549.1.7.2 */
const SIGNED: Readonly<Record<string, RegExp>> = {
  '2a864886f70d010702': shape(INTEGER, SET, SEQUENCE, [CERTIFICATES], [REVOKED], SET),
};
/**
 * The most bytes of a signature. The attack is a file under the name of a signature. Real signatures have 2 to 30 KB, with the certificates
 * of their authorities.
 */
const SIGNATURE_BYTES = 128 * 1024;
const ARMOR =
  /^-----BEGIN PGP SIGNATURE-----\r?\n(?:[A-Za-z]{1,20}: [^\r\n]{0,200}\r?\n){0,10}[ \t]*\r?\n([A-Za-z0-9+/=\r\n]+)-----END PGP SIGNATURE-----$/;
const SIGNATURE_PACKET = 2;

/** Returns true for the bytes of a detached signature of this kind. */
export function isDetachedSignature(kind: SignatureKind, bytes: Uint8Array): boolean {
  if (bytes.length > SIGNATURE_BYTES) return false;
  return kind === 'smime' ? isSignedData(bytes) : isSignatureArmor(asBuffer(bytes).toString('latin1').trim());
}

function isSignedData(bytes: Uint8Array): boolean {
  const frames = framesOf(bytes, SIGNED);
  const info = frames?.fields.find(({ tag }) => tag === SEQUENCE);
  const [type, ...content] = (info && allOf(bytes, info)) ?? [];
  return type?.tag === OBJECT_ID && content.length === 0 && isFilled(frames?.fields.at(-1));
}

/** Decodes the armor. The last line may be a checksum. */
function isSignatureArmor(text: string): boolean {
  const [, data = ''] = ARMOR.exec(text) ?? [];
  const tags = packetTags(Buffer.from(data.trim().replace(/\r?\n=[A-Za-z0-9+/]{4}$/, ''), 'base64'));
  return tags.length > 0 && tags.every((tag) => tag === SIGNATURE_PACKET);
}
