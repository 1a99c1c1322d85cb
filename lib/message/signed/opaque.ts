/**
 * Opaque-signed S/MIME (RFC 8551 §3.5.2): the whole message is one file, with the signed content inside. It is read as the message that
 * programs show: the fields of the message, followed by the signed content.
 */
import { asBuffer } from '../../formats/byte-scan.ts';
import { readHeaderBlock } from '../../formats/mail/header-block.ts';
import { allOf, framesOf, OBJECT_ID, SEQUENCE, SET, shape } from '../containers/cms-frames.ts';
import { decodePart } from '../encodings/decode-part.ts';
import { objectIdOf, octetsOf } from '../encodings/der.ts';
import { type RawField, rawHeader } from '../headers/raw-fields.ts';
import type { ByteRange, MessagePart } from '../model.ts';

/** An opaque-signed message, opened. */
export interface OpenedMessage {
  /** The message with the signed content in the place of the signed file. */
  readonly bytes: Buffer;
  /** The signed file, DER. */
  readonly signature: Uint8Array;
  /** The signed content. */
  readonly content: Uint8Array;
  /** True when nothing was left out, so the whole inner header describes the content. */
  readonly isWhole: boolean;
}

/** The name and the type by which programs recognise such a file. Under another name it may be for another program. */
const NAME = /^[\w-]{1,60}\.p7m$/i;
const TYPE = /^application\/(?:x-)?pkcs7-mime$/;
const INTEGER = 0x02;
const DATA = '2a864886f70d010701';
const SIGNED: Readonly<Record<string, RegExp>> = {
  '2a864886f70d010702': shape(INTEGER, SET, SEQUENCE, [0xa0], [0xa1], SET),
};
/** The longest header of the signed content. Content with a longer one is read like any file. */
const HEADER_BYTES = 256 * 1024;
const HEADER_LINES = 5_000;

/** Returns the opened message when it is opaque-signed and nothing else; null for every other message. Never throws. */
export function openedMessage(email: Uint8Array, parts: readonly MessagePart[]): OpenedMessage | null {
  const [root, ...others] = parts;
  if (root === undefined || others.length > 0 || root.sha256 === null || !TYPE.test(root.declaredType)) return null;
  if (!root.untrustedNames.every((name) => NAME.test(name))) return null;
  const signature = decodePart(email, root);
  const content = signedContent(signature);
  return content === null ? null : composed(asBuffer(email), root.header, { signature, content: asBuffer(content) });
}

/** Returns the content of SignedData that makes up all bytes. */
function signedContent(bytes: Uint8Array): Uint8Array | null {
  const info = framesOf(bytes, SIGNED)?.fields.find(({ tag }) => tag === SEQUENCE);
  const [type, explicit, ...rest] = (info && allOf(bytes, info)) ?? [];
  if (type?.tag !== OBJECT_ID || objectIdOf(bytes, type) !== DATA || explicit?.tag !== 0xa0 || rest.length > 0)
    return null;
  const [string, ...more] = allOf(bytes, explicit) ?? [];
  return string === undefined || more.length > 0 ? null : octetsOf(bytes, string);
}

interface Signed {
  readonly signature: Uint8Array;
  readonly content: Buffer;
}

/** Returns null when the signed content does not begin with a header, because programs do not agree on its meaning. */
function composed(email: Buffer, header: ByteRange, { signature, content }: Signed): OpenedMessage | null {
  const stop = { isDelimiter: () => false, maxBytes: HEADER_BYTES, maxLines: HEADER_LINES };
  const { end, endedBy, problems } = readHeaderBlock(content, 0, stop);
  if (endedBy !== 'blank' || problems.length > 0) return null;
  const inner = rawHeader(content, { start: 0, end });
  const own = inner.fields.filter(isContentField);
  const outer = rawHeader(email, header).fields.filter((field) => !isContentField(field));
  const bytes = Buffer.concat([
    ...outer.map(({ start: from, end: to }) => email.subarray(from, to)),
    ...own.map(({ start: from, end: to }) => content.subarray(from, to)),
    Buffer.from('\r\n'),
    content.subarray(end),
  ]);
  return { bytes, signature, content, isWhole: own.length === inner.fields.length && inner.stray.length === 0 };
}

const isContentField = ({ name }: RawField) => name.startsWith('content-');

/** Returns the fields of a header that describe its content, one after the other, and its body. */
export function contentOf(email: Uint8Array, { header, body }: Pick<MessagePart, 'header' | 'body'>): Buffer {
  const fields = rawHeader(asBuffer(email), header).fields.filter(isContentField);
  const lines = fields.map(({ start, end }) => asBuffer(email).subarray(start, end));
  return Buffer.concat([...lines, asBuffer(email).subarray(body.start, body.end)]);
}
