/**
 * Pictures of pages, kept under docs/ and compared with the page of today. Fonts differ between machines, so nothing is compared pixel by pixel:
 * the boxes of a page are (which there are, in which order, where they begin and how wide they are), its height, and coarse cells of the whole page (how much
 * of a cell is ink), band by band, so that a change at the foot of a long page counts as much as one at its head.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import sharp from 'sharp';

const FOLDER = 'docs/pictures';
const KEPT = 'test/checkers/desk-pages.json';
/** Bytes of one picture in docs/. */
const MAX_BYTES = 60_000;
/** A cell of the comparison, in pixels of the page. A line of text that breaks elsewhere stays within a few of them. */
const CELL = 40;
/** Rows of cells in a band. */
const BAND = 20;
/** Shares: a cell counts as different from this share of its brightness on, so many cells of a band may be, and a page may be so much taller or lower. */
const [CELL_DIFFERS, CELLS_MAY, HEIGHT_MAY] = [0.2, 0.12, 0.08];
/** Pixels by which a box may begin or end elsewhere. */
const SIDEWAYS = 24;
/** The tallest picture in docs/: the part of a page that a reader looks at. */
const TALLEST = 1_000;

interface Box {
  readonly what: string;
  readonly x: number;
  readonly width: number;
}

/** The whole page as cells of their middle brightness (base64, row by row). */
interface Cells {
  readonly width: number;
  readonly height: number;
  readonly cells: string;
}

interface Kept {
  readonly boxes: readonly Box[];
  readonly page: Cells;
}

/** Boxes that make the layout of a page, and what each is called. */
const READ_BOXES = `[...document.querySelectorAll('nav, header, section, table, form, img, iframe, svg, h1, h2, ol.stages > li')].map((element) => {
  const { x, width } = element.getBoundingClientRect();
  const name = element.tagName.toLowerCase() + (element.tagName === 'H2' ? ' ' + element.textContent : '') + (element.className && typeof element.className === 'string' ? '.' + element.className.split(' ')[0] : '');
  return { what: name, x: Math.round(x), width: Math.round(width) };
})`;

export interface Pictures {
  /** Looks at the page, and says what is not as it was. */
  readonly take: (page: Page, name: string) => Promise<string[]>;
  /** Writes what was seen, when it is to be kept. */
  readonly end: () => Promise<void>;
}

/** `keep`: pictures and boxes are written instead of compared. `seen`: a folder for the pictures of today; null for none. */
export function createPictures({ keep, seen }: { readonly keep: boolean; readonly seen: string | null }): Pictures {
  const known: Record<string, Kept> = existsSync(KEPT) ? JSON.parse(readFileSync(KEPT, 'utf8')) : {};
  const now: Record<string, Kept> = {};
  return {
    async take(page, name) {
      const boxes = await page.evaluate<readonly Box[]>(READ_BOXES);
      const png = await page.screenshot({ fullPage: true });
      if (seen !== null) await writeFile(join(seen, `${name}.png`), png);
      const today = { boxes, page: await cellsOf(png) };
      now[name] = today;
      const path = join(FOLDER, `${name}.png`);
      if (keep) {
        const picture = await pictureOf(png);
        if (picture.length > MAX_BYTES) return [`${path} has ${picture.length} bytes, more than ${MAX_BYTES}`];
        await writeFile(path, picture);
        return [];
      }
      const was = known[name];
      if (was === undefined || !existsSync(path)) return [`${path} is not there: npm run check:desk -- --keep`];
      return [...otherBoxes(name, was.boxes, boxes), ...otherCells(name, was.page, today.page)];
    },
    async end() {
      if (!keep) return;
      await writeFile(KEPT, JSON.stringify(now));
      // As the whole project is, so that the next `npm test` has nothing against it.
      execFileSync('npx', ['biome', 'format', '--write', KEPT], { stdio: 'inherit' });
    },
  };
}

/** The picture for docs/. */
async function pictureOf(png: Buffer): Promise<Buffer> {
  const { width = 0, height = 0 } = await sharp(png).metadata();
  const cut = { left: 0, top: 0, width, height: Math.min(height, TALLEST) };
  return sharp(png)
    .extract(cut)
    .png({ palette: true, colours: 16, compressionLevel: 9, effort: 10, dither: 0 })
    .toBuffer();
}

async function cellsOf(png: Buffer): Promise<Cells> {
  const { width = 0, height = 0 } = await sharp(png).metadata();
  const cells = await sharp(png)
    .resize(Math.ceil(width / CELL), Math.ceil(height / CELL), { fit: 'fill', kernel: 'cubic' })
    .greyscale()
    .raw()
    .toBuffer();
  return { width, height, cells: cells.toString('base64') };
}

function otherBoxes(name: string, known: readonly Box[], now: readonly Box[]): string[] {
  const names = (list: readonly Box[]) => list.map(({ what }) => what).join(', ');
  if (names(known) !== names(now)) return [`${name} is made of other boxes: ${names(now)}; they were: ${names(known)}`];
  return now.flatMap(({ what, x, width }, at) => {
    const was = known[at] ?? { x: 0, width: 0 };
    const isElsewhere = Math.abs(was.x - x) > SIDEWAYS || Math.abs(was.x + was.width - x - width) > SIDEWAYS;
    return isElsewhere ? [`${name}: ${what} is from ${x}, ${width} wide; it was from ${was.x}, ${was.width} wide`] : [];
  });
}

/** A page that is much taller or lower has more or less on it; else its bands are compared, as far as both pages go. */
function otherCells(name: string, was: Cells, now: Cells): string[] {
  if (was.width !== now.width) return [`${name} is ${now.width} pixels wide; it was ${was.width}`];
  if (Math.abs(now.height - was.height) > was.height * HEIGHT_MAY)
    return [`${name} is ${now.height} pixels tall; it was ${was.height}`];
  const [one, other] = [Buffer.from(was.cells, 'base64'), Buffer.from(now.cells, 'base64')];
  const band = BAND * Math.ceil(was.width / CELL);
  const length = Math.min(one.length, other.length);
  // A few rows at the foot belong to the band above: alone, a line that is pushed down is most of them.
  const bands = Math.max(1, Math.round(length / band));
  const problems: string[] = [];
  for (let number = 0; number < bands; number += 1) {
    const [from, to] = [number * band, number + 1 === bands ? length : (number + 1) * band];
    const differs = (value: number, at: number) => Math.abs(value - (other[from + at] ?? 0)) > CELL_DIFFERS * 255;
    const share = one.subarray(from, to).filter(differs).length / (to - from);
    if (share <= CELLS_MAY) continue;
    const percent = Math.round(share * 100);
    problems.push(`${name} looks otherwise from ${number * BAND * CELL} pixels on: ${percent} % of the cells differ`);
  }
  return problems;
}
