/**
 * The only module that loads the PDF library. Attackers write its input, and version 0.4.2 has loops that do not end: its tokeniser
 * stops at a stray `)`, `{` or `}`; it reads as many empty rows as a cross-reference stream or a predictor claims; and its decoders
 * inflate without limit. This module makes each of these loops end.
 */
import { PDF, PdfArray, PdfDict, PdfNumber, type PdfObject, type PdfRef, PdfStream, PdfString } from '@libpdf/core';
import { DEFAULT_ENGINE_LIMITS, EngineError, type EngineLimits } from './engine.ts';
import { decodePdfStream } from './pdf-filters.ts';
import { mended } from './pdf-mend.ts';

const STRAY = new Set([...')}{'].map((sign) => sign.charCodeAt(0)));
const SPACE = 0x20;

/**
 * Bytes on which the tokeniser always advances. The library reads a stray delimiter as a keyword without length. That read turns the
 * delimiter into a blank here (ISO 32000-2, 7.2.3: a reader that recovers skips it).
 */
class AdvancingBytes extends Uint8Array {
  override subarray(start = 0, end = this.length): Uint8Array<ArrayBuffer> {
    if (start === end && STRAY.has(this[start] ?? 0)) this[start] = SPACE;
    return viewOf(Uint8Array, this, start, end);
  }
}

/** Bytes of a stream. The library tokenises parts of streams that hold packed objects, so their parts must advance as well. */
class AdvancingParts extends AdvancingBytes {
  override subarray(start = 0, end = this.length): AdvancingBytes {
    super.subarray(start, end);
    return viewOf(AdvancingBytes, this, start, end);
  }
}

/** Works like `subarray`, which looks up the class of each view. The library asks for one view for each number that it reads. */
function viewOf<View>(
  Type: new (buffer: ArrayBuffer, at: number, length: number) => View,
  { buffer, byteOffset, length }: Uint8Array<ArrayBuffer>,
  start: number,
  end: number,
): View {
  const from = offsetIn(length, start);
  return new Type(buffer, byteOffset + from, Math.max(0, offsetIn(length, end) - from));
}

/** Returns an offset within `length`. A negative one counts from the end. */
const offsetIn = (length: number, at: number): number => (at < 0 ? Math.max(0, length + at) : Math.min(at, length));

/** Inflated bytes left for the structure of the current document. The library itself has no such limit. */
let structureBytesLeft = DEFAULT_ENGINE_LIMITS.inflatedBytes;

PdfStream.prototype.getDecodedData = function decoded(this: PdfStream): Uint8Array {
  checkRows(this);
  const bytes = decodePdfStream(this, structureBytesLeft);
  structureBytesLeft -= bytes.length;
  return new AdvancingParts(bytes);
};

/** Checks the rows of a cross-reference stream. A stream whose rows have no bytes never ends (ISO 32000-2, 7.5.8.2). */
function checkRows(stream: PdfStream): void {
  const widths = stream.getArray('W');
  if (widths === undefined) return;
  let bytes = 0;
  for (const width of widths) bytes += width instanceof PdfNumber ? width.value : 0;
  if (!(bytes >= 1)) throw new EngineError('unreadable', 'a table of references has rows of no bytes');
}

/**
 * Opens a document, also one whose encryption is only found by searching (pdf-mend.ts). Rejects with the error of the library when the
 * file is too damaged to repair. A thread reads one document at a time, and its structure may inflate to `limits.inflatedBytes`.
 */
export async function openPdf(
  bytes: Uint8Array,
  password: string | null,
  limits: Pick<EngineLimits, 'inflatedBytes'>,
): Promise<PDF> {
  structureBytesLeft = limits.inflatedBytes;
  // Copied, because the blanks are written into it.
  const open = (file: Uint8Array) =>
    PDF.load(new AdvancingBytes(file), password === null ? {} : { credentials: password });
  let first: PDF | null = null;
  let failure: unknown;
  try {
    first = await open(bytes);
    if (isTrusted(first)) return first;
  } catch (error) {
    failure = error;
  }
  const best = (await mendedPdf(bytes, open)) ?? first;
  if (best === null) throw failure;
  return best;
}

/**
 * Returns whether to search for the encryption. A document whose objects were searched may be encrypted without its reader knowing. A
 * document that stays closed may have lost its key.
 */
const isTrusted = (pdf: PDF): boolean => (pdf.isEncrypted ? pdf.isAuthenticated : !pdf.recoveredViaBruteForce);

/** Returns the document that opens with the most pages when its encryption is found again, or null. */
async function mendedPdf(bytes: Uint8Array, open: (file: Uint8Array) => Promise<PDF>): Promise<PDF | null> {
  let best: PDF | null = null;
  for (const file of mended(bytes)) {
    const pdf = await open(file).catch(() => null);
    if (pdf === null || !pdf.isEncrypted || !pdf.isAuthenticated) continue;
    if (best === null || pdf.getPageCount() > best.getPageCount()) best = pdf;
  }
  return best;
}

/** Approximate memory of an item of an array or an entry of a dictionary. */
const ITEM_BYTES = 32;

/**
 * Returns a function that looks up objects. A table can name one large object a hundred thousand times, and each is a copy in memory.
 * The function throws EngineError `oversize` when the objects together take more than `limits.inflatedBytes`.
 */
export function boundedResolve(
  pdf: PDF,
  limits: Pick<EngineLimits, 'inflatedBytes'>,
): (ref: PdfRef) => PdfObject | null {
  const seen = new Set<PdfObject>();
  let left = limits.inflatedBytes;
  return (ref) => {
    const object = pdf.context.resolve(ref);
    if (object === null || seen.has(object)) return object;
    seen.add(object);
    left -= weightOf(object, pdf.isEncrypted);
    if (left < 0) throw new EngineError('oversize', 'the objects of the file take more memory than is allowed');
    return object;
  };
}

function weightOf(root: PdfObject, isCopy: boolean): number {
  let weight = 0;
  const pending = [root];
  for (let object = pending.pop(); object !== undefined; object = pending.pop()) {
    weight += ITEM_BYTES;
    if (object instanceof PdfString) weight += object.bytes.length;
    else if (object instanceof PdfArray) for (const item of object) pending.push(item);
    else if (object instanceof PdfDict) for (const [, value] of object) pending.push(value);
    if (isCopy && object instanceof PdfStream) weight += object.data.length;
  }
  return weight;
}
