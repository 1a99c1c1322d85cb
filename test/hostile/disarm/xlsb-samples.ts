/** Binary workbooks with macros, links to other files and programs, and formulas that reach out. */
import { buildVbaProject } from '../../fixtures/build-vba.ts';
import { buildXlsb, type XlsbLink, type XlsbOptions, xlsbCell, xlsbLink, xlsbRow } from '../../fixtures/build-xlsb.ts';
import { callToken, nameRecord, record, textToken, wide } from '../static/xlsb-fixture.ts';
import { type Draft, type Generator, KEEP, LIVE, LIVE_URL } from './sample.ts';

const MS = 'http://schemas.microsoft.com/office/2006/relationships';
const kept = [xlsbRow(0), xlsbCell.text(0, `${KEEP} cell`)];
const data = { name: 'Data', rows: kept };
const draft = async (encoding: string, options: XlsbOptions): Promise<Draft> => ({
  encoding,
  content: await buildXlsb({ sheets: [data], ...options }),
});

/** Type of the relationship, where the part stands, its content type. */
const PARTS: Readonly<Record<string, readonly [type: string, name: string, contentType: string]>> = {
  'macro project': [`${MS}/vbaProject`, 'vbaProject.bin', 'application/vnd.ms-office.vbaProject'],
  'toolbars with macros': [
    `${MS}/attachedToolbars`,
    'attachedToolbars.bin',
    'application/vnd.ms-excel.attachedToolbars',
  ],
  'other book': ['externalLink', 'externalLinks/externalLink1.bin', 'application/vnd.ms-excel.externalLink'],
  connections: ['connections', 'connections.bin', 'application/vnd.ms-excel.connections'],
  'pivot cache': [
    'pivotCacheDefinition',
    'pivotCache/pivotCacheDefinition1.bin',
    'application/vnd.ms-excel.pivotCacheDefinition',
  ],
  'custom XML': ['customXml', '../customXml/item1.xml', 'application/xml'],
  'add-in of the web': [
    'http://schemas.microsoft.com/office/2011/relationships/webextension',
    'webextensions/webextension1.xml',
    'application/vnd.ms-office.webextension+xml',
  ],
  'theme that is none': ['theme', 'theme/theme1.xml', 'application/vnd.openxmlformats-officedocument.theme+xml'],
};
const parts: Generator = async (line) => {
  const [type, place, contentType] = PARTS[line] ?? ['', '', ''];
  const name = place.startsWith('../') ? place.slice(3) : `xl/${place}`;
  const content =
    line === 'macro project'
      ? buildVbaProject(`Sub Auto_Open()\r\n'${LIVE}\r\nEnd Sub\r\n`)
      : place.endsWith('.xml')
        ? `<?xml version="1.0"?><${LIVE} xmlns="urn:x"/>`
        : `${LIVE} payload`;
  const link: XlsbLink = { id: 'x', type, target: place };
  const part = { name, content, contentType };
  return Promise.all([
    draft('of the workbook', { bookLinks: [link], parts: [part] }),
    draft('of a sheet', { sheets: [{ ...data, links: [{ ...link, target: `../${place}` }] }], parts: [part] }),
    draft('of the package', { rootLinks: [{ ...link, target: name }], parts: [part] }),
    draft('reached by nothing', { parts: [part] }),
    draft('of another server', { bookLinks: [{ ...link, target: LIVE_URL, isExternal: true }] }),
  ]);
};

const SHEET_PARTS: Readonly<Record<string, readonly [type: string, name: string]>> = {
  object: ['oleObject', 'embeddings/oleObject1.bin'],
  package: ['package', 'embeddings/book1.xlsx'],
  control: ['control', 'activeX/activeX1.xml'],
  'printer settings': ['printerSettings', 'printerSettings/printerSettings1.bin'],
  comments: ['comments', 'comments1.bin'],
  table: ['table', 'tables/table1.bin'],
  query: ['queryTable', 'queryTables/queryTable1.bin'],
};
const sheetParts: Generator = async (line) => {
  const [type, place] = SHEET_PARTS[line] ?? ['', ''];
  const links = [{ id: 'x', type, target: `../${place}` }];
  return [
    await draft('plain', {
      sheets: [{ ...data, links, behind: [record(550, wide('x'))] }],
      parts: [{ name: `xl/${place}`, content: `${LIVE} payload`, contentType: 'application/octet-stream' }],
    }),
  ];
};

