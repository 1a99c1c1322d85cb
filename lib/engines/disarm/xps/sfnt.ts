/**
 * Writes a TrueType or OpenType font anew ([OpenType] 1.9): the tables that place and draw glyphs, each checked. The programs in a TrueType
 * font that fit glyphs to pixels are left out, because a font engine runs them. Glyphs look the same without them.
 */

const KEPT = ['OS/2', 'CFF ', 'cmap', 'glyf', 'head', 'hhea', 'hmtx', 'loca', 'maxp', 'post', 'vhea', 'vmtx'] as const;
const NEEDED = ['cmap', 'head', 'hhea', 'hmtx', 'maxp'] as const;
/** Tables of one font. Real ones have some 30. */
const MAX_TABLES = 64;
const HEAD_BYTES = 54;
const MAGIC = 0x5f0f3cf5;

/** Returns the font written anew; null when it is none, or is damaged. */
export function rebuildFont(bytes: Uint8Array): Uint8Array | null {
  try {
    const tables = readTables(Buffer.from(bytes));
    return tables === null ? null : writeFont(rebuilt(tables));
  } catch (error) {
    // Every read beyond the end of a table ends here.
    if (error instanceof RangeError) return null;
    throw error;
  }
}

type Tables = Map<string, Buffer>;

function readTables(font: Buffer): Tables | null {
  const version = font.toString('latin1', 0, 4);
  if (!['\0\x01\0\0', 'true', 'OTTO'].includes(version)) return null;
  const count = font.readUInt16BE(4);
  if (count > MAX_TABLES) return null;
  const tables: Tables = new Map();
  for (let row = 0; row < count; row += 1) {
    const at = 12 + row * 16;
    const tag = font.toString('latin1', at, at + 4);
    const [from, length] = [font.readUInt32BE(at + 8), font.readUInt32BE(at + 12)];
    if (from + length > font.length || tables.has(tag)) return null;
    if (KEPT.some((kept) => kept === tag)) tables.set(tag, font.subarray(from, from + length));
  }
  const hasOutlines = tables.has('CFF ') !== (tables.has('glyf') && tables.has('loca'));
  return hasOutlines && NEEDED.every((tag) => tables.has(tag)) ? tables : null;
}

function rebuilt(tables: Tables): Tables {
  const out: Tables = new Map(tables);
  const [head, maxp] = [
    Buffer.from(tableOf(tables, 'head').subarray(0, HEAD_BYTES)),
    Buffer.from(tableOf(tables, 'maxp')),
  ];
  if (head.readUInt32BE(12) !== MAGIC) throw new RangeError('no head of a font');
  const glyphs = maxp.readUInt16BE(4);
  checkMetrics(tables, 'hhea', 'hmtx', glyphs);
  if (tables.has('vhea')) checkMetrics(tables, 'vhea', 'vmtx', glyphs);
  const post = Buffer.alloc(32);
  // Version 3 has no names of glyphs.
  post.writeUInt32BE(0x00030000, 0);
  tables.get('post')?.copy(post, 4, 4, 32);
  out.set('post', post).set('head', head);
  if (tables.has('glyf')) {
    const { glyf, loca } = rebuiltGlyphs(
      tableOf(tables, 'glyf'),
      tableOf(tables, 'loca'),
      glyphs,
      head.readInt16BE(50) === 1,
    );
    head.writeInt16BE(1, 50);
    // Zones, storage, functions, stack and length of programs are zero.
    if (maxp.length >= 32) {
      maxp.writeUInt16BE(1, 14);
      maxp.fill(0, 16, 28);
    }
    out.set('glyf', glyf).set('loca', loca);
  }
  return out.set('maxp', maxp);
}

function tableOf(tables: Tables, tag: string): Buffer {
  const table = tables.get(tag);
  if (table === undefined) throw new RangeError(`no table ${tag}`);
  return table;
}

function checkMetrics(tables: Tables, header: string, metrics: string, glyphs: number): void {
  const long = tableOf(tables, header).readUInt16BE(34);
  if (long > glyphs || long === 0 || tableOf(tables, metrics).length < long * 4 + (glyphs - long) * 2)
    throw new RangeError('metrics of too few glyphs');
}

function rebuiltGlyphs(glyf: Buffer, loca: Buffer, glyphs: number, isLong: boolean): { glyf: Buffer; loca: Buffer } {
  const offsetOf = (index: number) => (isLong ? loca.readUInt32BE(index * 4) : loca.readUInt16BE(index * 2) * 2);
  const places = Buffer.alloc((glyphs + 1) * 4);
  const pieces: Buffer[] = [];
  let length = 0;
  for (let index = 0; index < glyphs; index += 1) {
    const [from, to] = [offsetOf(index), offsetOf(index + 1)];
    if (to < from || to > glyf.length) throw new RangeError('a glyph outside of its table');
    const glyph = to === from ? Buffer.alloc(0) : rebuiltGlyph(glyf.subarray(from, to), glyphs);
    const padded = Buffer.concat([glyph, Buffer.alloc((4 - (glyph.length % 4)) % 4)]);
    pieces.push(padded);
    length += padded.length;
    places.writeUInt32BE(length, (index + 1) * 4);
  }
  return { glyf: Buffer.concat(pieces), loca: places };
}

