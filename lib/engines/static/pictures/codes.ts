/** Finds QR codes and similar ones in pictures and on pages of documents, and judges the links in them. */

import type { Sharp } from 'sharp';
import type { Pixels } from '../../../formats/codes/pictures.ts';
import { readablePicture } from '../../../formats/pictures/readable.ts';
import type { Finding } from '../../engine.ts';
import { analyseUrl } from '../../url/analyse-url.ts';
import { finding } from '../findings/findings.ts';
import type { View } from '../findings/module.ts';
import { greyOf, mayHoldCode, withMargin } from './pixels.ts';

/** The most pictures of one document, and pages of one PDF, that are searched. An attack shows its code early. */
const MAX_PICTURES = 6;
const MAX_PAGES = 3;
/** A picture with more pixels is not decoded. The photograph of a telephone has half as many. */
const MAX_PIXELS = 25_000_000;
/** Larger pictures are reduced to this side. A common code of two centimetres on A4 then has modules of more than two pixels. */
const MAX_SIDE = 1_000;
/** Pictures with a longer side are also searched in a coarser form. */
const LEAST_COARSE = 600;
/** Smaller pictures are enlarged, because the modules of their codes are a pixel or two wide. */
const SMALL_SIDE = 300;
/** Pictures with a shorter side are not searched. No code with a link has fewer modules, but a page can stretch a picture. */
const MIN_SIDE = 16;
const ENLARGE = 3;
/** Pixels that are added on all sides, for codes without the quiet zone of the standard. */
const MARGIN = 12;
/** Smaller files are bullets and tracking pixels. */
const MIN_BYTES = 150;
/** The most frames of an animation that are searched. */
const MAX_FRAMES = 4;
/** The most codes of one picture that are read. */
const MAX_CODES = 8;
const MAX_TEXT = 2_000;
/** An empty page is recognised in this many pixels. A code on a page darkens at least one of them. */
const SAMPLE_STEP = 13;
const LEAST_SHARE = 1 / 2_000;
const MIDDLE_GREY = 128;
/** The links that telephones open from a code. Everything else (contacts, networks, payments, tickets) stays on the telephone. */
const LINK = /^(?:https?:|www\.|javascript:|data:|file:|ftp:)/i;

export interface CodesFound {
  readonly findings: readonly Finding[];
  /** The text of the codes, for the rules and for the search of values. */
  readonly views: readonly View[];
}

export const NO_CODES: CodesFound = { findings: [], views: [] };

/** A picture, and its place. */
export interface Picture {
  readonly where: string;
  readonly bytes: Uint8Array;
}

/** Searches the first pictures of a file. Never rejects: a picture that cannot be decoded shows no code to a reader. */
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
  const isWanted = (pixels: Pixels) => !isBlank(pixels);
  yield* (await openPages(bytes, { pages: MAX_PAGES, longestSide: MAX_SIDE, isWanted })).frames;
}

/** Returns the texts of all codes, up to the first frame that cannot be decoded. */
async function codesOf(frames: AsyncIterable<Pixels>): Promise<ReadonlySet<string>> {
  const texts = new Set<string>();
  try {
    for await (const pixels of frames) {
      if (isBlank(pixels)) continue;
      for (const text of await codesInFrame(pixels)) texts.add(text.slice(0, MAX_TEXT));
    }
  } catch {
    // Frames behind a damaged one show nothing to a reader. The text of the error can quote the file, so it is not passed on.
  }
  return texts;
}

/** Returns true when all is dark or all is light. The search of such a page takes longer than its drawing. */
function isBlank({ data }: Pixels): boolean {
  let dark = 0;
  let samples = 0;
  // Green is most of the brightness, so the other colours are not read.
  for (let at = 1; at < data.length; at += 4 * SAMPLE_STEP) {
    samples++;
    if ((data[at] ?? 0) < MIDDLE_GREY) dark++;
  }
  return Math.min(dark, samples - dark) < samples * LEAST_SHARE;
}

async function codesInFrame(pixels: Pixels): Promise<string[]> {
  const { codesIn } = await import('../../../formats/codes/read-codes.ts');
  // The slower searches are off. A code is a clear square in any direction, and either of its two colours may be the darker one.
  return codesIn(pixels, {
    formats: ['QRCode', 'MicroQRCode', 'DataMatrix', 'Aztec'],
    maxNumberOfSymbols: MAX_CODES,
    tryHarder: false,
    tryRotate: false,
    tryInvert: true,
    // A coarser form helps with blurred codes. In a small picture it finds nothing more, and noise costs most time there.
    tryDownscale: Math.max(pixels.width, pixels.height) > LEAST_COARSE,
  });
}

/**
 * Returns the frames of a picture that may show a code. A transparent picture is drawn on white and on black. Throws when the bytes cannot
 * be decoded.
 */
async function* framesOf(file: Uint8Array): AsyncGenerator<Pixels> {
  const { openPicture } = await import('../../../formats/codes/frames.ts');
  const bytes = await readablePicture(file, MAX_PIXELS);
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
  return longest <= MAX_SIDE ? picture : picture.resize({ width: MAX_SIDE, height: MAX_SIDE, fit: 'inside' });
}

function judged(texts: ReadonlySet<string>, place: string): CodesFound {
  const links = [...texts].filter((text) => LINK.test(text.trim()));
  return {
    findings: links.flatMap((link) => judgeLink(link.trim(), place)),
    views: [...texts].map((text) => ({ where: `code in ${place}`, bytes: Buffer.from(text) })),
  };
}

/** Judges the link in a code with the engine for URLs. The code itself is not a finding. */
function judgeLink(link: string, place: string): Finding[] {
  const report = analyseUrl(/^www\./i.test(link) ? `http://${link}` : link);
  const isBad = report.outcome === 'completed' && (report.level === 'suspicious' || report.level === 'malicious');
  const carries = finding('picture-code', place, link);
  if (!isBad) return [carries];
  const reasons = report.findings.filter(({ level }) => level !== 'benign').map(({ name }) => name);
  return [carries, finding('picture-code-unsafe-link', place, `${link} (${reasons.join(', ')})`)];
}
