/** Small Office packages with places where a threat can be put, and the ways to write the same package. */

import type { Format } from './row.ts';
import { KEEP } from './sample.ts';
import { writeZip, type ZipEntry, type ZipFrame } from './zip-writer.ts';

export const OD = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships/';
export const MS = 'http://schemas.microsoft.com/office/2006/relationships/';
const OX = 'http://schemas.openxmlformats.org/';
const TYPE = 'application/vnd.openxmlformats-officedocument.';
const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
export const NAMESPACES = [
  `xmlns:r="${OD.slice(0, -1)}"`,
  `xmlns:a="${OX}drawingml/2006/main" xmlns:c="${OX}drawingml/2006/chart"`,
  'xmlns:v="urn:schemas-microsoft-com:vml" xmlns:o="urn:schemas-microsoft-com:office:office" xmlns:x="urn:schemas-microsoft-com:office:excel"',
  `xmlns:mc="${OX}markup-compatibility/2006" xmlns:w14="http://schemas.microsoft.com/office/word/2010/wordml"`,
].join(' ');
const W = `xmlns:w="${OX}wordprocessingml/2006/main" ${NAMESPACES}`;
const P = `xmlns:p="${OX}presentationml/2006/main" ${NAMESPACES}`;
const S = `xmlns="${OX}spreadsheetml/2006/main" xmlns:xdr="${OX}drawingml/2006/spreadsheetDrawing" ${NAMESPACES}`;

export interface PackageLink {
  readonly type: string;
  readonly target: string;
  readonly isExternal?: boolean;
  /** @default `t0`, `t1` and so on */
  readonly id?: string;
}

export interface PackagePart {
  readonly name: string;
  readonly content: string | Uint8Array;
  readonly contentType: string;
  readonly links?: readonly PackageLink[];
}

export interface OfficeDraft {
  readonly mainType?: string;
  /** Inside the body, behind the sheet's data, among the shapes. */
  readonly body?: string;
  /** Cells of the first row. */
  readonly cells?: string;
  /** Inside the settings, the workbook behind its sheets, the presentation. */
  readonly main?: string;
  /** Of the document, the sheet, the slide. */
  readonly links?: readonly PackageLink[];
  /** Of the settings, the workbook, the presentation. */
  readonly mainLinks?: readonly PackageLink[];
  readonly rootLinks?: readonly PackageLink[];
  readonly parts?: readonly PackagePart[];
}

const linked = (type: string, target: string, id: string): PackageLink => ({ type: OD + type, target, id });

function wordParts(draft: OfficeDraft): PackagePart[] {
  const word = `${TYPE}wordprocessingml.`;
  const text = `<w:p><w:r><w:t>${KEEP} invoice</w:t></w:r></w:p>`;
  return [
    {
      name: 'word/document.xml',
      content: `${XML}<w:document ${W}><w:body>${text}${draft.body ?? ''}<w:sectPr/></w:body></w:document>`,
      contentType: draft.mainType ?? `${word}document.main+xml`,
      links: [
        linked('settings', 'settings.xml', 'main1'),
        linked('styles', 'styles.xml', 'main2'),
        ...(draft.links ?? []),
      ],
    },
    {
      name: 'word/settings.xml',
      content: `${XML}<w:settings ${W}>${draft.main ?? ''}</w:settings>`,
      contentType: `${word}settings+xml`,
      links: draft.mainLinks ?? [],
    },
    { name: 'word/styles.xml', content: `${XML}<w:styles ${W}/>`, contentType: `${word}styles+xml` },
  ];
}

