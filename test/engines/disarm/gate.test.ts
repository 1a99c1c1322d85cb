/**
 * A result with a finding of the gate is not delivered. The next way of the format is tried, and then the file is refused with the finding.
 */
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { disarmFile } from '../../../lib/engines/disarm/disarm.ts';
import type { DisarmModule } from '../../../lib/engines/disarm/disarm-module.ts';
import { checkOutput } from '../../../lib/engines/disarm/gate.ts';
import * as html from '../../../lib/engines/disarm/html/html.ts';
import * as image from '../../../lib/engines/disarm/image/image.ts';
import { openNested } from '../../../lib/engines/disarm/nested.ts';
import * as office from '../../../lib/engines/disarm/office/office.ts';
import * as pdf from '../../../lib/engines/disarm/pdf/pdf.ts';
import { writePdf } from '../../../lib/engines/disarm/pdf/write.ts';
import { DEFAULT_ENGINE_LIMITS as LIMITS } from '../../../lib/engines/engine.ts';
import { detectType } from '../../../lib/formats/detection/detect.ts';
import { describeType, type FileType } from '../../../lib/formats/file-types.ts';
import { buildPng } from '../../fixtures/build-image.ts';
import { buildDocm } from '../../fixtures/build-office.ts';
import { buildPdf } from '../../fixtures/build-pdf.ts';

const nested = openNested(() => expect.fail('there is nothing inside'), LIMITS);
const inputOf = (bytes: Uint8Array | string, untrustedName = 'a') => ({
  bytes: new Uint8Array(Buffer.from(bytes)),
  untrustedName,
  password: null,
});

/** Runs the gate on the result of a faulty module. */
async function gate(original: string, output: string, fileType: FileType, module: DisarmModule = html) {
  const type = describeType(fileType);
  const strategy = { name: 'rebuild', keepsText: true };
  const context = { input: inputOf(original), type, module, strategy, limits: LIMITS, nested };
  return checkOutput({ outcome: 'disarmed', bytes: Buffer.from(output), type, details: [] }, context);
}

describe('refuses a result and names', () => {
  const words = (count: number) => Array.from({ length: count }, (_, index) => `word${index}`).join(' ');
  const page = (body: string) => `<html><head></head><body>${body}</body></html>`;

  test.each([
    ['what is still in the result', page('a'), page('a<script>run()</script>'), 'html-script'],
    ['text that is lost', page(words(200)), page(words(150)), 'text-lost (150 of 200 words)'],
    ['a result that a second pass would change', page('a'), page('a<o:p>c</o:p>'), 'second-pass'],
  ])('%s', async (_, original, output, finding) => {
    await expect(gate(original, output, 'text/html')).rejects.toMatchObject({
      code: 'unsafe_output',
      message: expect.stringContaining(finding),
    });
  });

  test('a macro that was not removed', async () => {
    const bytes = await buildDocm();
    const type = await detectType(bytes, 'a.docm');
    const context = {
      input: inputOf(bytes),
      type,
      module: office,
      strategy: { name: 'rebuild', keepsText: true },
      limits: LIMITS,
      nested,
    };
    const unchanged = { outcome: 'disarmed' as const, bytes, type, details: [] };
    await expect(checkOutput(unchanged, context)).rejects.toMatchObject({
      message: expect.stringMatching(/office-(?:vba|macro-type|binary-part)/),
    });
  });
});

test('measures what is kept, and reports what it checked', async () => {
  const report = await disarmFile(inputOf(await buildDocm(), 'a.docm'), LIMITS);
  expect(report).toMatchObject({
    quality: {
      strategy: 'rebuild',
      words: { before: expect.any(Number) },
      checks: expect.arrayContaining(['content']),
    },
  });
  if (report.outcome === 'failed') return expect.fail(report.failure.message);
  expect(report.quality.words?.kept).toBe(report.quality.words?.before);
  expect(report.quality.words?.before).toBeGreaterThan(0);
});

