/** Files of more than a megabyte for the disarm engine, the same bytes every time: the kinds that mail carries, made in code. */
import { deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { buildZip, relationships } from '../fixtures/build-office.ts';
import { buildVbaProject } from '../fixtures/build-vba.ts';

export interface DisarmInput {
  readonly name: string;
  /** `letter`: an Office document as mail carries most of them, for which the start of each step counts. */
  readonly format: 'OOXML' | 'letter' | 'PDF' | 'image';
  readonly bytes: Uint8Array;
}

const OOXML = 'application/vnd.openxmlformats-officedocument';
const OD = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const MS = 'http://schemas.microsoft.com/office/2006/relationships';
const MACRO: Readonly<Record<'word' | 'xl' | 'ppt', string>> = {
  word: 'application/vnd.ms-word.document.macroEnabled.main+xml',
  xl: 'application/vnd.ms-excel.sheet.macroEnabled.main+xml',
  ppt: 'application/vnd.ms-powerpoint.presentation.macroEnabled.main+xml',
};
const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const WORDS = (
  'the invoice for January lists twelve hours of consulting and one journey to the customer whose order we confirm below ' +
  'delivery is planned within fourteen days after payment please let us know if any of these figures need to be changed ' +
  'Überweisung naïve façade 5000 € quarterly report margin forecast region east revenue cost centre'
).split(' ');

/** Numbers that look random and are the same in every run (xorshift). */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state >>> 0;
  };
}

type Next = () => number;

function sentence(next: Next, words: number): string {
  return Array.from({ length: words }, () => WORDS[next() % WORDS.length] ?? '').join(' ');
}

/** A photograph as far as an encoder can tell: waves with noise. */
async function photograph(seed: number, width: number, height: number): Promise<Buffer> {
  const next = numbers(seed);
  const pixels = Buffer.alloc(width * height * 3);
  for (let at = 0; at < pixels.length; at += 1) {
    const x = Math.floor(at / 3) % width;
    const y = Math.floor(at / 3 / width);
    pixels[at] = 128 + 90 * Math.sin(x / 37 + seed) * Math.cos(y / 53) + (next() % 24);
  }
  return pixels;
}

async function jpeg(seed: number, width = 1_600, height = 1_200): Promise<Uint8Array> {
  const raw = { width, height, channels: 3 } as const;
  return sharp(await photograph(seed, width, height), { raw })
    .jpeg({ quality: 85 })
    .toBuffer();
}

interface PackagePart {
  readonly name: string;
  readonly content: string | Uint8Array;
  readonly contentType: string;
  readonly links?: readonly {
    readonly id: string;
    readonly type: string;
    readonly target: string;
    readonly external?: boolean;
  }[];
}

/** A package whose first part is the main one. */
async function buildPackage(parts: readonly PackagePart[]): Promise<Uint8Array> {
  const overrides = parts.map(
    ({ name, contentType }) => `<Override PartName="/${name}" ContentType="${contentType}"/>`,
  );
  const types = `${XML}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>${overrides.join('')}</Types>`;
  const rootLinks = relationships([{ id: 'rId1', type: `${OD}/officeDocument`, target: parts[0]?.name ?? '' }]);
  const linked = parts.filter(({ links }) => links !== undefined);
  return buildZip([
    ['[Content_Types].xml', types],
    ['_rels/.rels', rootLinks],
    ...linked.map(({ name, links }) => {
      const slash = name.lastIndexOf('/');
      const at = `${name.slice(0, slash)}/_rels/${name.slice(slash + 1)}.rels`;
      return [at, relationships(links ?? [])] as const;
    }),
    ...parts.map(({ name, content }) => [name, content] as const),
  ]);
}

/** A macro project for the main part, so that there is something to take out. */
function project(folder: 'word' | 'xl' | 'ppt'): {
  part: PackagePart;
  link: { id: string; type: string; target: string };
} {
  const part = {
    name: `${folder}/vbaProject.bin`,
    content: buildVbaProject(),
    contentType: 'application/vnd.ms-office.vbaProject',
  };
  return { part, link: { id: 'rIdMacro', type: `${MS}/vbaProject`, target: 'vbaProject.bin' } };
}

const W = `xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" xmlns:r="${OD}" xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:pic="http://schemas.openxmlformats.org/drawingml/2006/picture"`;

