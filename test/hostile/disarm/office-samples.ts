/** Samples of the rows that every OOXML package can carry. */
import { buildVbaProject } from '../../fixtures/build-vba.ts';
import {
  alternated,
  FOLDER,
  isOffice,
  MS,
  NAMESPACES,
  OD,
  OFFICE_ENCODINGS,
  type OfficeDraft,
  type OfficeFormat,
  pack,
} from './office-draft.ts';
import { type Draft, type Generator, LIVE, LIVE_URL } from './sample.ts';

const OTHER_ENCODINGS = Object.keys(OFFICE_ENCODINGS).filter((name) => name !== 'plain');
/** How many ways a row is written next to the plain one; over the rows of a group every way is used. */
const OTHER_WAYS = 2;

export const numberOf = (text: string): number =>
  [...text].reduce((sum, character) => (sum * 31 + character.charCodeAt(0)) >>> 0, 7);

/** A package written plainly, in some of the other ways, and with its body as alternate content. */
export function waysOf(format: OfficeFormat, draft: OfficeDraft, line: string): Draft[] {
  const others = Array.from(
    { length: OTHER_WAYS },
    (_, index) => OTHER_ENCODINGS[(numberOf(line) + index) % OTHER_ENCODINGS.length] ?? 'strict',
  );
  const ways: Draft[] = ['plain', ...others].map((encoding) => ({ encoding, content: pack(format, draft, encoding) }));
  if (draft.body !== undefined && format !== 'xlsx')
    ways.push({ encoding: 'alternate content', content: pack(format, { ...draft, body: alternated(draft.body) }) });
  return ways;
}

/** Makes a generator of what depends on the line alone. */
export function officeGenerator(draftOf: (line: string, format: OfficeFormat) => OfficeDraft): Generator {
  return (line, format) => (isOffice(format) ? waysOf(format, draftOf(line, format), line) : []);
}

const payload = `${LIVE} payload`;

const relationship: Generator = (type, format) => {
  if (!isOffice(format)) return [];
  const extension = /xml|Xml|ui\/|webext|Sheet|sheet|connections|query|external/.test(type) ? 'xml' : 'bin';
  const content = type.endsWith('vbaProject')
    ? buildVbaProject(`Sub AutoOpen()\r\n'${LIVE}\r\nEnd Sub\r\n`)
    : extension === 'xml'
      ? `<?xml version="1.0"?><${LIVE}/>`
      : payload;
  const parts = [
    {
      name: `${FOLDER[format]}/extra/item1.${extension}`,
      content,
      contentType: extension === 'xml' ? 'application/xml' : 'application/octet-stream',
    },
  ];
  const target = format === 'docx' ? `extra/item1.${extension}` : `../extra/item1.${extension}`;
  const inside = waysOf(format, { links: [{ type, target }], parts }, type);
  const absolute: OfficeDraft = {
    mainLinks: [{ type, target: `/${FOLDER[format]}/extra/item1.${extension}` }],
    rootLinks: [{ type, target: `${FOLDER[format]}/extra/item1.${extension}` }],
    parts,
  };
  const outside: OfficeDraft = { links: [{ type, target: LIVE_URL, isExternal: true }] };
  return [
    ...inside,
    { encoding: 'main part and package', content: pack(format, absolute) },
    { encoding: 'external', content: pack(format, outside) },
  ];
};

const contentType: Generator = (type, format) => {
  if (!isOffice(format)) return [];
  const name = `${FOLDER[format]}/media/image9.png`;
  const target = format === 'docx' ? 'media/image9.png' : '../media/image9.png';
  return waysOf(
    format,
    { links: [{ type: `${OD}image`, target }], parts: [{ name, content: payload, contentType: type }] },
    type,
  );
};

const MACRO_MAIN = {
  docx: [
    'application/vnd.ms-word.document.macroEnabled.main+xml',
    'application/vnd.ms-word.template.macroEnabledTemplate.main+xml',
  ],
  xlsx: [
    'application/vnd.ms-excel.sheet.macroEnabled.main+xml',
    'application/vnd.ms-excel.template.macroEnabled.main+xml',
  ],
  pptx: [
    'application/vnd.ms-powerpoint.presentation.macroEnabled.main+xml',
    'application/vnd.ms-powerpoint.slideshow.macroEnabled.main+xml',
  ],
} as const;

