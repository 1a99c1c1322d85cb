/**
 * Pictures whose decoders have been attacked before (JBIG2, JPEG 2000): they are decoded here, by PDFium in its wasm, and written anew
 * as plain samples, so that no reader decodes them again.
 */
import { deflateSync } from 'node:zlib';
import { missingPackage } from '../../../formats/missing-package.ts';
import { heapOf, type Pdfium } from '../../../formats/pdf/pdfium.ts';
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
  /** The dictionary of the output, without filters and without what the samples say. */
  readonly text: string;
  readonly width: number;
  readonly height: number;
  /** A mask, or a picture of one colour: its samples stay one a pixel. */
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

/** The object of the output; null when the picture cannot be decoded. Throws EngineError `oversize`. */
export async function decodedPicture(order: PictureOrder, limits: EngineLimits): Promise<ObjectBody | null> {
  const { width, height } = order;
  if (!(Number.isInteger(width) && Number.isInteger(height) && width > 0 && height > 0)) return null;
  if (width * height > limits.pixels) throw new EngineError('oversize', 'a picture of the PDF has too many pixels');
  const document = documentOf(order);
  const samples = await withPdfium(document.length, (pdfium) => samplesOf(pdfium, document, order)).catch(onlyDamage);
  if (samples === null) return null;
  const { data, wrapping } = sealed({ data: deflateSync(samples.bytes), reencoded: true });
  const own = `${samples.entries} /Filter ${flateFilters(wrapping)} /Length ${data.length}`;
  return { text: `${order.text.replace(/ >>$/, '')} ${own} >>`, data };
}

/** A damaged picture is left out. One that is too large, or that nothing here can read, is not. */
function onlyDamage(error: unknown): null {
  if (error instanceof EngineError && error.code === 'oversize') throw error;
  if (missingPackage(error) !== null) throw error;
  return null;
}

/** A page with nothing but the picture. */
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

function samplesOf(pdfium: Pdfium, document: Uint8Array, order: PictureOrder): Samples | null {
  const memory = pdfium.pdfium.wasmExports;
  const at = memory.malloc(document.length);
  heapOf(pdfium).set(document, at);
  const file = pdfium.FPDF_LoadMemDocument(at, document.length, '');
  const page = file === 0 ? 0 : pdfium.FPDF_LoadPage(file, 0);
  try {
    const object = page === 0 || pdfium.FPDFPage_CountObjects(page) !== 1 ? 0 : pdfium.FPDFPage_GetObject(page, 0);
    const bitmap = object === 0 ? 0 : pdfium.FPDFImageObj_GetBitmap(object);
    if (bitmap === 0) return null;
    const samples = readBitmap(pdfium, bitmap, order);
    pdfium.FPDFBitmap_Destroy(bitmap);
    return samples;
  } finally {
    if (page !== 0) pdfium.FPDF_ClosePage(page);
    if (file !== 0) pdfium.FPDF_CloseDocument(file);
    memory.free(at);
  }
}

/** Bytes of a pixel by PDFium's number of the format: gray, BGR, BGR and nothing, BGR and opacity. */
const PIXEL_BYTES: Readonly<Record<number, number>> = { 1: 1, 2: 3, 3: 4, 4: 4 };

function readBitmap(pdfium: Pdfium, bitmap: number, order: PictureOrder): Samples | null {
  const pixel = PIXEL_BYTES[pdfium.FPDFBitmap_GetFormat(bitmap)];
  const [width, height] = [pdfium.FPDFBitmap_GetWidth(bitmap), pdfium.FPDFBitmap_GetHeight(bitmap)];
  if (pixel === undefined || width !== order.width || height !== order.height) return null;
  const stride = pdfium.FPDFBitmap_GetStride(bitmap);
  const start = pdfium.FPDFBitmap_GetBuffer(bitmap);
  const pixels = heapOf(pdfium).subarray(start, start + stride * height);
  if (order.kind === 'JBIG2')
    return { entries: '/BitsPerComponent 1', bytes: bits(pixels, { width, height, stride, pixel }) };
  const isGray = order.isGray || pixel === 1;
  const bytes = channels(pixels, { width, height, stride, pixel }, isGray ? 1 : 3);
  return { entries: `/ColorSpace /Device${isGray ? 'Gray' : 'RGB'} /BitsPerComponent 8 `, bytes };
}

interface Shape {
  readonly width: number;
  readonly height: number;
  readonly stride: number;
  readonly pixel: number;
}

/** One bit a pixel, rows to the byte, as the decoder of JBIG2 gave them. */
function bits(pixels: Uint8Array, { width, height, stride, pixel }: Shape): Uint8Array {
  const row = Math.ceil(width / 8);
  const out = new Uint8Array(row * height);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      if ((pixels[y * stride + x * pixel] as number) < 128) continue;
      const at = y * row + (x >> 3);
      out[at] = (out[at] as number) | (0x80 >> (x & 7));
    }
  }
  return out;
}

/** PDFium writes blue first. */
function channels(pixels: Uint8Array, { width, height, stride, pixel }: Shape, count: 1 | 3): Uint8Array {
  const out = new Uint8Array(width * height * count);
  let to = 0;
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const at = y * stride + x * pixel;
      for (let channel = count - 1; channel >= 0; channel--)
        out[to++] = pixels[at + (pixel === 1 ? 0 : channel)] as number;
    }
  }
  return out;
}
