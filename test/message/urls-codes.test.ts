import sharp from 'sharp';
import { afterAll, describe, expect, test } from 'vitest';
import { createUnpacker } from '../../lib/formats/archives/unpacker.ts';
import { createCodeReader } from '../../lib/formats/codes/reader.ts';
import type { SearchTools, UrlSource } from '../../lib/message/urls/sources/source.ts';
import { searchSource } from '../../lib/message/urls/sources/sources.ts';
import { qrPng, sheetOf } from '../fixtures/build-codes.ts';
import { buildZip } from '../fixtures/build-office.ts';
import { buildPdf } from '../fixtures/build-pdf.ts';
import { HEIC_OF_CODE } from '../fixtures/heic-of-code.ts';

const reader = createCodeReader();
const unpacker = createUnpacker();
afterAll(async () => {
  await reader.close();
  await unpacker.close();
});

const TOOLS: SearchTools = {
  limits: { urlLength: 8192, textBytes: 1_000_000 },
  unpack: unpacker.unpack,
  readCodes: reader.read,
  workLeftMs: () => 60_000,
};
const search = (bytes: Uint8Array, detectedType: string, tools: Partial<SearchTools> = {}) => {
  const source: UrlSource = {
    detectedType,
    declaredType: detectedType,
    extensions: [],
    charset: null,
    base: null,
    isDelSp: false,
    isData: false,
    bytes,
  };
  return searchSource(source, { ...TOOLS, ...tools });
};
const EVIL = 'https://evil.example/qr';
const urlsOf = async (bytes: Uint8Array, type = 'image/png') =>
  (await search(bytes, type)).urls.map(({ normalised, where, rank }) => [normalised, where, rank]);
const FOUND = [[EVIL, 'code', 0]];

describe('a QR code in a picture', () => {
  test('is read', async () => expect(await urlsOf(await qrPng(EVIL))).toEqual(FOUND));
  test('of one pixel per module is read', async () => expect(await urlsOf(await qrPng(EVIL, 1))).toEqual(FOUND));
  test('inverted is read', async () =>
    expect(
      await urlsOf(
        await sharp(await qrPng(EVIL))
          .negate({ alpha: false })
          .png()
          .toBuffer(),
      ),
    ).toEqual(FOUND));
  test.each([90, 180, 37])('rotated by %s degrees is read', async (degrees) => {
    const turned = sharp(await qrPng(EVIL, 8)).rotate(degrees, { background: '#ffffff' });
    expect(await urlsOf(await turned.png().toBuffer())).toEqual(FOUND);
  });
  test('in white on a transparent ground is read', async () => {
    const mask = await sharp(await qrPng(EVIL, 8))
      .negate()
      .toColourspace('b-w')
      .raw()
      .toBuffer({ resolveWithObject: true });
    const { width, height } = mask.info;
    const pixels = Buffer.alloc(width * height * 4, 255);
    for (let at = 0; at < width * height; at++) pixels[at * 4 + 3] = mask.data[at] ?? 0;
    const png = await sharp(pixels, { raw: { width, height, channels: 4 } })
      .png()
      .toBuffer();
    expect(await urlsOf(png)).toEqual(FOUND);
  });
  test('as HEIC is read', async () => {
    const [[link] = []] = await urlsOf(HEIC_OF_CODE, 'image/heic');
    expect(link).toContain('198.51.100.7/verify');
  });
  test.each(['jpeg', 'gif', 'webp', 'tiff'] as const)('as %s is read', async (format) => {
    expect(
      await urlsOf(
        await sharp(await qrPng(EVIL))
          .toFormat(format)
          .toBuffer(),
        `image/${format}`,
      ),
    ).toEqual(FOUND);
  });
  test('beside other codes is read, and so are the others', async () => {
    const texts = ['https://a.example/1', 'http://b.example/2', 'evil.com/3'];
    const sheet = await sheetOf(await Promise.all(texts.map((text) => qrPng(text, 6))));
    const urls = (await urlsOf(sheet)).map(([url]) => url);
    expect(urls.sort()).toEqual(['http://b.example/2', 'http://evil.com/3', 'https://a.example/1']);
  });
  test('that holds no address gives no link', async () => {
    expect(await search(await qrPng('WIFI:T:WPA;S:net;P:secret;;'), 'image/png')).toEqual({
      urls: [],
      notSearched: [],
    });
  });
});

test('a picture without a code gives no link', async () => {
  const plain = await sharp({ create: { width: 300, height: 200, channels: 3, background: '#88aacc' } })
    .png()
    .toBuffer();
  expect(await search(plain, 'image/png')).toEqual({ urls: [], notSearched: [] });
});

test('a code that is drawn on a page of a PDF is read', async () => {
  const { data, info } = await sharp(await qrPng(EVIL, 1))
    .toColourspace('b-w')
    .raw()
    .toBuffer({ resolveWithObject: true });
  const squares: string[] = [];
  for (let y = 0; y < info.height; y++)
    for (let x = 0; x < info.width; x++)
      if ((data[y * info.width * info.channels + x * info.channels] ?? 255) < 128)
        squares.push(`${100 + x * 4} ${500 - y * 4} 4.05 4.05 re`);
  const drawn = buildPdf({ text: `x) Tj ET 0 g ${squares.join(' ')} f BT (y` });
  expect(await urlsOf(drawn, 'application/pdf')).toEqual(FOUND);
});

test('a code in a picture of an Office file is read', async () => {
  const docx = await buildZip([
    ['word/document.xml', '<w:document/>'],
    ['word/media/image1.png', await qrPng(EVIL)],
  ]);
  expect(await urlsOf(docx, 'application/vnd.openxmlformats-officedocument.wordprocessingml.document')).toEqual(FOUND);
});

describe('what cannot be read is reported', () => {
  test('without a code reader', async () => {
    const { notSearched } = await search(await qrPng(EVIL), 'image/png', { readCodes: null });
    expect(notSearched).toEqual(['a picture, for codes: there is no code reader here']);
  });
  test('a picture that cannot be decoded', async () => {
    const { notSearched } = await search(Buffer.alloc(500, 7), 'image/png');
    expect(notSearched).toEqual(['a picture, for codes: it cannot be decoded']);
  });
  test('a picture of more pixels than are decoded', async () => {
    const huge = sharp({ create: { width: 16_000, height: 8_000, channels: 3, background: '#fff' } });
    const { notSearched } = await search(await huge.png().toBuffer(), 'image/png');
    expect(notSearched).toEqual(['a picture, for codes: it cannot be decoded']);
  });
  test('a picture that takes too long: its thread is ended, and the next one is read', async () => {
    const slow = await sharp({
      create: {
        width: 2_000,
        height: 2_000,
        channels: 3,
        background: '#fff',
        noise: { type: 'gaussian', mean: 128, sigma: 60 },
      },
    })
      .png()
      .toBuffer();
    expect(await reader.read({ kind: 'picture', bytes: slow, workMs: 1 })).toEqual({
      outcome: 'partly',
      untrustedTexts: [],
    });
    expect(await urlsOf(await qrPng(EVIL))).toEqual(FOUND);
  });
});
