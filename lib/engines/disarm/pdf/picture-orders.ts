/** Decides which pictures of a PDF must be decoded, and which of their data is kept. */
import { PdfArray, PdfDict, PdfName, PdfNumber, type PdfObject, PdfStream } from '@libpdf/core';
import { decodePdfStream } from '../../pdf-filters.ts';
import type { PictureOrder } from './decoded-pictures.ts';
import { follow, nameAt, type Resolve } from './judge.ts';

/** Names of the filters, and their kinds here. */
const DECODED: Readonly<Record<string, PictureOrder['kind']>> = { JBIG2Decode: 'JBIG2', JPXDecode: 'JPX' };
/** The entries that JPEG 2000 data itself contains. */
const SAID_BY_SAMPLES = /^(?:ColorSpace|BitsPerComponent|Decode|SMaskInData|Intent)$/;
/** Colours that are looked up or mixed. Without them the meaning of the samples is not known. */
const LOOKED_UP = /^(?:Indexed|I|Separation|DeviceN|Lab|Pattern)$/;

export type DecodedKind = PictureOrder['kind'];

/** Returns the kind of a picture that must be decoded; null for all other streams. */
export function decodedKind(filters: readonly string[]): DecodedKind | null {
  for (const filter of filters) if (filter in DECODED) return DECODED[filter] ?? null;
  return null;
}

/** Returns the dictionary of the picture without the entries that the decoded samples replace. */
export function dictionaryOf(stream: PdfStream, kind: DecodedKind, resolve: Resolve): PdfStream {
  const left = [...stream].filter(([{ value: key }, value]) => {
    if (key === 'BitsPerComponent') return false;
    // The samples have changed, so the list of samples to be left out does not fit any more.
    if (kind === 'JPX' && key === 'Mask' && follow(value, resolve) instanceof PdfArray) return false;
    return kind === 'JBIG2' || !SAID_BY_SAMPLES.test(key);
  });
  return new PdfStream(left);
}

/** Returns the order to decode a picture; null when it cannot be decoded. */
export function pictureOrder(
  stream: PdfStream,
  filters: readonly string[],
  resolve: Resolve,
  maxBytes: number,
): Omit<PictureOrder, 'number' | 'where' | 'text'> | null {
  const kind = decodedKind(filters);
  const filter = filters.at(-1);
  const colours = colourFamily(stream, resolve);
  if (kind === null || filter === undefined || decodedKind([filter]) !== kind) return null;
  if (kind === 'JPX' && LOOKED_UP.test(colours)) return null;
  const number = (key: string) => {
    const value = follow(stream.get(key), resolve);
    return value instanceof PdfNumber ? value.value : 0;
  };
  const data = innerData(stream, filters, maxBytes);
  const globals = kind === 'JBIG2' ? sharedSegments(stream, resolve, maxBytes) : null;
  if (data === null) return null;
  const isGray = /Gray|^G$/.test(colours);
  return { kind, filter, width: number('Width'), height: number('Height'), isGray, data, globals };
}

/** Returns the data after the filters around the picture's own filter. */
function innerData(stream: PdfStream, filters: readonly string[], maxBytes: number): Uint8Array | null {
  if (filters.length === 1) return stream.data;
  const outer = PdfArray.of(...filters.slice(0, -1).map((name) => PdfName.of(name)));
  try {
    return decodePdfStream(PdfStream.fromDict({ Filter: outer }, stream.data), maxBytes);
  } catch {
    // A picture whose data cannot be decoded is replaced, and the caller reports it.
    return null;
  }
}

function sharedSegments(stream: PdfStream, resolve: Resolve, maxBytes: number): Uint8Array | null {
  const parameters = follow(stream.get('DecodeParms'), resolve);
  const all: (PdfObject | null)[] = parameters instanceof PdfArray ? [...parameters] : [parameters];
  for (const each of all) {
    const dict = follow(each ?? undefined, resolve);
    const globals = dict instanceof PdfDict ? follow(dict.get('JBIG2Globals'), resolve) : null;
    if (!(globals instanceof PdfStream)) continue;
    try {
      return decodePdfStream(globals, maxBytes);
    } catch {
      // Without its shared segments the picture cannot be decoded, and it is replaced for that reason.
      return null;
    }
  }
  return null;
}

function colourFamily(stream: PdfStream, resolve: Resolve): string {
  const colours = follow(stream.get('ColorSpace'), resolve);
  if (!(colours instanceof PdfArray)) return nameAt(stream, 'ColorSpace', resolve);
  const [family, profile] = [...colours].map((each) => follow(each, resolve));
  const channels = profile instanceof PdfStream ? follow(profile.get('N'), resolve) : null;
  if (channels instanceof PdfNumber && channels.value === 1) return 'Gray';
  return family instanceof PdfName ? family.value : '';
}
