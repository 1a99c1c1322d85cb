/**
 * Whether CMS is encrypted, and nothing else: the frames of EnvelopedData, EncryptedData (RFC 5652 §6, §8) and AuthEnvelopedData
 * (RFC 5083), with no octet between or behind them. Nothing is decrypted.
 */
import { childrenOf, type Element, elementAt, objectIdOf } from './der.ts';

const ENVELOPED = '2a864886f70d010703';
const ENCRYPTED = '2a864886f70d010706';
const AUTH_ENVELOPED = '2a864886f70d0109100117';

const INTEGER = 0x02;
const OCTETS = 0x04;
const OBJECT_ID = 0x06;
const SEQUENCE = 0x30;
const SET = 0x31;
/** Context tags: primitive and constructed [0], constructed [1] and [2]. */
const [ZERO, ZERO_OF, ONE_OF, TWO_OF] = [0x80, 0xa0, 0xa1, 0xa2] as const;

/** Tags of the elements of each kind, in their order; `?` behind a tag says that it may be absent. */
const SHAPES: Readonly<Record<string, RegExp>> = {
  [ENVELOPED]: shape(INTEGER, [ZERO_OF], SET, SEQUENCE, [ONE_OF]),
  [ENCRYPTED]: shape(INTEGER, SEQUENCE, [ONE_OF]),
  [AUTH_ENVELOPED]: shape(INTEGER, [ZERO_OF], SET, SEQUENCE, [ONE_OF], OCTETS, [TWO_OF]),
};

/** An element in brackets may be absent. */
function shape(...tags: (number | readonly [number])[]): RegExp {
  const words = tags.map((tag) => (typeof tag === 'number' ? `${tag} ` : `(?:${tag[0]} )?`));
  return new RegExp(`^${words.join('')}$`);
}

/** True when all bytes are one such structure, with a recipient where it has recipients, and with encrypted content. */
export function isEncryptedOnly(bytes: Uint8Array): boolean {
  const root = elementAt(bytes, 0, bytes.length);
  if (root === null || root.end !== bytes.length) return false;
  const [id, wrapper, ...others] = allOf(bytes, root) ?? [];
  const [data, ...rest] = (wrapper && allOf(bytes, wrapper)) ?? [];
  const expected = SHAPES[objectIdOf(bytes, id) ?? ''];
  if (expected === undefined || data?.tag !== SEQUENCE || others.length + rest.length > 0) return false;
  const fields = allOf(bytes, data);
  if (fields === null || !expected.test(fields.map(({ tag }) => `${tag} `).join(''))) return false;
  const recipients = fields.find(({ tag }) => tag === SET);
  const hasRecipients = recipients === undefined || recipients.contentEnd > recipients.contentStart;
  return (
    hasRecipients &&
    hasContent(
      bytes,
      fields.find(({ tag }) => tag === SEQUENCE),
    )
  );
}

/** EncryptedContentInfo: the type, the algorithm and [0] with the encrypted octets. */
function hasContent(bytes: Uint8Array, info: Element | undefined): boolean {
  const [type, algorithm, content, ...others] = (info && allOf(bytes, info)) ?? [];
  if (type?.tag !== OBJECT_ID || algorithm?.tag !== SEQUENCE || content === undefined || others.length > 0)
    return false;
  return (content.tag === ZERO || content.tag === ZERO_OF) && content.contentEnd > content.contentStart;
}

/** More elements than any of these structures has. */
const MOST_FIELDS = 8;

/** The elements directly inside one; null when there are octets that belong to none. */
function allOf(bytes: Uint8Array, parent: Element): Element[] | null {
  const children = childrenOf(bytes, parent, MOST_FIELDS);
  return (children.at(-1)?.end ?? parent.contentStart) === parent.contentEnd ? children : null;
}
