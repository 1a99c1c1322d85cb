/** Pages that became pictures: their words can be searched and copied, and nobody sees them twice. */
import { describe, expect, test } from 'vitest';
import { wordsOfPage } from '../../../lib/engines/disarm/pdf/page-words.ts';
import { strategies } from '../../../lib/engines/disarm/pdf/pdf.ts';
import { fontBodies, fontCount, lettersOf, textOrders } from '../../../lib/engines/disarm/pdf/text-layer.ts';
import { DEFAULT_ENGINE_LIMITS } from '../../../lib/engines/engine.ts';
import { describeType } from '../../../lib/formats/file-types.ts';
import { heapOf, loadPdfium } from '../../../lib/formats/pdf/pdfium.ts';
import { pdfStream, plainPdf } from '../../fixtures/pdf-file.ts';
import { pdfText } from './contents.ts';
import { disarmed } from './run-disarm.ts';

/** Two lines, of which the second has letters that no font of the standard knows. */
const TABLE = '/CIDInit /ProcSet findresource begin\n1 beginbfchar\n<78> <6F22>\nendbfchar\nend';
const WORDS = 'BT /F1 12 Tf 20 150 Td (Quarterly gr\xfc\xdfe) Tj /F2 20 Tf 0 -60 Td (xxx) Tj ET';
const page = (more = '', content = WORDS) =>
  plainPdf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 200] ${more} /Resources << /Font << /F1 4 0 R /F2 5 0 R >> >> /Contents 6 0 R >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
    '<< /Type /Font /Subtype /Type1 /BaseFont /Times-Roman /ToUnicode 7 0 R >>',
    pdfStream(content),
    pdfStream(TABLE),
  ]);

async function asPictures(bytes: Uint8Array): Promise<Uint8Array> {
  const [strategy] = strategies;
  if (strategy === undefined) throw new Error('no strategy');
  const input = { bytes, untrustedName: 'a.pdf', password: null };
  const nested = undefined as unknown as Parameters<typeof strategy.disarm>[3];
  return (await strategy.disarm(input, describeType('application/pdf'), DEFAULT_ENGINE_LIMITS, nested)).bytes;
}

/** The text and the place of its first letter, as PDFium finds them. */
async function found(
  bytes: Uint8Array,
): Promise<{ readonly text: string; readonly left: number; readonly bottom: number }> {
  const pdfium = await loadPdfium();
  const { malloc, free } = pdfium.pdfium.wasmExports;
  const at = malloc(bytes.length);
  heapOf(pdfium).set(bytes, at);
  const document = pdfium.FPDF_LoadMemDocument(at, bytes.length, '');
  const opened = pdfium.FPDF_LoadPage(document, 0);
  const text = pdfium.FPDFText_LoadPage(opened);
  const memory = malloc(32);
  const letters = Array.from({ length: pdfium.FPDFText_CountChars(text) }, (_, index) =>
    String.fromCodePoint(pdfium.FPDFText_GetUnicode(text, index)),
  );
  pdfium.FPDFText_GetCharOrigin(text, 0, memory, memory + 8);
  const view = new DataView(heapOf(pdfium).buffer);
  const [left, bottom] = [view.getFloat64(memory, true), view.getFloat64(memory + 8, true)];
  pdfium.FPDFText_ClosePage(text);
  pdfium.FPDF_ClosePage(opened);
  pdfium.FPDF_CloseDocument(document);
  for (const each of [at, memory]) free(each);
  return { text: letters.join(''), left, bottom };
}

