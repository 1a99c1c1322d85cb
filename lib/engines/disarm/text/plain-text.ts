/** Disarm of plain text. Only commands of terminals are removed from text, so the only other question is whether it is text. */

import { decodeCharset } from '../../../formats/charsets/decode-charset.ts';
import type { DetectedType } from '../../../formats/detection/detected-type.ts';
import { EngineError, type EngineLimits, type FileInput } from '../../engine.ts';
import type { Disarmed } from '../disarm-module.ts';
import { removalLog } from '../removals.ts';
import { withoutControls } from './terminal-escapes.ts';

/**
 * Returns text unchanged. UTF-32, which few programs read, becomes UTF-8. A few control bytes and commands of terminals become spaces.
 * Throws EngineError: `oversize` over the limit, `unreadable` when bytes are not text.
 */
export async function disarm(input: FileInput, type: DetectedType, limits: EngineLimits): Promise<Disarmed> {
  if (input.bytes.length > limits.inputBytes) throw new EngineError('oversize', 'the text is larger than the limit');
  const { bytes, encoding, isChanged } = withoutControls(input.bytes);
  if (encoding === null) throw new EngineError('unreadable', 'the file holds bytes that text does not have');
  const isRare = encoding === 'utf-32le' || encoding === 'utf-32be';
  const log = removalLog();
  if (isRare) log.note('text encoding', 'file', 'sanitized');
  if (isChanged) log.note('control characters', 'file', 'sanitized');
  const out = isRare ? Buffer.from(decodeCharset(bytes, encoding)) : bytes;
  if (isRare || isChanged) return { outcome: 'disarmed', bytes: out, type, details: log.removals };
  return { outcome: 'already_safe', bytes: input.bytes, type, details: [] };
}
