/** The bytes of PDF streams. Every Flate stream is inflated once, as a test and against bombs, and cut at its end. */
import { deflateSync, inflateSync } from 'node:zlib';
import { PdfNumber, type PdfStream } from '@libpdf/core';
import { EngineError, type EngineLimits } from '../../engine.ts';
import { decodePdfStream } from '../../pdf-filters.ts';
import { plainJpeg } from './jpeg-stream.ts';

/** Below this a stream cannot be a bomb by itself. */
const RATIO_FREE_BYTES = 1024 * 1024;
/** Filters of one stream; real files have up to three. */
const MAX_FILTERS = 8;

export interface StreamBudget {
  /** Inflated bytes left for the whole file. */
  left: number;
  readonly limits: EngineLimits;
}

export type Wrapping = 'FlateDecode' | 'ASCIIHexDecode';

export interface StreamBytes {
  readonly data: Uint8Array;
  /** True when the bytes are now plain Flate, so that the old filters and their parameters no longer apply. */
  readonly reencoded: boolean;
  /** The filter that was put around the bytes, before their own filters. */
  readonly wrapping?: Wrapping;
  /** The content of a stream of one Flate layer, so that nobody inflates it again. Absent for every other stream, and for a damaged one. */
  readonly inflated?: Uint8Array;
}

/**
 * Starts of other files, and of pages. Data that is packed but not compressed shows them to every program that searches a file for its own
 * format: an archive, a page, a second document in this one.
 */
const OTHER_FORMATS = [
  'PK\x03\x04',
  'PK\x05\x06',
  'Rar!\x1a\x07',
  '7z\xbc\xaf\x27\x1c',
  '%PDF-',
  '<script',
  '<html',
  '<?xml',
  '<?php',
];

/**
 * Returns the bytes to copy for a stream. `sealed` checks them before they are written. Plain bytes are compressed. A damaged Flate stream
 * keeps its readable part, encoded anew. A JPEG loses everything except its picture. Throws EngineError `oversize`.
 */
export function takeStream(stream: PdfStream, filters: readonly string[], budget: StreamBudget): StreamBytes {
  const data = stream.data;
  const [first] = filters;
  if (first === undefined) {
    spend(budget, data.length);
    return { data: deflateSync(data), reencoded: true };
  }
  if (filters.length === 1 && (first === 'DCTDecode' || first === 'DCT')) {
    spend(budget, data.length);
    return { data: plainJpeg(data), reencoded: false };
  }
  if (first !== 'FlateDecode' && first !== 'Fl') {
    spend(budget, data.length);
    return { data, reencoded: false };
  }
  const inflated = inflate(data, budget, pictureBytes(stream, budget.limits));
  if (inflated !== null) {
    checkLayers(inflated.content, filters.slice(1), budget);
    // Bytes after the end of the compressed data belong to nothing, so another file could hide there.
    const own = data.subarray(0, inflated.consumed);
    return { data: own, reencoded: false, ...(filters.length === 1 && { inflated: inflated.content }) };
  }
  return { data: deflateSync(decodeLeniently(stream, budget)), reencoded: true };
}

/**
 * Returns the bytes in their written form. Bytes with the start of another file are packed again, so that no program finds that start. The
 * compressor stores incompressible data unchanged, so its output can contain the start, too. Then the bytes are written as digits.
 */
export function sealed(stream: StreamBytes): StreamBytes {
  const { data, reencoded, inflated } = stream;
  if (!holdsOtherFormat(data)) return stream;
  const packed = reencoded ? data : deflateSync(inflated ?? data);
  if (!holdsOtherFormat(packed))
    return { data: packed, reencoded, ...(inflated === undefined && { wrapping: 'FlateDecode' }) };
  return { data: Buffer.from(`${Buffer.from(data).toString('hex')}>`), reencoded, wrapping: 'ASCIIHexDecode' };
}

/** Returns the filters of a stream that is plain Flate now. */
export const flateFilters = (wrapping?: Wrapping) =>
  wrapping === undefined ? '/FlateDecode' : `[/${wrapping} /FlateDecode]`;

function holdsOtherFormat(data: Uint8Array): boolean {
  const view = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
  return OTHER_FORMATS.some((start) => view.includes(start, 0, 'latin1'));
}

/**
 * Inflates nested layers, because a bomb within a compressed stream multiplies with each layer. Real files have one layer. A stream that
 * cannot be inflated shows nothing.
 */
function checkLayers(outer: Uint8Array, filters: readonly string[], budget: StreamBudget): void {
  if (filters.length >= MAX_FILTERS) throw new EngineError('oversize', 'a stream is packed over and over');
  let content = outer;
  for (const name of filters) {
    const inner = name === 'FlateDecode' || name === 'Fl' ? inflate(content, budget) : null;
    if (inner === null) return;
    content = inner.content;
  }
}

interface Inflated {
  /** The number of input bytes of the compressed data. */
  readonly consumed: number;
  readonly content: Uint8Array;
}

/** The most samples of a pixel: four inks. */
const MAX_SAMPLES = 4;

/** Returns the most bytes of the pixels of a picture, each line with the number of its filter; 0 when it is no picture. */
function pictureBytes(stream: PdfStream, limits: EngineLimits): number {
  const numberOf = (key: string) => {
    const value = stream.get(key);
    return value instanceof PdfNumber && value.value >= 0 ? value.value : 0;
  };
  const [width, height] = [numberOf('Width'), numberOf('Height')];
  const bits = numberOf('BitsPerComponent') || 1;
  if (width * height > limits.pixels || bits > 16) return 0;
  return height * (1 + Math.ceil((width * MAX_SAMPLES * bits) / 8));
}

/** Returns null when the data is damaged. An empty page of a scanner exceeds `ratio`, but is no larger than its `expected` pixels. */
function inflate(data: Uint8Array, budget: StreamBudget, expected = 0): Inflated | null {
  try {
    const options = { info: true, maxOutputLength: Math.max(1, Math.min(budget.left, 0x7fffffff)) } as const;
    const { buffer, engine } = inflateSync(data, options) as unknown as {
      readonly buffer: Buffer;
      readonly engine: { readonly bytesWritten: number };
    };
    if (
      buffer.length > Math.max(RATIO_FREE_BYTES, expected) &&
      buffer.length / Math.max(1, data.length) > budget.limits.ratio
    ) {
      throw new EngineError('oversize', 'a stream expands like a decompression bomb');
    }
    spend(budget, buffer.length);
    return { consumed: engine.bytesWritten, content: buffer };
  } catch (error) {
    if (error instanceof EngineError) throw error;
    if (error instanceof RangeError) throw new EngineError('oversize', 'the streams of the file expand without end');
    return null;
  }
}

function decodeLeniently(stream: PdfStream, budget: StreamBudget): Uint8Array {
  try {
    const decoded = decodePdfStream(stream, budget.left);
    spend(budget, decoded.length);
    return decoded;
  } catch (error) {
    if (error instanceof EngineError && error.code === 'oversize') throw error;
    return new Uint8Array();
  }
}

function spend(budget: StreamBudget, bytes: number): void {
  budget.left -= bytes;
  if (budget.left < 0) throw new EngineError('oversize', 'the streams of the file expand without end');
}
