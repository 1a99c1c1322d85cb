/** Inspects a font. Its tables follow each other and are of a closed list, and none of them holds programs for pixels. */

const TABLES = new Set([
  'OS/2',
  'CFF ',
  'cmap',
  'glyf',
  'head',
  'hhea',
  'hmtx',
  'loca',
  'maxp',
  'post',
  'vhea',
  'vmtx',
]);

/** Returns the fault of a font that a disarm wrote, or null when it has none. */
export function fontFault(bytes: Uint8Array): string | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < 12) return 'font-unreadable';
  const version = view.getUint32(0);
  const count = view.getUint16(4);
  const start = 12 + count * 16;
  if ((version !== 0x00010000 && version !== 0x4f54544f) || count === 0 || start > bytes.length)
    return 'font-unreadable';
  const places = new Map<string, { readonly from: number; readonly length: number }>();
  let expected = start;
  for (let at = 12; at < start; at += 16) {
    const tag = Buffer.from(bytes.subarray(at, at + 4)).toString('latin1');
    const [from, length] = [view.getUint32(at + 8), view.getUint32(at + 12)];
    if (!TABLES.has(tag) || places.has(tag)) return 'font-unlisted-table';
    if (from !== expected || from + length > bytes.length) return 'font-hidden-data';
    places.set(tag, { from, length });
    expected = from + Math.ceil(length / 4) * 4;
  }
  if (expected !== bytes.length) return 'font-hidden-data';
  const glyphs = places.get('glyf');
  return glyphs !== undefined && hasPrograms(view, glyphs, places.get('loca')) ? 'font-program' : null;
}

interface Place {
  readonly from: number;
  readonly length: number;
}

/** Returns whether a glyph has instructions. A glyph that cannot be read counts as one with instructions. */
function hasPrograms(view: DataView, glyphs: Place, offsets: Place | undefined): boolean {
  if (offsets === undefined) return true;
  for (let at = 0; at + 8 <= offsets.length; at += 4) {
    const from = view.getUint32(offsets.from + at);
    const to = view.getUint32(offsets.from + at + 4);
    if (to < from || to > glyphs.length) return true;
    if (to === from) continue;
    if (to - from < 12) return true;
    const glyph = glyphs.from + from;
    const contours = view.getInt16(glyph);
    if (contours >= 0 && 12 + contours * 2 > to - from) return true;
    if (contours >= 0 ? view.getUint16(glyph + 10 + contours * 2) !== 0 : (view.getUint16(glyph + 10) & 0x0100) !== 0)
      return true;
  }
  return false;
}
