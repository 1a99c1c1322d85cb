/** Encrypted PDF files whose table of references is damaged: rescued with their encryption, or refused. Never blank pages. */
import { PDF } from '@libpdf/core';
import { describe, expect, test } from 'vitest';
import { encryptedPdf } from '../../fixtures/encrypt-pdf.ts';
import { PACKED_ENCRYPTED_PDF } from '../../fixtures/packed-encrypted-pdf.ts';
import { packedStream, pdfStream, plainPdf } from '../../fixtures/pdf-file.ts';
import { pdfText } from './contents.ts';
import { disarmed, disarmReport, refusalCode } from './run-disarm.ts';

const ALGORITHMS = ['RC4-40', 'RC4-128', 'AES-128', 'AES-256'] as const;

const page = (content: string) => [
  '<< /Type /Catalog /Pages 2 0 R >>',
  '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
  '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 200] /Resources << /Font << /F1 4 0 R >> >> /Contents 5 0 R >>',
  '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  content,
];
const WORDS = 'BT /F1 12 Tf 20 100 Td (kept words) Tj ET';

async function encrypted(algorithm: (typeof ALGORITHMS)[number], password = '', content = packedStream(WORDS)) {
  if (algorithm !== 'AES-256') return Buffer.from(encryptedPdf(page(content), algorithm, password)).toString('latin1');
  const pdf = await PDF.load(plainPdf(page(content)));
  pdf.setProtection({ userPassword: password, ownerPassword: 'owner', algorithm });
  return Buffer.from(await pdf.save()).toString('latin1');
}

/** What becomes of tables and trailers on the way, by the words of a developer. */
const DAMAGE: Readonly<Record<string, (pdf: string) => string>> = {
  'a table elsewhere': (pdf) => pdf.replace(/startxref\s+\d+/, 'startxref\n7'),
  'no last lines': (pdf) => pdf.slice(0, pdf.lastIndexOf('startxref')),
  'bytes in front': (pdf) => `X-Mailer: none\r\n\r\n${pdf}`,
};
const OF_TABLES: typeof DAMAGE = {
  ...DAMAGE,
  'a table of zeros': (pdf) => pdf.replace(/\d{10} 00000 n/g, '0000000000 00000 n'),
  'a table that is beside the mark': (pdf) =>
    pdf.replace(/(\d{10}) 00000 n/g, (_, at) => `${String(Number(at) + 5).padStart(10, '0')} 00000 n`),
};
const bytesOf = (pdf: string) => new Uint8Array(Buffer.from(pdf, 'latin1'));

describe.each(ALGORITHMS)('encrypted with %s', (algorithm) => {
  test.each(Object.keys(OF_TABLES))('and with %s, it comes out with its words', async (damage) => {
    const broken = bytesOf(OF_TABLES[damage]?.(await encrypted(algorithm)) ?? '');
    const { bytes, kinds } = await disarmed(broken, 'a.pdf');
    expect(await pdfText(bytes)).toContain('kept words');
    expect(kinds).toContain('encryption');
    expect(Buffer.from(bytes).includes('/Encrypt')).toBe(false);
  });

  test.each(Object.keys(OF_TABLES))('with a password, and with %s, it asks for the password', async (damage) => {
    const broken = bytesOf(OF_TABLES[damage]?.(await encrypted(algorithm, 'word')) ?? '');
    expect(await disarmReport(broken, 'a.pdf')).toMatchObject({ failure: { code: 'encrypted' } });
    const { bytes } = await disarmed(broken, 'a.pdf', { password: 'word' });
    expect(await pdfText(bytes)).toContain('kept words');
  });

  test.each([
    ['packed', packedStream(WORDS)],
    ['plain', pdfStream(WORDS)],
  ])('and without a word of its encryption left, it is refused with its %s pages', async (_, content) => {
    const lost = (await encrypted(algorithm, '', content)).replaceAll('/Encrypt', '/Encryqt');
    const report = await disarmReport(bytesOf(lost), 'a.pdf');
    expect(report).toMatchObject({ outcome: 'failed', failure: { code: 'unsafe_output' } });
  });
});

describe('with its objects in encrypted streams', () => {
  const whole = Buffer.from(PACKED_ENCRYPTED_PDF).toString('latin1');

  test.each(Object.keys(DAMAGE))('and with %s, it comes out with its words', async (damage) => {
    const { bytes } = await disarmed(bytesOf(DAMAGE[damage]?.(whole) ?? ''), 'a.pdf');
    const text = await pdfText(bytes);
    expect(text).toContain('page one');
    expect(text).toContain('Second page');
  });

  test('and without its stream of references, it is refused', async () => {
    const cut = whole.slice(0, whole.lastIndexOf(' 0 obj'));
    expect((await disarmReport(bytesOf(cut), 'a.pdf')).outcome).toBe('failed');
  });
});

test('an encrypted drawing without a word comes out', async () => {
  const drawing = await encrypted('AES-128', '', packedStream('20 20 m 200 100 l S'));
  const { kinds } = await disarmed(bytesOf(drawing), 'plan.pdf');
  expect(kinds).toEqual(['encryption']);
});

test('a blank page that is not encrypted comes out as it is', async () => {
  const blank = plainPdf(page(pdfStream('')));
  expect((await disarmReport(blank, 'blank.pdf')).outcome).not.toBe('failed');
});

test('a page that speaks of encryption in its words is not taken for encrypted', async () => {
  const words = plainPdf(page(pdfStream('BT /F1 12 Tf 20 100 Td (the trailer has /Encrypt and /Root) Tj ET')));
  const cut = Buffer.from(words)
    .toString('latin1')
    .replace(/startxref\s+\d+/, 'startxref\n7');
  const { bytes, kinds } = await disarmed(bytesOf(cut), 'a.pdf');
  expect(kinds).not.toContain('encryption');
  expect(await pdfText(bytes)).toContain('/Encrypt and /Root');
});

test('a file that is encrypted for the certificates of its readers is refused as encrypted, and not as damaged', async () => {
  const objects = [
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]>>',
    '<</Filter/Adobe.PubSec/SubFilter/adbe.pkcs7.s5/V 4/Length 128/CF<</DefaultCryptFilter<</CFM/AESV2/Length 128/Recipients[<3082>]>>>>/StmF/DefaultCryptFilter/StrF/DefaultCryptFilter>>',
  ];
  const bodies = objects.map((object, index) => `${index + 1} 0 obj\n${object}\nendobj\n`).join('');
  const file = `%PDF-1.6\n${bodies}trailer\n<</Size 5/Root 1 0 R/Encrypt 4 0 R/ID[<00><00>]>>\nstartxref\n0\n%%EOF\n`;
  expect(await refusalCode(Buffer.from(file, 'latin1'), 'a.pdf')).toBe('encrypted');
});