describe('a page that became a picture', () => {
  test('has its words, in every script, where they stand', async () => {
    const bytes = await asPictures(page());
    const { text, left, bottom } = await found(bytes);
    expect(text.split(/\s+/)).toEqual(['Quarterly', 'grüße', '漢漢漢']);
    expect(left).toBeGreaterThan(18);
    expect(left).toBeLessThan(24);
    expect(bottom).toBeGreaterThan(143);
    expect(bottom).toBeLessThan(152);
    expect(await pdfText(bytes)).toContain('Quarterly');
  });

  test.each([
    [90, 'words that run down'],
    [180, 'words upside down'],
    [270, 'words that run up'],
  ])('turned by %i degrees has %s', async (degrees) => {
    const { text } = await found(await asPictures(page(`/Rotate ${degrees}`)));
    expect(text.split(/\s+/).sort()).toEqual(['Quarterly', 'grüße', '漢漢漢']);
  });

  test('needs no font file', async () => {
    const text = Buffer.from(await asPictures(page())).toString('latin1');
    expect(text).toContain('/Subtype /Type3');
    expect(text).not.toContain('/FontFile');
  });

  test('has no word behind it that a program could make a link of', async () => {
    const shown = 'see https://evil.example/x or http:/ /evil.example www .evil.example //evil.example now';
    const { text } = await found(await asPictures(page('', `BT /F1 6 Tf 5 150 Td (${shown}) Tj ET`)));
    expect(text.split(/\s+/)).toEqual(['see', 'or', 'now']);
  });

  test.each([
    ['white', '1 g', ''],
    ['almost white', '0.98 1 1 rg', ''],
    ['never painted', '3 Tr', ''],
    ['outside of the clip', '', 'q 0 0 1 1 re W n'],
    ['too small', '0.04 0 0 0.04 20 80 Tm', ''],
    ['outside of the page', '1 0 0 1 -200 80 Tm', ''],
  ])('has no word behind it that is %s', async (_, inside, before) => {
    const unseen = `${before} BT /F1 12 Tf 1 0 0 1 20 80 Tm ${inside} (unseen) Tj ET ${before === '' ? '' : 'Q'}`;
    const { text } = await found(await asPictures(page('', `BT /F1 12 Tf 20 150 Td (l-I. seen) Tj ET ${unseen}`)));
    expect(text.trim().split(/\s+/)).toEqual(['l-I.', 'seen']);
  });

  test('has no word behind it that something covers', async () => {
    const covered = 'BT /F1 12 Tf 20 80 Td (unseen) Tj ET 0.5 g 10 70 200 30 re f';
    const { text } = await found(await asPictures(page('', `BT /F1 12 Tf 20 150 Td (seen) Tj ET ${covered}`)));
    expect(text.trim()).toBe('seen');
  });

  test('is the same when it is disarmed again', async () => {
    const bytes = await asPictures(page());
    expect((await disarmed(bytes, 'a.pdf')).outcome).toBe('already_safe');
  });

  test('without words is a picture alone', async () => {
    const drawing = plainPdf([
      '<< /Type /Catalog /Pages 2 0 R >>',
      '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
      '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 200] /Resources << >> /Contents 4 0 R >>',
      pdfStream('20 20 100 100 re f'),
    ]);
    expect(Buffer.from(await asPictures(drawing)).toString('latin1')).not.toContain('/Font');
  });
});

test('the letters of a file have a limit, behind which pages have no words, and no text is read', async () => {
  const pdfium = await loadPdfium();
  const bytes = page();
  const { malloc, free } = pdfium.pdfium.wasmExports;
  const at = malloc(bytes.length);
  heapOf(pdfium).set(bytes, at);
  const document = pdfium.FPDF_LoadMemDocument(at, bytes.length, '');
  const open = { page: pdfium.FPDF_LoadPage(document, 0), width: 300, height: 200 };
  const budget = { left: 12, isSpent: false };
  const words = () => wordsOfPage(pdfium, open, () => true, budget).map(({ text }) => text);
  expect([words(), budget]).toEqual([['Quarterly', 'gr'], { left: 0, isSpent: true }]);
  expect(words()).toEqual([]);
  pdfium.FPDF_ClosePage(open.page);
  pdfium.FPDF_CloseDocument(document);
  free(at);
});

test('the operators are invisible, and letters beyond one font have further fonts', () => {
  const text = Array.from({ length: 300 }, (_, at) => String.fromCodePoint(0x4e00 + at)).join('');
  const word = { text, direction: 'across', x: 10, y: 20, width: 300, height: 10 } as const;
  const letters = lettersOf([[word]]);
  expect(fontCount(letters)).toBe(2);
  expect(fontBodies(letters, 7)).toHaveLength(6);
  const orders = textOrders([word], letters);
  expect(orders).toMatch(/^BT 3 Tr\n[\d.]+ Tz 1 0 0 1 10 20 Tm\n\/F0 10 Tf <01/);
  expect(orders).toContain('/F1 10 Tf <01');
  expect(orders.endsWith('\nET')).toBe(true);
  expect(textOrders([], letters)).toBe('');
  expect(textOrders([{ ...word, text: '一', direction: 'up' }], letters)).toContain('0 1 -1 0 310 20 Tm');
  expect(textOrders([{ ...word, text: '一', direction: 'down' }], letters)).toContain('0 -1 1 0 10 30 Tm');
});

test('letters beyond the first plane are two units of the table', () => {
  const word = { text: '😀', direction: 'across', x: 0, y: 0, width: 0, height: 0 } as const;
  const [, , table] = fontBodies(lettersOf([[word]]), 1);
  expect(Buffer.from(table?.data ?? []).toString()).toContain('<01> <d83dde00>');
});
