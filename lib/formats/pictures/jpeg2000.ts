/**
 * Decodes JPEG 2000 with PDFium, as the only picture of a PDF that is made for it. PDFium is loaded for PDFs anyway, and reads the colours,
 * palettes and halved colours of JP2 files. The decoded samples have 8 bits.
 */
import { channelsOf, readOnlyPicture } from '../pdf/only-picture.ts';
import { dropWhenFailing, loadPdfium, type Pdfium } from '../pdf/pdfium.ts';
import { type Jpeg2000, readJpeg2000 } from './jpeg2000-start.ts';
import { PictureError } from './picture-error.ts';
import { type PlainPicture, plainTiff } from './plain-tiff.ts';

export interface DecodedJpeg2000 extends Pick<Jpeg2000, 'isLossless' | 'hasMetadata' | 'end'> {
  readonly tiff: Uint8Array;
}

/** The decoder holds four bytes for each sample, in a memory of two gigabytes. */
const MAX_SAMPLES = 200_000_000;
/** A larger profile would only cost memory. */
const MAX_PROFILE_BYTES = 4 * 1024 * 1024;
/** One sample for grey or for numbers of colours, three for colours. With two or four, one means opacity, or all are ink. */
const READ = new Set([1, 3]);
/** The name of the colour space in the header of a profile (ICC.1, 7.2.6). */
const PROFILE_FOR = { grey: 'GRAY', rgb: 'RGB ' } as const;

/** Decodes the picture. Throws PictureError `oversize`, `unsupported` (transparency or ink) or `unreadable`. */
export async function decodeJpeg2000(bytes: Uint8Array, mostPixels: number): Promise<DecodedJpeg2000> {
  const file = readJpeg2000(bytes);
  if (file === null || file.width < 1 || file.height < 1) throw damaged();
  const { width, height, components, isLossless, hasMetadata, end } = file;
  if (width * height > mostPixels || width * height * components > MAX_SAMPLES)
    throw new PictureError('oversize', 'the picture has more pixels than the limit');
  if (!READ.has(components))
    throw new PictureError('unsupported', 'the picture has colours that are not read here; ask for it as PNG or JPEG');
  const pdfium = await loadPdfium();
  // Some writers put invalid boxes around a sound picture.
  const picture =
    drawn(pdfium, file, bytes.subarray(0, end), '') ??
    drawn(pdfium, file, file.codestream, `/ColorSpace /Device${components === 1 ? 'Gray' : 'RGB'}`);
  if (picture === null) throw damaged();
  const fits = file.profile?.toString('latin1', 16, 20) === PROFILE_FOR[picture.colours];
  const profile = fits && (file.profile?.length ?? 0) <= MAX_PROFILE_BYTES ? file.profile : null;
  return { tiff: plainTiff({ ...picture, profile }), isLossless, hasMetadata, end };
}

const damaged = () => new PictureError('unreadable', 'the picture is damaged or not what its type says');

type Drawn = Pick<PlainPicture, 'width' | 'height' | 'pixels' | 'hasAlpha'> & { readonly colours: 'grey' | 'rgb' };

/** Returns the pixels as PDFium unpacks them; null when it does not. */
function drawn(pdfium: Pdfium, { width, height }: Jpeg2000, jpeg2000: Uint8Array, colours: string): Drawn | null {
  const document = documentOf({ width, height }, jpeg2000, colours);
  return dropWhenFailing(() =>
    readOnlyPicture(pdfium, document, (bitmap) => {
      if (bitmap.width !== width || bitmap.height !== height) return null;
      const isGrey = bitmap.pixelBytes === 1;
      const pixels = channelsOf(bitmap, isGrey ? 1 : 3);
      return { width, height, pixels, colours: isGrey ? 'grey' : 'rgb', hasAlpha: false };
    }),
  );
}

/** Makes a PDF with one page that shows only the picture. */
function documentOf(
  { width, height }: Pick<Jpeg2000, 'width' | 'height'>,
  jpeg2000: Uint8Array,
  colours: string,
): Buffer {
  const drawing = `${width} 0 0 ${height} 0 0 cm /P Do`;
  const image = `/Type /XObject /Subtype /Image /Width ${width} /Height ${height} ${colours} /Filter /JPXDecode`;
  const objects: readonly (readonly [dictionary: string, stream: Uint8Array | null])[] = [
    ['/Type /Catalog /Pages 2 0 R', null],
    ['/Type /Pages /Kids [3 0 R] /Count 1', null],
    ['/Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] /Contents 4 0 R /Resources << /XObject << /P 5 0 R >> >>', null],
    [`/Length ${drawing.length}`, Buffer.from(drawing)],
    [`${image} /Length ${jpeg2000.length}`, jpeg2000],
  ];
  const parts: Uint8Array[] = [Buffer.from('%PDF-1.7\n')];
  const places: number[] = [];
  let at = 9;
  const add = (part: Uint8Array) => {
    parts.push(part);
    at += part.length;
  };
  for (const [index, [dictionary, stream]] of objects.entries()) {
    places.push(at);
    add(Buffer.from(`${index + 1} 0 obj\n<< ${dictionary} >>\n${stream === null ? '' : 'stream\n'}`));
    if (stream !== null) {
      add(stream);
      add(Buffer.from('\nendstream\n'));
    }
    add(Buffer.from('endobj\n'));
  }
  const rows = places.map((place) => `${String(place).padStart(10, '0')} 00000 n \n`).join('');
  const table = `xref\n0 ${places.length + 1}\n0000000000 65535 f \n${rows}`;
  parts.push(Buffer.from(`${table}trailer\n<< /Size ${places.length + 1} /Root 1 0 R >>\nstartxref\n${at}\n%%EOF\n`));
  return Buffer.concat(parts);
}