function wordParagraph(next: Next): string {
  const runs = Array.from({ length: 1 + (next() % 4) }, () => {
    const look = next() % 3 === 0 ? '<w:rPr><w:b/><w:sz w:val="22"/><w:lang w:val="en-GB"/></w:rPr>' : '';
    return `<w:r w:rsidR="00${(next() % 0xffffff).toString(16).padStart(6, '0').toUpperCase()}">${look}<w:t xml:space="preserve">${sentence(next, 12)} </w:t></w:r>`;
  });
  return `<w:p w:rsidR="00AB12CD" w:rsidRDefault="00AB12CD"><w:pPr><w:spacing w:after="120" w:line="276" w:lineRule="auto"/><w:jc w:val="both"/></w:pPr>${runs.join('')}</w:p>`;
}

function wordTable(next: Next): string {
  const cells = () =>
    Array.from(
      { length: 5 },
      () =>
        `<w:tc><w:tcPr><w:tcW w:w="1800" w:type="dxa"/></w:tcPr><w:p><w:r><w:t>${next() % 100_000}</w:t></w:r></w:p></w:tc>`,
    ).join('');
  const rows = Array.from({ length: 12 }, () => `<w:tr>${cells()}</w:tr>`);
  return `<w:tbl><w:tblPr><w:tblW w:w="0" w:type="auto"/></w:tblPr><w:tblGrid>${'<w:gridCol w:w="1800"/>'.repeat(5)}</w:tblGrid>${rows.join('')}</w:tbl>`;
}

const drawing = (id: string) =>
  `<w:p><w:r><w:drawing><wp:inline><wp:extent cx="5000000" cy="3750000"/><wp:docPr id="1" name="p"/><a:graphic><a:graphicData uri="http://schemas.openxmlformats.org/drawingml/2006/picture"><pic:pic><pic:nvPicPr><pic:cNvPr id="1" name="p"/><pic:cNvPicPr/></pic:nvPicPr><pic:blipFill><a:blip r:embed="${id}"/><a:stretch><a:fillRect/></a:stretch></pic:blipFill><pic:spPr><a:prstGeom prst="rect"/></pic:spPr></pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing></w:r></w:p>`;

const hyperlink = (id: string, next: Next) =>
  `<w:p><w:hyperlink r:id="${id}"><w:r><w:t>${sentence(next, 3)}</w:t></w:r></w:hyperlink></w:p>`;

/** A report: text, tables, some photographs and links. */
async function document(blocks: number, pictures: number, addresses = 0): Promise<Uint8Array> {
  const next = numbers(7);
  const body = Array.from({ length: blocks }, (_, index) =>
    index % 40 === 39 ? wordTable(next) : wordParagraph(next),
  );
  for (let index = 0; index < addresses; index += 1)
    body.splice(Math.floor((index * body.length) / addresses), 0, hyperlink(`rIdLink${index}`, next));
  const { part, link } = project('word');
  const media: PackagePart[] = [];
  for (let index = 0; index < pictures; index += 1) {
    media.push({ name: `word/media/image${index}.jpeg`, content: await jpeg(index + 1), contentType: 'image/jpeg' });
    body.splice(Math.floor((index * body.length) / pictures), 0, drawing(`rId${index}`));
  }
  const links = media.map(({ name }, index) => ({
    id: `rId${index}`,
    type: `${OD}/image`,
    target: name.slice('word/'.length),
  }));
  const hyperlinks = Array.from({ length: addresses }, (_, index) => ({
    id: `rIdLink${index}`,
    type: `${OD}/hyperlink`,
    target: `https://www.example.org/${index}`,
    external: true,
  }));
  const content = `${XML}<w:document ${W}><w:body>${body.join('')}<w:sectPr><w:pgSz w:w="11906" w:h="16838"/></w:sectPr></w:body></w:document>`;
  return buildPackage([
    { name: 'word/document.xml', content, contentType: MACRO.word, links: [...links, ...hyperlinks, link] },
    part,
    ...media,
  ]);
}

function sheetRow(next: Next, row: number): string {
  const at = (column: number) => `r="${String.fromCharCode(65 + column)}${row}"`;
  const cells = [
    `<c ${at(0)} s="1"><v>${45_000 + (row % 365)}</v></c>`,
    `<c ${at(1)} t="s"><v>${next() % 5_000}</v></c>`,
    ...Array.from({ length: 6 }, (_, index) => `<c ${at(index + 2)} s="2"><v>${(next() % 1_000_000) / 100}</v></c>`),
    `<c ${at(8)}><f>SUM(C${row}:H${row})*0.19</f><v>${next() % 10_000}</v></c>`,
  ];
  return `<row r="${row}" spans="1:9">${cells.join('')}</row>`;
}

