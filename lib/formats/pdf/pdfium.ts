/** Loads PDFium (wasm), which reads PDFs and draws their pages, once for all documents of a thread. */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { WrappedPdfiumModule } from '@embedpdf/pdfium';

export type Pdfium = WrappedPdfiumModule;

let loading: Promise<Pdfium> | undefined;

/** Returns the instance of this thread. */
export function loadPdfium(): Promise<Pdfium> {
  loading ??= (async () => {
    const { init } = await import('@embedpdf/pdfium');
    const wasm = await readFile(createRequire(import.meta.url).resolve('@embedpdf/pdfium/pdfium.wasm'));
    const pdfium = await init({ wasmBinary: new Uint8Array(wasm).buffer });
    pdfium.PDFiumExt_Init();
    return pdfium;
  })();
  return loading;
}

/** Forgets an instance that failed, because it would fail for every later document. The next document gets a new one. */
export function dropPdfium(): void {
  loading = undefined;
}

/** Runs work that throws only when PDFium fails, and then forgets the instance. */
export function dropWhenFailing<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    dropPdfium();
    throw error;
  }
}

/** Returns the present wasm memory. When it grows, there is a new view. The library does not declare it in its types. */
export function heapOf(pdfium: Pdfium): Uint8Array<ArrayBuffer> {
  return (pdfium.pdfium as unknown as { readonly HEAPU8: Uint8Array<ArrayBuffer> }).HEAPU8;
}
