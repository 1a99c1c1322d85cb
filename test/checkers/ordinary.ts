/** Ordinary documents: written in code, and by LibreOffice itself in every format that it knows. */

import { buildEpub } from '../fixtures/build-epub.ts';
import { buildKml, buildKmz, placemark } from '../fixtures/build-map.ts';
import { buildDocx } from '../fixtures/build-office.ts';
import { buildPdf } from '../fixtures/build-pdf.ts';
import { box, buildVisio } from '../fixtures/build-visio.ts';
import { buildWorkbook } from '../fixtures/build-workbook.ts';
import { buildXlsb, xlsbCell, xlsbColumns, xlsbRow } from '../fixtures/build-xlsb.ts';
import { fileCase, fileCases } from '../fixtures/cases.ts';
import { ordinaryLegacy } from '../fixtures/ordinary-legacy.ts';
import { ordinaryOffice } from '../fixtures/ordinary-office.ts';
import { ordinaryPdf } from '../fixtures/ordinary-pdf.ts';
import { pack } from '../hostile/disarm/office-draft.ts';
import { convertFiles, type NamedFile } from './office-opener.ts';
import { ordinaryPictures } from './ordinary-pictures.ts';
import { ordinaryWeb } from './ordinary-web.ts';
import { whyUnread } from './readers.ts';

export interface OrdinaryFile extends NamedFile {
  readonly format: string;
}

const WORDS =
  'the invoice for January lists twelve hours of consulting and one journey to the customer whose order is confirmed below'.split(
    ' ',
  );
const sentence = (seed: number): string =>
  Array.from({ length: 24 }, (_, index) => WORDS[(seed * 7 + index * 5) % WORDS.length] ?? '').join(' ');
const DOCUMENTS = 2;

async function written(): Promise<readonly NamedFile[]> {
  const files: NamedFile[] = [];
  for (let seed = 0; seed < DOCUMENTS; seed++) {
    const paragraphs = Array.from(
      { length: 30 + seed * 40 },
      (_, index) => `<w:p><w:r><w:t>${sentence(seed + index)} ${index}</w:t></w:r></w:p>`,
    );
    files.push({ name: `letter${seed}.docx`, bytes: await buildDocx({ body: paragraphs.join('') }) });
    const cells = Array.from(
      { length: 12 },
      (_, index) =>
        `<c r="${String.fromCharCode(65 + index)}1" t="inlineStr"><is><t>${sentence(seed + index).slice(0, 40)}</t></is></c>`,
    );
    files.push({
      name: `table${seed}.xlsx`,
      bytes: await buildWorkbook({ cells: `${cells.join('')}<c r="M1"><f>SUM(1,${seed})</f><v>${1 + seed}</v></c>` }),
    });
    const shape = `<p:sp><p:nvSpPr><p:cNvPr id="9" name="b"/><p:cNvSpPr/><p:nvPr/></p:nvSpPr><p:spPr><a:xfrm><a:off x="500000" y="2000000"/><a:ext cx="8000000" cy="2000000"/></a:xfrm><a:prstGeom prst="rect"><a:avLst/></a:prstGeom></p:spPr><p:txBody><a:bodyPr/><a:p><a:r><a:t>${sentence(seed)}</a:t></a:r></a:p></p:txBody></p:sp>`;
    files.push({ name: `slides${seed}.pptx`, bytes: pack('pptx', { body: shape }) });
  }
  return files;
}

/** What LibreOffice makes of each. */
const OTHER_FORMATS = {
  docx: ['docx', 'odt', 'doc', 'rtf', 'pdf'],
  xlsx: ['xlsx', 'ods', 'xls', 'pdf'],
  pptx: ['pptx', 'odp', 'ppt', 'pdf'],
} as const;

/** Extensions under which the same format goes by another name, templates and shows among them. */
const SAME: Readonly<Record<string, string>> = {
  htm: 'html',
  jpeg: 'jpg',
  tif: 'tiff',
  dotx: 'docx',
  xltx: 'xlsx',
  potx: 'pptx',
  ppsx: 'pptx',
};
const formatOf = (name: string): string => {
  const extension = name.split('.').at(-1)?.toLowerCase() ?? '';
  return SAME[extension] ?? extension;
};

/** Harmless files in all formats. Those that only LibreOffice can write are missing where `hasOffice` is false. */
export async function ordinaryFiles(hasOffice: boolean): Promise<readonly OrdinaryFile[]> {
  const documents = await written();
  const files: NamedFile[] = [
    ...documents,
    ...(await ordinaryOffice()),
    ...(await ordinaryLegacy()),
    ...(await ordinaryPdf()),
    { name: 'page.pdf', bytes: buildPdf({ text: sentence(1), links: ['https://www.sender.example/a'] }) },
    ...ordinaryWeb(),
    ...(await ordinaryPictures()),
    {
      name: 'book.epub',
      bytes: await buildEpub({ chapters: [1, 2, 3].map((seed) => `<h1>Chapter</h1><p>${sentence(seed)}</p>`) }),
    },
    { name: 'old.epub', bytes: await buildEpub({ chapters: [`<p>${sentence(4)}</p>`], isOld: true }) },
    {
      name: 'sums.xlsb',
      bytes: await buildXlsb({
        sheets: [
          {
            name: 'Sums',
            // Wide enough for a date in any font: in a narrower one, LibreOffice shows `###` in its place.
            before: [xlsbColumns(0, 3, 20)],
            rows: [
              xlsbRow(0),
              xlsbCell.text(0, sentence(9), 1),
              xlsbRow(1, 30),
              ...[
                xlsbCell.shared(0, 0),
                xlsbCell.number(1, 45_000, 2),
                xlsbCell.short(2, 12.5, 3),
                xlsbCell.truth(3, true),
              ],
            ],
          },
        ],
        texts: [sentence(10)],
      }),
    },
    { name: 'plan.vsdx', bytes: await buildVisio({ pages: [box(sentence(7)), box(sentence(8))] }) },
    { name: 'places.kml', bytes: Buffer.from(buildKml(placemark('Office', `&lt;p&gt;${sentence(5)}&lt;/p&gt;`))) },
    { name: 'trip.kmz', bytes: await buildKmz(buildKml(placemark('Hotel', sentence(6)))) },
    ...harmlessCases(),
  ];
  for (const [from, formats] of Object.entries(hasOffice ? OTHER_FORMATS : {})) {
    const ours = documents.filter(({ name }) => name.endsWith(from));
    for (const format of formats) {
      for (const [name, bytes] of await convertFiles(ours, format))
        files.push({ name: `office-${name}.${format}`, bytes });
    }
  }
  return files.map((file) => ({ ...file, format: formatOf(file.name) }));
}

/** The harmless ones of the file cases. */
function harmlessCases(): NamedFile[] {
  return fileCases()
    .filter(({ file, expect }) => expect === 'clean' && whyUnread(formatOf(file)) === null)
    .map(({ file }) => ({ name: file, bytes: new Uint8Array(fileCase(file)) }));
}
