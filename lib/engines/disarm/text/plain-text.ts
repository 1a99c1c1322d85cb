/** Disarm of plain text: there is nothing to take out of text but the commands of terminals, so all else that is asked is whether it is text. */

import { decodeCharset } from '../../../formats/charsets/decode-charset.ts';
import { withoutStains } from '../../../formats/charsets/stained-text.ts';
import { textEncoding } from '../../../formats/charsets/text-encoding.ts';
import type { DetectedType } from '../../../formats/detection/detected-type.ts';
import { EngineError, type EngineLimits, type FileInput } from '../../engine.ts';
import type { Disarmed } from '../disarm-module.ts';
import { removalLog } from '../removals.ts';
import { withoutTerminalEscapes } from './terminal-escapes.ts';

/** Returns text as it is; UTF-32, which few programs read, comes as UTF-8, and a few control bytes and commands of terminals become spaces. Throws EngineError: `oversize` over the limit, `unreadable` when bytes are not text. */
export async function disarm(input: FileInput, type: DetectedType, limits: EngineLimits): Promise<Disarmed> {
  if (input.bytes.length > limits.inputBytes) throw new EngineError('oversize', 'the text is larger than the limit');
  const cleaned = withoutStains(input.bytes);
  const encoding = textEncoding(cleaned ?? input.bytes);
  if (encoding === null) throw new EngineError('unreadable', 'the file holds bytes that text does not have');
  if (encoding === 'utf-32le' || encoding === 'utf-32be') {
    const log = removalLog();
    log.note('text encoding', 'file', 'sanitized');
    const bytes = Buffer.from(decodeCharset(input.bytes, encoding));
    return { outcome: 'disarmed', bytes, type, details: log.removals };
  }
  const plain = withoutTerminalEscapes(cleaned ?? input.bytes, encoding) ?? cleaned;
  if (plain !== null) {
    const log = removalLog();
    log.note('control characters', 'file', 'sanitized');
    return { outcome: 'disarmed', bytes: plain, type, details: log.removals };
  }
  return { outcome: 'already_safe', bytes: input.bytes, type, details: [] };
}
