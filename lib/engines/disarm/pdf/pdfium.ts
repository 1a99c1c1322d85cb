/** PDFium (wasm): the second reader of PDFs, which also draws them. It can loop endlessly, for example on a ring of parents. */
import { dropPdfium, loadPdfium, type Pdfium } from '../../../formats/pdf/pdfium.ts';
import { EngineError } from '../../engine.ts';
import { runWithin } from '../../script/watchdog.ts';

/** Measured by the clock, for work that takes milliseconds. It ends a loop from outside. */
const WORK_MS = 4_000;
const WORK_MS_PER_MEGABYTE = 1_000;

/**
 * Runs work over `bytes` bytes in PDFium. Throws EngineError `unreadable` when the work does not end, or when PDFium itself fails. The
 * instance is then not used again.
 */
export async function withPdfium<T>(bytes: number, work: (pdfium: Pdfium) => T): Promise<T> {
  const pdfium = await loadPdfium();
  let result: { readonly value: T } | null = null;
  try {
    runWithin(WORK_MS + Math.ceil((bytes / 1024 / 1024) * WORK_MS_PER_MEGABYTE), () => {
      result = { value: work(pdfium) };
    });
  } catch (error) {
    if (error instanceof EngineError) throw error;
    dropPdfium();
    throw new EngineError('unreadable', 'the PDF cannot be read');
  }
  const done = result as { readonly value: T } | null;
  if (done !== null) return done.value;
  dropPdfium();
  throw new EngineError('unreadable', 'the PDF keeps its reader busy without end');
}
