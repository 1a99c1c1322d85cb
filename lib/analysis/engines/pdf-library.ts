/**
 * The one door to the PDF library. What it reads is written by attackers, and it has loops that do not advance (version 0.4.2): its
 * tokeniser stops at a stray `)`, `{` or `}`; a cross-reference stream with rows of no bytes has as many as it claims; a predictor
 * with rows of no bytes too; and its decoders inflate without end. Here each of them ends.
 */
import { PDF, PdfArray, PdfDict, PdfNumber, type PdfObject, type PdfRef, PdfStream, PdfString } from '@libpdf/core';
import { DEFAULT_ENGINE_LIMITS, EngineError, type EngineLimits } from './engine.ts';
import { decodePdfStream } from './pdf-filters.ts';

const STRAY = new Set([...')}{'].map((sign) => sign.charCodeAt(0)));
const SPACE = 0x20;

/**
 * Bytes whose tokeniser always advances: a keyword of no length, which is how the library reads a delimiter that nothing opened,
 * turns that delimiter into a blank (ISO 32000-2, 7.2.3: a reader that recovers skips it).
 */
class AdvancingBytes extends Uint8Array {
  override subarray(start = 0, end = this.length): AdvancingBytes {
    if (start === end && STRAY.has(this[start] ?? 0)) this[start] = SPACE;
    return super.subarray(start, end) as AdvancingBytes;
  }
}

/** A copy, for the blanks are written into it. */
const advancing = (bytes: Uint8Array): AdvancingBytes => new AdvancingBytes(bytes);

/** Inflated bytes left for the structure of the document that is read now: the library asks no one. */
let structureBytesLeft = DEFAULT_ENGINE_LIMITS.inflatedBytes;

PdfStream.prototype.getDecodedData = function decoded(this: PdfStream): Uint8Array {
  checkRows(this);
  const bytes = decodePdfStream(this, structureBytesLeft);
  structureBytesLeft -= bytes.length;
  return advancing(bytes);
};

/** A table of references whose rows have no bytes never ends (ISO 32000-2, 7.5.8.2). */
function checkRows(stream: PdfStream): void {
  const widths = stream.getArray('W');
  if (widths === undefined) return;
  let bytes = 0;
  for (const width of widths) bytes += width instanceof PdfNumber ? width.value : 0;
  if (!(bytes >= 1)) throw new EngineError('unreadable', 'a table of references has rows of no bytes');
}

/**
 * Opens a document. Rejects with what the library throws when the file is damaged beyond its help. One document at a time is read
 * in a thread, and its structure may inflate to `limits.inflatedBytes`.
 */
export async function openPdf(
  bytes: Uint8Array,
  password: string | null,
  limits: Pick<EngineLimits, 'inflatedBytes'>,
): Promise<PDF> {
  structureBytesLeft = limits.inflatedBytes;
  return await PDF.load(advancing(bytes), password === null ? {} : { credentials: password });
}

/** What an item of an array or an entry of a dictionary takes in memory, about. */
const ITEM_BYTES = 32;

/**
 * How objects are looked up: a table can name one large object a hundred thousand times, and each is a copy in memory. The function
 * throws EngineError `oversize` when the objects that were asked for take more than `limits.inflatedBytes`.
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
