/** Documents of Apple's programs come out as the preview in them, and Illustrator files as the PDF that they are. */
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { buildZip } from '../../fixtures/build-office.ts';
import { buildPdf } from '../../fixtures/build-pdf.ts';
import { disarmed, disarmReport, refusalCode } from './run-disarm.ts';

const INDEX = ['Index/Document.iwa', Buffer.alloc(40, 7)] as const;
const photo = (width: number) =>
  sharp({ create: { width, height: 30, channels: 3, background: 'teal' } })
    .withExif({ IFD0: { Artist: 'SECRET' } })
    .jpeg()
    .toBuffer();

test('a document with a PDF preview comes out as that PDF, disarmed', async () => {
  const preview = buildPdf({ text: 'Minutes of Tuesday', javascript: true });
  const bytes = await buildZip([INDEX, ['QuickLook/Preview.pdf', preview], ['preview.jpg', await photo(40)]]);
  const report = await disarmReport(bytes, 'report.pages');
  if (report.outcome === 'failed') throw new Error(report.failure.message);
  expect(report.type.type).toBe('application/pdf');
  expect(report.readAs?.type).toBe('application/vnd.apple.iwork.pdf');
  expect(report.details.map(({ kind }) => kind)).toEqual(['document of Apple', 'JavaScript']);
  expect(Buffer.from(report.bytes).toString('latin1')).not.toContain('JavaScript');
});

test.each(['budget.numbers', 'talk.key'])(
  '%s with a picture of its first page comes out as that picture',
  async (name) => {
    const bytes = await buildZip([INDEX, ['preview.jpg', await photo(50)], ['Data/a.mov', 'SECRET']]);
    const result = await disarmed(bytes, name);
    expect(result.extension).toBe('jpg');
    expect(result.text).not.toContain('SECRET');
    expect((await sharp(result.bytes).metadata()).width).toBe(50);
  },
);

test.each([
  ['without a preview', [INDEX]],
  ['whose preview is a page', [INDEX, ['preview.jpg', '<html><script>x</script>']]],
  ['whose preview is a program', [INDEX, ['QuickLook/Preview.pdf', 'MZ\x90\0']]],
] as const)('a document %s is refused', async (_, entries) => {
  expect(await refusalCode(await buildZip(entries), 'a.pages')).toMatch(/^(?:unsupported|unreadable)$/);
});

test('the refusal says what to ask for', async () => {
  const report = await disarmReport(await buildZip([INDEX]), 'a.pages');
  expect(report.outcome === 'failed' && report.failure.message).toContain('ask for it as PDF');
});

test('an Illustrator file comes out as the PDF in it', async () => {
  const bytes = Buffer.concat([buildPdf({ text: 'Our logo' }), Buffer.from('%AI9_PrivateData')]);
  const result = await disarmed(bytes, 'logo.ai');
  expect(result.extension).toBe('pdf');
  expect(result.text).not.toContain('PrivateData');
});
