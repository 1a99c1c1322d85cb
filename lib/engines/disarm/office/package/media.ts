/** Pictures inside Office documents. */
import { EngineError, type EngineLimits, type Removal } from '../../../engine.ts';
import { placeholderPicture, reencodePicture } from '../../image/codec.ts';
import { type PictureFormat, pictureExtras, pictureFormat } from '../../image/format.ts';
import { rebuildMetafile } from '../../image/metafile.ts';

export interface DisarmedPicture {
  /** Null when the picture is removed without a placeholder. */
  readonly file: { readonly name: string; readonly bytes: Uint8Array; readonly contentType: string } | null;
  readonly removals: readonly Pick<Removal, 'kind' | 'action'>[];
}

/**
 * Judges one picture by its bytes. The declared type does not matter. PNG, JPEG and GIF files with only a picture keep their bytes, because
 * encoding them again would only lose quality. Other raster pictures are re-encoded. SVG is written anew or removed (Office stores a raster
 * copy beside it). Metafiles are written anew from drawing records. A picture that cannot be decoded becomes a grey placeholder, so that
 * the layout does not change. Throws EngineError `oversize`.
 */
export async function disarmPicture(bytes: Uint8Array, name: string, limits: EngineLimits): Promise<DisarmedPicture> {
  const format = pictureFormat(bytes);
  if (format === 'svg') return disarmDrawing(bytes, name, limits);
  if (format === null) return placeholder(name, 'disguised content');
  if (format === 'emf' || format === 'wmf') return disarmMetafile(bytes, name, format);
  if (pictureExtras(bytes, format).length === 0) return { file: fileOf(name, format, bytes), removals: [] };
  try {
    // TIFF and bitmaps become PNG, because a second pass must not change the output.
    const target = format === 'gif' || format === 'jpeg' ? format : 'png';
    const pixels = await reencodePicture(bytes, format, limits, { as: target });
    return { file: fileOf(name, target, pixels), removals: [{ kind: 'picture data', action: 'sanitized' }] };
  } catch (error) {
    if (error instanceof EngineError && error.code !== 'oversize') return placeholder(name, 'damaged picture');
    throw error;
  }
}

async function disarmDrawing(bytes: Uint8Array, name: string, limits: EngineLimits): Promise<DisarmedPicture> {
  try {
    const { rebuildDrawing } = await import('../../svg/svg.ts');
    const drawing = await rebuildDrawing(bytes, limits, async (raster) => {
      const { file, removals } = await disarmPicture(raster, name, limits);
      return file === null ? null : { bytes: file.bytes, type: file.contentType, details: removals };
    });
    const isSame = Buffer.compare(drawing.bytes, bytes) === 0;
    const removals = isSame ? [] : [{ kind: 'picture data', action: 'sanitized' } as const, ...drawing.removals];
    return { file: fileOf(name, 'svg', isSame ? bytes : drawing.bytes), removals };
  } catch (error) {
    if (error instanceof EngineError && error.code === 'unreadable')
      return { file: null, removals: [{ kind: 'vector picture', action: 'removed' }] };
    throw error;
  }
}

async function disarmMetafile(bytes: Uint8Array, name: string, format: 'emf' | 'wmf'): Promise<DisarmedPicture> {
  const drawing = rebuildMetafile(bytes, format);
  if (drawing === null) return placeholder(name, 'metafile picture');
  if (Buffer.compare(drawing, bytes) === 0) return { file: fileOf(name, format, bytes), removals: [] };
  return { file: fileOf(name, format, drawing), removals: [{ kind: 'picture data', action: 'sanitized' }] };
}

async function placeholder(name: string, kind: string): Promise<DisarmedPicture> {
  return { file: fileOf(name, 'png', await placeholderPicture()), removals: [{ kind, action: 'removed' }] };
}

const CONTENT_TYPES: Readonly<Partial<Record<PictureFormat, string>>> = {
  svg: 'image/svg+xml',
  emf: 'image/x-emf',
  wmf: 'image/x-wmf',
};

/** Returns the part's name with the extension of its new type. Characters that no writer of Office files uses are replaced. */
function fileOf(name: string, format: PictureFormat, bytes: Uint8Array): DisarmedPicture['file'] {
  const stem = name.replace(/\.[^./]*$/, '').replace(/[^\w\-./]/g, '_');
  return { name: `${stem}.${format}`, bytes, contentType: CONTENT_TYPES[format] ?? `image/${format}` };
}
