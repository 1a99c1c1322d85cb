/** Pages of a PDF as pictures, by PDFium (wasm): codes that are drawn are found like those that are embedded. */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { WrappedPdfiumModule } from '@embedpdf/pdfium';
import type { Pictures, Pixels } from './pictures.ts';

/** A document of ten thousand pages: those that a reader sees first. */
const MOST_PAGES = 20;
/** Longest side of a page in pixels. A code of a centimetre on A4 then has modules of two pixels. */
const LONGEST_SIDE = 1_600;
const WHITE = 0xffffffff;
/** FPDF_ANNOT and FPDF_REVERSE_BYTE_ORDER: what a reader shows, as RGBA. */
const FLAGS = 0x01 | 0x10;
/** FPDFBitmap_BGRA. */
const WITH_ALPHA = 1;

let loading: Promise<WrappedPdfiumModule> | undefined;

function loadPdfium(): Promise<WrappedPdfiumModule> {
  loading ??= (async () => {
    const { init } = await import('@embedpdf/pdfium');
    const wasm = await readFile(createRequire(import.meta.url).resolve('@embedpdf/pdfium/pdfium.wasm'));
    const pdfium = await init({ wasmBinary: new Uint8Array(wasm).buffer });
    pdfium.PDFiumExt_Init();
    return pdfium;
  })();
  return loading;
}

/** The wasm memory as it is now: growing it makes a new view. The library has it but does not declare it. */
function heapOf(pdfium: WrappedPdfiumModule): Uint8Array {
  return (pdfium.pdfium as unknown as { readonly HEAPU8: Uint8Array }).HEAPU8;
}

/** How many pages are drawn, and how large. */
export interface PageBounds {
  readonly pages: number;
  /** Pixels. */
  readonly longestSide: number;
}
const USUAL: PageBounds = { pages: MOST_PAGES, longestSide: LONGEST_SIDE };

/** Throws when the bytes are no PDF that opens without a password. The document is freed with its last page. */
export async function openPages(bytes: Uint8Array, bounds = USUAL): Promise<Pictures> {
  const pdfium = await loadPdfium();
  const { malloc, free } = pdfium.pdfium.wasmExports;
  const input = malloc(bytes.length);
  heapOf(pdfium).set(bytes, input);
  const document = pdfium.FPDF_LoadMemDocument(input, bytes.length, '');
  if (document === 0) {
    free(input);
    throw new Error('no PDF that can be shown');
  }
  const total = pdfium.FPDF_GetPageCount(document);
  async function* frames(): AsyncGenerator<Pixels> {
    try {
      for (let index = 0; index < Math.min(total, bounds.pages); index++) {
        const pixels = rendered(pdfium, document, index, bounds.longestSide);
        if (pixels !== null) yield pixels;
      }
    } finally {
      pdfium.FPDF_CloseDocument(document);
      free(input);
    }
  }
  return { frames: frames(), isPartial: total > bounds.pages };
}

/** Null for a page that cannot be shown. */
function rendered(pdfium: WrappedPdfiumModule, document: number, index: number, longestSide: number): Pixels | null {
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
    return { data: new Uint8ClampedArray(heapOf(pdfium).slice(start, start + size).buffer), width, height };
  } finally {
    if (bitmap !== 0) pdfium.FPDFBitmap_Destroy(bitmap);
    pdfium.FPDF_ClosePage(page);
  }
}
