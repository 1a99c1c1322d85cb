/** Decodes the streams that hold the structure of a PDF: object streams and cross-reference streams (ISO 32000-2, 7.4). */
import { constants, inflateSync } from 'node:zlib';
import { PdfArray, PdfDict, PdfName, PdfNull, type PdfObject, PdfStream } from '@libpdf/core';
import { EngineError } from './engine.ts';

/** Most filters of one stream. Real files have up to three. */
const MAX_FILTERS = 8;
/** Filters of the library whose time grows only in proportion to their input. */
const PLAIN_FILTERS = new Set(['ASCII85Decode', 'ASCIIHexDecode', 'RunLengthDecode']);
/** Bytes that one byte of LZW or run lengths can become. */
const LZW_RATIO = 2_800;

/** The library's own decoder, saved before it is replaced. It is called for one filter at a time, with limits. */
const libraryDecode = PdfStream.prototype.getDecodedData;

/**
 * Decodes a stream. A damaged Flate stream is decoded up to its damage. Throws EngineError `oversize` above `maxBytes`, and
 * `unreadable` for a filter that no structure uses or for parameters that make rows without bytes.
 */
export function decodePdfStream(stream: PdfStream, maxBytes: number): Uint8Array {
  const names = namesOf(stream.get('Filter'));
  if (names.length > MAX_FILTERS) throw new EngineError('oversize', 'a stream is packed over and over');
  const parameters = parametersOf(stream.get('DecodeParms'));
  return names.reduce((data, name, index) => decodeOne(data, name, parameters[index] ?? null, maxBytes), stream.data);
}

function namesOf(filter: PdfObject | undefined): string[] {
  if (filter instanceof PdfName) return [filter.value];
  return filter instanceof PdfArray
    ? filter.toArray().flatMap((each) => (each instanceof PdfName ? [each.value] : []))
    : [];
}

function parametersOf(value: PdfObject | undefined): (PdfDict | null)[] {
  if (value instanceof PdfDict) return [value];
  if (!(value instanceof PdfArray)) return [];
  return value.toArray().flatMap((each) => (each instanceof PdfDict ? [each] : each instanceof PdfNull ? [null] : []));
}

function decodeOne(data: Uint8Array, name: string, parameters: PdfDict | null, maxBytes: number): Uint8Array {
  if (name === 'FlateDecode' || name === 'Fl') return unpredicted(inflate(data, maxBytes), parameters);
  if (name === 'LZWDecode') {
    if (data.length * LZW_RATIO > maxBytes) throw new EngineError('oversize', 'a stream of the document is too large');
    const early = parameters?.get('EarlyChange');
    const own = early === undefined ? new PdfDict() : PdfDict.of({ EarlyChange: early });
    return unpredicted(decodedByLibrary(data, name, own), parameters);
  }
  if (!PLAIN_FILTERS.has(name)) throw new EngineError('unreadable', 'a stream has a filter that is not read here');
  return decodedByLibrary(data, name, new PdfDict());
}

function decodedByLibrary(data: Uint8Array, name: string, parameters: PdfDict): Uint8Array {
  const one = PdfStream.fromDict({ Filter: PdfName.of(name), DecodeParms: parameters }, data);
  return libraryDecode.call(one);
}

function inflate(data: Uint8Array, maxBytes: number): Uint8Array {
  const maxOutputLength = Math.max(1, maxBytes);
  try {
    return inflateSync(data, { maxOutputLength });
  } catch (error) {
    if (error instanceof RangeError) throw tooLarge();
    return inflateToDamage(data, maxOutputLength);
  }
}

/** Decodes a damaged stream. The decoder returns nothing for one, so a binary search finds the longest beginning that it accepts. */
function inflateToDamage(data: Uint8Array, maxOutputLength: number): Uint8Array {
  let content: Uint8Array = new Uint8Array();
  for (let [taken, step] = [0, data.length]; step >= 1; step /= 2) {
    const end = Math.min(data.length, taken + Math.ceil(step));
    try {
      content = inflateSync(data.subarray(0, end), { maxOutputLength, finishFlush: constants.Z_SYNC_FLUSH });
      taken = end;
    } catch (error) {
      if (error instanceof RangeError) throw tooLarge();
    }
  }
  return content;
}

const tooLarge = () => new EngineError('oversize', 'a stream of the document expands without end');

/** Undoes the predictor (ISO 32000-2, 7.4.4.4). */
function unpredicted(data: Uint8Array, parameters: PdfDict | null): Uint8Array {
  const number = (key: string, otherwise: number) => parameters?.getNumber(key)?.value ?? otherwise;
  const predictor = number('Predictor', 1);
  if (predictor <= 1) return data;
  const [columns, colors, bits] = [number('Columns', 1), number('Colors', 1), number('BitsPerComponent', 8)];
  const row = Math.ceil((columns * colors * bits) / 8);
  const pixel = Math.max(1, Math.ceil((colors * bits) / 8));
  if (![columns, colors, bits].every((each) => Number.isInteger(each) && each > 0) || row > data.length)
    throw new EngineError('unreadable', 'a stream has rows of an impossible length');
  return predictor === 2 ? undoTiff(data, row, pixel) : undoPng(data, row, pixel);
}

/** Reads whole bytes only, because no structure has samples of fewer or more bits. */
function undoTiff(data: Uint8Array, row: number, pixel: number): Uint8Array {
  const out = Uint8Array.from(data);
  for (let at = pixel; at < out.length; at++) {
    if (at % row >= pixel) out[at] = (out[at] as number) + (out[at - pixel] as number);
  }
  return out;
}

function undoPng(data: Uint8Array, row: number, pixel: number): Uint8Array {
  const rows = Math.floor(data.length / (row + 1));
  const out = new Uint8Array(rows * row);
  for (let at = 0; at < out.length; at++) {
    const line = Math.floor(at / row);
    const column = at - line * row;
    const left = column >= pixel ? (out[at - pixel] as number) : 0;
    const up = line > 0 ? (out[at - row] as number) : 0;
    const corner = line > 0 && column >= pixel ? (out[at - row - pixel] as number) : 0;
    const predicted = predictedBy(data[line * (row + 1)] as number, left, up, corner);
    out[at] = (data[line * (row + 1) + 1 + column] as number) + predicted;
  }
  return out;
}

/** Undoes the filters of PNG (ISO/IEC 15948, 9.2), by their number. */
function predictedBy(filter: number, left: number, up: number, corner: number): number {
  if (filter === 1) return left;
  if (filter === 2) return up;
  if (filter === 3) return (left + up) >> 1;
  if (filter !== 4) return 0;
  const [toLeft, toUp, toCorner] = [Math.abs(up - corner), Math.abs(left - corner), Math.abs(left + up - 2 * corner)];
  if (toLeft <= toUp && toLeft <= toCorner) return left;
  return toUp <= toCorner ? up : corner;
}
