/** Word 2003 documents in XML with macros, objects, fields, pictures and templates of elsewhere, and markup that hides something. */
import { type WordXmlOptions, wordLine, wordText, wordXml } from '../../fixtures/build-word-xml.ts';
import { type Draft, type Generator, KEEP, LIVE, LIVE_URL } from './sample.ts';

const kept = wordLine(`${KEEP} letter`);
/** On lines of its own, as Word writes it. */
const base64 = (text: string) => `\r\n${Buffer.from(text).toString('base64')}\r\n`;

/** As Word writes it, in UTF-16, and with another prefix for its name space. */
function waysOf(options: WordXmlOptions): Draft[] {
  const plain = wordXml({ ...options, body: `${kept}${options.body ?? ''}` });
  return [
    { encoding: 'plain', content: plain },
    {
      encoding: 'UTF-16',
      content: Buffer.from(`\ufeff${plain.replace('encoding="UTF-8"', 'encoding="UTF-16"')}`, 'utf16le'),
    },
    { encoding: 'other prefix', content: plain.replace(/(<\/?|\s)w:/g, '$1q:').replace('xmlns:w=', 'xmlns:q=') },
  ];
}

const complex = (instruction: string) =>
  `<w:p><w:r><w:fldChar w:fldCharType="begin"/></w:r>${instruction}<w:r><w:fldChar w:fldCharType="separate"/></w:r>${wordText('shown')}<w:r><w:fldChar w:fldCharType="end"/></w:r></w:p>`;
const code = (text: string) => `<w:r><w:instrText>${text}</w:instrText></w:r>`;
const fields: Generator = (line) => {
  const text = `${line} c:\\\\${LIVE}.exe "${LIVE_URL}"`;
  const quoted = text.replaceAll('"', '&quot;');
  return [
    ...waysOf({ body: complex(code(text)) }),
    ...waysOf({ body: complex([...text].map((letter) => code(letter)).join('')) }),
    ...waysOf({ body: `<w:p><w:fldSimple w:instr="${quoted}">${wordText('shown')}</w:fldSimple></w:p>` }),
    ...waysOf({ section: `<w:hdr w:type="odd">${complex(code(text))}</w:hdr>` }),
    ...waysOf({ body: `<w:p><w:r><w:footnote>${complex(code(text))}</w:footnote></w:r></w:p>` }),
  ];
};

const FILES: Readonly<Record<string, WordXmlOptions>> = {
  macros: {
    before: `<w:docSuppData><w:binData w:name="editdata.mso">${base64(`ActiveMime ${LIVE}`)}</w:binData></w:docSuppData>`,
    attributes: ' w:macrosPresent="yes"',
  },
  'macros in the text': {
    body: `<w:p><w:r><w:pict><w:binData w:name="wordml://editdata.mso">${base64(`ActiveMime ${LIVE}`)}</w:binData></w:pict></w:r></w:p>`,
  },
  objects: {
    before: `<w:docOleData><w:binData w:name="oledata.mso">${base64(`\xd0\xcf ${LIVE}`)}</w:binData></w:docOleData>`,
  },
  'object in the text': {
    body: `<w:p><w:r><w:pict><v:shape id="s"/><o:OLEObject Type="Link" ProgID="${LIVE}" ShapeID="s" DrawAspect="Content" ObjectID="_1"/></w:pict></w:r></w:p>`,
  },
  control: { body: `<w:p><w:r><w:ocx w:data="${LIVE}" w:id="a"/></w:r></w:p>` },
  sound: {
    body: `<w:p><w:r><w:bgsound><w:binData w:name="a.wav">${base64(`RIFF of a sound ${LIVE}`)}</w:binData></w:bgsound></w:r></w:p>`,
  },
  'program called a picture': {
    body: `<w:p><w:r><w:pict><w:binData w:name="wordml://1.png">${base64(`MZ ${LIVE}`)}</w:binData><v:shape><v:imagedata src="wordml://1.png"/></v:shape></w:pict></w:r></w:p>`,
  },
  'drawing with code called a picture': {
    body: `<w:p><w:r><w:pict><w:binData w:name="wordml://1.wmf">${base64(`<script>${LIVE}</script>`)}</w:binData><v:shape><v:imagedata src="wordml://1.wmf"/></v:shape></w:pict></w:r></w:p>`,
  },
};
/** Base64 in UTF-16 cannot be looked into by the tests. */
const files: Generator = (line) => waysOf(FILES[line] ?? {}).filter(({ encoding }) => encoding !== 'UTF-16');

