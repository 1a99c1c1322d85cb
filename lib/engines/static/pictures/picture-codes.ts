/** Codes for telephones (QR and the like) in pictures and on pages of documents: what they say, and whether their links are bad. */
import type { Sharp } from 'sharp';
import type { Pixels } from '../../../formats/codes/pictures.ts';
import type { Finding } from '../../engine.ts';
import { analyseUrl } from '../../url/analyse-url.ts';
import { finding } from '../findings/findings.ts';
import type { View } from '../findings/module.ts';
import { greyOf, mayHoldCode, withMargin } from './picture-pixels.ts';

/** Pictures of one document, and pages of one PDF, that are searched: a lure shows its code first. */
const MAX_PICTURES = 6;
const MAX_PAGES = 3;
/** A picture that claims more is not decoded for this: a photograph of a telephone has half of it. */
const MAX_PIXELS = 25_000_000;
/** Longest side that is searched. A common code of two centimetres on A4 then has modules of more than two pixels. */
const LONGEST_SIDE = 1_000;
/** Pictures with a longer side are searched in a coarser form as well. */
const LEAST_COARSE = 600;
/** Smaller pictures are enlarged: codes whose modules are a pixel or two wide. */
const SMALL_SIDE = 300;
/** Rules and tracking pixels: no code that holds a link has fewer modules to a side, and a picture can be stretched on a page. */
const MIN_SIDE = 16;
const ENLARGE = 3;
/** Codes without the quiet zone that the standard asks for. */
const MARGIN = 12;
/** Bullets and tracking pixels. */
const MIN_BYTES = 150;
/** Frames of an animation. */
const MAX_FRAMES = 4;
/** Codes of one picture; a sheet of a thousand is no mail. */
const MAX_CODES = 8;
const MAX_TEXT = 2_000;
/** Every this many pixels are looked at to tell an empty page; a code on a page darkens at least one of this many. */
const SAMPLE_STEP = 13;
const LEAST_SHARE = 1 / 2_000;
const MIDDLE_GREY = 128;
/** What telephones open from a code. Everything else (contacts, networks, payments, tickets) stays on the telephone. */
const LINK = /^(?:https?:|www\.|javascript:|data:|file:|ftp:)/i;

export interface CodesFound {
  readonly findings: readonly Finding[];
  /** Text of the codes, for the rules and the values to look for. */
  readonly views: readonly View[];
}

export const NO_CODES: CodesFound = { findings: [], views: [] };

/** A picture, and where it stands. */
export interface Picture {
  readonly where: string;
  readonly bytes: Uint8Array;
}

/** Searches the first pictures of a file. Never rejects: what cannot be decoded shows no code to a reader either. */
export async function codesInPictures(pictures: readonly Picture[]): Promise<CodesFound> {
  const worth = pictures.filter(({ bytes }) => bytes.length >= MIN_BYTES).slice(0, MAX_PICTURES);
  const found: CodesFound[] = [];
  for (const { where, bytes } of worth) found.push(judged(await codesOf(framesOf(bytes)), where));
  return { findings: found.flatMap(({ findings }) => findings), views: found.flatMap(({ views }) => views) };
}

/** Searches the first pages of a PDF as a reader draws them. Never rejects. */
export async function codesOnPages(bytes: Uint8Array): Promise<CodesFound> {
  return judged(await codesOf(pagesOf(bytes)), 'page');
}

async function* pagesOf(bytes: Uint8Array): AsyncGenerator<Pixels> {
  const { openPages } = await import('../../../formats/codes/pdf-pages.ts');
  yield* (await openPages(bytes, { pages: MAX_PAGES, longestSide: LONGEST_SIDE })).frames;
}

