/**
 * Pictures of pages, kept under docs/ and compared with the page of today. Fonts differ between machines, so nothing is compared pixel by pixel:
 * the boxes of a page are (which there are, in which order, where they begin and how wide they are), and coarse cells of the picture (how much of a cell is ink).
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import sharp from 'sharp';

const FOLDER = 'docs/pictures';
const BOXES = 'test/checkers/desk-boxes.json';
/** Bytes of one picture in docs/. */
const MOST_BYTES = 60_000;
/** A cell of the comparison, in pixels of the page. A line of text that breaks elsewhere stays within a few of them. */
const CELL = 40;
/** Shares: a cell counts as different from this share of its brightness on, and so many cells may be. */
const [CELL_DIFFERS, CELLS_MAY] = [0.25, 0.12];
/** Pixels by which a box may begin or end elsewhere. */
const SIDEWAYS = 24;
/** The tallest picture: the part of a page that a reader of docs/ looks at. */
const TALLEST = 1_000;

interface Box {
  readonly what: string;
  readonly x: number;
  readonly width: number;
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
  const known: Record<string, readonly Box[]> = existsSync(BOXES) ? JSON.parse(readFileSync(BOXES, 'utf8')) : {};
  const boxes: Record<string, readonly Box[]> = {};
  return {
    async take(page, name) {
      const now = await page.evaluate<readonly Box[]>(READ_BOXES);
      const picture = await pictureOf(page);
      if (seen !== null) await writeFile(join(seen, `${name}.png`), picture);
      boxes[name] = now;
      const path = join(FOLDER, `${name}.png`);
      if (keep) {
        if (picture.length > MOST_BYTES) return [`${path} has ${picture.length} bytes, more than ${MOST_BYTES}`];
        await writeFile(path, picture);
        return [];
      }
      if (!existsSync(path)) return [`${path} is not there: npm run check:desk -- --keep`];
      return [...otherBoxes(name, known[name] ?? [], now), ...(await otherCells(path, picture))];
    },
    async end() {
      if (!keep) return;
      await writeFile(BOXES, JSON.stringify(boxes));
      // As the whole project is, so that the next `npm test` has nothing against it.
      execFileSync('npx', ['biome', 'format', '--write', BOXES], { stdio: 'inherit' });
    },
  };
}

async function pictureOf(page: Page): Promise<Buffer> {
  const png = await page.screenshot({ fullPage: true });
  const { width = 0, height = 0 } = await sharp(png).metadata();
  const cut = { left: 0, top: 0, width, height: Math.min(height, TALLEST) };
  return sharp(png)
    .extract(cut)
    .png({ palette: true, colours: 16, compressionLevel: 9, effort: 10, dither: 0 })
    .toBuffer();
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

/** The part that both pictures have, as cells of their middle brightness. */
async function otherCells(path: string, picture: Buffer): Promise<string[]> {
  const [known, now] = [await sharp(path).metadata(), await sharp(picture).metadata()];
  const height = Math.min(known.height ?? 0, now.height ?? 0);
  const width = Math.min(known.width ?? 0, now.width ?? 0);
  const cells = async (input: string | Buffer) =>
    sharp(await sharp(input).extract({ left: 0, top: 0, width, height }).toBuffer())
      .resize(Math.ceil(width / CELL), Math.ceil(height / CELL), { fit: 'fill', kernel: 'cubic' })
      .greyscale()
      .raw()
      .toBuffer();
  const [one, other] = [await cells(path), await cells(picture)];
  const different = one.filter((value, at) => Math.abs(value - (other[at] ?? 0)) > CELL_DIFFERS * 255).length;
  const share = different / Math.max(1, one.length);
  return share > CELLS_MAY ? [`${path} looks otherwise: ${Math.round(share * 100)} % of its cells differ`] : [];
}
