/**
 * Reads the headers of bitmaps of Windows and OS/2: size, depth, packing, masks, and the places of colours and pixels. The length of a
 * header tells its kind: 12 (OS/2 1), 16 and 64 (OS/2 2), and 40, 52, 56, 108 and 124 (Windows, [MS-WMF] 2.2.2).
 */
import { PictureError } from './picture-error.ts';

/** How the pixels are packed. Fields are plain pixels with masks that say which bits each colour has. */
export type Packing = 'plain' | 'fields' | 'runs';

export interface BitmapHeader {
  readonly width: number;
  readonly height: number;
  readonly isTopFirst: boolean;
  readonly bits: number;
  readonly packing: Packing;
  readonly palette: Palette;
  /** The bits of red, green, blue and opacity. The last is 0 when all of the pixel is opaque. */
  readonly masks: readonly [red: number, green: number, blue: number, alpha: number];
  readonly pixelsAt: number;
}

/** The place of the numbered colours, their number, and the bytes of each. */
export interface Palette {
  readonly at: number;
  readonly count: number;
  readonly bytesEach: 3 | 4;
}

const FILE_HEADER = 14;
/** The header of OS/2 1, with short sides and colours of three bytes. */
const CORE_HEADER = 12;
const OS2_HEADER = 64;
/**
 * The header of Windows 3. A shorter one was cut after the depth. Its masks follow it. Later headers contain the masks, at the same place.
 */
const INFO_HEADER = 40;
const MASKS_AT = FILE_HEADER + INFO_HEADER;
/** The first header that has a mask for opacity. */
const ALPHA_HEADER = 56;

const RUNS_OF_8_BITS = 1;
const RUNS_OF_4_BITS = 2;
const FIELDS = 3;
/** OS/2 2 has this number for runs of 24 bits. Windows has it for a JPEG, which only printers read. */
const OS2_RUNS_OF_24_BITS = 4;
const FIELDS_WITH_ALPHA = 6;
/** The usual parts of a pixel of 16 bits: five bits for each colour. */
const FIVE_BITS_EACH = [0x7c00, 0x03e0, 0x001f, 0] as const;
const EIGHT_BITS_EACH = [0xff0000, 0xff00, 0xff, 0] as const;

/** Reads the header. Throws PictureError `unreadable`, or `unsupported` for a depth or a packing that is not read here. */
export function bitmapHeader(view: Buffer): BitmapHeader {
  const headerBytes = view.length < FILE_HEADER + CORE_HEADER ? 0 : view.readUInt32LE(FILE_HEADER);
  if (headerBytes < CORE_HEADER || FILE_HEADER + headerBytes > view.length)
    throw new PictureError('unreadable', 'the picture ends in its header');
  if (headerBytes === CORE_HEADER) return coreHeader(view);
  const [width, rows, bits] = [view.readInt32LE(18), view.readInt32LE(22), view.readUInt16LE(28)];
  const isShort = headerBytes < INFO_HEADER;
  const compression = isShort ? 0 : view.readUInt32LE(30);
  const packing = packingOf(compression, bits, headerBytes);
  const hasAlpha = headerBytes >= ALPHA_HEADER || compression === FIELDS_WITH_ALPHA;
  const masks = packing === 'fields' ? masksIn(view, hasAlpha) : bits === 16 ? FIVE_BITS_EACH : EIGHT_BITS_EACH;
  const listed = isShort ? 0 : view.readUInt32LE(46);
  const count = bits > 8 ? 0 : Math.min(listed || 2 ** bits, 2 ** bits);
  const palette: Palette = { at: FILE_HEADER + headerBytes, count, bytesEach: 4 };
  const pixelsAt = pixelsBehind(view.readUInt32LE(10), palette);
  return { ...sized(width, rows), bits, packing, palette, masks, pixelsAt };
}

function coreHeader(view: Buffer): BitmapHeader {
  const bits = view.readUInt16LE(24);
  const at = FILE_HEADER + CORE_HEADER;
  const pixelsAt = view.readUInt32LE(10);
  const listed = Math.floor((pixelsAt - at) / 3);
  const count = bits > 8 ? 0 : Math.min(Math.max(listed, 0), 2 ** bits);
  const masks = bits === 16 ? FIVE_BITS_EACH : EIGHT_BITS_EACH;
  const size = sized(view.readUInt16LE(18), view.readUInt16LE(20));
  return {
    ...size,
    bits,
    packing: packingOf(0, bits, CORE_HEADER),
    palette: { at, count, bytesEach: 3 },
    masks,
    pixelsAt,
  };
}

/** Reads the height. A negative one says that the top row comes first. */
function sized(width: number, rows: number) {
  if (width <= 0 || rows === 0) throw new PictureError('unreadable', 'the picture has no size');
  return { width, height: Math.abs(rows), isTopFirst: rows < 0 };
}

function packingOf(compression: number, bits: number, headerBytes: number): Packing {
  const isOs2 = headerBytes === OS2_HEADER;
  if (compression === 0 && [1, 2, 4, 8, 16, 24, 32].includes(bits)) return 'plain';
  if (compression === RUNS_OF_8_BITS && bits === 8) return 'runs';
  if (compression === RUNS_OF_4_BITS && bits === 4) return 'runs';
  if (isOs2 && compression === OS2_RUNS_OF_24_BITS && bits === 24) return 'runs';
  const hasFields = compression === FIELDS || compression === FIELDS_WITH_ALPHA;
  if (!isOs2 && hasFields && (bits === 16 || bits === 32)) return 'fields';
  throw new PictureError('unsupported', `a bitmap of ${bits} bits with compression ${compression} cannot be disarmed`);
}

function masksIn(view: Buffer, hasAlpha: boolean): BitmapHeader['masks'] {
  if (view.length < MASKS_AT + (hasAlpha ? 16 : 12))
    throw new PictureError('unreadable', 'the picture ends in its header');
  const at = (index: number) => view.readUInt32LE(MASKS_AT + index * 4);
  return [at(0), at(1), at(2), hasAlpha ? at(3) : 0];
}

/** Returns the place of the pixels. Some programs forget the colours when they write it. */
const pixelsBehind = (said: number, { at, count, bytesEach }: Palette): number =>
  said === at ? at + count * bytesEach : said;
