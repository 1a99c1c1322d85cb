/** The samples of a PDF's only picture, as PDFium decodes them. */
import { heapOf, type Pdfium } from './pdfium.ts';

/** Rows in PDFium's memory. They are gone when the function that received them returns. */
export interface Bitmap {
  readonly width: number;
  readonly height: number;
  readonly rows: Uint8Array;
  /** Bytes from the start of one row to the next. */
  readonly stride: number;
  /** Bytes of a pixel: one for grey, three or four that begin with blue, green and red. */
  readonly pixelBytes: number;
}

/** Bytes of a pixel by PDFium's number of the format: grey, BGR, BGR with an unused byte, BGR with opacity. */
const PIXEL_BYTES: Readonly<Record<number, number>> = { 1: 1, 2: 3, 3: 4, 4: 4 };

/**
 * Passes the only object of the first page to `read`, if it is a picture. Returns null when it is none, or cannot be decoded. Throws the
 * errors of PDFium.
 */
export function readOnlyPicture<T>(pdfium: Pdfium, document: Uint8Array, read: (bitmap: Bitmap) => T): T | null {
  const memory = pdfium.pdfium.wasmExports;
  const at = memory.malloc(document.length);
  heapOf(pdfium).set(document, at);
  const file = pdfium.FPDF_LoadMemDocument(at, document.length, '');
  const page = file === 0 ? 0 : pdfium.FPDF_LoadPage(file, 0);
  try {
    const object = page === 0 || pdfium.FPDFPage_CountObjects(page) !== 1 ? 0 : pdfium.FPDFPage_GetObject(page, 0);
    const handle = object === 0 ? 0 : pdfium.FPDFImageObj_GetBitmap(object);
    if (handle === 0) return null;
    const bitmap = bitmapOf(pdfium, handle);
    const found = bitmap === null ? null : read(bitmap);
    pdfium.FPDFBitmap_Destroy(handle);
    return found;
  } finally {
    if (page !== 0) pdfium.FPDF_ClosePage(page);
    if (file !== 0) pdfium.FPDF_CloseDocument(file);
    memory.free(at);
  }
}

function bitmapOf(pdfium: Pdfium, handle: number): Bitmap | null {
  const pixelBytes = PIXEL_BYTES[pdfium.FPDFBitmap_GetFormat(handle)];
  if (pixelBytes === undefined) return null;
  const [width, height] = [pdfium.FPDFBitmap_GetWidth(handle), pdfium.FPDFBitmap_GetHeight(handle)];
  const stride = pdfium.FPDFBitmap_GetStride(handle);
  const start = pdfium.FPDFBitmap_GetBuffer(handle);
  return { width, height, stride, pixelBytes, rows: heapOf(pdfium).subarray(start, start + stride * height) };
}

/** Returns the samples without gaps: one a pixel, or red, green and blue. PDFium writes blue first. */
export function channelsOf({ width, height, rows, stride, pixelBytes }: Bitmap, count: 1 | 3): Uint8Array<ArrayBuffer> {
  const out = new Uint8Array(width * height * count);
  let to = 0;
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const at = y * stride + x * pixelBytes;
      for (let channel = count - 1; channel >= 0; channel--)
        out[to++] = rows[at + (pixelBytes === 1 ? 0 : channel)] as number;
    }
  }
  return out;
}
