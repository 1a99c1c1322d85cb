/** Disarm of separate Windows metafiles (WMF, EMF). They are written anew with only the records that draw (metafile.ts). */
import type { DetectedType } from '../../../formats/detection/detected-type.ts';
import { EngineError, type EngineLimits, type FileInput } from '../../engine.ts';
import type { Disarmed } from '../disarm-module.ts';
import { removalLog } from '../removals.ts';
import { describeEmf, isPlusAlone } from './emf.ts';
import { pictureFormat } from './format.ts';
import { rebuildMetafile } from './metafile.ts';
import { describeWmf } from './wmf.ts';

/**
 * Rebuilds the drawing. `already_safe` when that changes no byte. Throws EngineError: `oversize` over the limit, `unsupported` for a
 * drawing in EMF+ alone, `unreadable` for one with a record that is not known here or not sound, or without any that draws.
 */
export async function disarm({ bytes }: FileInput, type: DetectedType, limits: EngineLimits): Promise<Disarmed> {
  if (bytes.length > limits.inputBytes) throw new EngineError('oversize', 'the drawing is larger than the limit');
  const format = pictureFormat(bytes);
  if ((format !== 'emf' && format !== 'wmf') || type.type !== `image/${format}`)
    throw new EngineError('unreadable', `the file does not start like a ${type.description}`);
  const drawing = rebuildMetafile(bytes, format);
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (drawing === null && format === 'emf' && isPlusAlone(view))
    throw new EngineError(
      'unsupported',
      'the drawing is in EMF+ alone, which cannot be made safe here; ask for it as PNG or PDF',
    );
  if (drawing === null)
    throw new EngineError('unreadable', 'the drawing is damaged, or holds records that are not known here');
  if (Buffer.compare(drawing, bytes) === 0) return { outcome: 'already_safe', bytes, type, details: [] };
  const log = removalLog();
  const { leftOut, hasDescription, end } = format === 'emf' ? describeEmf(view) : describeWmf(view);
  if (leftOut > 0) log.note('record that does not draw', `${leftOut} in the drawing`);
  if (hasDescription) log.note('metadata', 'drawing');
  if (end < bytes.length) log.note('appended data', 'drawing');
  if (log.removals.length === 0) log.note('picture data', 'drawing', 'sanitized');
  return { outcome: 'disarmed', bytes: drawing, type, details: log.removals };
}
