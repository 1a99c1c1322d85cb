import { createHash } from 'node:crypto';
/** PDFs that programs read differently: with rings, lies about pages, files in streams, and text that only one reader sees. */
import { deflateSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { disarmFile } from '../../../lib/engines/disarm/disarm.ts';
import { DEFAULT_ENGINE_LIMITS } from '../../../lib/engines/engine.ts';
import { pdfStream, plainPdf } from '../../fixtures/pdf-file.ts';
import { pdfText } from './contents.ts';

interface Changes {
  readonly pages?: string;
  readonly page?: string;
  readonly content?: string;
  /** Objects with the numbers from 6 on. */
  readonly further?: readonly string[];
}

function build({ pages, page, content, further = [] }: Changes): Uint8Array {
  return plainPdf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    pages ?? '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    page ??
      '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 200] /Resources << /Font << /F1 4 0 R >> >> /Contents 5 0 R >>',
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    content ?? pdfStream('BT /F1 12 Tf 20 100 Td (kept words) Tj ET'),
    ...further,
  ]);
}

async function run(bytes: Uint8Array) {
  const report = await disarmFile({ bytes, untrustedName: 'a.pdf', password: null }, DEFAULT_ENGINE_LIMITS);
  if (report.outcome === 'failed') return expect.fail(report.failure.message);
  return { ...report, raw: Buffer.from(report.bytes).toString('latin1') };
}

describe('the page tree', () => {
  test('loses its ring, and gets its real count', async () => {
    const pages = '<< /Type /Pages /Kids [3 0 R 2 0 R 6 0 R] /Count 99999999 >>';
    const { raw, bytes } = await run(
      build({ pages, further: ['<< /Type /Pages /Parent 2 0 R /Kids [2 0 R 6 0 R 3 0 R] /Count 5 >>'] }),
    );
    expect(raw).toMatch(/\/Count 2\b/);
    expect(raw).not.toMatch(/\/Count (?:5|9)/);
    expect(await pdfText(bytes)).toContain('kept words');
  });

  test('gets its missing types, and loses keys that pages do not have', async () => {
    const { raw } = await run(
      build({
        pages: '<< /Kids [3 0 R] /Count 1 /Payload (hidden) >>',
        page: '<< /Parent 2 0 R /MediaBox [0 0 300 200] /Resources << /Font << /F1 4 0 R >> >> /Contents 5 0 R /B [6 0 R] >>',
        further: ['<< /T << /I << /Title (hidden) >> >> >>'],
      }),
    );
    expect(raw).toContain('/Type /Pages /Count 1');
    expect(raw).toMatch(/\/Type \/Page \/Parent/);
    expect(raw).not.toMatch(/hidden|\/B\b/);
  });

  test('keeps a page that claims to be a file, without the file', async () => {
    const page =
      '<< /Type /Page /EF << /F 6 0 R >> /Parent 2 0 R /MediaBox [0 0 300 200] /Resources << /Font << /F1 4 0 R >> >> /Contents 5 0 R >>';
    const { raw, bytes, quality } = await run(build({ page, further: [pdfStream('MZ payload')] }));
    expect(quality.strategy).toBe('rebuild');
    expect(raw).not.toContain('/EF');
    expect(await pdfText(bytes)).toBe('kept words');
  });
});

