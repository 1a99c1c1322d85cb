/** The smallest document of each program in Office Open XML that holds some words. */
import { buildZip, relationships } from '../../fixtures/build-office.ts';

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const OD = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const MAIN = 'application/vnd.openxmlformats-officedocument';
const R = `xmlns:r="${OD}"`;
const W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';
const S = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';
const P =
  'xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"';

interface Part {
  readonly path: string;
  readonly type: string;
  readonly content: string;
}

interface Program {
  readonly family: string;
  readonly main: string;
  /** The part with the words, where that is not the main one. */
  readonly shown: (words: string) => (Part & { readonly link: string }) | null;
  readonly body: (words: string) => string;
}

const PROGRAMS: Readonly<Record<'word' | 'xl' | 'ppt', Program>> = {
  word: {
    family: 'wordprocessingml',
    main: 'word/document.xml',
    shown: () => null,
    body: (words) => `<w:document ${W}><w:body><w:p><w:r><w:t>${words}</w:t></w:r></w:p></w:body></w:document>`,
  },
  xl: {
    family: 'spreadsheetml',
    main: 'xl/workbook.xml',
    shown: (words) => ({
      path: 'xl/worksheets/sheet1.xml',
      link: 'worksheet',
      type: `${MAIN}.spreadsheetml.worksheet+xml`,
      content: `<worksheet ${S}><sheetData><row r="1"><c r="A1" t="inlineStr"><is><t>${words}</t></is></c></row></sheetData></worksheet>`,
    }),
    body: () => `<workbook ${S} ${R}><sheets><sheet name="A" sheetId="1" r:id="rId1"/></sheets></workbook>`,
  },
  ppt: {
    family: 'presentationml',
    main: 'ppt/presentation.xml',
    shown: (words) => ({
      path: 'ppt/slides/slide1.xml',
      link: 'slide',
      type: `${MAIN}.presentationml.slide+xml`,
      content: `<p:sld ${P}><p:cSld><p:spTree><p:nvGrpSpPr><p:cNvPr id="1" name=""/><p:cNvGrpSpPr/><p:nvPr/></p:nvGrpSpPr><p:grpSpPr/><p:sp><p:nvSpPr><p:cNvPr id="2" name="t"/><p:cNvSpPr/><p:nvPr/></p:nvSpPr><p:spPr/><p:txBody><a:bodyPr/><a:p><a:r><a:t>${words}</a:t></a:r></a:p></p:txBody></p:sp></p:spTree></p:cSld></p:sld>`,
    }),
    body: () =>
      `<p:presentation ${P} ${R}><p:sldIdLst><p:sldId id="256" r:id="rId1"/></p:sldIdLst><p:sldSz cx="9144000" cy="6858000"/><p:notesSz cx="6858000" cy="9144000"/></p:presentation>`,
  },
};

/** A document, workbook or presentation of a kind: `document`, `sheet`, `slideshow`, `template`. */
export async function ooxmlFile(
  program: 'word' | 'xl' | 'ppt',
  kind: string,
  words: readonly string[],
  mainType = `${MAIN}.${PROGRAMS[program].family}.${kind}.main+xml`,
): Promise<Uint8Array> {
  const { main, shown, body } = PROGRAMS[program];
  const text = words.join(' ');
  const part = shown(text);
  const override = (path: string, type: string) => `<Override PartName="/${path}" ContentType="${type}"/>`;
  const types = `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>${override(main, mainType)}${part === null ? '' : override(part.path, part.type)}</Types>`;
  const folder = main.slice(0, main.indexOf('/'));
  return buildZip([
    ['[Content_Types].xml', XML + types],
    ['_rels/.rels', relationships([{ id: 'rId1', type: `${OD}/officeDocument`, target: main }])],
    [main, XML + body(text)],
    ...(part === null
      ? []
      : [
          [
            `${folder}/_rels/${main.slice(folder.length + 1)}.rels`,
            relationships([{ id: 'rId1', type: `${OD}/${part.link}`, target: part.path.slice(folder.length + 1) }]),
          ] as const,
          [part.path, XML + part.content] as const,
        ]),
  ]);
}
