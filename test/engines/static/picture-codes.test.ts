import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { numbers } from '../../benign/file.ts';
import { qrPng, sheetOf } from '../../fixtures/build-codes.ts';
import { HEIC_OF_CODE } from '../../fixtures/heic-of-code.ts';
import { wordDocument } from '../office-fixture.ts';
import { reportOn, verdictOn } from './analyse.ts';

const MENU = 'https://www.example.org/menu';
const DECEIT = 'https://account.example@198.51.100.7/verify';
const menu = await qrPng(MENU);
const deceit = await qrPng(DECEIT);

/** White noise without any structure. */
function noisePicture(width: number, height: number) {
  const random = numbers(5);
  const bytes = Uint8Array.from({ length: width * height * 3 }, () => random() * 256);
  return sharp(bytes, { raw: { width, height, channels: 3 } });
}

/** The code, enlarged to so many pixels, each of which is darker or lighter by up to so many levels. */
async function underNoise(code: Buffer, side: number, levels: number): Promise<Buffer> {
  const enlarged = sharp(code).resize({ width: side, kernel: 'nearest' }).linear(0.7, levels).greyscale();
  const { data, info } = await enlarged.raw().toBuffer({ resolveWithObject: true });
  const random = numbers(7);
  const noisy = data.map((level) => level + Math.round((random() * 2 - 1) * levels));
  return sharp(noisy, { raw: { width: info.width, height: info.height, channels: 1 } })
    .png()
    .toBuffer();
}

const documentWith = (pictures: readonly Uint8Array[]) =>
  wordDocument({
    relationships: pictures.map((_, index) => ['image', `media/image${index}.png`, false] as const),
    parts: Object.fromEntries(pictures.map((bytes, index) => [`word/media/image${index}.png`, bytes])),
  });

/** A page that draws the modules of a code as rectangles. */
async function drawnPage(code: Buffer): Promise<Buffer> {
  const { data, info } = await sharp(code).greyscale().raw().toBuffer({ resolveWithObject: true });
  const scale = 400 / info.width;
  const rows: string[] = [];
  for (let y = 0; y < info.height; y += 4)
    for (let x = 0; x < info.width; x += 4)
      if ((data[y * info.width + x] ?? 255) < 128)
        rows.push(
          `${(x * scale + 90).toFixed(2)} ${(700 - y * scale).toFixed(2)} ${(4 * scale).toFixed(2)} ${(4 * scale).toFixed(2)} re f`,
        );
  return pdfOf(rows.join('\n'));
}

const pdfOf = (content: string) =>
  Buffer.from(
    `%PDF-1.7\n1 0 obj <</Type /Catalog /Pages 2 0 R>> endobj\n2 0 obj <</Type /Pages /Kids [3 0 R] /Count 1>> endobj\n3 0 obj <</Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources <<>>>> endobj\n4 0 obj <</Length ${content.length}>>\nstream\n${content}\nendstream endobj\ntrailer <</Root 1 0 R>>\n%%EOF\n`,
    'latin1',
  );

