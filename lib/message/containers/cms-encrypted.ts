/**
 * Decides whether CMS is encrypted and contains nothing else: EnvelopedData, EncryptedData (RFC 5652 §6, §8) or AuthEnvelopedData (RFC
 * 5083), with no octet between or behind their frames. Nothing is decrypted.
 */
import { allOf, framesOf, isFilled, OBJECT_ID, SEQUENCE, SET, shape } from './cms-frames.ts';
import type { Element } from './der.ts';

const INTEGER = 0x02;
const OCTETS = 0x04;
/** Context tags: primitive and constructed [0], constructed [1] and [2]. */
const [ZERO, ZERO_OF, ONE_OF, TWO_OF] = [0x80, 0xa0, 0xa1, 0xa2] as const;

/** 1.2.840.113549.1.7.3, 1.2.840.113549.1.7.6 and 1.2.840.113549.1.9.16.1.23. */
const SHAPES: Readonly<Record<string, RegExp>> = {
  '2a864886f70d010703': shape(INTEGER, [ZERO_OF], SET, SEQUENCE, [ONE_OF]),
  '2a864886f70d010706': shape(INTEGER, SEQUENCE, [ONE_OF]),
  '2a864886f70d0109100117': shape(INTEGER, [ZERO_OF], SET, SEQUENCE, [ONE_OF], OCTETS, [TWO_OF]),
};

/** Returns true when all bytes are one such structure, with encrypted content, and with a recipient if its type has recipients. */
export function isEncryptedOnly(bytes: Uint8Array): boolean {
  const frames = framesOf(bytes, SHAPES);
  if (frames === null) return false;
  const recipients = frames.fields.find(({ tag }) => tag === SET);
  const info = frames.fields.find(({ tag }) => tag === SEQUENCE);
  return (recipients === undefined || isFilled(recipients)) && hasContent(bytes, info);
}

/** EncryptedContentInfo: the type, the algorithm and [0] with the encrypted octets. */
function hasContent(bytes: Uint8Array, info: Element | undefined): boolean {
  const [type, algorithm, content, ...others] = (info && allOf(bytes, info)) ?? [];
  if (type?.tag !== OBJECT_ID || algorithm?.tag !== SEQUENCE || others.length > 0) return false;
  return (content?.tag === ZERO || content?.tag === ZERO_OF) && isFilled(content);
}