/** Returns a glyph without its program, cut at the end of its points. */
function rebuiltGlyph(glyph: Buffer, glyphs: number): Buffer {
  const contours = glyph.readInt16BE(0);
  if (contours === 0) return Buffer.alloc(0);
  return contours < 0 ? rebuiltComposite(glyph, glyphs) : rebuiltSimple(glyph, contours);
}

function rebuiltSimple(glyph: Buffer, contours: number): Buffer {
  const ends = 10 + contours * 2;
  let points = 0;
  for (let at = 10; at < ends; at += 2) {
    const end = glyph.readUInt16BE(at) + 1;
    if (end < points) throw new RangeError('contours that go back');
    points = end;
  }
  const from = ends + 2 + glyph.readUInt16BE(ends);
  let at = from;
  let coordinates = 0;
  for (let left = points; left > 0; ) {
    const flag = glyph.readUInt8(at);
    const repeats = (flag & 8) === 0 ? 1 : glyph.readUInt8(at + 1) + 1;
    if (repeats > left) throw new RangeError('more flags than points');
    coordinates += repeats * (sizeOf(flag, 2, 16) + sizeOf(flag, 4, 32));
    at += (flag & 8) === 0 ? 1 : 2;
    left -= repeats;
  }
  if (at + coordinates > glyph.length) throw new RangeError('points beyond the glyph');
  return Buffer.concat([glyph.subarray(0, ends), Buffer.alloc(2), glyph.subarray(from, at + coordinates)]);
}

/** Returns the bytes of a coordinate: one if it is short, none if it equals the one before. */
const sizeOf = (flag: number, short: number, same: number) => ((flag & short) !== 0 ? 1 : (flag & same) !== 0 ? 0 : 2);

function rebuiltComposite(glyph: Buffer, glyphs: number): Buffer {
  const out = Buffer.from(glyph);
  let at = 10;
  for (let more = true; more; ) {
    const flags = glyph.readUInt16BE(at);
    if (glyph.readUInt16BE(at + 2) >= glyphs) throw new RangeError('a part that is no glyph');
    out.writeUInt16BE(flags & ~0x0100, at);
    at += 4 + ((flags & 1) !== 0 ? 4 : 2);
    at += (flags & 8) !== 0 ? 2 : (flags & 0x40) !== 0 ? 4 : (flags & 0x80) !== 0 ? 8 : 0;
    if (at > glyph.length) throw new RangeError('parts beyond the glyph');
    more = (flags & 0x20) !== 0;
  }
  return out.subarray(0, at);
}

function writeFont(tables: Tables): Uint8Array {
  const tags = [...tables.keys()].sort();
  const power = 2 ** Math.floor(Math.log2(tags.length));
  const directory = Buffer.alloc(12 + tags.length * 16);
  directory.write(tables.has('CFF ') ? 'OTTO' : '\0\x01\0\0', 0, 'latin1');
  directory.writeUInt16BE(tags.length, 4);
  directory.writeUInt16BE(power * 16, 6);
  directory.writeUInt16BE(Math.log2(power), 8);
  directory.writeUInt16BE((tags.length - power) * 16, 10);
  const head = tableOf(tables, 'head');
  head.writeUInt32BE(0, 8);
  const bodies: Buffer[] = [];
  let at = directory.length;
  for (const [row, tag] of tags.entries()) {
    const table = tableOf(tables, tag);
    const padded = Buffer.concat([table, Buffer.alloc((4 - (table.length % 4)) % 4)]);
    directory.write(tag, 12 + row * 16, 'latin1');
    directory.writeUInt32BE(sumOf(padded), 16 + row * 16);
    directory.writeUInt32BE(at, 20 + row * 16);
    directory.writeUInt32BE(table.length, 24 + row * 16);
    bodies.push(padded);
    at += padded.length;
  }
  const font = Buffer.concat([directory, ...bodies]);
  const headAt = directory.readUInt32BE(20 + tags.indexOf('head') * 16);
  font.writeUInt32BE((0xb1b0afba - sumOf(font)) >>> 0, headAt + 8);
  return font;
}

function sumOf(bytes: Buffer): number {
  let sum = 0;
  for (let at = 0; at + 4 <= bytes.length; at += 4) sum = (sum + bytes.readUInt32BE(at)) >>> 0;
  return sum;
}
