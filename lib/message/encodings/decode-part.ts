/** Decodes one leaf. */
import { asBuffer } from '../../formats/byte-scan.ts';
import type { Steps } from '../../formats/steps.ts';
import type { MessagePart } from '../model.ts';
import { decodeBody, decodeSteps } from './transfer-encodings.ts';

/**
 * Returns the decoded bytes of a leaf, which have its `sha256` and `size`. For 7bit, 8bit, binary and unknown encodings they share memory
 * with `email`. `part` must come from a reading of the same bytes.
 */
export function decodePart(email: Uint8Array, part: MessagePart): Uint8Array {
  if (part.recovered !== null) return part.recovered;
  return decodeBody(asBuffer(email).subarray(part.body.start, part.body.end), part.encoding).bytes;
}

/** Does the same in pieces. */
export function* decodePartSteps(email: Uint8Array, part: MessagePart): Steps<Uint8Array> {
  if (part.recovered !== null) return part.recovered;
  return (yield* decodeSteps(asBuffer(email).subarray(part.body.start, part.body.end), part.encoding)).bytes;
}