const mainType = officeGenerator((line, format) => ({
  mainType: MACRO_MAIN[format][line === 'macroEnabled' ? 0 : 1],
  [format === 'docx' ? 'links' : 'mainLinks']: [{ type: `${MS}vbaProject`, target: 'vbaProject.bin' }],
  parts: [
    {
      name: `${FOLDER[format]}/vbaProject.bin`,
      content: buildVbaProject(`'${LIVE}\r\n`),
      contentType: 'application/vnd.ms-office.vbaProject',
    },
  ],
}));

const RENAMED: Readonly<Record<string, () => string | Uint8Array>> = {
  'compound file': () => buildVbaProject(`'${LIVE}\r\n`),
  program: () => `MZ\0\0${payload}`,
  PDF: () => `%PDF-1.4\n${payload}`,
  HTML: () => `<html><script>${payload}</script></html>`,
};

const renamed = officeGenerator((line, format) => ({
  links: [{ type: `${OD}image`, target: format === 'docx' ? 'media/image1.png' : '../media/image1.png' }],
  parts: [
    { name: `${FOLDER[format]}/media/image1.png`, content: RENAMED[line]?.() ?? payload, contentType: 'image/png' },
  ],
}));

const external: Generator = (line, format) => {
  if (!isOffice(format)) return [];
  const type = OD + line;
  const targets = {
    plain: LIVE_URL,
    share: `\\\\${LIVE}\\share\\x.dotm`,
    'file address': `file:///\\\\${LIVE}\\x`,
    'odd casing': `FiLe://${LIVE}/x`,
    cloaked: ` \t${line === 'hyperlink' ? 'java&#x9;script:' : 'http://'}${LIVE}`,
  };
  const rows = Object.entries(targets).filter(([name]) => line !== 'hyperlink' || name !== 'plain');
  return rows.map(([encoding, target]) => ({
    encoding,
    content: pack(format, {
      links: [{ type, target, isExternal: true }],
      mainLinks: [{ type, target, isExternal: true }],
    }),
  }));
};

const wide = (root: string, inner: string): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<${root} xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main" xmlns:xdr="http://schemas.openxmlformats.org/drawingml/2006/spreadsheetDrawing" ${NAMESPACES}>${inner}</${root}>`;
const TYPE = 'application/vnd.openxmlformats-officedocument.';
const W = `${TYPE}wordprocessingml.`;

/** A further part of every kind that may stay, each with links of its own. */
const FURTHER: Readonly<
  Record<string, Partial<Record<OfficeFormat, readonly [type: string, content: string, contentType: string]>>>
> = {
  styles: {
    docx: [`${OD}stylesWithEffects`, wide('w:styles', ''), `${W}styles+xml`],
    xlsx: [
      `${OD}styles`,
      `<?xml version="1.0"?><styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"/>`,
      `${TYPE}spreadsheetml.styles+xml`,
    ],
    pptx: [
      `${OD}tableStyles`,
      `<?xml version="1.0"?><a:tblStyleLst ${NAMESPACES} def="x"/>`,
      `${TYPE}presentationml.tableStyles+xml`,
    ],
  },
  header: {
    docx: [`${OD}header`, wide('w:hdr', '<w:p/>'), `${W}header+xml`],
    xlsx: [
      `${OD}table`,
      `<?xml version="1.0"?><table xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" id="1" displayName="T" ref="A1:A2"><tableColumns count="1"><tableColumn id="1" name="c"/></tableColumns></table>`,
      `${TYPE}spreadsheetml.table+xml`,
    ],
    pptx: [
      `${OD}slideLayout`,
      wide('p:sldLayout', '<p:cSld><p:spTree/></p:cSld>'),
      `${TYPE}presentationml.slideLayout+xml`,
    ],
  },
  notes: {
    docx: [`${OD}footnotes`, wide('w:footnotes', ''), `${W}footnotes+xml`],
    xlsx: [
      `${OD}sharedStrings`,
      `<?xml version="1.0"?><sst xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"/>`,
      `${TYPE}spreadsheetml.sharedStrings+xml`,
    ],
    pptx: [`${OD}notesSlide`, wide('p:notes', '<p:cSld><p:spTree/></p:cSld>'), `${TYPE}presentationml.notesSlide+xml`],
  },
  comments: {
    docx: [`${OD}comments`, wide('w:comments', ''), `${W}comments+xml`],
    xlsx: [
      `${OD}comments`,
      `<?xml version="1.0"?><comments xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><authors/><commentList/></comments>`,
      `${TYPE}spreadsheetml.comments+xml`,
    ],
    pptx: [`${OD}comments`, wide('p:cmLst', ''), `${TYPE}presentationml.comments+xml`],
  },
};
const THEME = [`${OD}theme`, wide('a:theme', ''), `${TYPE}theme+xml`] as const;
const CHART = [`${OD}chart`, wide('c:chartSpace', '<c:chart/>'), `${TYPE}drawingml.chart+xml`] as const;
const DRAWING = [`${OD}drawing`, wide('xdr:wsDr', ''), `${TYPE}drawing+xml`] as const;

