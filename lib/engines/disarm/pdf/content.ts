/** The bytes of a stream as a program that draws it sees them. Any stream can be used as content, despite its declared type. */
import { deflateSync } from 'node:zlib';
import { PdfArray, PdfDict, PdfName, type PdfObject, PdfStream } from '@libpdf/core';
import { decodePdfStream } from '../../pdf-filters.ts';
import { withoutInlinePictures } from './inline-pictures.ts';
import { follow, type Resolve } from './judge.ts';
import type { StreamBytes } from './streams.ts';

/** Filters with which content is packed, with their short names (ISO 32000-2, table 92). */
const FULL_NAMES: ReadonlyMap<string, string> = new Map([
  ...['FlateDecode', 'LZWDecode', 'ASCII85Decode', 'ASCIIHexDecode', 'RunLengthDecode'].map(
    (name) => [name, name] as const,
  ),
  ...Object.entries({
    Fl: 'FlateDecode',
    LZW: 'LZWDecode',
    A85: 'ASCII85Decode',
    AHx: 'ASCIIHexDecode',
    RL: 'RunLengthDecode',
  }),
]);

/** The way to the content of a stream. */
interface Reading {
  readonly resolve: Resolve;
  /** The most bytes of the content. */
  readonly maxBytes: number;
  /** The content of its only layer, when that is known. It is the content, unless there are parameters for reading it. */
  readonly inflated: Uint8Array | undefined;
}

/** Returns the stream without decoders that content must not request; null when it can stay unchanged. */
export function withoutDecoders(
  stream: PdfStream,
  filters: readonly string[],
  reading: Reading,
): (StreamBytes & { readonly lostPicture: boolean }) | null {
  const content = contentOf(stream, filters, reading);
  const plain = content === null ? null : withoutInlinePictures(content);
  return plain && { data: deflateSync(plain.bytes), reencoded: true, lostPicture: plain.lostPicture };
}

/**
 * Returns the content; null for packed pictures, and for content that cannot be decoded within `maxBytes`. `filters`: the names of its
 * filters, in order.
 */
function contentOf(
  stream: PdfStream,
  filters: readonly string[],
  { resolve, maxBytes, inflated }: Reading,
): Uint8Array | null {
  if (filters.length === 0) return stream.data;
  if (inflated !== undefined && stream.get('DecodeParms') === undefined) return inflated;
  const names = filters.flatMap((name) => FULL_NAMES.get(name) ?? []);
  if (names.length < filters.length) return null;
  const Filter = PdfArray.of(...names.map((name) => PdfName.of(name)));
  const plain = { Filter, DecodeParms: parametersOf(stream, resolve) };
  try {
    return decodePdfStream(PdfStream.fromDict(plain, stream.data), maxBytes);
  } catch {
    // Content that cannot be decoded here is written as every other stream.
    return null;
  }
}

/** Returns the parameters of a stream without references in them. */
function parametersOf(stream: PdfStream, resolve: Resolve): PdfArray {
  const parameters = follow(stream.get('DecodeParms'), resolve);
  const all: (PdfObject | null)[] = parameters instanceof PdfArray ? [...parameters] : [parameters];
  return PdfArray.of(
    ...all.map((each) => {
      const dict = follow(each ?? undefined, resolve);
      const entries = dict instanceof PdfDict ? [...dict] : [];
      return new PdfDict(
        entries.flatMap(([key, value]) => {
          const own = follow(value, resolve);
          return own === null ? [] : [[key, own] as [PdfName, PdfObject]];
        }),
      );
    }),
  );
}
