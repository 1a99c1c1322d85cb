/** The last way for PDFs. Every page becomes a picture (PDFium, wasm), with its words behind it, so that they can be searched. */
import sharp from 'sharp';
import { describeType } from '../../../formats/file-types.ts';
import { heapOf, loadPdfium } from '../../../formats/pdf/pdfium.ts';
import { EngineError, type EngineLimits, type FileInput } from '../../engine.ts';
import type { Disarmed } from '../disarm-module.ts';
import { type Box, LETTERS_OF_FILE, type LetterBudget, type PageWord, wordsOfPage } from './page-words.ts';
import { fontBodies, fontCount, type Letters, lettersOf, textOrders } from './text-layer.ts';
import { type ObjectBody, writePdf } from './write.ts';

/** A limit against pages that take minutes to draw. */
const MAX_PAGES = 200;
const DOTS_PER_POINT = 150 / 72;
const JPEG_QUALITY = 85;
const WHITE = 0xffffffff;
/** How much a colour must differ from the one beside it to be readable, of 255. Light grey on white differs by 34. */
const LEAST_CONTRAST = 24;
/** The most rows and columns of a letter that are sampled. */
const MAX_PLACES = 40;
/** Points. A letter that is smaller both ways cannot be read. */
const LEAST_LETTER = 0.4;

interface PagePicture {
  /** Points. */
  readonly width: number;
  readonly height: number;
  readonly pixelWidth: number;
  readonly pixelHeight: number;
  readonly jpeg: Uint8Array;
  readonly isBlank: boolean;
  readonly words: readonly PageWord[];
}

/** Draws the pages. Throws EngineError `unreadable`, `encrypted`, `oversize` (pages, pixels). */
export async function disarmAsPictures(input: FileInput, limits: EngineLimits): Promise<Disarmed> {
  const pdfium = await loadPdfium();
  const memory = pdfium.pdfium.wasmExports;
  const at = memory.malloc(input.bytes.length);
  heapOf(pdfium).set(input.bytes, at);
  const document = pdfium.FPDF_LoadMemDocument(at, input.bytes.length, input.password ?? '');
  try {
    const count = document === 0 ? 0 : pdfium.FPDF_GetPageCount(document);
    if (count === 0) throw new EngineError('unreadable', 'the PDF has no readable page');
    if (count > MAX_PAGES) throw new EngineError('oversize', `more than ${MAX_PAGES} pages to draw`);
    const pages: PagePicture[] = [];
    const budget = { left: LETTERS_OF_FILE, isSpent: false };
    for (let index = 0; index < count; index++) pages.push(await drawPage(pdfium, document, index, { limits, budget }));
    // A reader that cannot decrypt or decode a page draws an empty sheet.
    if (pages.every(({ isBlank }) => isBlank))
      throw new EngineError('unreadable', 'nothing on the pages of the PDF can be drawn');
    const details = [
      { kind: 'selectable text, now behind the pictures of the pages', action: 'sanitized', where: 'pages' },
      ...(budget.isSpent
        ? [{ kind: 'text beyond the limit of words', action: 'removed', where: 'pages' } as const]
        : []),
    ] as const;
    return { outcome: 'disarmed', bytes: pdfOf(pages), type: describeType('application/pdf'), details };
  } finally {
    if (document !== 0) pdfium.FPDF_CloseDocument(document);
    memory.free(at);
  }
}

type Pdfium = Awaited<ReturnType<typeof loadPdfium>>;

interface Drawing {
  readonly limits: EngineLimits;
  readonly budget: LetterBudget;
}

async function drawPage(
  pdfium: Pdfium,
  document: number,
  index: number,
  { limits, budget }: Drawing,
): Promise<PagePicture> {
  const page = pdfium.FPDF_LoadPage(document, index);
  if (page === 0) throw new EngineError('unreadable', 'a page of the PDF cannot be drawn');
  try {
    const [width, height] = [pdfium.FPDF_GetPageWidthF(page), pdfium.FPDF_GetPageHeightF(page)];
    const pixelWidth = Math.max(1, Math.round(width * DOTS_PER_POINT));
    const pixelHeight = Math.max(1, Math.round(height * DOTS_PER_POINT));
    if (pixelWidth * pixelHeight > limits.pixels)
      throw new EngineError('oversize', 'a page of the PDF is too large to draw');
    const bitmap = pdfium.FPDFBitmap_Create(pixelWidth, pixelHeight, 0);
    pdfium.FPDFBitmap_FillRect(bitmap, 0, 0, pixelWidth, pixelHeight, WHITE);
    // 1: with annotations, as a reader shows the page.
    pdfium.FPDF_RenderPageBitmap(bitmap, page, 0, 0, pixelWidth, pixelHeight, 0, 1);
    const start = pdfium.FPDFBitmap_GetBuffer(bitmap);
    const pixels = heapOf(pdfium).slice(start, start + pixelWidth * pixelHeight * 4);
    pdfium.FPDFBitmap_Destroy(bitmap);
    const isBlank = pixels.every((value) => value === 0xff);
    const isSeen = (box: Box) => hasContrast(box, pixels, pixelWidth, pixelHeight);
    const words = wordsOfPage(pdfium, { page, width, height }, isSeen, budget);
    const jpeg = await jpegOf(pixels, pixelWidth, pixelHeight);
    return { width, height, pixelWidth, pixelHeight, isBlank, words, jpeg };
  } finally {
    pdfium.FPDF_ClosePage(page);
  }
}

