/** Disarm of raster pictures. All are decoded and encoded again. Formats without a decoder here (HEIC, metafiles, icons) are refused. */

import type { DetectedType } from '../../../formats/detection/detected-type.ts';
import { describeType, type FileType } from '../../../formats/file-types.ts';
import type { EngineLimits, FileInput, Removal } from '../../engine.ts';
import { EngineError } from '../../engine.ts';
import type { Disarmed, DisarmStrategy } from '../disarm-module.ts';
import { isTransparent, type OutputFormat, outputFormat, reencodePicture } from './codec.ts';
import { pictureExtras, pictureFormat, type RasterFormat } from './format.ts';

const FORMATS: ReadonlyMap<string, RasterFormat> = new Map([
  ['image/jpeg', 'jpeg'],
  ['image/png', 'png'],
  ['image/gif', 'gif'],
  ['image/webp', 'webp'],
  ['image/tiff', 'tiff'],
  ['image/bmp', 'bmp'],
  ['image/avif', 'avif'],
]);

/**
 * Re-encodes the picture. Pixels, size, transparency and frames stay, the orientation is applied, and everything else is removed. The
 * outcome is always `disarmed`. Throws EngineError `oversize`, `unreadable`, `unsupported`.
 */
export async function disarm(input: FileInput, type: DetectedType, limits: EngineLimits): Promise<Disarmed> {
  const format = FORMATS.get(type.type);
  if (format === undefined || pictureFormat(input.bytes) !== format) {
    throw new EngineError('unreadable', `the file does not start like a ${type.description}`);
  }
  // JPEG has no transparency.
  const as = format === 'avif' && (await isTransparent(input.bytes, limits)) ? 'png' : outputFormat(format);
  const { bytes, isDamaged } = await reencode(input, { format, as, limits });
  const damage: Removal = { kind: 'damaged structure', action: 'sanitized', where: 'picture file' };
  const details = pictureExtras(input.bytes, format)
    .filter((kind) => kind !== 'unusual structure' && (kind !== 'metadata' || input.keepMetadata !== true))
    .map((kind): Removal => ({ kind, action: 'removed', where: 'picture file' }));
  return {
    outcome: 'disarmed',
    bytes,
    type: describeType(`image/${as}` satisfies FileType),
    details: isDamaged ? [damage, ...details] : details,
  };
}

interface Reencoded {
  readonly bytes: Uint8Array;
  readonly isDamaged: boolean;
}

/**
 * Some cameras and scanners leave JPEGs that end too early. Viewers show what there is, and so does the result. Damaged pictures of
 * other formats are refused, because nothing says how much of the picture is left.
 */
interface Target {
  readonly format: RasterFormat;
  readonly as: OutputFormat;
  readonly limits: EngineLimits;
}

async function reencode(input: FileInput, { format, as, limits }: Target): Promise<Reencoded> {
  const options = { applyOrientation: true, keepMetadata: input.keepMetadata === true, as };
  try {
    return { bytes: await reencodePicture(input.bytes, format, limits, options), isDamaged: false };
  } catch (error) {
    const isDamaged = error instanceof EngineError && error.code === 'unreadable';
    if (!isDamaged || format !== 'jpeg') throw error;
    const bytes = await reencodePicture(input.bytes, format, limits, { ...options, isLenient: true });
    return { bytes, isDamaged: true };
  }
}

export const strategies: readonly DisarmStrategy[] = [
  {
    name: 'picture as PNG',
    keepsText: true,
    disarm: async (input, type, limits) => {
      const format = FORMATS.get(type.type);
      if (format === undefined) throw new EngineError('unsupported', 'no decoder for this picture');
      const bytes = await reencodePicture(input.bytes, format, limits, { applyOrientation: true, as: 'png' });
      const details = [{ kind: 'other frames and pages', action: 'removed', where: 'picture file' }] as const;
      return { outcome: 'disarmed', bytes, type: describeType('image/png'), details };
    },
  },
];
