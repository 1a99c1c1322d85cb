/** Damaged PDFs on which the reader of the library does not advance. Each ends at once, with a result or a clear failure. */
import { deflateSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { DEFAULT_ENGINE_LIMITS } from '../../lib/engines/engine.ts';
import { openPdf } from '../../lib/engines/pdf-library.ts';
import { packedStream, pdfStream, plainPdf } from '../fixtures/pdf-file.ts';
import { pdfText } from './disarm/contents.ts';
import { disarmReport } from './disarm/run-disarm.ts';

const CATALOG = '<< /Type /Catalog /Pages 2 0 R >>';
const PAGES = '<< /Type /Pages /Kids [3 0 R] /Count 1 >>';
const FONT = '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>';
const CONTENT = pdfStream('BT /F1 12 Tf 20 100 Td (kept words) Tj ET');
const pageWith = (extra: string) =>
  `<< /Type /Page ${extra} /Parent 2 0 R /MediaBox [0 0 300 200] /Resources << /Font << /F1 4 0 R >> >> /Contents 5 0 R >>`;
const document = (extra: string) => plainPdf([CATALOG, PAGES, pageWith(extra), FONT, CONTENT]);

async function open(bytes: Uint8Array): Promise<string> {
  return await openPdf(bytes, null, DEFAULT_ENGINE_LIMITS).then(
    () => 'opened',
    (error: unknown) => (error instanceof Error ? 'failed' : 'odd'),
  );
}

describe('a stray delimiter', () => {
  const places = ['?', '/Rotate ?', '/Dur [1 ? 2]', '/Group << ? >>', '/Group << /S ? >>', '???? /Rotate 0', '[?] 3 ?'];
  const cases = [')', '{', '}', '){}'].flatMap((stray) => places.map((place) => place.replaceAll('?', stray)));
  test.each(cases)('%s in a page does not stop the reader, and its words stay', async (extra) => {
    const report = await disarmReport(document(extra), 'a.pdf');
    if (report.outcome === 'failed') return expect(report.failure.code).toBe('unreadable');
    expect(await pdfText(report.bytes)).toContain('kept words');
  });

  test.each([')', '{', '}'])('%s in an object stream does not stop the reader', async (stray) => {
    const objects = `3 0 << /Type /Page ${stray} /Parent 2 0 R [${stray} ] >>`;
    const stream = packedStream(objects, '/Type /ObjStm /N 1 /First 4');
    const table = xrefStream([0, 1, 1, 2, 1, 1], '/W [1 2 1]');
    expect(await open(Buffer.from(`%PDF-1.7\n${stream}\n${table}`, 'latin1'))).toBe('failed');
    const cut = plainPdf([CATALOG, PAGES, null, FONT, CONTENT, stream], { isCut: true });
    expect(await open(cut)).toBe('opened');
  });

  test('in 179 bytes ends', async () => {
    const small =
      '%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj 2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj ';
    const report = await disarmReport(
      `${small}3 0 obj<</Type/Page/Parent 2 0 R)>>endobj trailer<</Root 1 0 R>>`,
      'a.pdf',
    );
    expect(report.outcome).not.toBe('timeout');
  });
});

/** A table of references as a stream at the start of the file, with `extra` in its dictionary. */
function xrefStream(rows: readonly number[], extra: string): string {
  const data = deflateSync(Uint8Array.from(rows)).toString('latin1');
  return `9 0 obj\n${pdfStream(data, `/Filter /FlateDecode /Type /XRef /Root 1 0 R ${extra} `)}\nendobj\n`;
}

function withTable(extra: string): Uint8Array {
  const head = '%PDF-1.7\n';
  return Buffer.from(`${head}${xrefStream([0, 1, 2, 3, 4, 5, 6, 7], extra)}startxref\n${head.length}\n%%EOF`, 'latin1');
}

describe('a table of references', () => {
  test.each([
    '/W [0 0 0] /Size 99999999999',
    '/W [0 0 0] /Index [0 1 0 9999999999]',
    '/W [0 0 0.5] /Size 9999999999',
    '/W [0 0 /A] /Size 9999999999',
    '/W [1 2 1] /Size 10 /DecodeParms << /Predictor 2 /Columns 0 >>',
    '/W [1 2 1] /Size 10 /DecodeParms << /Predictor 12 /Columns -1 >>',
    '/W [1 2 1] /Size 10 /DecodeParms << /Predictor 12 /Columns 4000000000 >>',
    '/W [1 2 1] /Size 10 /DecodeParms << /Predictor 2 /Columns 1 /Colors 0 >>',
    '/W [1 2 1] /Size 10 /DecodeParms << /Predictor 2 /Columns 0.01 >>',
  ])('with %s is not read without end', async (extra) => {
    expect(await open(withTable(extra))).toBe('failed');
  });

  test('that names one large object many times does not fill the memory', async () => {
    const text = 'x'.repeat(200_000);
    const kids = Array.from({ length: 400 }, (_, index) => `${index + 6} 0 R`).join(' ');
    const bodies = [CATALOG, PAGES, pageWith(`/Annots [${kids}]`), FONT, CONTENT];
    const file = Buffer.from(plainPdf(bodies)).toString('latin1').split('xref\n');
    const at = file[0]?.length ?? 0;
    const rows = Array.from({ length: 400 }, () => `${String(at).padStart(10, '0')} 00000 n \n`).join('');
    const object = `6 0 obj\n<< /Type /Annot /Subtype /Text /Rect [0 0 9 9] /Contents (${text}) >>\nendobj\n`;
    const table = `xref\n0 6\n${/0000000000[\s\S]*?(?=trailer)/.exec(file[1] ?? '')?.[0]}6 400\n${rows}`;
    const tail = `trailer\n<< /Size 406 /Root 1 0 R >>\nstartxref\n${at + object.length}\n%%EOF\n`;
    const report = await disarmReport(Buffer.from(`${file[0]}${object}${table}${tail}`, 'latin1'), 'a.pdf', {
      limits: { inflatedBytes: 20_000_000 },
    });
    expect(report).toMatchObject({ outcome: 'failed', failure: { code: 'oversize' } });
  });
});

test('an object stream that expands without end is not read', async () => {
  const bomb = pdfStream(
    deflateSync(Buffer.alloc(40_000_000, ' ')),
    '/Filter /FlateDecode /Type /ObjStm /N 1 /First 4 ',
  );
  const bytes = plainPdf([CATALOG, PAGES, null, FONT, CONTENT, bomb], { isCut: true });
  const pdf = await openPdf(bytes, null, { inflatedBytes: 1_000_000 });
  expect(pdf.getPageCount()).toBe(0);
});