/** A ledger: strings, numbers and a formula in every row. */
async function workbook(rows: number): Promise<Uint8Array> {
  const next = numbers(11);
  const S = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';
  const lines = Array.from({ length: rows }, (_, index) => sheetRow(next, index + 1));
  const strings = Array.from({ length: 5_000 }, () => `<si><t>${sentence(next, 5)}</t></si>`);
  const { part, link } = project('xl');
  const type = `${OOXML}.spreadsheetml`;
  return buildPackage([
    {
      name: 'xl/workbook.xml',
      content: `${XML}<workbook ${S} xmlns:r="${OD}"><sheets><sheet name="Ledger" sheetId="1" r:id="rId1"/></sheets></workbook>`,
      contentType: MACRO.xl,
      links: [
        { id: 'rId1', type: `${OD}/worksheet`, target: 'worksheets/sheet1.xml' },
        { id: 'rId2', type: `${OD}/sharedStrings`, target: 'sharedStrings.xml' },
        link,
      ],
    },
    part,
    {
      name: 'xl/worksheets/sheet1.xml',
      content: `${XML}<worksheet ${S}><sheetData>${lines.join('')}</sheetData></worksheet>`,
      contentType: `${type}.worksheet+xml`,
    },
    {
      name: 'xl/sharedStrings.xml',
      content: `${XML}<sst ${S}>${strings.join('')}</sst>`,
      contentType: `${type}.sharedStrings+xml`,
    },
  ]);
}

const P = `xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:r="${OD}"`;

function slide(next: Next): string {
  const shapes = Array.from(
    { length: 12 },
    (_, id) =>
      `<p:sp><p:nvSpPr><p:cNvPr id="${id + 3}" name="Text ${id}"/><p:cNvSpPr/><p:nvPr/></p:nvSpPr><p:spPr><a:xfrm><a:off x="${next() % 9_000_000}" y="${next() % 6_000_000}"/><a:ext cx="2000000" cy="500000"/></a:xfrm><a:prstGeom prst="rect"><a:avLst/></a:prstGeom></p:spPr><p:txBody><a:bodyPr/><a:p><a:r><a:rPr lang="en-GB" sz="1800"/><a:t>${sentence(next, 10)}</a:t></a:r></a:p></p:txBody></p:sp>`,
  );
  const picture =
    '<p:pic><p:nvPicPr><p:cNvPr id="2" name="p"/><p:cNvPicPr/><p:nvPr/></p:nvPicPr><p:blipFill><a:blip r:embed="rId1"/></p:blipFill><p:spPr/></p:pic>';
  return `${XML}<p:sld ${P}><p:cSld><p:spTree><p:nvGrpSpPr><p:cNvPr id="1" name=""/><p:cNvGrpSpPr/><p:nvPr/></p:nvGrpSpPr><p:grpSpPr/>${picture}${shapes.join('')}</p:spTree></p:cSld></p:sld>`;
}

/** Slides with text and a photograph each. */
async function presentation(slides: number): Promise<Uint8Array> {
  const next = numbers(13);
  const { part, link } = project('ppt');
  const ids = Array.from({ length: slides }, (_, index) => `<p:sldId id="${256 + index}" r:id="rId${index}"/>`);
  const parts: PackagePart[] = [];
  for (let index = 0; index < slides; index += 1) {
    const image = {
      name: `ppt/media/image${index}.jpeg`,
      content: await jpeg(index + 30, 800, 600),
      contentType: 'image/jpeg',
    };
    const links = [{ id: 'rId1', type: `${OD}/image`, target: `../media/image${index}.jpeg` }];
    const contentType = `${OOXML}.presentationml.slide+xml`;
    parts.push({ name: `ppt/slides/slide${index}.xml`, content: slide(next), contentType, links }, image);
  }
  const links = ids.map((_, index) => ({ id: `rId${index}`, type: `${OD}/slide`, target: `slides/slide${index}.xml` }));
  const content = `${XML}<p:presentation ${P}><p:sldIdLst>${ids.join('')}</p:sldIdLst><p:sldSz cx="9144000" cy="6858000"/></p:presentation>`;
  return buildPackage([
    { name: 'ppt/presentation.xml', content, contentType: MACRO.ppt, links: [...links, link] },
    part,
    ...parts,
  ]);
}