describe('a code', () => {
  test.each<[string, () => Promise<Uint8Array>, string, string]>([
    ['with a link is a fact', async () => menu, 'a.png', 'unknown picture-code'],
    [
      'with a link made to deceive is suspicious',
      async () => deceit,
      'a.png',
      'suspicious picture-code picture-code-unsafe-link',
    ],
    ['with a text is nothing', () => qrPng('Table 12'), 'a.png', 'benign'],
    ['with a network is nothing', () => qrPng('WIFI:T:WPA;S:guest;P:welcome;;'), 'a.png', 'benign'],
    [
      'beside another is read too',
      () => sheetOf([menu, deceit]),
      'a.png',
      'suspicious picture-code picture-code-unsafe-link',
    ],
    [
      'light on dark is read',
      () => sharp(deceit).negate({ alpha: false }).png().toBuffer(),
      'a.png',
      'suspicious picture-code picture-code-unsafe-link',
    ],
    [
      'in a JPEG is read',
      () => sharp(deceit).resize(900).jpeg().toBuffer(),
      'a.jpg',
      'suspicious picture-code picture-code-unsafe-link',
    ],
    [
      'in a photograph of an iPhone is read',
      async () => HEIC_OF_CODE,
      'a.heic',
      'suspicious picture-code picture-code-unsafe-link',
    ],
    [
      'turned by a few degrees is read',
      () => sharp(deceit).resize(700).rotate(12, { background: '#ffffff' }).png().toBuffer(),
      'a.png',
      'suspicious picture-code picture-code-unsafe-link',
    ],
    [
      'of large squares under noise is read',
      () => underNoise(deceit, 900, 30),
      'a.png',
      'suspicious picture-code picture-code-unsafe-link',
    ],
    [
      'in a corner of a picture of noise is read',
      () =>
        noisePicture(400, 500)
          .composite([{ input: deceit, left: 240, top: 330 }])
          .png()
          .toBuffer(),
      'a.png',
      'suspicious picture-code picture-code-unsafe-link',
    ],
    [
      'in two colours of the same green is read',
      () => sharp(deceit).toColourspace('srgb').linear([1, 0, 0], [0, 90, 90]).png().toBuffer(),
      'a.png',
      'suspicious picture-code picture-code-unsafe-link',
    ],
    [
      'in a document is read',
      async () => documentWith([deceit]),
      'a.docx',
      'suspicious picture-code picture-code-unsafe-link',
    ],
    ['drawn on a page is read', () => drawnPage(deceit), 'a.pdf', 'suspicious picture-code picture-code-unsafe-link'],
  ])('%s', async (_, make, name, expected) => {
    expect(await verdictOn(await make(), name)).toBe(expected);
  });

  test('is shown with its link, its place and the reasons, and the link is a value to look for', async () => {
    const { findings, iocs } = await reportOn(documentWith([deceit]), 'a.docx');
    expect(findings.find(({ id }) => id === 'picture-code-unsafe-link')).toMatchObject({
      where: 'word/media/image0.png',
      evidence: expect.stringMatching(
        /^https:\/\/account\.example@198\.51\.100\.7\/verify \(.*IP address instead of a name/,
      ),
    });
    expect(iocs).toContainEqual({ type: 'url', value: DECEIT });
  });

  test('behind the limit of searched pictures is not read', async () => {
    const dots = await Promise.all(
      Array.from({ length: 6 }, (_, index) =>
        sharp({ create: { width: 90 + index, height: 90, channels: 3, background: '#8899aa' } })
          .png()
          .toBuffer(),
      ),
    );
    expect(await verdictOn(documentWith([...dots.slice(1), deceit]), 'a.docx')).toContain('picture-code');
    expect(await verdictOn(documentWith([...dots, deceit]), 'a.docx')).toBe('benign');
  });
});

describe('what is no code', () => {
  test('a photograph, a picture that claims too much and one that is damaged stay what they were', async () => {
    const noise = { type: 'gaussian', mean: 128, sigma: 40 } as const;
    const photograph = await sharp({ create: { width: 640, height: 480, channels: 3, background: '#888', noise } })
      .jpeg()
      .toBuffer();
    expect(await verdictOn(photograph, 'a.jpg')).toBe('benign');
    expect(await verdictOn(await noisePicture(300, 400).png().toBuffer(), 'a.png')).toBe('benign');
    const flood = Buffer.from(deceit);
    flood.writeUInt32BE(5_001, 16);
    flood.writeUInt32BE(5_001, 20);
    expect(await verdictOn(flood, 'a.png')).toBe('benign');
  });

  test('a page of text is not drawn', async () => {
    expect(await verdictOn(pdfOf('BT /F1 12 Tf (Scan the code) Tj ET'), 'a.pdf')).toBe('benign');
  });
});
