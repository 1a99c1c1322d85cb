/** Disarm of rich text documents. They are written anew, with the words and destinations that only lay out text. */
import type { DetectedType } from '../../../formats/detection/detected-type.ts';
import { EngineError, type EngineLimits, type FileInput } from '../../engine.ts';
import { type Disarmed, type Nested, writtenAnew } from '../disarm-module.ts';
import { removalLog } from '../removals.ts';
import { writePicture } from './picture.ts';
import { rewriteRtf } from './rewrite.ts';

/** The greatest offset of the header. Word looks for it after blanks. A file with more before it could be a second format, too. */
const MAX_HEADER_OFFSET = 64;

/**
 * Rewrites the document. `already_safe` when the output equals the input byte for byte. Throws EngineError `unreadable` (no document),
 * `oversize` (groups nested too deep, pictures beyond the budget).
 */
export async function disarm(
  input: FileInput,
  type: DetectedType,
  limits: EngineLimits,
  nested: Nested,
): Promise<Disarmed> {
  const log = removalLog();
  const from = startOf(input.bytes);
  if (from > 0) log.note('data before the document', 'file');
  const keepMetadata = input.keepMetadata === true;
  const document = rewriteRtf(input.bytes, from, { limits, log, keepMetadata });
  for (const { bytes, data, put } of document.pictures) {
    const { markup, details } = await writePicture(bytes, data, nested);
    for (const { kind, action } of details) log.note(kind, 'pict', action);
    put(markup);
  }
  if (hasContent(input.bytes, document.end)) log.note('appended data', 'file');
  const bytes = Buffer.from(document.finish(), 'latin1');
  return writtenAnew(input, bytes, type, log.removals);
}

/** Returns the offset of the first brace. Word opens `{\rt` with anything after it. */
function startOf(bytes: Uint8Array): number {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, MAX_HEADER_OFFSET)).toString(
    'latin1',
  );
  const at = head.search(/\{\\rt/i);
  if (at === -1) throw new EngineError('unreadable', 'the file does not start like a rich text document');
  return at;
}

function hasContent(bytes: Uint8Array, from: number): boolean {
  for (let at = from; at < bytes.length; at += 1) if (!/[\s\0]/.test(String.fromCharCode(bytes[at] ?? 0))) return true;
  return false;
}
