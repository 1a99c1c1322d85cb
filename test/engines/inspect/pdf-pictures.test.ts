/** Pictures of a PDF are counted as pages and words are: one that is gone without a word about it is a loss. */
import { expect, test } from 'vitest';
import { lossOf } from '../../../lib/engines/disarm/kept.ts';
import { DEFAULT_ENGINE_LIMITS } from '../../../lib/engines/engine.ts';
import { inspectOutput } from '../../../lib/engines/inspect/inspect.ts';
import { detectType } from '../../../lib/formats/detection/detect.ts';
import { describeType, secondLookOf } from '../../../lib/formats/file-types.ts';
import { packedStream, plainPdf } from '../../fixtures/pdf-file.ts';
import { disarmReport } from '../disarm/run-disarm.ts';

const PDF = describeType('application/pdf');
const IMAGE = '/Type /XObject /Subtype /Image /Width 1 /Height 1 /ColorSpace /DeviceGray /BitsPerComponent 8 ';

/** One page that shows so many pictures, beside one of an annotation and one that nothing leads to. */
function pdf(count: number): Uint8Array {
  const names = Array.from({ length: count }, (_, at) => `/P${at} ${8 + at} 0 R`).join(' ');
  const orders = Array.from({ length: count }, (_, at) => `/P${at} Do`).join(' ');
  return plainPdf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 99 99] /Annots [5 0 R] /Resources << /XObject << ${names} >> >> /Contents 4 0 R >>`,
    packedStream(orders),
    '<< /Type /Annot /Subtype /Stamp /Rect [0 0 9 9] /AP << /N 6 0 R >> >>',
    packedStream('1', '/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /XObject << /A 7 0 R >> >> '),
    packedStream('a', IMAGE),
    ...Array.from({ length: count }, (_, at) => packedStream(String(at), IMAGE)),
    packedStream('z', IMAGE),
  ]);
}

async function look(original: Uint8Array, output: Uint8Array) {
  const [before, after] = [original, output].map((bytes) => ({ bytes, type: PDF })) as [never, never];
  return inspectOutput(before, after, DEFAULT_ENGINE_LIMITS, { detectType, secondLookOf });
}

test('those that pages show are counted, each once', async () => {
  expect((await look(pdf(3), pdf(2))).pictures).toEqual({ before: 3, after: 2 });
  expect((await look(pdf(1), pdf(1))).pictures).toEqual({ before: 1, after: 1 });
});

test('one that is gone is a loss, unless a removal names what can have held it, or the pages were drawn', async () => {
  const inspection = await look(pdf(3), pdf(2));
  const told = { outcome: 'disarmed', type: PDF, removals: 1 } as const;
  const lost = { id: 'pictures-lost', where: '2 of 3' };
  expect(lossOf(inspection, { ...told, pictureRemovals: 0 }, { keepsText: true })).toEqual(lost);
  expect(lossOf(inspection, { ...told, pictureRemovals: 1 }, { keepsText: true })).toBeNull();
  expect(lossOf(inspection, { ...told, pictureRemovals: 0 }, { keepsText: false })).toBeNull();
});

test('an ordinary document keeps all of them', async () => {
  const report = await disarmReport(pdf(3), 'a.pdf');
  expect(report).toMatchObject({ quality: { strategy: 'rebuild' } });
  if (report.outcome === 'failed') expect.fail(report.failure.message);
  expect(report.quality?.checks).toContain('pictures');
  expect((await look(pdf(3), report.bytes)).pictures).toEqual({ before: 3, after: 3 });
});