const externalInPart: Generator = (line, format) => {
  if (!isOffice(format)) return [];
  const links = ['image', 'oleObject', 'attachedTemplate', 'externalLinkPath', 'audio', 'hyperlink'].map(
    (type, index) => ({
      id: `e${index}`,
      type: OD + type,
      target: type === 'hyperlink' ? `file://${LIVE}/x` : LIVE_URL,
      isExternal: true,
    }),
  );
  if (line === 'main') return waysOf(format, { mainLinks: links }, line);
  if (line === 'content') return waysOf(format, { links }, line);
  if (line === 'properties') return waysOf(format, { rootLinks: links }, line);
  const [type, content, partType] =
    FURTHER[line]?.[format] ?? (line === 'theme' ? THEME : line === 'chart' ? CHART : DRAWING);
  const target = format === 'docx' ? 'more/part1.xml' : '../more/part1.xml';
  return waysOf(
    format,
    {
      links: [{ type, target }],
      parts: [{ name: `${FOLDER[format]}/more/part1.xml`, content, contentType: partType, links }],
    },
    line,
  );
};

const chart = officeGenerator((_, format) => ({
  links: [{ type: `${OD}chart`, target: format === 'docx' ? 'charts/chart1.xml' : '../charts/chart1.xml', id: 'ch1' }],
  parts: [
    {
      name: `${FOLDER[format]}/charts/chart1.xml`,
      content: wide('c:chartSpace', '<c:chart/><c:externalData r:id="x1"><c:autoUpdate val="1"/></c:externalData>'),
      contentType: `${TYPE}drawingml.chart+xml`,
      links: [{ type: `${OD}oleObject`, target: LIVE_URL, isExternal: true, id: 'x1' }],
    },
  ],
}));

const people: Generator = (line, format) => {
  if (!isOffice(format)) return [];
  const core = `<?xml version="1.0"?><cp:coreProperties xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:creator>${LIVE}</dc:creator><cp:lastModifiedBy>${LIVE}</cp:lastModifiedBy></cp:coreProperties>`;
  const app = `<?xml version="1.0"?><Properties xmlns="http://schemas.openxmlformats.org/officeDocument/2006/extended-properties"><Application>x</Application><Company>${LIVE}</Company><Manager>${LIVE}</Manager><HyperlinkBase>${LIVE_URL}</HyperlinkBase><Template>\\\\${LIVE}\\x.dotm</Template></Properties>`;
  const draft: OfficeDraft =
    line === 'author'
      ? {
          rootLinks: [
            {
              type: 'http://schemas.openxmlformats.org/package/2006/relationships/metadata/core-properties',
              target: 'docProps/core.xml',
            },
          ],
          parts: [
            {
              name: 'docProps/core.xml',
              content: core,
              contentType: 'application/vnd.openxmlformats-package.core-properties+xml',
            },
          ],
        }
      : {
          rootLinks: [{ type: `${OD}extended-properties`, target: 'docProps/app.xml' }],
          parts: [{ name: 'docProps/app.xml', content: app, contentType: `${TYPE}extended-properties+xml` }],
        };
  return waysOf(format, draft, line);
};

export const officeSamples: Readonly<Record<string, Generator>> = {
  'ooxml/relationship': relationship,
  'ooxml/content-type': contentType,
  'ooxml/main-type': mainType,
  'ooxml/renamed-part': renamed,
  'ooxml/external': external,
  'ooxml/external-in-part': externalInPart,
  'ooxml/chart': chart,
  people,
};
