/** Visio drawings that run, load, or lead elsewhere. */
import { buildPng } from '../../fixtures/build-image.ts';
import { box, buildVisio, type VisioOptions } from '../../fixtures/build-visio.ts';
import { type Draft, type Generator, KEEP, LIVE, LIVE_URL } from './sample.ts';

const kept = box(`${KEEP} box`);
const draft = async (encoding: string, options: VisioOptions): Promise<Draft> => ({
  encoding,
  content: await buildVisio({ pages: [kept], ...options }),
});
const OD = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const MS = 'http://schemas.microsoft.com/office/2006/relationships';
const VISIO = 'http://schemas.microsoft.com/visio/2010/relationships';
const quoted = (text: string) => text.replaceAll('&', '&amp;').replaceAll("'", '&apos;').replaceAll('<', '&lt;');

const FORMULAS: Readonly<Record<string, string>> = {
  RUNADDON: `RUNADDON("${LIVE}.exe")`,
  RUNADDONWARGS: `RUNADDONWARGS("cmd","${LIVE}")`,
  RUNMACRO: `RUNMACRO("${LIVE}")`,
  CALLTHIS: `CALLTHIS("${LIVE}")`,
  DOCMD: `DOCMD(1312)+"${LIVE}"`,
  OPENFILE: `OPENFILE("\\\\\\\\${LIVE}\\\\x")`,
  PLAYSOUND: `PLAYSOUND("${LIVE_URL}",0,0,0)`,
  HYPERLINK: `HYPERLINK("${LIVE_URL}")`,
  QUEUEMARKEREVENT: `QUEUEMARKEREVENT("${LIVE}")`,
  EVALTEXT: `EVALTEXT(${LIVE}!TheText)`,
  'between names with quotes': `'a"b'!Width+RUNADDON(${LIVE})+'a"b'!Width`,
  'cell of another file': `[${LIVE}.vsdx]Page-1!Sheet.1!Width`,
  'unknown function': `NEWFUNCTION("${LIVE}")`,
};
const formulas: Generator = async (line) => {
  const formula = quoted(FORMULAS[line] ?? '');
  const cell = (name: string, code = formula) => `<Cell N='${name}' V='0' F='${code}'/>`;
  return Promise.all([
    draft('of an event', { pages: [box(`${KEEP} box`, cell('EventDblClick'))] }),
    draft('of a size', { pages: [box(`${KEEP} box`, cell('Width'))] }),
    draft('in an action', {
      pages: [
        box(
          `${KEEP} box`,
          `<Section N='Actions'><Row N='Row_1'>${cell('Action')}<Cell N='Menu' V='Go'/></Row></Section>`,
        ),
      ],
    }),
    draft('of the page', { pageSheet: cell('EventDrop') }),
    draft('of the document', { document: `<DocumentSheet>${cell('EventDocOpen')}</DocumentSheet>` }),
    draft('inside another', { pages: [box(`${KEEP} box`, cell('Height', `IF(1,${formula},2)`))] }),
    draft('in small letters', { pages: [box(`${KEEP} box`, cell('Height', formula.toLowerCase()))] }),
    draft('with blanks', { pages: [box(`${KEEP} box`, cell('Height', formula.replace('(', ' \t(')))] }),
    draft('with references', { pages: [box(`${KEEP} box`, cell('Height', formula.replace('(', '&#40;')))] }),
  ]);
};

const ELEMENTS: Readonly<Record<string, string>> = {
  EventList: `<EventList><EventItem ID='1' EventCode='2' Action='1' Enabled='1' Target='${LIVE}' TargetArgs='x'/></EventList>`,
  SolutionXML: `<SolutionXML Name='a'>${LIVE}</SolutionXML>`,
  CustomMenusFile: `<DocumentSettings><CustomMenusFile>${LIVE_URL}</CustomMenusFile></DocumentSettings>`,
  PublishSettings: `<PublishSettings><PublishedPage ID='${LIVE}'/></PublishSettings>`,
  Windows: `<Windows><Window Document='${LIVE_URL}'/></Windows>`,
  'foreign element': `<x:script xmlns:x='http://www.w3.org/1999/xhtml'>${LIVE}</x:script>`,
};
const elements: Generator = async (line) => {
  const markup = ELEMENTS[line] ?? '';
  return Promise.all([
    draft('in the document', { document: markup }),
    draft('on the page', { pages: [kept + markup] }),
    draft('in a shape', { pages: [box(`${KEEP} box`, markup)] }),
    draft('under a prefix', {
      document: markup
        .replace(/<(\/?)(?=[A-Z])/g, '<$1v:')
        .replace('<v:', '<v:')
        .replace(/^<(v:\w+)/, "<$1 xmlns:v='http://schemas.microsoft.com/office/visio/2012/main'"),
    }),
  ]);
};