/** Texts of all codes, up to the first frame that cannot be decoded. */
async function codesOf(frames: AsyncIterable<Pixels>): Promise<ReadonlySet<string>> {
  const texts = new Set<string>();
  try {
    for await (const pixels of frames) {
      if (isBlank(pixels)) continue;
      for (const text of await codesInFrame(pixels)) texts.add(text.slice(0, MAX_TEXT));
    }
  } catch {
    // The fault's text can quote the file: it stays here.
  }
  return texts;
}

/** Whether all is dark or all is light: searching that takes longer than drawing it. */
function isBlank({ data }: Pixels): boolean {
  let dark = 0;
  let samples = 0;
  // Green alone: it is most of what brightness is.
  for (let at = 1; at < data.length; at += 4 * SAMPLE_STEP) {
    samples++;
    if ((data[at] ?? 0) < MIDDLE_GREY) dark++;
  }
  return Math.min(dark, samples - dark) < samples * LEAST_SHARE;
}

async function codesInFrame(pixels: Pixels): Promise<string[]> {
  const { codesIn } = await import('../../../formats/codes/read-codes.ts');
  // Without its slower searches: a code is a square that stands out, in any direction, whichever of the two colours is darker.
  return codesIn(pixels, {
    formats: ['QRCode', 'MicroQRCode', 'DataMatrix', 'Aztec'],
    maxNumberOfSymbols: MAX_CODES,
    tryHarder: false,
    tryRotate: false,
    tryInvert: true,
    // Coarser once more, for codes that are blurred: in a small picture there is nothing to gain, and noise costs most there.
    tryDownscale: Math.max(pixels.width, pixels.height) > LEAST_COARSE,
  });
}

/**
 * The frames of a picture in which a code may stand, on white, and on black where it is transparent. Throws when the bytes
 * cannot be decoded.
 */
async function* framesOf(bytes: Uint8Array): AsyncGenerator<Pixels> {
  const { openPicture } = await import('../../../formats/codes/frames.ts');
  const { width, height, pages = 1, hasAlpha } = await (await openPicture(bytes, 0, MAX_PIXELS)).metadata();
  if (Math.min(width, height) < MIN_SIDE) return;
  for (let page = 0; page < Math.min(pages, MAX_FRAMES); page++) {
    for (const background of hasAlpha ? ['#ffffff', '#000000'] : [null]) {
      const opened = await openPicture(bytes, page, MAX_PIXELS);
      const picture = background === null ? opened : opened.flatten({ background });
      const { data, info } = await scaled(picture, width, height)
        .toColourspace('srgb')
        .raw()
        .toBuffer({ resolveWithObject: true });
      const grey = greyOf({ data, ...info });
      if (mayHoldCode(grey)) yield withMargin(grey, MARGIN);
    }
  }
}

function scaled(picture: Sharp, width: number, height: number): Sharp {
  const longest = Math.max(width, height);
  if (longest < SMALL_SIDE) return picture.resize({ width: width * ENLARGE, kernel: 'nearest' });
  return longest <= LONGEST_SIDE
    ? picture
    : picture.resize({ width: LONGEST_SIDE, height: LONGEST_SIDE, fit: 'inside' });
}

function judged(texts: ReadonlySet<string>, place: string): CodesFound {
  const links = [...texts].filter((text) => LINK.test(text.trim()));
  return {
    findings: links.flatMap((link) => judgeLink(link.trim(), place)),
    views: [...texts].map((text) => ({ where: `code in ${place}`, bytes: Buffer.from(text) })),
  };
}

/** A code says nothing of itself; what the engine for URLs says of the link in it is believed. */
function judgeLink(link: string, place: string): Finding[] {
  const report = analyseUrl(/^www\./i.test(link) ? `http://${link}` : link);
  const isBad = report.outcome === 'completed' && (report.level === 'suspicious' || report.level === 'malicious');
  const carries = finding('picture-code', place, link);
  if (!isBad) return [carries];
  const reasons = report.findings.filter(({ level }) => level !== 'benign').map(({ name }) => name);
  return [carries, finding('picture-code-unsafe-link', place, `${link} (${reasons.join(', ')})`)];
}
