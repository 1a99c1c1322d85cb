/** Disarm of plain text: there is nothing to take out of text, so all that is asked is whether it is text. */

import { textEncoding } from '../../../formats/charsets/text-encoding.ts';
import type { DetectedType } from '../../../formats/detection/detected-type.ts';
import { EngineError, type EngineLimits, type FileInput } from '../../engine.ts';
import type { Disarmed } from '../disarm-module.ts';

/** Returns text as it is. Throws EngineError: `oversize` over the limit, `unreadable` when bytes are not text. */
export async function disarm(input: FileInput, type: DetectedType, limits: EngineLimits): Promise<Disarmed> {
  if (input.bytes.length > limits.inputBytes) throw new EngineError('oversize', 'the text is larger than the limit');
  if (textEncoding(input.bytes) === null)
    throw new EngineError('unreadable', 'the file holds bytes that text does not have');
  return { outcome: 'already_safe', bytes: input.bytes, type, details: [] };
}
