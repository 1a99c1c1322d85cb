import { deflateSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { pdfStream, plainPdf } from '../../fixtures/pdf-file.ts';
import { disarmReport } from './run-disarm.ts';

/** One page whose content is packed as the filters say. */
function pdfWith(filters: string, data: Uint8Array): Uint8Array {
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Count 1 /Kids [3 0 R] >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] /Contents 4 0 R >>',
  ].map((body, index) => `${index + 1} 0 obj\n${body}\nendobj\n`);
  return Buffer.concat([
    Buffer.from(`%PDF-1.7\n${objects.join('')}4 0 obj\n<< /Filter ${filters} /Length ${data.length} >>\nstream\n`),
    data,
    Buffer.from('\nendstream\nendobj\ntrailer\n<< /Root 1 0 R /Size 5 >>\n%%EOF\n'),
  ]);
}

const zeros = deflateSync(Buffer.alloc(20 * 1024 * 1024));
const limits = { ratio: 100 };

test.each([
  ['one layer', '/FlateDecode', zeros],
  ['two layers', '[/FlateDecode /FlateDecode]', deflateSync(zeros)],
  ['two layers by their short names', '[/Fl /Fl]', deflateSync(zeros)],
  ['three layers', '[/FlateDecode /FlateDecode /FlateDecode]', deflateSync(deflateSync(zeros))],
  ['more layers than any file has', `[${'/FlateDecode '.repeat(20)}]`, deflateSync(Buffer.from('q Q'))],
])('a stream that expands without end is refused: %s', async (_, filters, data) => {
  const report = await disarmReport(pdfWith(filters, data), 'a.pdf', { limits });
  expect(report).toMatchObject({ outcome: 'failed', failure: { code: 'oversize' } });
});

test('a stream of two harmless layers keeps its bytes', async () => {
  const data = deflateSync(deflateSync(Buffer.from('q 1 0 0 1 0 0 cm Q')));
  const report = await disarmReport(pdfWith('[/FlateDecode /FlateDecode]', data), 'a.pdf');
  if (report.outcome === 'failed') expect.fail(report.failure.message);
  expect(Buffer.from(report.bytes).includes(data)).toBe(true);
});

/** A page that shows one picture of nothing but white, as a scanner writes the back of a sheet. */
function scanned(facts: string, pixels: Uint8Array): Uint8Array {
  const data = deflateSync(pixels, { level: 9 });
  return plainPdf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Count 1 /Kids [3 0 R] >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /XObject << /P 5 0 R >> >> >>',
    pdfStream('q 595 0 0 842 0 0 cm /P Do Q'),
    pdfStream(data, `/Type /XObject /Subtype /Image /Filter /FlateDecode ${facts} `),
  ]);
}

const A4 = { width: 2_480, height: 3_508 };
const size = `/Width ${A4.width} /Height ${A4.height}`;
const bitsOf = (bits: number) => Buffer.alloc(Math.ceil((A4.width * bits) / 8) * A4.height, 255);

test.each([
  ['black and white', `${size} /ColorSpace /DeviceGray /BitsPerComponent 1`, bitsOf(1)],
  ['grey', `${size} /ColorSpace /DeviceGray /BitsPerComponent 8`, bitsOf(8)],
  ['colours', `${size} /ColorSpace /DeviceRGB /BitsPerComponent 8`, bitsOf(24)],
  ['a mask', `${size} /ImageMask true`, bitsOf(1)],
])('an empty page of a scanner is no bomb: %s', async (_, facts, pixels) => {
  const report = await disarmReport(scanned(facts, pixels), 'a.pdf');
  expect(report).toMatchObject({ outcome: 'disarmed', quality: { units: { before: 1, after: 1 } } });
});

test.each([
  ['more bytes than its pixels', size, Buffer.alloc(80 * 1024 * 1024)],
  ['no size', '', bitsOf(24)],
  ['more pixels than the limit', '/Width 100000 /Height 100000', bitsOf(24)],
  ['samples that do not exist', `${size} /BitsPerComponent 64`, bitsOf(24)],
])('a picture that expands without end is refused: %s', async (_, facts, pixels) => {
  const report = await disarmReport(scanned(`${facts} /ColorSpace /DeviceRGB`, pixels), 'a.pdf', {
    limits: { ratio: 500 },
  });
  expect(report).toMatchObject({ outcome: 'failed', failure: { code: 'oversize' } });
});
