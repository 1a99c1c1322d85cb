/** Draws the pages of a PDF with PDFium (wasm), so that drawn codes are found like embedded ones. */
import { dropWhenFailing, heapOf, loadPdfium, type Pdfium } from '../pdf/pdfium.ts';
import type { Pictures, Pixels } from './pictures.ts';

/** Pages that are drawn. A document may have ten thousand. */
const MAX_PAGES = 20;
/** Longest side of a page in pixels. The modules of a code of one centimetre on A4 then have two pixels. */
const MAX_SIDE = 1_600;
const WHITE = 0xffffffff;
/** FPDF_ANNOT and FPDF_REVERSE_BYTE_ORDER: pages are drawn with annotations, as RGBA. */
const FLAGS = 0x01 | 0x10;
/** FPDFBitmap_BGRA. */
const WITH_ALPHA = 1;

/** The number of pages that are drawn, and their size. */
export interface PageBounds {
  readonly pages: number;
  /** Pixels. */
  readonly longestSide: number;
  /**
   * Decides whether a page is returned. It must not keep the pixels. Copying the pixels of an empty page takes longer than drawing it.
   * @default all
   */
  readonly isWanted?: (pixels: Pixels) => boolean;
}
const USUAL: PageBounds = { pages: MAX_PAGES, longestSide: MAX_SIDE };

/** Draws the pages of a PDF. Throws when it does not open without a password. The document is freed after its last page. */
export async function openPages(bytes: Uint8Array, bounds: PageBounds = USUAL): Promise<Pictures> {
  const pdfium = await loadPdfium();
  const { malloc, free } = pdfium.pdfium.wasmExports;
  const input = dropWhenFailing(() => malloc(bytes.length));
  heapOf(pdfium).set(bytes, input);
  const document = dropWhenFailing(() => pdfium.FPDF_LoadMemDocument(input, bytes.length, ''));
  if (document === 0) {
    free(input);
    throw new Error('the PDF cannot be shown');
  }
  const total = pdfium.FPDF_GetPageCount(document);
  async function* frames(): AsyncGenerator<Pixels> {
    try {
      for (let index = 0; index < Math.min(total, bounds.pages); index++) {
        const pixels = dropWhenFailing(() => rendered(pdfium, document, index, bounds));
        if (pixels !== null) yield pixels;
      }
    } finally {
      pdfium.FPDF_CloseDocument(document);
      free(input);
    }
  }
  return { frames: frames(), isPartial: total > bounds.pages };
}

/** Draws one page. Returns null for a page that cannot be shown, or is not wanted. */
function rendered(
  pdfium: Pdfium,
  document: number,
  index: number,
  { longestSide, isWanted = () => true }: PageBounds,
): Pixels | null {
  const page = pdfium.FPDF_LoadPage(document, index);
  if (page === 0) return null;
  const [pageWidth, pageHeight] = [pdfium.FPDF_GetPageWidthF(page), pdfium.FPDF_GetPageHeightF(page)];
  const scale = longestSide / Math.max(1, pageWidth, pageHeight);
  const width = Math.max(1, Math.round(pageWidth * scale));
  const height = Math.max(1, Math.round(pageHeight * scale));
  const bitmap = pdfium.FPDFBitmap_Create(width, height, WITH_ALPHA);
  try {
    if (bitmap === 0) return null;
    pdfium.FPDFBitmap_FillRect(bitmap, 0, 0, width, height, WHITE);
    pdfium.FPDF_RenderPageBitmap(bitmap, page, 0, 0, width, height, 0, FLAGS);
    const start = pdfium.FPDFBitmap_GetBuffer(bitmap);
    const size = pdfium.FPDFBitmap_GetStride(bitmap) * height;
    const drawn = new Uint8ClampedArray(heapOf(pdfium).buffer, start, size);
    return isWanted({ data: drawn, width, height }) ? { data: drawn.slice(), width, height } : null;
  } finally {
    if (bitmap !== 0) pdfium.FPDFBitmap_Destroy(bitmap);
    pdfium.FPDF_ClosePage(page);
  }
}
