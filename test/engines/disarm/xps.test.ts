/** XPS documents keep their pages, words, shapes, fonts and pictures. */
import { expect, test } from 'vitest';
import { rebuildFont } from '../../../lib/engines/disarm/xps/sfnt.ts';
import { fontFault } from '../../../lib/engines/inspect/font.ts';
import { buildFont } from '../../fixtures/build-font.ts';
import { buildPng } from '../../fixtures/build-image.ts';
import { buildXps, run, type XpsOptions } from '../../fixtures/build-xps.ts';
import { zipMembersOf } from '../../hostile/disarm/layers.ts';
import { disarmed, refusalCode } from './run-disarm.ts';

async function document(options: XpsOptions) {
  const { bytes, kinds, extension } = await disarmed(await buildXps(options), 'a.xps');
  const members = new Map(zipMembersOf(bytes));
  return { bytes, kinds, extension, members, page: (at: number) => members.get(`Pages/${at}.fpage`)?.toString() ?? '' };
}

test('words, shapes, resources and safe links stay in their places', async () => {
  const markup =
    '<FixedPage.Resources><ResourceDictionary><SolidColorBrush x:Key="b" Color="#ff0000" xmlns:x="http://schemas.microsoft.com/xps/2005/06/resourcedictionary-key"/></ResourceDictionary></FixedPage.Resources>' +
    `${run('Ünïcode &amp; {text}', ' Indices="1,50;2" FixedPage.NavigateUri="https://www.example.com/"')}<Path Data="M 0,0 L 9,9" Fill="{StaticResource b}"/>`;
  const { page, extension } = await document({ pages: [markup, run('Second')] });
  expect(extension).toBe('xps');
  expect(page(1)).toContain(
    'UnicodeString="Ünïcode &amp; {text}" Indices="1,50;2" FixedPage.NavigateUri="https://www.example.com/"',
  );
  expect(page(1)).toContain('<Path Data="M 0,0 L 9,9" Fill="{StaticResource b}"/>');
  expect(page(2)).toContain('FontUri="/Resources/font-1.ttf"');
});

test('a second pass changes nothing', async () => {
  const { bytes } = await document({});
  expect((await disarmed(bytes, 'a.xps')).outcome).toBe('already_safe');
});

test('OpenXPS comes back as XPS', async () => {
  const { page } = await document({ space: 'http://schemas.openxps.org/oxps/v1.0' });
  expect(page(1)).toContain('<FixedPage xmlns="http://schemas.microsoft.com/xps/2005/06"');
});

test('the part of a picture that a page shows stays the same in pixels', async () => {
  const brush =
    '<Path Data="M0,0"><Path.Fill><ImageBrush ImageSource="/a.png" Viewbox="0,0,16,16" Viewport="0,0,9,9"/></Path.Fill></Path>';
  const { page, members } = await document({ pages: [run('x') + brush], more: [['a.png', buildPng()]] });
  const picture = members.get('Resources/picture-2.png') ?? Buffer.alloc(0);
  const density = picture.indexOf('pHYs') === -1 ? 96 : picture.readUInt32BE(picture.indexOf('pHYs') + 4) * 0.0254;
  const [, , , width = ''] = /Viewbox="(\S+?),(\S+?),(\S+?),/.exec(page(1)) ?? [];
  expect((Number(width) * density) / 96).toBeCloseTo(16, 1);
});

test('a font keeps its outlines and metrics, and loses its programs', () => {
  const font = Buffer.from(rebuildFont(buildFont({ program: Buffer.from('PROGRAM!') })) ?? []);
  expect(fontFault(font)).toBeNull();
  expect(font.includes('PROGRAM')).toBe(false);
  expect(font.includes('fpgm')).toBe(false);
  expect(font.includes(Buffer.from([1, 1, 1, 1, 0, 100, 2, 88]))).toBe(true);
  expect(Buffer.compare(Buffer.from(rebuildFont(font) ?? []), font)).toBe(0);
});

test.each([
  ['cut off', (font: Uint8Array) => font.subarray(0, font.length - 80)],
  ['with a glyph outside of its table', (font: Uint8Array) => damaged(font, 'loca', 2, 0x7f)],
  ['with contours that go back', (font: Uint8Array) => damaged(font, 'glyf', 10, 0xff)],
  ['with too few metrics', (font: Uint8Array) => damaged(font, 'hhea', 34, 0x7f)],
  ['without its mark', (font: Uint8Array) => damaged(font, 'head', 12, 0)],
  ['of another kind', () => Buffer.from('wOFF')],
])('a font %s is refused, and with it the document', async (_, damage) => {
  const font = new Uint8Array(damage(buildFont()));
  expect(rebuildFont(font)).toBeNull();
  expect(await refusalCode(await buildXps({ font, isObfuscated: false }), 'a.xps')).toBe('unsupported');
});

function damaged(font: Uint8Array, tag: string, offset: number, value: number): Uint8Array {
  const bytes = Buffer.from(font);
  const row = bytes.indexOf(tag);
  bytes[bytes.readUInt32BE(row + 8) + offset] = value;
  return bytes;
}

test('a document without pages is refused', async () => {
  expect(await refusalCode(await buildXps({ pages: [] }), 'a.xps')).toBe('unreadable');
});
