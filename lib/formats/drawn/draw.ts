/** Draws one stored file in this thread: pictures and pages of a PDF as PNG, pages and texts as text. Only worker threads call it. */
import sharp, { type PngOptions } from 'sharp';
import { decodeText } from '../charsets/decode-text.ts';
import { openPicture } from '../codes/frames.ts';
import { openPages } from '../codes/pdf-pages.ts';
import { readablePicture } from '../pictures/readable.ts';
import { DRAWN_LIMITS, type Drawn, type DrawRequest } from './draw-request.ts';
import { textOfOffice } from './office-text.ts';
import { textOfPage } from './page-text.ts';

/** Pictures that consist of pixels. Vector drawings (SVG) are programs in their own language, and are not drawn. */
const FORMATS = new Set(['png', 'jpeg', 'webp', 'gif', 'tiff', 'heif', 'raw']);
const PNG = { compressionLevel: 6 } as const;
const SMALL_PNG = { compressionLevel: 9, palette: true, colours: DRAWN_LIMITS.smallColours } as const;

/** How large pictures become, and how they are written. */
interface Size {
  readonly longestSide: number;
  readonly png: PngOptions;
}
const FULL: Size = { longestSide: DRAWN_LIMITS.longestSide, png: PNG };
const SMALL: Size = { longestSide: DRAWN_LIMITS.smallSide, png: SMALL_PNG };

/** Draws the file. Throws when it cannot be read. */
export async function draw({ kind, bytes, charset, isSmall = false }: DrawRequest): Promise<Drawn> {
  const size = isSmall ? SMALL : FULL;
  if (kind === 'pdf') return drawPdf(bytes, size);
  if (kind === 'picture') return drawPicture(bytes, size);
  if (kind === 'office') return drawOffice(bytes);
  const source = decodeText(bytes, charset);
  const read = source.slice(0, DRAWN_LIMITS.sourceChars);
  const text = kind === 'page' ? textOfPage(read) : read;
  const isWhole = read.length === source.length && text.length <= DRAWN_LIMITS.textChars;
  const untrustedText = text.slice(0, DRAWN_LIMITS.textChars);
  return { outcome: isWhole ? 'drawn' : 'partly', pictures: [], untrustedText };
}

function drawOffice(bytes: Uint8Array): Drawn {
  const text = textOfOffice(bytes, DRAWN_LIMITS.textChars);
  if (text === null) throw new Error('this kind of document is not read');
  const untrustedText = text.slice(0, DRAWN_LIMITS.textChars);
  return { outcome: text.length > untrustedText.length ? 'partly' : 'drawn', pictures: [], untrustedText };
}

async function drawPdf(bytes: Uint8Array, { longestSide, png }: Size): Promise<Drawn> {
  const { frames, isPartial } = await openPages(bytes, { ...DRAWN_LIMITS, longestSide });
  const pictures: Uint8Array[] = [];
  for await (const { data, width, height } of frames) {
    const picture = sharp(data, { raw: { width, height, channels: 4 } });
    pictures.push(await picture.flatten({ background: '#ffffff' }).png(png).toBuffer());
  }
  return answerOf(pictures, isPartial);
}

async function drawPicture(file: Uint8Array, { longestSide, png }: Size): Promise<Drawn> {
  const { inputPixels } = DRAWN_LIMITS;
  const bytes = await readablePicture(file, inputPixels);
  const { format = '', pages = 1 } = await (await openPicture(bytes, 0, inputPixels)).metadata();
  if (!FORMATS.has(format)) throw new Error('this kind of picture is not drawn');
  const pictures: Uint8Array[] = [];
  for (let page = 0; page < Math.min(pages, DRAWN_LIMITS.pages); page += 1) {
    const picture = await openPicture(bytes, page, inputPixels);
    const size = { width: longestSide, height: longestSide, fit: 'inside', withoutEnlargement: true } as const;
    const drawn = picture.rotate().resize(size).flatten({ background: '#ffffff' }).toColourspace('srgb');
    pictures.push(await drawn.png(png).toBuffer());
  }
  return answerOf(pictures, pages > DRAWN_LIMITS.pages);
}

function answerOf(pictures: readonly Uint8Array[], isPartial: boolean): Drawn {
  if (pictures.length === 0) throw new Error('nothing of it can be shown');
  return { outcome: isPartial ? 'partly' : 'drawn', pictures, untrustedText: '' };
}
