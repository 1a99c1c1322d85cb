/** The packing of the first page of a TIFF file, and its size on paper (TIFF 6.0, sections 8 and 21). */

const COMPRESSION = 259;
const PHOTOMETRIC = 262;
const ACROSS = 282;
const DOWN = 283;
const UNIT = 296;
const SUBSAMPLING = 530;
const JPEG = 7;
const YCBCR = 6;
const ENTRY_BYTES = 12;

const INCH = 2;
const CENTIMETRE = 3;
const MM_PER_INCH = 25.4;
/** The density that programs assume when a file does not state it. */
const USUAL = 72 / MM_PER_INCH;
const MOST = 1_000_000;

/** Pixels per millimetre. Pages of fax machines have twice as many across as down. */
export interface TiffDensity {
  readonly xres: number;
  readonly yres: number;
}

interface FirstPage {
  readonly view: DataView;
  readonly isLittle: boolean;
  /** The places of the values of the fields. */
  readonly fields: ReadonlyMap<number, number>;
}

function firstPage(bytes: Uint8Array): FirstPage | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < 8) return null;
  const isLittle = bytes[0] === 0x49;
  const directory = view.getUint32(4, isLittle);
  if (directory + 2 > bytes.length) return null;
  const count = view.getUint16(directory, isLittle);
  const fields = new Map<number, number>();
  for (let index = 0; index < count; index += 1) {
    const at = directory + 2 + index * ENTRY_BYTES;
    if (at + ENTRY_BYTES > bytes.length) return null;
    fields.set(view.getUint16(at, isLittle), at + 8);
  }
  return { view, isLittle, fields };
}

const shortOf = ({ view, isLittle, fields }: FirstPage, field: number, index = 0): number | undefined => {
  const at = fields.get(field);
  return at === undefined ? undefined : view.getUint16(at + index * 2, isLittle);
};

/**
 * Returns the kind of JPEG tiles or strips: colour at half or whole resolution. Returns null for everything else, including damaged files.
 */
export function jpegTiff(bytes: Uint8Array): { readonly hasHalfColour: boolean } | null {
  const page = firstPage(bytes);
  if (page === null || shortOf(page, COMPRESSION) !== JPEG) return null;
  // Without the field it is half in both directions.
  const [across, down] = [shortOf(page, SUBSAMPLING) ?? 2, shortOf(page, SUBSAMPLING, 1) ?? 2];
  return { hasHalfColour: shortOf(page, PHOTOMETRIC) === YCBCR && across === 2 && down === 2 };
}

/** Returns the density; the usual one when the file does not state it in inches or centimetres. */
export function tiffDensity(bytes: Uint8Array): TiffDensity {
  const page = firstPage(bytes);
  const unit = page === null ? 0 : (shortOf(page, UNIT) ?? INCH);
  const mm = unit === INCH ? MM_PER_INCH : unit === CENTIMETRE ? 10 : null;
  const [across, down] = [ACROSS, DOWN].map((field) => (page === null ? null : fractionOf(page, field)));
  if (mm === null || across == null || down == null) return { xres: USUAL, yres: USUAL };
  return { xres: across / mm, yres: down / mm };
}

/** Returns null when there is no number that a page can have. */
function fractionOf({ view, isLittle, fields }: FirstPage, field: number): number | null {
  const at = fields.get(field);
  const place = at === undefined ? view.byteLength : view.getUint32(at, isLittle);
  if (place + 8 > view.byteLength) return null;
  const value = view.getUint32(place, isLittle) / view.getUint32(place + 4, isLittle);
  return value >= 1 && value <= MOST ? value : null;
}