const ADDRESSES = [`javascript:${LIVE}`, `file:///${LIVE}`, `\\\\${LIVE}\\x`, `ms-word:${LIVE}`, `../${LIVE}.exe`];
const links: Generator = async () =>
  Promise.all(
    ADDRESSES.flatMap((address) =>
      [
        [address, `<Cell N='Address' V='${address}' F='"${address}"'/>`],
        [`${address} in capitals`, `<Cell N='ADDRESS' V='${address}'/>`],
        [`${address} as a formula alone`, `<Cell N='Address' V='https://a.example/' F='"${address}"'/>`],
      ].map(([encoding = '', cell = '']) =>
        draft(encoding, {
          pages: [
            box(
              `${KEEP} box`,
              `<Section N='Hyperlink'><Row N='Row_1'><Cell N='Description' V='x'/>${cell}</Row></Section>`,
            ),
          ],
        }),
      ),
    ),
  );

const part = (
  name: string,
  type: string,
  id: string,
  content: string | Uint8Array,
  from: 'links' | 'pageLinks' = 'links',
) => ({
  parts: [{ name: `visio/${name}`, content, contentType: type }],
  [from]: [{ id: 'rId9', type: id, target: from === 'links' ? name : `../${name}` }],
});
const PARTS: Readonly<Record<string, VisioOptions>> = {
  'file in base64': {
    pages: [
      `${kept}<Shape ID='7' Type='Foreign'><ForeignData ForeignType='Object'>\n${Buffer.from(`MZ ${LIVE}`.repeat(3)).toString('base64')}\n</ForeignData></Shape>`,
    ],
  },
  'value in a text': {
    pages: [
      box(`${KEEP} box`, `<Section N='Hyperlink'><Row N='r'><Cell N='Address'>${LIVE_URL}</Cell></Row></Section>`),
    ],
  },
  macros: part('vbaProject.bin', 'application/vnd.ms-office.vbaProject', `${MS}/vbaProject`, LIVE),
  'data connections': part(
    'data/connections.xml',
    'application/vnd.ms-visio.connections+xml',
    `${VISIO}/connections`,
    `<DataConnections><DataConnection ConnectionString='${LIVE}'/></DataConnections>`,
  ),
  'data records': part(
    'data/recordsets.xml',
    'application/vnd.ms-visio.recordsets+xml',
    `${VISIO}/recordsets`,
    `<DataRecordSets>${LIVE}</DataRecordSets>`,
  ),
  solutions: part(
    'solutions/solutions.xml',
    'application/vnd.ms-visio.solutions+xml',
    `${VISIO}/solutions`,
    `<Solutions>${LIVE}</Solutions>`,
  ),
  windows: part(
    'windows.xml',
    'application/vnd.ms-visio.windows+xml',
    `${VISIO}/windows`,
    `<Windows><Window Document='${LIVE}'/></Windows>`,
  ),
  'custom XML': part('customXml/item1.xml', 'application/xml', `${OD}/customXml`, `<a>${LIVE}</a>`),
  object: {
    ...part(
      'embeddings/oleObject1.bin',
      'application/vnd.openxmlformats-officedocument.oleObject',
      `${OD}/oleObject`,
      LIVE,
      'pageLinks',
    ),
    pages: [
      `${kept}<Shape ID='7' Type='Foreign'><ForeignData ForeignType='Object' ObjectType='33280'><Rel r:id='rId9'/></ForeignData></Shape>`,
    ],
  },
  'external picture': {
    pageLinks: [{ id: 'rId9', type: `${OD}/image`, target: `${LIVE_URL}.png`, external: true }],
    pages: [
      `${kept}<Shape ID='7' Type='Foreign'><ForeignData ForeignType='Bitmap'><Rel r:id='rId9'/></ForeignData></Shape>`,
    ],
  },
  'picture with an end': {
    ...part('media/image1.png', 'image/png', `${OD}/image`, buildPng({ comment: LIVE }), 'pageLinks'),
    pages: [
      `${kept}<Shape ID='7' Type='Foreign'><ForeignData ForeignType='Bitmap'><Rel r:id='rId9'/></ForeignData></Shape>`,
    ],
  },
  'unreached part': {
    parts: [
      {
        name: 'visio/pages/page9.xml',
        content: `<PageContents>${LIVE}</PageContents>`,
        contentType: 'application/vnd.ms-visio.page+xml',
      },
    ],
  },
};
const parts: Generator = async (line) => {
  const options = PARTS[line] ?? {};
  const withMacros = 'application/vnd.ms-visio.drawing.macroEnabled.main+xml';
  return Promise.all([
    draft('in a drawing', options),
    draft('in a drawing with macros', { ...options, mainType: withMacros }),
  ]);
};

export const visioSamples: Readonly<Record<string, Generator>> = {
  'visio/formula': formulas,
  'visio/element': elements,
  'visio/link': links,
  'visio/part': parts,
};
