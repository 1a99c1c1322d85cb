/**
 * Reads a message in the form in which it is judged. For opaque-signed mail that is the signed content. `parse` and `rebuild` both use it.
 */
import { numberOf, rememberedLater } from '../../formats/remembered.ts';
import type { MessageReading } from '../../message/model.ts';
import { readMessage } from '../../message/reading/read.ts';
import { type OpenedMessage, openedMessage } from '../../message/signed/opaque.ts';
import type { Limits } from '../limits.ts';

export interface OpenedMail {
  /** The original message. */
  readonly email: Uint8Array;
  /** The message that is judged. */
  readonly bytes: Uint8Array;
  readonly reading: MessageReading;
  /** The message from which it was opened, when it is opaque-signed; else null. */
  readonly signed: { readonly message: OpenedMessage; readonly reading: MessageReading } | null;
}

/**
 * Reads a message, and its signed content. A warning of either reading counts. Signed mail in signed mail is opened once. A caller that has
 * hashed the bytes itself passes `sha256`. An earlier reading of the same bytes by this process is then reused. A message that was written
 * anew is read without `sha256`.
 */
export async function readOpened(email: Uint8Array, limits: Limits, sha256: string | null = null): Promise<OpenedMail> {
  const reading = await readOnce({ email, limits, sha256 });
  const message = openedMessage(email, reading.parts);
  if (message === null) return { email, bytes: email, reading, signed: null };
  const inner = await readMessage(message.bytes, limits);
  const warnings = [...reading.warnings, ...inner.warnings];
  return { email, bytes: message.bytes, reading: { ...inner, warnings }, signed: { message, reading } };
}

/** `parse` and `rebuild` of one run read the same message, usually with few others in between. */
const REMEMBERED = 32;
/** A reading keeps about a kilobyte for each part. It keeps bytes of the message only for parts that were recovered from an odd one. */
const REMEMBERED_PARTS = 50;

interface Read {
  readonly email: Uint8Array;
  readonly limits: Limits;
  readonly sha256: string | null;
}

const readOnce = rememberedLater<Read, MessageReading>(
  {
    most: REMEMBERED,
    keyOf: ({ sha256, limits }) => sha256 && `${sha256} ${numberOf(limits)}`,
    isKept: ({ parts, warnings }) => parts.length <= REMEMBERED_PARTS && warnings.length === 0,
  },
  ({ email, limits }) => readMessage(email, limits),
);
