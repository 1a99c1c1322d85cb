/** Reads a message as it is judged: opaque-signed mail as what is signed in it. `parse` and `rebuild` both read it so. */
import type { MessageReading } from '../message/model.ts';
import { readMessage } from '../message/reading/read.ts';
import { type OpenedMessage, openedMessage } from '../message/signed/opaque.ts';
import type { Limits } from './limits.ts';

export interface OpenedMail {
  /** The message as it came. */
  readonly email: Uint8Array;
  /** The message that is judged. */
  readonly bytes: Uint8Array;
  readonly reading: MessageReading;
  /** What it was opened from, when it is opaque-signed; else null. */
  readonly signed: { readonly message: OpenedMessage; readonly reading: MessageReading } | null;
}

/** Reads a message, and what is signed in it. A warning of either reading counts. Signed mail in signed mail is opened once. */
export async function readOpened(email: Uint8Array, limits: Limits): Promise<OpenedMail> {
  const reading = await readMessage(email, limits);
  const message = openedMessage(email, reading.parts);
  if (message === null) return { email, bytes: email, reading, signed: null };
  const inner = await readMessage(message.bytes, limits);
  const warnings = [...reading.warnings, ...inner.warnings];
  return { email, bytes: message.bytes, reading: { ...inner, warnings }, signed: { message, reading } };
}