function sheetParts(draft: OfficeDraft): PackagePart[] {
  const sheet = `${TYPE}spreadsheetml.`;
  const cell = `<c r="A1" t="inlineStr"><is><t>${KEEP} invoice</t></is></c>`;
  const row = `<row r="1">${cell}${draft.cells ?? ''}</row>`;
  return [
    {
      name: 'xl/workbook.xml',
      content: `${XML}<workbook ${S}><sheets><sheet name="Sheet1" sheetId="1" r:id="main1"/></sheets>${draft.main ?? ''}</workbook>`,
      contentType: draft.mainType ?? `${sheet}sheet.main+xml`,
      links: [linked('worksheet', 'worksheets/sheet1.xml', 'main1'), ...(draft.mainLinks ?? [])],
    },
    {
      name: 'xl/worksheets/sheet1.xml',
      // Wide enough for its text in any font: a program that prints it cuts what runs into the next cell.
      content: `${XML}<worksheet ${S}><cols><col min="1" max="9" width="40" customWidth="1"/></cols><sheetData>${row}</sheetData>${draft.body ?? ''}</worksheet>`,
      contentType: `${sheet}worksheet+xml`,
      links: draft.links ?? [],
    },
  ];
}

function slideParts(draft: OfficeDraft): PackagePart[] {
  const slide = `${TYPE}presentationml.`;
  const text = `<p:sp><p:nvSpPr><p:cNvPr id="2" name="t"/><p:cNvSpPr/><p:nvPr/></p:nvSpPr><p:spPr><a:xfrm><a:off x="500000" y="500000"/><a:ext cx="8000000" cy="1000000"/></a:xfrm><a:prstGeom prst="rect"><a:avLst/></a:prstGeom></p:spPr><p:txBody><a:bodyPr/><a:p><a:r><a:t>${KEEP} invoice</a:t></a:r></a:p></p:txBody></p:sp>`;
  const frame = '<p:nvGrpSpPr><p:cNvPr id="1" name=""/><p:cNvGrpSpPr/><p:nvPr/></p:nvGrpSpPr><p:grpSpPr/>';
  return [
    {
      name: 'ppt/presentation.xml',
      content: `${XML}<p:presentation ${P}><p:sldIdLst><p:sldId id="256" r:id="main1"/></p:sldIdLst><p:sldSz cx="9144000" cy="6858000"/>${draft.main ?? ''}</p:presentation>`,
      contentType: draft.mainType ?? `${slide}presentation.main+xml`,
      links: [linked('slide', 'slides/slide1.xml', 'main1'), ...(draft.mainLinks ?? [])],
    },
    {
      name: 'ppt/slides/slide1.xml',
      content: `${XML}<p:sld ${P}><p:cSld><p:spTree>${frame}${text}${draft.body ?? ''}</p:spTree></p:cSld></p:sld>`,
      contentType: `${slide}slide+xml`,
      links: draft.links ?? [],
    },
  ];
}

const PARTS = { docx: wordParts, xlsx: sheetParts, pptx: slideParts } as const;
export const MAIN_PART = { docx: 'word/document.xml', xlsx: 'xl/workbook.xml', pptx: 'ppt/presentation.xml' } as const;
export const FOLDER = { docx: 'word', xlsx: 'xl', pptx: 'ppt' } as const;
export type OfficeFormat = keyof typeof PARTS;
export const isOffice = (format: Format): format is OfficeFormat => format in PARTS;

function linksXml(links: readonly PackageLink[]): string {
  const rows = links.map(
    ({ type, target, isExternal, id }, index) =>
      `<Relationship Id="${id ?? `t${index}`}" Type="${type}" Target="${target}"${isExternal === true ? ' TargetMode="External"' : ''}/>`,
  );
  return `${XML}<Relationships xmlns="${OX}package/2006/relationships">${rows.join('')}</Relationships>`;
}

function linksName(name: string): string {
  const slash = name.lastIndexOf('/');
  return `${name.slice(0, slash)}/_rels/${name.slice(slash + 1)}.rels`;
}

