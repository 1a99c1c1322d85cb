/** Ordinary pictures of every raster format: photographs, scans, drawings and films. */
import sharp, { type Sharp } from 'sharp';
import type { NamedFile } from './office-opener.ts';

const WIDTH = 320;
const HEIGHT = 240;
const FRAMES = 4;

/** A picture with smooth shades and edges; another for every seed. */
function pixels(seed: number, height: number, channels: 3 | 4): Buffer {
  const data = Buffer.alloc(WIDTH * height * channels, 255);
  for (let at = 0; at < WIDTH * height; at++) {
    const x = at % WIDTH;
    const y = Math.floor(at / WIDTH);
    data[at * channels] = (x + seed * 40) & 255;
    data[at * channels + 1] = (y * 2) & 255;
    data[at * channels + 2] = (x >> 4) % 2 === (y >> 4) % 2 ? 40 : 200;
    if (channels === 4) data[at * channels + 3] = y & 255;
  }
  return data;
}

const drawn = (seed: number, channels: 3 | 4 = 3): Sharp =>
  sharp(pixels(seed, HEIGHT, channels), { raw: { width: WIDTH, height: HEIGHT, channels } });
const film = (): Sharp =>
  sharp(pixels(1, HEIGHT * FRAMES, 3), {
    raw: { width: WIDTH, height: HEIGHT * FRAMES, channels: 3, pageHeight: HEIGHT },
  });

/** Harmless pictures; the same bytes in every run on one version of the image library. */
export async function ordinaryPictures(): Promise<readonly NamedFile[]> {
  const made: Readonly<Record<string, Sharp>> = {
    'photo.jpg': drawn(1).jpeg(),
    'progressive.jpg': drawn(2).jpeg({ progressive: true, quality: 60 }),
    'grey.jpg': drawn(3).greyscale().jpeg(),
    'print.jpg': drawn(4).toColourspace('cmyk').jpeg(),
    'turned.jpg': drawn(5).withMetadata({ orientation: 6 }).jpeg(),
    'drawing.png': drawn(1, 4).png(),
    'palette.png': drawn(2).png({ palette: true, colours: 16 }),
    'deep.png': drawn(3).toColourspace('rgb16').png(),
    'interlaced.png': drawn(4).png({ progressive: true }),
    'still.gif': drawn(1).gif(),
    'film.gif': film().gif({ delay: [100, 100, 100, 100] }),
    'photo.webp': drawn(1).webp(),
    'clear.webp': drawn(2, 4).webp({ lossless: true }),
    'film.webp': film().webp({ delay: [100, 100, 100, 100] }),
    'scan.tiff': drawn(1).tiff({ compression: 'lzw' }),
    'fax.tiff': drawn(2).toColourspace('b-w').threshold().tiff({ compression: 'ccittfax4', bitdepth: 1 }),
    'plain.tiff': drawn(3).tiff({ compression: 'none' }),
  };
  const files: NamedFile[] = [];
  for (const [name, image] of Object.entries(made)) files.push({ name, bytes: new Uint8Array(await image.toBuffer()) });
  return files;
}
