/**
 * S/MIME (RFC 8551) in CMS (RFC 5652). A signed message is unwrapped, because the signed part is inside. For an encrypted message
 * the outcome is `encrypted`.
 */
import { inflateSync } from 'node:zlib';
import { type Allowance, mostBytes } from '../../formats/archives/unpacking.ts';
import { childrenOf, type Element, elementAt, objectIdOf, octetsOf } from '../encodings/der.ts';
import { collectMembers } from './budget.ts';
import { cmsOpenerOf } from './cms-encrypted.ts';
import { type Candidate, type Container, type OpenContext, type Opened, opened } from './container.ts';

/** 1.2.840.113549.1.7.2 and its siblings. */
const SIGNED = '2a864886f70d010702';
const ENVELOPED = ['2a864886f70d010703', '2a864886f70d010706', '2a864886f70d0109100117'];
const COMPRESSED = '2a864886f70d0109100109';
const SEQUENCE = 0x30;
const NAME = /\.p7[mz]\s*$/i;
const TYPE = /^application\/(?:x-)?pkcs7-mime$/;

export const smime: Container = {
  name: 'smime',
  accepts: (candidate) => isCalledSo(candidate) || contentOf(candidate.bytes) !== null,
  open,
};

function isCalledSo({ declaredType, untrustedNames }: Candidate): boolean {
  return TYPE.test(declaredType) || untrustedNames.some((name) => NAME.test(name));
}

interface Content {
  readonly type: string;
  /** The explicit [0] element with the content. */
  readonly wrapper: Element;
}

/** Reads ContentInfo: SEQUENCE { OBJECT IDENTIFIER, [0] EXPLICIT content }, of one of the types that mail carries. */
function contentOf(bytes: Uint8Array): Content | null {
  if (bytes[0] !== SEQUENCE) return null;
  const root = elementAt(bytes, 0, bytes.length);
  const [id, wrapper] = root === null ? [] : childrenOf(bytes, root, 2);
  const type = objectIdOf(bytes, id);
  if (type === null || wrapper === undefined || wrapper.tag !== 0xa0) return null;
  return type === SIGNED || type === COMPRESSED || ENVELOPED.includes(type) ? { type, wrapper } : null;
}

async function open({ bytes }: Candidate, context: OpenContext): Promise<Opened> {
  const binary = unarmored(bytes);
  const content = contentOf(binary);
  if (content === null) return opened({ outcome: 'damaged', detail: 'an S/MIME part that is no CMS message' });
  if (ENVELOPED.includes(content.type)) return closed(binary);
  const allowance = context.budget.allowance();
  const inner = content.type === SIGNED ? signedContent(binary, content) : inflated(binary, content, allowance);
  if (inner === 'over') return opened({ outcome: 'over_budget', detail: 'it unpacks to more than is looked at' });
  if (inner === 'detached') return opened({ outcome: 'opened' });
  if (inner === null) return opened({ outcome: 'damaged', detail: 'a signed message whose content cannot be read' });
  const collector = collectMembers(allowance, binary.length);
  // The content is a MIME entity (RFC 8551 §3.1): a message without message headers.
  collector.add({
    untrustedNames: [],
    declaredType: 'message/rfc822',
    charset: null,
    role: 'attachment',
    bytes: inner,
  });
  return collector.result();
}

function closed(bytes: Uint8Array): Opened {
  const opener = cmsOpenerOf(bytes);
  if (opener === 'private_key') return opened({ outcome: 'encrypted', detail: 'an S/MIME encrypted message' });
  return opener === 'password'
    ? opened({ outcome: 'encrypted', detail: 'an S/MIME message that needs a password', needsPassword: true })
    : opened({ outcome: 'damaged', detail: 'an S/MIME message that is not encrypted, or holds something else' });
}

/** The base64 text without its blanks. */
const PEM = /^(?:-----BEGIN[A-Z0-9]{1,20}-----)?([A-Za-z0-9+/]*={0,2})(?:-----END[A-Z0-9]{1,20}-----)?$/;

/**
 * Decodes base64 text or PEM, which some programs send as it is. Returns empty bytes when there is anything else in it, because programs
 * then read different bytes.
 */
function unarmored(bytes: Uint8Array): Uint8Array {
  if (bytes[0] === SEQUENCE) return bytes;
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1').replace(/\s+/g, '');
  return Buffer.from(PEM.exec(text)?.[1] ?? '', 'base64');
}

/** Reads SignedData: version, digestAlgorithms, encapContentInfo { type, [0] OCTET STRING }, … `detached` when it has no content. */
function signedContent(bytes: Uint8Array, { wrapper }: Content): Uint8Array | 'detached' | null {
  const info = encapsulated(bytes, wrapper, 2);
  if (info === null) return null;
  const [, explicit] = info;
  if (explicit === undefined) return 'detached';
  const [string] = childrenOf(bytes, explicit, 1);
  return string === undefined ? null : octetsOf(bytes, string);
}

/** Reads CompressedData: version, algorithm, encapContentInfo; always zlib (RFC 3274). */
function inflated(bytes: Uint8Array, content: Content, allowance: Allowance): Uint8Array | 'over' | null {
  const packed = signedContent(bytes, content);
  if (packed === null || packed === 'detached') return null;
  try {
    const maxOutputLength = Math.min(mostBytes(allowance, packed.length), allowance.memberBytes);
    return inflateSync(packed, { maxOutputLength });
  } catch (error) {
    return error instanceof RangeError ? 'over' : null;
  }
}

/** Returns the fields of the encapsulated content, which is the element `at` of the SEQUENCE in the wrapper. */
function encapsulated(bytes: Uint8Array, wrapper: Element, at: number): Element[] | null {
  const [data] = childrenOf(bytes, wrapper, 1);
  const info = data === undefined ? undefined : childrenOf(bytes, data, at + 1)[at];
  return info?.tag === SEQUENCE ? childrenOf(bytes, info, 2) : null;
}