/**
 * Returns whether there is more than one colour on a place of the picture and at its edge. Visible letters differ from their surroundings.
 */
function hasContrast({ left, right, top, bottom }: Box, pixels: Uint8Array, width: number, height: number): boolean {
  if (Math.max(right - left, bottom - top) < LEAST_LETTER) return false;
  const columns = placesOf(left, right, width);
  const least = [255, 255, 255];
  const most = [0, 0, 0];
  for (const y of placesOf(top, bottom, height)) {
    for (const x of columns) {
      for (let channel = 0; channel < 3; channel++) {
        const value = pixels[(y * width + x) * 4 + channel] as number;
        least[channel] = Math.min(least[channel] as number, value);
        most[channel] = Math.max(most[channel] as number, value);
        if ((most[channel] as number) - (least[channel] as number) >= LEAST_CONTRAST) return true;
      }
    }
  }
  return false;
}

/**
 * Returns the rows or columns of the picture between two places in points, and one beyond each. Of large letters it returns only some, with
 * both ends.
 */
function placesOf(from: number, to: number, count: number): readonly number[] {
  const first = Math.max(0, Math.floor(from * DOTS_PER_POINT) - 1);
  const last = Math.min(count - 1, Math.ceil(to * DOTS_PER_POINT) + 1);
  const steps = Math.min(last - first, MAX_PLACES);
  return Array.from({ length: Math.max(0, steps + 1) }, (_, at) =>
    steps === 0 ? first : first + Math.round((at * (last - first)) / steps),
  );
}

/** Converts the pixels, because PDFium writes blue first. */
async function jpegOf(pixels: Uint8Array, width: number, height: number): Promise<Uint8Array> {
  for (let at = 0; at < pixels.length; at += 4) {
    const blue = pixels[at] as number;
    pixels[at] = pixels[at + 2] as number;
    pixels[at + 2] = blue;
  }
  const picture = sharp(pixels, { raw: { width, height, channels: 4 } }).removeAlpha();
  return picture.jpeg({ quality: JPEG_QUALITY }).toBuffer();
}

/** Numbers the objects in the order of the PDF rebuild, so that a second pass changes nothing. */
function pdfOf(pages: readonly PagePicture[]): Uint8Array {
  const bodies: ObjectBody[] = [{ text: '<< /Type /Catalog /Pages 2 0 R >>', data: null }];
  const first = 3;
  const kids = pages.map((_, index) => `${first + index} 0 R`).join(' ');
  bodies.push({ text: `<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`, data: null });
  const behind = first + pages.length;
  const letters = lettersOf(pages.map(({ words }) => words));
  const fontsAt = behind + pages.length * 2;
  const fonts = Array.from({ length: fontCount(letters) }, (_, font) => `/F${font} ${fontsAt + font * 3} 0 R`).join(
    ' ',
  );
  for (const [index, { width, height, words }] of pages.entries()) {
    const box = `[0 0 ${width.toFixed(2)} ${height.toFixed(2)}]`;
    const content = behind + index * 2;
    const text = words.length === 0 ? '' : ` /Font << ${fonts} >>`;
    const resources = `<< /XObject << /P ${content + 1} 0 R >>${text} >>`;
    const body = `<< /Type /Page /Parent 2 0 R /MediaBox ${box} /Contents ${content} 0 R /Resources ${resources} >>`;
    bodies.push({ text: body, data: null });
  }
  for (const page of pages) bodies.push(...pageBodies(page, letters));
  return writePdf([...bodies, ...fontBodies(letters, fontsAt)], '1.7');
}

function pageBodies(page: PagePicture, letters: Letters): ObjectBody[] {
  const { width, height, pixelWidth, pixelHeight, jpeg, words } = page;
  const picture = `q ${width.toFixed(2)} 0 0 ${height.toFixed(2)} 0 0 cm /P Do Q`;
  const drawing = Buffer.from([picture, textOrders(words, letters)].filter((part) => part !== '').join('\n'), 'latin1');
  const facts = `/Width ${pixelWidth} /Height ${pixelHeight} /ColorSpace /DeviceRGB /BitsPerComponent 8`;
  return [
    { text: `<< /Length ${drawing.length} >>`, data: drawing },
    { text: `<< /Type /XObject /Subtype /Image ${facts} /Filter /DCTDecode /Length ${jpeg.length} >>`, data: jpeg },
  ];
}