const FORMULAS: Readonly<Record<string, readonly Uint8Array[]>> = {
  CALL: [textToken(LIVE), callToken(150, 1)],
  'REGISTER.ID': [textToken(LIVE), callToken(267, 1)],
  RTD: [textToken(LIVE), callToken(379, 1)],
  EXEC: [textToken(LIVE), callToken(110, 1)],
  HYPERLINK: [textToken(LIVE_URL), callToken(359, 1)],
  'a name of a function': [textToken(LIVE), Buffer.from([0x23, 1, 0, 0, 0]), callToken(255, 2)],
  'another book': [textToken(LIVE), Buffer.from([0x39, 1, 0, 1, 0, 0, 0])],
  'unknown token': [textToken(LIVE), Buffer.from([0x18, 0x77])],
};
const formulas: Generator = async (line) => {
  const tokens = Buffer.concat([...(FORMULAS[line] ?? [])]);
  const cell = (value: string | number | boolean) => [...kept, xlsbCell.formula(1, value, tokens)];
  return Promise.all([
    draft('with a text', { sheets: [{ ...data, rows: cell('result') }] }),
    draft('with a number', { sheets: [{ ...data, rows: cell(7) }] }),
    draft('with a truth', { sheets: [{ ...data, rows: cell(true) }] }),
    draft('of a name', {
      book: [
        record(
          39,
          Buffer.concat([Buffer.alloc(9), wide('Total'), Buffer.from(Uint32Array.of(tokens.length).buffer), tokens]),
        ),
      ],
    }),
    draft('in a record that nobody knows', { sheets: [{ ...data, behind: [record(9_999, tokens)] }] }),
  ]);
};

const BOOKS: Readonly<Record<string, Uint8Array>> = {
  'name that runs': nameRecord(`Auto_Open${LIVE}`),
  'program and what it is asked': record(360, Buffer.concat([Buffer.from([1, 0]), wide('cmd'), wide(LIVE)])),
  'file that it was': record(2091, wide(`\\\\${LIVE}\\share`)),
  'path of the web': record(2071, wide(LIVE_URL)),
};
const books: Generator = async (line) => [await draft('plain', { book: [BOOKS[line] ?? Buffer.alloc(0)] })];

const TARGETS: Readonly<Record<string, string>> = {
  file: `file:///c:/${LIVE}.exe`,
  share: `\\\\${LIVE}\\x`,
  script: `javascript:${LIVE}()`,
  'protocol of a program': `ms-word:ofe|u|${LIVE_URL}`,
};
const links: Generator = async (line) => {
  const target = TARGETS[line] ?? '';
  const sheet = {
    ...data,
    behind: [xlsbLink(0, 0, 'a')],
    links: [{ id: 'a', type: 'hyperlink', target, isExternal: true }],
  };
  return [await draft('plain', { sheets: [sheet] })];
};

const macroSheets: Generator = async (line) => {
  const type =
    line === 'dialog sheet' ? 'dialogsheet' : `${MS}/${line === 'macro sheet' ? 'xlMacrosheet' : 'xlIntlMacrosheet'}`;
  const rows = [xlsbRow(0), xlsbCell.text(0, LIVE)];
  return Promise.all(
    [0, 1, 2].map((state) =>
      draft(`in state ${state}`, { sheets: [{ name: 'Macro1', kind: type, rows, state }, data] }),
    ),
  );
};

export const xlsbSamples: Readonly<Record<string, Generator>> = {
  'xlsb/part': parts,
  'xlsb/sheet-part': sheetParts,
  'xlsb/formula': formulas,
  'xlsb/book': books,
  'xlsb/link': links,
  'xlsb/sheet': macroSheets,
};
