/** Which PDFs hold nothing but the objects of their disarmed form. */
import { deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { disarmFile } from '../../../lib/engines/disarm/disarm.ts';
import { DEFAULT_ENGINE_LIMITS } from '../../../lib/engines/engine.ts';
import { isPlainPdf } from '../../../lib/engines/inspect/pdf/plain-pdf.ts';
import {
  appendRevision,
  type PdfShape,
  packedPdf,
  packedStream,
  pdfStream,
  plainPdf,
} from '../../fixtures/pdf-file.ts';

const LINK = '<< /Type /Annot /Subtype /Link /Rect [0 0 9 9] /A << /S /URI /URI (https://www.example.com/) >> >>';
const XMP = '<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="r">letter</rdf:RDF></x:xmpmeta>';
const INFO = '<< /Producer (a program) /Title <FEFF0041> /CreationDate (D:20261124) >>';

/** A letter with a link and what it says of itself. Object 7 is for what a test adds. */
function letter(extra: { readonly page?: string; readonly catalog?: string; readonly more?: readonly string[] } = {}) {
  return [
    `<< /Type /Catalog /Pages 2 0 R /Metadata 6 0 R ${extra.catalog ?? ''}>>`,
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595.5 842] /Contents 4 0 R /Annots [${LINK}] /Resources << >> ${extra.page ?? ''}>>`,
    packedStream('0 0 m 10 10 l S'),
    INFO,
    pdfStream(XMP, '/Type /Metadata /Subtype /XML '),
    ...(extra.more ?? []),
  ];
}
const file = (bodies = letter(), shape: PdfShape = {}) =>
  plainPdf(bodies, { trailer: '/Info 5 0 R /ID [<00ff> <00ff>]', ...shape });

async function isPlain(bytes: Uint8Array): Promise<boolean> {
  const report = await disarmFile({ bytes, untrustedName: 'a.pdf', password: null }, DEFAULT_ENGINE_LIMITS);
  if (report.outcome === 'failed') throw new Error(report.failure.message);
  return report.isPlain === true;
}
const withText = (bytes: Uint8Array, from: string, to: string) =>
  new Uint8Array(Buffer.from(Buffer.from(bytes).toString('latin1').replace(from, to), 'latin1'));

/** A picture on the page. */
async function pictured(behind = ''): Promise<Uint8Array> {
  const jpeg = await sharp(Buffer.alloc(16 * 16 * 3, 'pixels'), { raw: { width: 16, height: 16, channels: 3 } })
    .jpeg()
    .toBuffer();
  const facts = '/Type /XObject /Subtype /Image /Width 16 /Height 16 /ColorSpace /DeviceRGB /BitsPerComponent 8';
  const picture = pdfStream(Buffer.concat([jpeg, Buffer.from(behind)]), `${facts} /Filter /DCTDecode `);
  return file(
    letter({ page: '/Rotate 0 ', more: [picture] }).map((body) =>
      body.replace('/Resources << >>', '/Resources << /XObject << /P 7 0 R >> >>'),
    ),
  );
}

/** Without what it says of itself. */
const bare = letter()
  .slice(0, 4)
  .map((body) => body.replace('/Metadata 6 0 R ', ''));
const behindPages = (text: string) => bare.map((body, at) => (at === 1 ? `${body}${text}` : body));

describe('a PDF is plain', () => {
  test.each<readonly [string, () => Uint8Array | Promise<Uint8Array>]>([
    ['with a link, and texts about itself', () => file()],
    ['without texts about itself', () => plainPdf(bare)],
    ['with packed objects and a packed table', () => packedPdf(bare)],
    [
      'with the number of a page as cairo writes it',
      () => plainPdf(bare.map((body) => body.replace('/Type /Page /', '/Type /Page % 1\n/'))),
    ],
    ['with a JPEG', () => pictured()],
    [
      'with the length of a stream in an object',
      () =>
        file(
          letter({ more: ['23'] })
            .map((body, at) => (at === 3 ? body.replace(/\/Length \d+/, '/Length 7 0 R') : body))
            .map((body, at, all) =>
              at === 6 ? String(/stream\n([\s\S]*)\nendstream/.exec(all[3] ?? '')?.[1]?.length) : body,
            ),
        ),
    ],
    ['with the order of links as LibreOffice writes it', () => file(letter({ page: '/Tabs(S) ' }))],
  ])('%s', async (_, bytes) => {
    expect(await isPlain(await bytes())).toBe(true);
  });
});

describe('a PDF is not plain', () => {
  const raw = (text: string) => pdfStream(deflateSync(Buffer.from(text), { level: 0 }), '/Filter /FlateDecode ');
  const content = (stream: string) => file(letter().map((body, at) => (at === 3 ? stream : body)));
  test.each<readonly [string, () => Uint8Array | Promise<Uint8Array>]>([
    ['with something behind its end', () => Buffer.concat([file(), Buffer.from('x')])],
    ['with something in front of it', () => file(letter(), { junk: 'x\n' })],
    [
      'with a comment between objects',
      () => file(letter(), { edit: (object) => object.replace('2 0 obj', '%x\n2 0 obj') }),
    ],
    ['of two revisions', () => appendRevision(file(), { 3: letter()[2] ?? '' }, 7)],
    ['with packed objects, one of which nothing uses', () => packedPdf(letter())],
    ['with something between packed objects', () => packedPdf(behindPages(' (hidden)'))],
    ['with packed objects and a second table', () => packedPdf(bare, true)],
    [
      'with packed objects and something behind the packed ones',
      () => withText(packedPdf(bare), '/Type /ObjStm', '/Type /ObjStm /Extends 1 0 R'),
    ],
    ['with an object that nothing uses', () => file(letter({ more: ['(unused)'] }))],
    ['with a script', () => file(letter({ catalog: '/OpenAction << /S /JavaScript /JS (app.alert\\(1\\)) >> ' }))],
    ['with an unknown entry', () => file(letter({ page: '/Private << /Data (text) >> ' }))],
    [
      'with unknown texts about itself',
      () => file(letter().map((body, at) => (at === 4 ? '<< /Custom (x) >>' : body))),
    ],
    [
      'with metadata that are no XMP',
      () =>
        file(
          letter().map((body, at) =>
            at === 5 ? pdfStream('<script>1</script>', '/Type /Metadata /Subtype /XML ') : body,
          ),
        ),
    ],
    ['with a stream that is not packed', () => content(pdfStream('0 0 m 10 10 l S'))],
    ['with an archive in a stream', () => content(raw('PK\x03\x04 0 0 m'))],
    ['with objects in a stream', () => content(raw('0 0 m % 9 0 obj << >> endobj\n'))],
    [
      'with bytes behind the packed ones',
      () =>
        content(
          pdfStream(Buffer.concat([deflateSync(Buffer.from('0 0 m')), Buffer.from('hidden')]), '/Filter /FlateDecode '),
        ),
    ],
    ['with bytes behind a JPEG', () => pictured('hidden')],
    ['with wrong places in its table', () => file(letter(), { shift: 1 })],
    ['with a wrong size in its trailer', () => withText(file(), '/Size 7', '/Size 6')],
    ['with an entry that stands twice', () => file(letter({ page: '/Rotate 0 /Rotate 90 ' }))],
    ['with an earlier revision in its trailer', () => file(letter(), { trailer: '/Info 5 0 R /Prev 20' })],
  ])('%s', async (_, bytes) => {
    expect(await isPlain(await bytes())).toBe(false);
  });

  test('when the result is of another document, or none', () => {
    const bytes = file();
    const other = file(letter({ page: '/Rotate 90 ' }));
    expect(isPlainPdf(bytes, bytes)).toBe(false);
    expect(isPlainPdf(bytes, other)).toBe(false);
    expect(isPlainPdf(bytes, Buffer.from('%PDF-1.7'))).toBe(false);
  });
});

test('a PDF with the same objects before and after gets no second pass, and every other one does', async () => {
  const checksOf = async (bytes: Uint8Array) => {
    const report = await disarmFile({ bytes, untrustedName: 'a.pdf', password: null }, DEFAULT_ENGINE_LIMITS);
    if (report.outcome === 'failed') throw new Error(report.failure.message);
    return report.quality.checks.filter((check) => check === 'objects' || check === 'second pass');
  };
  expect(await checksOf(file())).toEqual(['objects']);
  expect(await checksOf(file(letter({ catalog: '/OpenAction << /S /JavaScript /JS (app.alert\\(1\\)) >> ' })))).toEqual(
    ['second pass'],
  );
});