test('counts the pages of a PDF', async () => {
  const report = await disarmFile(inputOf(buildPdf({ javascript: true }), 'a.pdf'), LIMITS);
  expect(report).toMatchObject({ quality: { units: { kind: 'pages', before: 1, after: 1 } } });
});

describe('the next way of each format passes the gate', () => {
  test.each<[string, DisarmModule, () => Promise<Uint8Array>, string]>([
    ['pages as pictures', pdf, async () => buildPdf({ javascript: true }), 'a.pdf'],
    ['text and numbers only', office, () => buildDocm(), 'a.docm'],
    ['text only', html, async () => Buffer.from('<p>a &lt;b&gt; <b>c</b></p><script>run()</script>'), 'a.html'],
    ['picture as PNG', image, async () => buildPng(), 'a.png'],
  ])('%s', async (name, module, build, untrustedName) => {
    const input = inputOf(await build(), untrustedName);
    const type = await detectType(input.bytes, untrustedName);
    const [strategy] = module.strategies ?? [];
    if (strategy === undefined) return expect.fail('no further way');
    const disarmed = await strategy.disarm(input, type, LIMITS, nested);
    const { quality } = await checkOutput(disarmed, { input, type, module, strategy, limits: LIMITS, nested });
    expect(quality).toMatchObject({ strategy: name });
  });
});

test('the next way is used when a result is refused, and its result is delivered', async () => {
  const text = Array.from({ length: 40 }, (_, index) => `word${index}`).join(' ');
  // A browser reads one value here, and a reader that ends it at the quote reads three attributes.
  const report = await disarmFile(inputOf(`<p class=a"/onclick=x>${text}</p>`, 'a.html'), LIMITS);
  expect(report).toMatchObject({
    outcome: 'disarmed',
    quality: { strategy: 'text only', words: { before: 40, kept: 40 } },
  });
  if (report.outcome === 'failed') return expect.fail(report.failure.message);
  expect(Buffer.from(report.bytes).toString()).not.toContain('onclick');
});

describe('metadata', () => {
  const disarm = async (
    bytes: Uint8Array | string,
    untrustedName: string,
    { keepMetadata }: { keepMetadata: boolean },
  ) => {
    const report = await disarmFile({ ...inputOf(bytes, untrustedName), keepMetadata }, LIMITS);
    if (report.outcome === 'failed') return expect.fail(report.failure.message);
    return Buffer.from(report.bytes).toString('latin1');
  };

  test('of a page is removed unless the caller keeps it', async () => {
    const page =
      '<!doctype html><html><head><meta name="author" content="Bob"><title>t</title></head><body>a</body></html>';
    expect(await disarm(page, 'a.html', { keepMetadata: false })).toBe(
      '<!DOCTYPE html>\n<html><head><meta charset="utf-8"><title>t</title></head><body>a</body></html>',
    );
    expect(await disarm(page, 'a.html', { keepMetadata: true })).toBe(page);
  });

  test('of a picture is removed unless the caller keeps it', async () => {
    const plain = sharp({ create: { width: 4, height: 4, channels: 3, background: 'red' } });
    const jpeg = await plain
      .withExif({ IFD0: { Artist: 'Bob' } })
      .jpeg()
      .toBuffer();
    expect(await disarm(jpeg, 'a.jpg', { keepMetadata: false })).not.toContain('Bob');
    expect(await disarm(jpeg, 'a.jpg', { keepMetadata: true })).toContain('Bob');
  });

  test('of a PDF is removed unless the caller keeps it', async () => {
    const objects = [
      '<< /Type /Catalog /Pages 2 0 R >>',
      '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
      '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] >>',
      '<< /Author (Bob) /Title (A title) >>',
    ];
    const pdfFile = writePdf(
      objects.map((text) => ({ text, data: null })),
      '1.7',
      objects.length,
    );
    expect(await disarm(pdfFile, 'a.pdf', { keepMetadata: false })).not.toContain('Bob');
    expect(await disarm(pdfFile, 'a.pdf', { keepMetadata: true })).toMatch(/\/Author \(Bob\)/);
  });
});
