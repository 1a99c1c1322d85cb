/** Disarm of source code: the same text under a name that starts no program, such as `build.sh.txt`. */

import { decodeCharset } from '../../../formats/charsets/decode-charset.ts';
import { extensionOf } from '../../../formats/detection/detect.ts';
import type { DetectedType } from '../../../formats/detection/detected-type.ts';
import { isInertSource } from '../../../formats/detection/source-text.ts';
import { describeType } from '../../../formats/file-types.ts';
import { EngineError, type EngineLimits, type FileInput } from '../../engine.ts';
import type { Disarmed } from '../disarm-module.ts';
import { removalLog } from '../removals.ts';
import { withoutControls } from './terminal-escapes.ts';

/** The first bytes, in which markup is searched. No program searches further. */
const HEAD_BYTES = 16 * 1024;

/**
 * Returns code as a text. Throws EngineError: `oversize` over the limit, `unreadable` when bytes are not text, `unsupported` for a text
 * that some program would still take for a page, a shortcut or another document.
 */
export async function disarm(input: FileInput, type: DetectedType, limits: EngineLimits): Promise<Disarmed> {
  const { untrustedName } = input;
  const { bytes, encoding, isChanged } = withoutControls(input.bytes);
  if (bytes.length > limits.inputBytes) throw new EngineError('oversize', 'the text is larger than the limit');
  if (encoding === null) throw new EngineError('unreadable', 'the file holds bytes that text does not have');
  if (!isInertSource(decodeCharset(bytes.subarray(0, HEAD_BYTES), encoding)))
    throw new EngineError('unsupported', 'some programs would take the code for a page or another document');
  const log = removalLog();
  log.note('name of a program', `.${extensionOf(untrustedName) || type.extension}`, 'sanitized');
  if (isChanged) log.note('control characters', 'file', 'sanitized');
  const isRare = encoding === 'utf-32le' || encoding === 'utf-32be';
  const out = isRare ? Buffer.from(decodeCharset(bytes, encoding)) : bytes;
  return { outcome: 'disarmed', bytes: out, type: describeType('text/plain'), details: log.removals };
}
