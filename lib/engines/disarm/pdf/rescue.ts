/**
 * The second reader for PDFs that the first one gives up on: PDFium (wasm) copies the pages, and only the pages, into a new
 * document. Annotations come along, so the result still goes through the walk like any other input.
 */

import { heapOf, type Pdfium } from '../../../formats/pdf/pdfium.ts';
import { EngineError, type EngineLimits } from '../../engine.ts';
import { withPdfium } from './pdfium.ts';

/** FPDF_ERR_PASSWORD. */
const NEEDS_PASSWORD = 4;

/**
 * Returns a new document with the pages PDFium can find. Throws EngineError `encrypted` (needs a password), `unreadable` (no page found) or
 * `oversize`.
 */
export async function rescuePages(
  bytes: Uint8Array,
  password: string | null,
  limits: EngineLimits,
): Promise<Uint8Array> {
  return await withPdfium(bytes.length, (pdfium) => copied(pdfium, bytes, password, limits));
}

function copied(pdfium: Pdfium, bytes: Uint8Array, password: string | null, limits: EngineLimits): Uint8Array {
  const memory = pdfium.pdfium;
  const input = memory.wasmExports.malloc(bytes.length);
  heapOf(pdfium).set(bytes, input);
  const source = pdfium.FPDF_LoadMemDocument(input, bytes.length, password ?? '');
  try {
    if (source === 0) throw loadFailure(pdfium.FPDF_GetLastError());
    return copyPages(pdfium, source, limits);
  } finally {
    if (source !== 0) pdfium.FPDF_CloseDocument(source);
    memory.wasmExports.free(input);
  }
}

function loadFailure(code: number): EngineError {
  return code === NEEDS_PASSWORD
    ? new EngineError('encrypted', 'the PDF opens only with a password')
    : new EngineError('unreadable', 'the PDF is damaged beyond reading');
}

function copyPages(pdfium: Pdfium, source: number, limits: EngineLimits): Uint8Array {
  const target = pdfium.FPDF_CreateNewDocument();
  try {
    const isCopied = pdfium.FPDF_GetPageCount(source) > 0 && pdfium.FPDF_ImportPages(target, source, '', 0);
    if (!isCopied || pdfium.FPDF_GetPageCount(target) === 0) {
      throw new EngineError('unreadable', 'the PDF has no readable page');
    }
    return save(pdfium, target, limits);
  } finally {
    pdfium.FPDF_CloseDocument(target);
  }
}

function save(pdfium: Pdfium, document: number, limits: EngineLimits): Uint8Array {
  const memory = pdfium.pdfium;
  const writer = pdfium.PDFiumExt_OpenFileWriter();
  pdfium.PDFiumExt_SaveAsCopy(document, writer);
  const size = pdfium.PDFiumExt_GetFileWriterSize(writer);
  const buffer = size > limits.outputBytes ? 0 : memory.wasmExports.malloc(size);
  try {
    if (buffer === 0) throw new EngineError('oversize', 'the pages of the PDF are larger than the limit');
    pdfium.PDFiumExt_GetFileWriterData(writer, buffer, size);
    return heapOf(pdfium).slice(buffer, buffer + size);
  } finally {
    if (buffer !== 0) memory.wasmExports.free(buffer);
    pdfium.PDFiumExt_CloseFileWriter(writer);
  }
}