/** The entries of a package. */
export function entriesOf(format: OfficeFormat, draft: OfficeDraft): ZipEntry[] {
  const parts = [...PARTS[format](draft), ...(draft.parts ?? [])];
  const overrides = parts.map(
    ({ name, contentType }) => `<Override PartName="/${name}" ContentType="${contentType}"/>`,
  );
  const types = `${XML}<Types xmlns="${OX}package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>${overrides.join('')}</Types>`;
  return [
    { name: '[Content_Types].xml', content: types },
    {
      name: '_rels/.rels',
      content: linksXml([linked('officeDocument', MAIN_PART[format], 'root1'), ...(draft.rootLinks ?? [])]),
    },
    ...parts.flatMap(({ name, content, links = [] }) => [
      { name, content },
      ...(links.length > 0 ? [{ name: linksName(name), content: linksXml(links) }] : []),
    ]),
  ];
}

const markupOnly = (change: (markup: string, name: string) => string | Uint8Array) => (entries: readonly ZipEntry[]) =>
  entries.map((entry) =>
    typeof entry.content === 'string' && entry.content.startsWith('<?xml')
      ? { ...entry, content: change(entry.content, entry.name) }
      : entry,
  );

const strict = (markup: string): string =>
  markup
    .replaceAll(
      'http://schemas.openxmlformats.org/officeDocument/2006/relationships',
      'http://purl.oclc.org/ooxml/officeDocument/relationships',
    )
    .replaceAll(
      'http://schemas.openxmlformats.org/wordprocessingml/2006/main',
      'http://purl.oclc.org/ooxml/wordprocessingml/main',
    )
    .replaceAll(
      'http://schemas.openxmlformats.org/spreadsheetml/2006/main',
      'http://purl.oclc.org/ooxml/spreadsheetml/main',
    )
    .replaceAll(
      'http://schemas.openxmlformats.org/presentationml/2006/main',
      'http://purl.oclc.org/ooxml/presentationml/main',
    )
    .replaceAll('http://schemas.openxmlformats.org/drawingml/2006/main', 'http://purl.oclc.org/ooxml/drawingml/main');

const utf16 = (markup: string): Uint8Array =>
  Buffer.from(`\ufeff${markup.replace('encoding="UTF-8"', 'encoding="UTF-16"')}`, 'utf16le');

/** Other prefixes for the same names. */
const prefixed = (markup: string): string =>
  markup
    .replace(/xmlns:(w|p|r|v|o|a|x|xdr)=/g, 'xmlns:q$1=')
    .replace(/(<\/?|\s)(w|p|r|v|o|a|x|xdr):(?=[A-Za-z])/g, '$1q$2:');

const referenced = (markup: string): string =>
  markup.replace(
    /(\s(?!xmlns)[\w:]+=")([A-Za-z])(?=[^"]*"[^<]*>)/g,
    (all, before: string, first: string, at: number) =>
      markup.slice(0, at).endsWith('<?xml') || at < 60 ? all : `${before}&#x${first.charCodeAt(0).toString(16)};`,
  );

/** A threat among the parts whose name is written in other letters there than in the relationships. */
const cased = (entries: readonly ZipEntry[]): ZipEntry[] =>
  entries.map((entry) =>
    /^(\[|_rels|.*\.rels$)/.test(entry.name) ? entry : { ...entry, name: entry.name.toUpperCase() },
  );

export const OFFICE_ENCODINGS: Readonly<Record<string, (entries: readonly ZipEntry[]) => readonly ZipEntry[]>> = {
  plain: (entries) => entries,
  strict: markupOnly(strict),
  'UTF-16': markupOnly(utf16),
  'other prefixes': markupOnly(prefixed),
  'character references': markupOnly(referenced),
  'names in capitals': cased,
  'stored with descriptors': (entries) => entries.map((entry) => ({ ...entry, hasDescriptor: true })),
};

/** The body once for readers that know more, and once for the others. */
export function alternated(body: string): string {
  return `<mc:AlternateContent><mc:Choice Requires="w14">${body}</mc:Choice><mc:Fallback>${body}</mc:Fallback></mc:AlternateContent>`;
}

export function pack(format: OfficeFormat, draft: OfficeDraft, encoding = 'plain', frame: ZipFrame = {}): Uint8Array {
  return writeZip((OFFICE_ENCODINGS[encoding] ?? ((entries) => entries))(entriesOf(format, draft)), frame);
}
