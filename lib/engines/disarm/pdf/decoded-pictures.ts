/**
 * Pictures whose decoders have been attacked before (JBIG2, JPEG 2000). PDFium in its wasm decodes them here. They are written anew as
 * plain samples, so that no reader decodes them again.
 */
import { deflateSync } from 'node:zlib';
import { missingPackage } from '../../../formats/missing-package.ts';
import { type Bitmap, channelsOf, readOnlyPicture } from '../../../formats/pdf/only-picture.ts';
import { EngineError, type EngineLimits } from '../../engine.ts';
import { withPdfium } from './pdfium.ts';
import { flateFilters, sealed } from './streams.ts';
import { type ObjectBody, writePdf } from './write.ts';

/** The report's word for a picture that is removed because it cannot be decoded. */
export const UNDECODED_PICTURE = 'picture that cannot be decoded';

const NOTHING = deflateSync('');
/** The object that replaces it. It shows nothing. */
export const NO_PICTURE: ObjectBody = {
  text: `<< /Type /XObject /Subtype /Form /BBox [0 0 0 0] /Filter /FlateDecode /Length ${NOTHING.length} >>`,
  data: NOTHING,
};

/** A picture to be decoded. */
export interface PictureOrder {
  /** Object number in the output. */
  readonly number: number;
  readonly where: string;
  readonly kind: 'JBIG2' | 'JPX';
  /** The dictionary of the output, without filters and without entries that follow from the samples. */
  readonly text: string;
  readonly width: number;
  readonly height: number;
  /** A mask, or a picture of one colour, which keeps one sample per pixel. */
  readonly isGray: boolean;
  readonly filter: string;
  readonly data: Uint8Array;
  /** The segments that several JBIG2 pictures share. */
  readonly globals: Uint8Array | null;
}

interface Samples {
  readonly entries: string;
  readonly bytes: Uint8Array;
}

/** Returns the object of the output; null when the picture cannot be decoded. Throws EngineError `oversize`. */
export async function decodedPicture(order: PictureOrder, limits: EngineLimits): Promise<ObjectBody | null> {
  const { width, height } = order;
  if (!(Number.isInteger(width) && Number.isInteger(height) && width > 0 && height > 0)) return null;
  if (width * height > limits.pixels) throw new EngineError('oversize', 'a picture of the PDF has too many pixels');
  const document = documentOf(order);
  const samples = await withPdfium(document.length, (pdfium) =>
    readOnlyPicture(pdfium, document, (bitmap) => samplesOf(bitmap, order)),
  ).catch(onlyDamage);
  if (samples === null) return null;
  const { data, wrapping } = sealed({ data: deflateSync(samples.bytes), reencoded: true });
  const own = `${samples.entries} /Filter ${flateFilters(wrapping)} /Length ${data.length}`;
  return { text: `${order.text.replace(/ >>$/, '')} ${own} >>`, data };
}

/** Leaves out a damaged picture. One that is too large, or that nothing here can read, is not left out. */
function onlyDamage(error: unknown): null {
  if (error instanceof EngineError && error.code === 'oversize') throw error;
  if (missingPackage(error) !== null) throw error;
  return null;
}

/** Returns a page with nothing but the picture. */
function documentOf({ kind, width, height, filter, data, globals }: PictureOrder): Uint8Array {
  const drawing = Buffer.from(`${width} 0 0 ${height} 0 0 cm /P Do`, 'latin1');
  const colours = kind === 'JBIG2' ? '/ColorSpace /DeviceGray /BitsPerComponent 1' : '';
  const shared = globals === null ? '' : '/DecodeParms << /JBIG2Globals 6 0 R >>';
  const image = `/Type /XObject /Subtype /Image /Width ${width} /Height ${height} ${colours} /Filter /${filter} ${shared}`;
  const bodies: ObjectBody[] = [
    { text: '<< /Type /Catalog /Pages 2 0 R >>', data: null },
    { text: '<< /Type /Pages /Kids [3 0 R] /Count 1 >>', data: null },
    {
      text: '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] /Contents 4 0 R /Resources << /XObject << /P 5 0 R >> >> >>',
      data: null,
    },
    { text: `<< /Length ${drawing.length} >>`, data: drawing },
    { text: `<< ${image} /Length ${data.length} >>`, data },
  ];
  if (globals !== null) bodies.push({ text: `<< /Length ${globals.length} >>`, data: globals });
  return writePdf(bodies, '1.7');
}

function samplesOf(bitmap: Bitmap, order: PictureOrder): Samples | null {
  if (bitmap.width !== order.width || bitmap.height !== order.height) return null;
  if (order.kind === 'JBIG2') return { entries: '/BitsPerComponent 1', bytes: bits(bitmap) };
  const isGray = order.isGray || bitmap.pixelBytes === 1;
  const entries = `/ColorSpace /Device${isGray ? 'Gray' : 'RGB'} /BitsPerComponent 8 `;
  return { entries, bytes: channelsOf(bitmap, isGray ? 1 : 3) };
}

/** Packs one bit per pixel, row by row, as the decoder of JBIG2 gave them. */
function bits({ width, height, rows, stride, pixelBytes }: Bitmap): Uint8Array {
  const row = Math.ceil(width / 8);
  const out = new Uint8Array(row * height);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      if ((rows[y * stride + x * pixelBytes] as number) < 128) continue;
      const at = y * row + (x >> 3);
      out[at] = (out[at] as number) | (0x80 >> (x & 7));
    }
  }
  return out;
}