/** A PDF of pages with compressed text, and a photograph on every so many of them; opening it would run a script. */
async function pdf(pages: number, everyPicture: number): Promise<Uint8Array> {
  const next = numbers(17);
  const objects: (string | Buffer)[] = [
    '<< /Type /Catalog /Pages 2 0 R /OpenAction 4 0 R >>',
    '',
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    '<< /Type /Action /S /JavaScript /JS (app.alert\\(1\\)) >>',
  ];
  const add = (object: string | Buffer) => objects.push(object);
  const stream = (entries: string, data: Uint8Array) =>
    Buffer.concat([Buffer.from(`<< ${entries} /Length ${data.length} >>\nstream\n`), data, Buffer.from('\nendstream')]);
  const kids: string[] = [];
  for (let page = 0; page < pages; page += 1) {
    const lines = Array.from({ length: 45 }, () => `(${sentence(next, 12).replace(/[^ -~]/g, '')} ${next()}) Tj T*`);
    const content = add(
      stream('/Filter /FlateDecode', deflateSync(Buffer.from(`BT /F1 10 Tf 12 TL 50 780 Td ${lines.join('\n')} ET`))),
    );
    let images = '';
    if (everyPicture > 0 && page % everyPicture === 0) {
      const image = await jpeg(page + 60);
      images = `/XObject << /I ${add(stream('/Type /XObject /Subtype /Image /Width 1600 /Height 1200 /ColorSpace /DeviceRGB /BitsPerComponent 8 /Filter /DCTDecode', image))} 0 R >>`;
    }
    const link = add(
      '<< /Type /Annot /Subtype /Link /Rect [50 700 200 720] /Border [0 0 0] /A << /S /URI /URI (https://example.com/a) >> >>',
    );
    const entry = `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /Font << /F1 3 0 R >> ${images} >> /Contents ${content} 0 R /Annots [${link} 0 R] >>`;
    kids.push(`${add(entry)} 0 R`);
  }
  objects[1] = `<< /Type /Pages /Count ${pages} /Kids [${kids.join(' ')}] >>`;
  return writeObjects(objects);
}

function writeObjects(objects: readonly (string | Buffer)[]): Uint8Array {
  const chunks: Buffer[] = [Buffer.from('%PDF-1.7\n%\xe2\xe3\xcf\xd3\n', 'latin1')];
  let length = chunks[0]?.length ?? 0;
  const offsets = objects.map((object, index) => {
    const offset = length;
    const chunk = Buffer.concat([Buffer.from(`${index + 1} 0 obj\n`), Buffer.from(object), Buffer.from('\nendobj\n')]);
    chunks.push(chunk);
    length += chunk.length;
    return offset;
  });
  const rows = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`);
  const size = objects.length + 1;
  chunks.push(
    Buffer.from(
      `xref\n0 ${size}\n0000000000 65535 f \n${rows.join('')}trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${length}\n%%EOF\n`,
    ),
  );
  return Buffer.concat(chunks);
}

async function picture(
  format: 'jpeg' | 'png' | 'webp' | 'tiff' | 'gif',
  width: number,
  height: number,
): Promise<Uint8Array> {
  const raw = { width, height, channels: 3 } as const;
  const image = sharp(await photograph(5, width, height), { raw }).withMetadata({
    exif: { IFD0: { Artist: 'nobody' } },
  });
  return image.toFormat(format).toBuffer();
}

/** An Office document as mail carries most of them. */
export async function letterInput(): Promise<DisarmInput> {
  return { name: 'docx, 100 KB with links', format: 'letter', bytes: await document(1_250, 0, 300) };
}

/** Every input, smallest first within its format. */
export async function disarmInputs(): Promise<readonly DisarmInput[]> {
  return [
    await letterInput(),
    { name: 'docx, text and tables', format: 'OOXML', bytes: await document(16_000, 0) },
    { name: 'docx, text and photographs', format: 'OOXML', bytes: await document(4_000, 8) },
    { name: 'xlsx, 30,000 rows', format: 'OOXML', bytes: await workbook(30_000) },
    { name: 'xlsx, 250,000 rows', format: 'OOXML', bytes: await workbook(250_000) },
    { name: 'pptx, 60 slides', format: 'OOXML', bytes: await presentation(60) },
    { name: 'pdf, 1,500 pages of text', format: 'PDF', bytes: await pdf(1_500, 0) },
    { name: 'pdf, 6,000 pages of text', format: 'PDF', bytes: await pdf(6_000, 0) },
    { name: 'pdf, text and photographs', format: 'PDF', bytes: await pdf(400, 40) },
    { name: 'jpeg', format: 'image', bytes: await picture('jpeg', 3_000, 2_000) },
    { name: 'png', format: 'image', bytes: await picture('png', 1_600, 1_200) },
    { name: 'webp', format: 'image', bytes: await picture('webp', 3_000, 2_000) },
    { name: 'tiff', format: 'image', bytes: await picture('tiff', 1_600, 1_200) },
    { name: 'gif', format: 'image', bytes: await picture('gif', 1_600, 1_200) },
  ];
}
