/** PDFium (wasm): the second reader of PDFs, and the one that draws. It has loops of its own: a ring of parents is one. */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { WrappedPdfiumModule } from '@embedpdf/pdfium';
import { EngineError } from '../../engine.ts';
import { runWithin } from '../../sandbox/watchdog.ts';

/** By the clock, for work that takes milliseconds; a loop is ended from outside by it. */
const WORK_MS = 4_000;
const WORK_MS_PER_MEGABYTE = 1_000;

let loading: Promise<WrappedPdfiumModule> | undefined;

/** PDFium, loaded once for all documents. */
export function loadPdfium(): Promise<WrappedPdfiumModule> {
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
export function heapOf(pdfium: WrappedPdfiumModule): Uint8Array {
  return (pdfium.pdfium as unknown as { readonly HEAPU8: Uint8Array }).HEAPU8;
}

/**
 * Runs work over `bytes` bytes in PDFium. Throws EngineError `unreadable` when it does not end, or when PDFium itself fails; the
 * instance is not used again then.
 */
export async function withPdfium<T>(bytes: number, work: (pdfium: WrappedPdfiumModule) => T): Promise<T> {
  const pdfium = await loadPdfium();
  let result: { readonly value: T } | null = null;
  try {
    runWithin(WORK_MS + Math.ceil((bytes / 1024 / 1024) * WORK_MS_PER_MEGABYTE), () => {
      result = { value: work(pdfium) };
    });
  } catch (error) {
    if (error instanceof EngineError) throw error;
    loading = undefined;
    throw new EngineError('unreadable', 'the PDF cannot be read');
  }
  const done = result as { readonly value: T } | null;
  if (done !== null) return done.value;
  loading = undefined;
  throw new EngineError('unreadable', 'the PDF keeps its reader busy without end');
}
