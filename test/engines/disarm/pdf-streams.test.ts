import { deflateSync } from 'node:zlib';
import { expect, test } from 'vitest';
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
