/**
 * Decides whether CMS is encrypted and contains nothing else: EnvelopedData (RFC 5652 §6), AuthEnvelopedData (RFC 5083) or EncryptedData
 * (§8), with no octet between or behind their frames. Nothing is decrypted. EncryptedData has no recipient.
 */

import { childrenOf, type Element } from '../encodings/der.ts';
import { allOf, framesOf, isFilled, OBJECT_ID, SEQUENCE, SET, shape } from './cms-frames.ts';
import type { Opener } from './pgp-packets.ts';

const INTEGER = 0x02;
const OCTETS = 0x04;
/** Context tags: primitive and constructed [0], constructed [1] and [2]. */
const [ZERO, ZERO_OF, ONE_OF, TWO_OF] = [0x80, 0xa0, 0xa1, 0xa2] as const;

const ENCRYPTED_DATA = '2a864886f70d010706';
/** 1.2.840.113549.1.7.3, 1.2.840.113549.1.9.16.1.23 and 1.2.840.113549.1.7.6. */
const SHAPES: Readonly<Record<string, RegExp>> = {
  '2a864886f70d010703': shape(INTEGER, [ZERO_OF], SET, SEQUENCE, [ONE_OF]),
  '2a864886f70d0109100117': shape(INTEGER, [ZERO_OF], SET, SEQUENCE, [ONE_OF], OCTETS, [TWO_OF]),
  [ENCRYPTED_DATA]: shape(INTEGER, SEQUENCE, [ONE_OF]),
};

/** RecipientInfo (§6.2) for a key transport, a key agreement and, in [4], an encapsulated key (RFC 9629). */
const TO_A_PUBLIC_KEY: readonly number[] = [SEQUENCE, 0xa1, 0xa4];
/** Those for a key that both sides know ([2]) and for a password ([3]). The mail itself may tell either. */
const TO_A_PASSWORD: readonly number[] = [0xa2, 0xa3];
const MAX_RECIPIENTS = 20_000;

/** Returns what opens all bytes when they are one such structure, with encrypted content. Null otherwise. */
export function cmsOpenerOf(bytes: Uint8Array): Opener | null {
  const frames = framesOf(bytes, SHAPES);
  const info = frames?.fields.find(({ tag }) => tag === SEQUENCE);
  if (frames === null || !hasContent(bytes, info)) return null;
  if (frames.type === ENCRYPTED_DATA) return 'password';
  const recipients = frames.fields.find(({ tag }) => tag === SET);
  return recipients === undefined ? null : openerOfRecipients(bytes, recipients);
}

function openerOfRecipients(bytes: Uint8Array, recipients: Element): Opener | null {
  const tags = childrenOf(bytes, recipients, MAX_RECIPIENTS);
  if (tags.at(-1)?.end !== recipients.contentEnd) return null;
  if (tags.every(({ tag }) => TO_A_PUBLIC_KEY.includes(tag))) return 'private_key';
  return tags.every(({ tag }) => TO_A_PUBLIC_KEY.includes(tag) || TO_A_PASSWORD.includes(tag)) ? 'password' : null;
}

/** EncryptedContentInfo: the type, the algorithm and [0] with the encrypted octets. */
function hasContent(bytes: Uint8Array, info: Element | undefined): boolean {
  const [type, algorithm, content, ...others] = (info && allOf(bytes, info)) ?? [];
  if (type?.tag !== OBJECT_ID || algorithm?.tag !== SEQUENCE || others.length > 0) return false;
  return (content?.tag === ZERO || content?.tag === ZERO_OF) && isFilled(content);
}
