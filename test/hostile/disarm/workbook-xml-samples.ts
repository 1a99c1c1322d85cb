/** Excel 2003 workbooks in XML with formulas that reach out, links, queries, macros and markup of other programs. */
import { type WorkbookXmlOptions, workbookXml } from '../../fixtures/build-workbook-xml.ts';
import { type Draft, type Generator, KEEP, LIVE, LIVE_URL } from './sample.ts';

const quoted = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
const data = (text: string) => `<Data ss:Type="String">${text}</Data>`;
const kept = `<Row><Cell>${data(`${KEEP} cell`)}</Cell></Row>`;

/** As Excel writes it, in UTF-16, and with another prefix for the name space of the workbook. */
function waysOf(options: WorkbookXmlOptions): Draft[] {
  const plain = workbookXml({ ...options, rows: `${kept}${options.rows ?? ''}` });
  return [
    { encoding: 'plain', content: plain },
    { encoding: 'UTF-16', content: Buffer.from(`\ufeff${plain}`, 'utf16le') },
    { encoding: 'other prefix', content: plain.replaceAll('ss:', 'q1:').replace('xmlns:ss=', 'xmlns:q1=') },
  ];
}

const FORMULAS: Readonly<Record<string, string>> = {
  CALL: `=CALL("${LIVE}","x","J")`,
  REGISTER: `=REGISTER("${LIVE}","x","J")`,
  EXEC: `=EXEC("${LIVE}")`,
  WEBSERVICE: `=WEBSERVICE("${LIVE_URL}")`,
  RTD: `=RTD("${LIVE}",,"x")`,
  DDE: `=cmd|'/c ${LIVE}'!A0`,
  'other book': `='[${LIVE}.xls]Sheet1'!R1C1`,
  'file by its path': `='\\\\${LIVE}\\[a.xls]Sheet1'!R1C1`,
};
const formulas: Generator = (line) => {
  const formula = quoted(FORMULAS[line] ?? '');
  return [
    ...waysOf({ rows: `<Row><Cell ss:Formula="${formula}"><Data ss:Type="Number">1</Data></Cell></Row>` }),
    ...waysOf({ rows: `<Row><Cell ss:ArrayRange="RC" ss:Formula="${formula}">${data('x')}</Cell></Row>` }),
    ...waysOf({ before: `<Names><NamedRange ss:Name="Auto_Open" ss:RefersTo="${formula}"/></Names>` }),
    ...waysOf({
      behind: `<ConditionalFormatting xmlns="urn:schemas-microsoft-com:office:excel"><Range>R1C1</Range><Condition><Value1>${formula}</Value1></Condition></ConditionalFormatting>`,
    }),
    ...waysOf({
      behind: `<DataValidation xmlns="urn:schemas-microsoft-com:office:excel"><Range>R1C1</Range><Type>List</Type><Value>${formula}</Value></DataValidation>`,
    }),
  ];
};

const LINKS: Readonly<Record<string, string>> = {
  file: `file:///c:/${LIVE}.exe`,
  share: `\\\\${LIVE}\\x`,
  script: `javascript:${LIVE}()`,
  'protocol of a program': `ms-excel:ofe|u|${LIVE_URL}`,
};
const links: Generator = (line) => {
  const target = quoted(LINKS[line] ?? '');
  return [
    ...waysOf({ rows: `<Row><Cell ss:HRef="${target}">${data('click')}</Cell></Row>` }),
    ...waysOf({
      rows: `<Row><Cell ss:Formula="=HYPERLINK(&quot;${target}&quot;,&quot;click&quot;)">${data('click')}</Cell></Row>`,
    }),
  ];
};

const ELEMENTS: Readonly<Record<string, WorkbookXmlOptions>> = {
  QueryTable: {
    behind: `<QueryTable xmlns="urn:schemas-microsoft-com:office:excel"><Name>a</Name><QuerySource><URLString>${LIVE_URL}</URLString></QuerySource></QueryTable>`,
  },
  SupBook: {
    before: `<ExcelWorkbook xmlns="urn:schemas-microsoft-com:office:excel"><SupBook><Path>${LIVE}.xls</Path></SupBook></ExcelWorkbook>`,
  },
  PivotTable: {
    behind: `<PivotTable xmlns="urn:schemas-microsoft-com:office:excel"><Name>${LIVE}</Name></PivotTable>`,
  },
  MapInfo: {
    before: `<x2:MapInfo xmlns:x2="http://schemas.microsoft.com/office/excel/2003/xml"><x2:Schema>${LIVE}</x2:Schema></x2:MapInfo>`,
  },
  binData: {
    behind: `<o:docOleData xmlns:o="urn:schemas-microsoft-com:office:office"><o:binData o:name="oledata.mso">${LIVE}</o:binData></o:docOleData>`,
  },
  script: { behind: `<html:script xmlns:html="http://www.w3.org/TR/REC-html40">${LIVE}</html:script>` },
  object: { behind: `<html:object xmlns:html="http://www.w3.org/TR/REC-html40" classid="${LIVE}"/>` },
  'page header': {
    behind: `<WorksheetOptions xmlns="urn:schemas-microsoft-com:office:excel"><PageSetup><Header x:Data="&amp;L${LIVE}"/></PageSetup></WorksheetOptions>`,
  },
  properties: { before: `<o:CustomDocumentProperties><o:x>${LIVE}</o:x></o:CustomDocumentProperties>` },
};
const elements: Generator = (line) => waysOf(ELEMENTS[line] ?? {});

const frames: Generator = (line) => {
  const plain = workbookXml({ rows: kept });
  const changed: Readonly<Record<string, string>> = {
    doctype: plain.replace('<Workbook', `<!DOCTYPE Workbook [<!ENTITY a SYSTEM "${LIVE_URL}">]><Workbook`),
    entity: plain
      .replace('<Workbook', `<!DOCTYPE Workbook [<!ENTITY a "${LIVE}">]><Workbook`)
      .replace('cell<', 'cell &a;<'),
    instruction: plain.replace('<Workbook', `<?xml-stylesheet type="text/xsl" href="${LIVE_URL}"?><Workbook`),
    comment: plain.replace('<Workbook', `<!-- <script>${LIVE}</script> --><Workbook`),
    behind: `${plain}<!-- ${LIVE} -->`,
  };
  return [{ encoding: 'plain', content: changed[line] ?? plain }];
};

export const workbookXmlSamples: Readonly<Record<string, Generator>> = {
  'workbook-xml/formula': formulas,
  'workbook-xml/link': links,
  'workbook-xml/element': elements,
  'workbook-xml/frame': frames,
};