const ELEMENTS: Readonly<Record<string, WordXmlOptions>> = {
  attachedTemplate: { settings: `<w:attachedTemplate w:val="${LIVE_URL}"/>` },
  saveThroughXSLT: { settings: `<w:saveThroughXSLT w:xslt="${LIVE_URL}"/>` },
  mailMerge: { settings: `<w:mailMerge><w:connectString w:val="${LIVE}"/><w:query w:val="x"/></w:mailMerge>` },
  docVars: { settings: `<w:docVars><w:docVar w:name="a" w:val="${LIVE}"/></w:docVars>` },
  subDoc: { body: `<w:p><w:subDoc w:link="${LIVE_URL}"/></w:p>` },
  frameset: { before: `<w:frameset><w:frame><w:sourceFileName w:val="${LIVE_URL}"/></w:frame></w:frameset>` },
  scriptAnchor: { body: `<w:p><w:r><w:scriptAnchor><w:scriptText>${LIVE}</w:scriptText></w:scriptAnchor></w:r></w:p>` },
  applet: { body: `<w:p><w:r><w:applet><w:appletText>${LIVE}</w:appletText></w:applet></w:r></w:p>` },
  properties: { before: `<o:CustomDocumentProperties><o:x>${LIVE}</o:x></o:CustomDocumentProperties>` },
  schemaLibrary: {
    before: `<sl:schemaLibrary xmlns:sl="http://schemas.microsoft.com/schemaLibrary/2003/core"><sl:schema sl:uri="${LIVE_URL}" sl:schemaLocation="${LIVE_URL}"/></sl:schemaLibrary>`,
  },
  script: { body: `<h:script xmlns:h="http://www.w3.org/1999/xhtml">${LIVE}</h:script>` },
  'attribute of another vocabulary': {
    body: `<w:p xmlns:h="http://www.w3.org/1999/xhtml" h:onclick="${LIVE}">${wordText('a')}</w:p>`,
  },
};
const elements: Generator = (line) => waysOf(ELEMENTS[line] ?? {});

const SHAPES: Readonly<Record<string, string>> = {
  'imagedata-src': `<v:shape><v:imagedata src="${LIVE_URL}"/></v:shape>`,
  'imagedata-href': `<v:shape><v:imagedata o:href="${LIVE_URL}"/></v:shape>`,
  'fill-src': `<v:rect><v:fill type="frame" src="${LIVE_URL}"/></v:rect>`,
  href: `<v:shape href="file:///${LIVE}"/>`,
  onclick: `<v:shape onclick="${LIVE}()"/>`,
  script: `<v:shape script="${LIVE}"/>`,
};
const shapes: Generator = (line) => waysOf({ body: `<w:p><w:r><w:pict>${SHAPES[line] ?? ''}</w:pict></w:r></w:p>` });

const LINKS: Readonly<Record<string, string>> = {
  file: `file:///c:/${LIVE}.exe`,
  share: `\\\\${LIVE}\\x`,
  script: `javascript:${LIVE}()`,
  'protocol of a program': `ms-word:ofe|u|${LIVE_URL}`,
};
const links: Generator = (line) =>
  waysOf({ body: `<w:p><w:hlink w:dest="${LINKS[line] ?? ''}">${wordText('click')}</w:hlink></w:p>` });

const frames: Generator = (line) => {
  const plain = wordXml({ body: kept });
  const changed: Readonly<Record<string, string>> = {
    doctype: plain.replace('<w:wordDocument', `<!DOCTYPE a [<!ENTITY a SYSTEM "${LIVE_URL}">]><w:wordDocument`),
    entity: plain
      .replace('<w:wordDocument', `<!DOCTYPE a [<!ENTITY a "${LIVE}">]><w:wordDocument`)
      .replace('letter<', 'letter &a;<'),
    instruction: plain.replace(
      '<w:wordDocument',
      `<?xml-stylesheet type="text/xsl" href="${LIVE_URL}"?><w:wordDocument`,
    ),
    comment: plain.replace('<w:body>', `<w:body><!-- <script>${LIVE}</script> -->`),
    behind: `${plain}<!-- ${LIVE} -->`,
  };
  return [{ encoding: 'plain', content: changed[line] ?? plain }];
};

export const wordXmlSamples: Readonly<Record<string, Generator>> = {
  'word-xml/field': fields,
  'word-xml/file': files,
  'word-xml/element': elements,
  'word-xml/shape': shapes,
  'word-xml/link': links,
  'word-xml/frame': frames,
};
