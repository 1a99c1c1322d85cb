/**
 * Draws a StarView metafile as SVG: its lines, areas and texts, in their colours. Bitmaps, clips and comments are left out. A gradient is
 * drawn by its areas. The result is disarmed like any drawing.
 */
import { StarDrawing } from './star-drawing.ts';
import { readMapMode, StarReader } from './star-records.ts';
import { mapOf, number } from './star-state.ts';

/** The first bytes of such a file. */
export const STAR_METAFILE = Buffer.from('VCLMTF');

/** Limits against files that draw endlessly. A chart of ten thousand points is below them. */
const MAX_RECORDS = 200_000;
const MAX_SVG_LENGTH = 16 * 1024 * 1024;

/** Returns the drawing as SVG; null when the file is damaged, or draws too much or nothing. */
export function svgOfStarMetafile(bytes: Uint8Array): string | null {
  try {
    return drawn(bytes);
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

function drawn(bytes: Uint8Array): string | null {
  const reader = new StarReader(bytes);
  if (!STAR_METAFILE.equals(Buffer.from(reader.take(STAR_METAFILE.length)))) return null;
  const { body: header } = reader.part();
  header.word();
  const map = mapOf(readMapMode(header), null);
  const size = header.point();
  const [width, height] = [size.x * map.scale.x, size.y * map.scale.y];
  if (!(width > 0 && height > 0)) return null;
  const drawing = new StarDrawing(map);
  for (let count = 0; reader.left >= 8; count++) {
    const type = reader.short();
    const { version, body } = reader.part();
    drawing.take(type, version, body);
    if (count >= MAX_RECORDS || drawing.length > MAX_SVG_LENGTH) return null;
  }
  if (drawing.length === 0) return null;
  const [w, h] = [number(width), number(height)];
  const measure = `width="${number(width / 100)}mm" height="${number(height / 100)}mm" viewBox="0 0 ${w} ${h}"`;
  return `<svg xmlns="http://www.w3.org/2000/svg" ${measure}>${drawing.markup()}</svg>`;
}
