/**
 * Decides whether CMS is encrypted to public keys and contains nothing else: EnvelopedData (RFC 5652 §6) or AuthEnvelopedData (RFC 5083),
 * with no octet between or behind their frames. Nothing is decrypted. EncryptedData (§8) has no recipient.
 */
import { allOf, framesOf, isFilled, OBJECT_ID, SEQUENCE, SET, shape } from './cms-frames.ts';
import { childrenOf, type Element } from './der.ts';

const INTEGER = 0x02;
const OCTETS = 0x04;
/** Context tags: primitive and constructed [0], constructed [1] and [2]. */
const [ZERO, ZERO_OF, ONE_OF, TWO_OF] = [0x80, 0xa0, 0xa1, 0xa2] as const;

/** 1.2.840.113549.1.7.3 and 1.2.840.113549.1.9.16.1.23. */
const SHAPES: Readonly<Record<string, RegExp>> = {
  '2a864886f70d010703': shape(INTEGER, [ZERO_OF], SET, SEQUENCE, [ONE_OF]),
  '2a864886f70d0109100117': shape(INTEGER, [ZERO_OF], SET, SEQUENCE, [ONE_OF], OCTETS, [TWO_OF]),
};

/**
 * RecipientInfo (§6.2) for a key transport, a key agreement and, in [4], an encapsulated key (RFC 9629). Those for a key that both sides
 * know ([2]) or for a password ([3]) are missing: the mail itself may tell the password.
 */
const TO_A_PUBLIC_KEY: readonly number[] = [SEQUENCE, 0xa1, 0xa4];
const MAX_RECIPIENTS = 20_000;

/** Returns true when all bytes are one such structure, with encrypted content, and each of its recipients has a public key. */
export function isEncryptedOnly(bytes: Uint8Array): boolean {
  const frames = framesOf(bytes, SHAPES);
  const recipients = frames?.fields.find(({ tag }) => tag === SET);
  const info = frames?.fields.find(({ tag }) => tag === SEQUENCE);
  return recipients !== undefined && areToPublicKeys(bytes, recipients) && hasContent(bytes, info);
}

function areToPublicKeys(bytes: Uint8Array, recipients: Element): boolean {
  const all = childrenOf(bytes, recipients, MAX_RECIPIENTS);
  return all.at(-1)?.end === recipients.contentEnd && all.every(({ tag }) => TO_A_PUBLIC_KEY.includes(tag));
}

/** EncryptedContentInfo: the type, the algorithm and [0] with the encrypted octets. */
function hasContent(bytes: Uint8Array, info: Element | undefined): boolean {
  const [type, algorithm, content, ...others] = (info && allOf(bytes, info)) ?? [];
  if (type?.tag !== OBJECT_ID || algorithm?.tag !== SEQUENCE || others.length > 0) return false;
  return (content?.tag === ZERO || content?.tag === ZERO_OF) && isFilled(content);
}
