/** One signed line as a separate object: a record of the audit trail, its head, or the summary of the block list. */

import type { StoreContext } from '../context.ts';
import { CorruptDataError } from '../errors.ts';
import { safeJson } from '../safe-text.ts';
import { chainText, hashOfLine, readChainText, signedLine } from './chain-text.ts';

export interface SignedText {
  readonly bytes: Uint8Array;
  /** The hash of the line with its signature. */
  readonly hash: string;
}

/** Signs a value as `review`. */
export async function signedByReview({ signer }: Pick<StoreContext, 'signer'>, value: object): Promise<SignedText> {
  const json = safeJson(value);
  const { keyId, signature } = await signer.sign('review', new TextEncoder().encode(json));
  const line = signedLine(json, keyId, signature);
  return { bytes: chainText([line]), hash: hashOfLine(line) };
}

/**
 * Returns the JSON that `review` signed, and the hash of its line. Throws CorruptDataError when the bytes are not one line that it signed.
 */
export async function readSignedByReview(
  { signer }: Pick<StoreContext, 'signer'>,
  bytes: Uint8Array,
  what: string,
): Promise<{ readonly json: Uint8Array; readonly hash: string }> {
  const [line, ...more] = readChainText(bytes, what);
  if (line === undefined || more.length > 0) throw new CorruptDataError(`${what} is not one line`);
  const json = new TextEncoder().encode(line.json);
  const key = await signer.publicKey('review', line.keyId);
  if (key?.verifies(json, line.signature) !== true)
    throw new CorruptDataError(`${what}: the signature is not that of review`);
  return { json, hash: hashOfLine(line) };
}