describe('no other format can be found in the bytes of', () => {
  // These bytes cannot be compressed.
  const noise = Array.from({ length: 5_000 }, (_, at) =>
    createHash('sha256').update(`${at}`).digest().toString('latin1'),
  ).join('');
  const oneLine = noise.replace(/[\r\n]/g, '');
  const stored = (data: string) => deflateSync(Buffer.from(data, 'latin1'), { level: 0 });
  const page = '% <script>run()</script> PK\x03\x04\nBT /F1 12 Tf 20 100 Td (kept words) Tj ET';

  test.each([
    ['a plain stream', pdfStream(page)],
    ['a stream that is packed without being compressed', pdfStream(stored(page), '/Filter /FlateDecode ')],
    [
      'a stream that is packed twice without being compressed',
      pdfStream(stored(stored(page).toString('latin1')), '/Filter [/FlateDecode /FlateDecode] '),
    ],
  ])('%s', async (_, content) => {
    const { raw, bytes } = await run(build({ content }));
    expect(raw).not.toContain('<script');
    expect(raw).not.toContain('PK\x03\x04');
    expect(await pdfText(bytes)).toBe('kept words');
  });

  const resources = '/Resources << /Font << /F1 4 0 R >> /XObject << /X 6 0 R >> >>';
  const withPicture = (data: string, filter: string) =>
    build({
      page: `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] ${resources} /Contents 5 0 R >>`,
      further: [
        pdfStream(
          data,
          `/Subtype /Image /Width 1 /Height 1 /ColorSpace /DeviceGray /BitsPerComponent 8 /Filter ${filter} `,
        ),
      ],
    });
  const archive = 'PK\x03\x04 <script>run()</script> PK\x05\x06';

  test.each([
    ['/CCITTFaxDecode /DecodeParms << /K -1 >>', archive, '[/FlateDecode /CCITTFaxDecode]'],
    ['[/RunLengthDecode]', archive, '[/FlateDecode /RunLengthDecode]'],
    ['[/ASCII85Decode /DCTDecode]', archive, '[/FlateDecode /ASCII85Decode /DCTDecode]'],
    ['/DCTDecode', archive, '[/FlateDecode /DCTDecode]'],
    ['/DCTDecode', `\xff\xd8\xff\xe0\0\x2a${archive}\xff\xd9`, '[/FlateDecode /DCTDecode]'],
    ['/LZWDecode', `${noise}${archive}${noise}`, '[/ASCIIHexDecode /LZWDecode]'],
  ])('a picture in %s', async (filter, data, wrapped) => {
    const { raw } = await run(withPicture(data, filter));
    for (const start of ['<script', 'PK\x03\x04', 'PK\x05\x06']) expect(raw).not.toContain(start);
    expect(raw.replace(/\[ | \]/g, (bracket) => bracket.trim())).toContain(`/Filter ${wrapped}`);
  });

  test.each([
    ['plain', pdfStream(`% ${oneLine}\n${page}\n% ${oneLine}`)],
    ['packed', pdfStream(stored(`% ${oneLine}\n${page}\n% ${oneLine}`), '/Filter /FlateDecode ')],
  ])('a %s page that cannot be compressed', async (_, content) => {
    const { raw, bytes } = await run(build({ content }));
    for (const start of ['<script', 'PK\x03\x04']) expect(raw).not.toContain(start);
    expect(raw).toContain('/Filter [/ASCIIHexDecode /FlateDecode]');
    expect(await pdfText(bytes)).toBe('kept words');
  });

  test('a JPEG, which keeps its pixels', async () => {
    const scan = '\xff\xda\0\x03\0\x12\xff\0\x34\xff\xd0\x56';
    const jpeg = `\xff\xd8\xff\xe1\0\x0aExif\0gps\xff\xfe\0\x09comment${scan}\xff\xd9<script>`;
    const { raw } = await run(withPicture(jpeg, '/DCTDecode'));
    expect(raw).not.toMatch(/Exif|comment|<script/);
    expect(raw).toContain(`stream\n\xff\xd8${scan}\xff\xd9\nendstream`);
  });
});

test('content that only one reader sees is removed: the pages are delivered as pictures, and the report says so', async () => {
  // The table leads to the first object 5. A program that reads the whole file takes the second.
  const words = Array.from({ length: 40 }, (_, index) => `word${index}`).join(' ');
  const twice = Buffer.concat([
    build({}),
    Buffer.from(`5 0 obj\n${pdfStream(`BT /F1 12 Tf 20 100 Td (${words}) Tj ET`)}\nendobj\n`),
  ]);
  const { quality, details, raw } = await run(new Uint8Array(twice));
  expect(quality).toMatchObject({ strategy: 'pages as pictures', units: { before: 1, after: 1 } });
  expect(details).toContainEqual(
    expect.objectContaining({ kind: 'selectable text, now behind the pictures of the pages' }),
  );
  expect(raw).toMatch(/\/MediaBox \[0 0 300 200\]/);
  expect(raw).toMatch(/\/Width 625 \/Height 417/);
});

test('a font is drawn and not lost when the parser cannot give back its name', async () => {
  const page =
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 200] /Resources << /Font << /F#e9 4 0 R >> >> /Contents 5 0 R >>';
  const content = pdfStream('BT /F#e9 12 Tf 20 100 Td (kept words) Tj ET');
  expect((await run(build({ page, content }))).quality.strategy).toBe('pages as pictures');
});
