/** Pictures inside Office documents. */
import { EngineError, type EngineLimits, type Removal } from '../../engine.ts';
import { placeholderPicture, reencodePicture } from '../image/codec.ts';
import { pictureExtras, pictureFormat, type RasterFormat } from '../image/format.ts';

export interface DisarmedPicture {
  /** Null when the picture goes without leaving a gap. */
  readonly file: { readonly name: string; readonly bytes: Uint8Array; readonly contentType: string } | null;
  readonly removals: readonly Pick<Removal, 'kind' | 'action'>[];
}

/**
 * Judges one picture by its bytes; what the package calls it does not matter. PNG, JPEG and GIF files that hold a picture and
 * nothing else stay byte for byte (encoding them again would cost quality and change nothing); other raster pictures are
 * re-encoded; SVG goes, since Office writes a raster twin beside it; metafiles (drawing commands for which no sound decoder
 * exists) and everything undecodable become a grey placeholder, so that the layout holds. Throws EngineError `oversize`.
 */
export async function disarmPicture(bytes: Uint8Array, name: string, limits: EngineLimits): Promise<DisarmedPicture> {
  const format = pictureFormat(bytes);
  if (format === 'svg') return { file: null, removals: [{ kind: 'vector picture', action: 'removed' }] };
  if (format === null) return placeholder(name, 'disguised content');
  if (format === 'emf' || format === 'wmf') return placeholder(name, 'metafile picture');
  if (pictureExtras(bytes, format).length === 0) return { file: fileOf(name, format, bytes), removals: [] };
  try {
    // TIFF and bitmaps become PNG: the output of a second pass must be what it was.
    const target = format === 'gif' || format === 'jpeg' ? format : 'png';
    const pixels = await reencodePicture(bytes, format, limits, { as: target });
    return { file: fileOf(name, target, pixels), removals: [{ kind: 'picture data', action: 'sanitized' }] };
  } catch (error) {
    if (error instanceof EngineError && error.code !== 'oversize') return placeholder(name, 'damaged picture');
    throw error;
  }
}

async function placeholder(name: string, kind: string): Promise<DisarmedPicture> {
  return { file: fileOf(name, 'png', await placeholderPicture()), removals: [{ kind, action: 'removed' }] };
}

/** The part's name with the extension of what it now is; characters no writer of Office files uses are replaced. */
function fileOf(name: string, format: RasterFormat, bytes: Uint8Array): DisarmedPicture['file'] {
  const stem = name.replace(/\.[^./]*$/, '').replace(/[^\w\-./]/g, '_');
  return { name: `${stem}.${format}`, bytes, contentType: `image/${format}` };
}
