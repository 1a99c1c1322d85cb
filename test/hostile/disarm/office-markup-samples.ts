/** Samples of what stands in the markup of text documents, workbooks and presentations. */
import { OD, type OfficeDraft, type PackageLink, pack } from './office-draft.ts';
import { officeGenerator } from './office-samples.ts';
import { type Draft, type Generator, KEEP, LIVE, LIVE_URL } from './sample.ts';
import { drawing } from './sheet-samples.ts';

const run = (inner: string): string => `<w:p><w:r>${inner}</w:r></w:p>`;
const outside = (type: string, id = 'x1'): PackageLink => ({ type: OD + type, target: LIVE_URL, isExternal: true, id });
const formField = (inner: string): string =>
  run(`<w:fldChar w:fldCharType="begin"><w:ffData>${inner}</w:ffData></w:fldChar>`) +
  run('<w:instrText> FORMTEXT </w:instrText>') +
  run('<w:fldChar w:fldCharType="end"/>');

const WORD: Readonly<Record<string, OfficeDraft>> = {
  altChunk: {
    body: '<w:altChunk r:id="x1"/>',
    links: [{ type: `${OD}aFChunk`, target: 'chunk.html', id: 'x1' }],
    parts: [{ name: 'word/chunk.html', content: `<script>${LIVE}</script>`, contentType: 'text/html' }],
  },
  OLEObject: {
    body: run(
      `<w:object><v:shape id="s1" style="width:9pt"/><o:OLEObject Type="Link" ProgID="${LIVE}" r:id="x1" UpdateMode="Always"/></w:object>`,
    ),
    links: [outside('oleObject')],
  },
  control: {
    body: run(`<w:object><w:control r:id="x1" w:name="${LIVE}"/></w:object>`),
    links: [{ type: `${OD}control`, target: 'activeX/a.xml', id: 'x1' }],
    parts: [
      {
        name: 'word/activeX/a.xml',
        content: `<?xml version="1.0"?><ax:ocx xmlns:ax="x" ax:classid="${LIVE}"/>`,
        contentType: 'application/vnd.ms-office.activeX+xml',
      },
    ],
  },
  attachedTemplate: { main: '<w:attachedTemplate r:id="x1"/>', mainLinks: [outside('attachedTemplate')] },
  mailMerge: {
    main: `<w:mailMerge><w:mainDocumentType w:val="formLetters"/><w:connectString w:val="${LIVE}"/><w:query w:val="SELECT ${LIVE}"/><w:dataSource r:id="x1"/></w:mailMerge>`,
    mainLinks: [outside('mailMergeSource')],
  },
  subDoc: { body: '<w:subDoc r:id="x1"/>', links: [outside('subDocument')] },
  frameset: {
    main: `<w:frameset><w:frame><w:sourceFileName r:id="x1"/></w:frame></w:frameset>`,
    mainLinks: [outside('frame')],
  },
  docVars: { main: `<w:docVars><w:docVar w:name="a" w:val="${LIVE}"/></w:docVars>` },
  smartTagType: { main: `<w:smartTagType w:namespaceuri="u" w:url="${LIVE_URL}" w:name="a"/>` },
  saveThroughXslt: { main: `<w:saveThroughXslt r:id="x1" w:solutionID="${LIVE}"/>`, mainLinks: [outside('transform')] },
  entryMacro: { body: formField(`<w:name w:val="a"/><w:entryMacro w:val="${LIVE}"/>`) },
  exitMacro: { body: formField(`<w:name w:val="a"/><w:exitMacro w:val="${LIVE}"/>`) },
};

const simpleField = (code: string): string =>
  `<w:p><w:fldSimple w:instr="${code}"><w:r><w:t>${KEEP} result</w:t></w:r></w:fldSimple></w:p>`;
const mark = (type: string): string => run(`<w:fldChar w:fldCharType="${type}"/>`).slice(5, -6);
function longField(codes: readonly string[]): string {
  const code = codes.map((piece) => `<w:r><w:instrText xml:space="preserve">${piece}</w:instrText></w:r>`).join('');
  return `<w:p>${mark('begin')}${code}${mark('separate')}<w:r><w:t>${KEEP} result</w:t></w:r>${mark('end')}</w:p>`;
}
const nestedField = (code: string): string =>
  `<w:p>${mark('begin')}<w:r><w:instrText> IF 1 = 1 "</w:instrText></w:r>${mark('begin')}<w:r><w:instrText>${code}</w:instrText></w:r>${mark('separate')}${mark('end')}<w:r><w:instrText>"</w:instrText></w:r>${mark('separate')}<w:r><w:t>${KEEP} result</w:t></w:r>${mark('end')}</w:p>`;

/** A field of a denied name in every form; also used for the forms of a run of text in other formats. */
const wordField: Generator = (line, format) => {
  if (format !== 'docx') return [];
  const code = ` ${line} ${LIVE} "/x ${LIVE}" `.replaceAll('"', '&quot;');
  const bodies: Readonly<Record<string, string>> = {
    simple: simpleField(code),
    'split runs': longField([' ', line.slice(0, 2), `${line.slice(2)} `, LIVE.slice(0, 4), LIVE.slice(4)]),
    'odd casing': longField([` ${line.toLowerCase()} ${LIVE}`]),
    nested: nestedField(code),
    'tab and return': simpleField(`&#9;&#10;${line}&#9;${LIVE}`),
    'alternate content': `<w:p><mc:AlternateContent><mc:Choice Requires="w14"><w:fldSimple w:instr="${code}"><w:r><w:t>${KEEP}</w:t></w:r></w:fldSimple></mc:Choice></mc:AlternateContent></w:p>`,
  };
  return Object.entries(bodies).map(([encoding, body]): Draft => ({ encoding, content: pack('docx', { body }) }));
};

const VML: Readonly<Record<string, string>> = {
  href: `<v:shape id="s" style="width:9pt;height:9pt" href="file://${LIVE}/x"/>`,
  althref: `<v:shape id="s" style="width:9pt"><v:imagedata o:althref="${LIVE_URL}"/></v:shape>`,
  src: `<v:shape id="s" style="width:9pt"><v:imagedata src="\\\\${LIVE}\\x.png"/></v:shape>`,
  onclick: `<v:shape id="s" style="width:9pt" onclick="${LIVE}" onmouseover="${LIVE}"/>`,
  script: `<v:shape id="s" style="width:9pt" script="${LIVE}"><v:textbox script="${LIVE}"/></v:shape>`,
  'fill-src': `<v:rect id="s"><v:fill type="frame" src="${LIVE_URL}"/></v:rect>`,
  'stroke-src': `<v:rect id="s"><v:stroke src="${LIVE_URL}"/></v:rect>`,
  'imagedata-src': `<v:shape id="s"><v:imagedata o:href="${LIVE_URL}"/></v:shape>`,
  'edge-src': `<v:shape id="s"><v:stroke><o:left src="${LIVE_URL}" o:href="${LIVE_URL}"/></v:stroke></v:shape>`,
  'film-page': `<v:shape id="s"><wp15:webVideoPr xmlns:wp15="http://schemas.microsoft.com/office/word/2012/wordprocessingDrawing" embeddedHtml="&lt;script src=${LIVE_URL}&gt;"/></v:shape>`,
  'smart-document': `<sl:schemaLibrary xmlns:sl="http://schemas.openxmlformats.org/schemaLibrary/2006/main"><sl:schema sl:uri="${LIVE}" sl:manifestLocation="${LIVE_URL}"/></sl:schemaLibrary>`,
  'style-load': `<v:shape id="s" style="width:9pt;background:url(${LIVE_URL})"/><v:rect id="t" style="behavior:url(${LIVE_URL})"/>`,
  'textbox-style': `<v:shape id="s"><v:textbox style="width:expression(${LIVE})"/></v:shape>`,
  'signature-address': `<v:shape id="s"><o:signatureline issignatureline="t" sigprovurl="${LIVE_URL}" addlxml="&lt;a&gt;${LIVE}&lt;/a&gt;"/></v:shape>`,
  'unknown-element': `<v:shape id="s"><o:xml href="${LIVE_URL}"/><v:script>${LIVE}</v:script><o:script>${LIVE}</o:script></v:shape>`,
  'prefixed-address': `<v:shape id="s" v:href="file://${LIVE}/x" o:onclick="${LIVE}"/>`,
  'imagedata-id': '<v:shape id="s"><v:imagedata r:id="x1" r:href="x1" r:pict="x1"/></v:shape>',
};

const blip = '<a:blip r:link="x1"/>';
const BLIPS: Readonly<Record<string, OfficeDraft>> = {
  docx: {
    body: run(
      `<w:drawing><wp:inline xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing"><a:graphic><a:graphicData uri="http://schemas.openxmlformats.org/drawingml/2006/picture"><pic:pic xmlns:pic="http://schemas.openxmlformats.org/drawingml/2006/picture"><pic:blipFill>${blip}</pic:blipFill></pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing>`,
    ),
    links: [outside('image')],
  },
  pptx: {
    body: `<p:pic><p:nvPicPr><p:cNvPr id="3" name="p"/><p:cNvPicPr/><p:nvPr/></p:nvPicPr><p:blipFill>${blip}</p:blipFill><p:spPr/></p:pic>`,
    links: [outside('image')],
  },
};

const ACTIONS = {
  macro: `ppaction://macro?name=${LIVE}`,
  program: 'ppaction://program',
  ole: `ppaction://ole?verb=0&amp;x=${LIVE}`,
  'other file': 'ppaction://hlinkfile',
  presentation: `ppaction://hlinkpres?slideindex=1&amp;x=${LIVE}`,
  'odd casing': `PPAction://Macro?name=${LIVE}`,
};
const slideAction: Generator = (line) =>
  Object.entries(ACTIONS).map(([encoding, action]) => {
    const link = `<a:${line} r:id="x1" action="${action}"><a:snd r:embed="x2" name="${LIVE}"/></a:${line}>`;
    const body = `<p:sp><p:nvSpPr><p:cNvPr id="4" name="b">${line === 'hlinkMouseOver' ? '' : link}</p:cNvPr><p:cNvSpPr/><p:nvPr/></p:nvSpPr><p:spPr/><p:txBody><a:bodyPr/><a:p><a:r><a:rPr>${link}</a:rPr><a:t>a</a:t></a:r></a:p></p:txBody></p:sp>`;
    return {
      encoding,
      content: pack('pptx', {
        body,
        links: [{ type: `${OD}hyperlink`, target: `file://${LIVE}/x.exe`, isExternal: true, id: 'x1' }],
      }),
    };
  });

const media = (tag: string): OfficeDraft => ({
  body: `<p:pic><p:nvPicPr><p:cNvPr id="3" name="m"/><p:cNvPicPr/><p:nvPr><a:${tag} r:link="x1"/></p:nvPr></p:nvPicPr><p:blipFill/><p:spPr/></p:pic>`,
  links: [outside(tag.replace('File', '').replace('quickTime', 'video'))],
});
const frame = (inner: string): string =>
  `<p:graphicFrame><p:nvGraphicFramePr><p:cNvPr id="5" name="f"/><p:cNvGraphicFramePr/><p:nvPr/></p:nvGraphicFramePr><p:xfrm/><a:graphic><a:graphicData uri="http://schemas.openxmlformats.org/presentationml/2006/ole">${inner}</a:graphicData></a:graphic></p:graphicFrame>`;
const SLIDE: Readonly<Record<string, OfficeDraft>> = {
  oleObj: {
    body: frame(`<p:oleObj progId="${LIVE}" r:id="x1"><p:link updateAutomatic="1"/></p:oleObj>`),
    links: [outside('oleObject')],
  },
  controls: { body: `<p:controls><p:control name="${LIVE}" r:id="x1"/></p:controls>`, links: [outside('control')] },
  videoFile: media('videoFile'),
  audioFile: media('audioFile'),
  quickTimeFile: media('quickTimeFile'),
  cmd: {
    body: `<p:timing><p:tnLst><p:par><p:cTn id="1"><p:childTnLst><p:cmd type="verb" cmd="${LIVE}"/><p:cmd type="call" cmd="${LIVE}"/><p:cmd type="evt" cmd="${LIVE}"/></p:childTnLst></p:cTn></p:par></p:tnLst></p:timing>`,
  },
  custDataLst: { main: '<p:custDataLst><p:custData r:id="x1"/></p:custDataLst>', mainLinks: [outside('customXml')] },
  htmlPubPr: { main: `<p:htmlPubPr r:id="x1" target="${LIVE}"/>`, mainLinks: [outside('htmlPubSaveAs')] },
};

const listed = (drafts: Readonly<Record<string, OfficeDraft>>): Generator =>
  officeGenerator((line) => drafts[line] ?? {});

export const officeMarkupSamples: Readonly<Record<string, Generator>> = {
  'word/element': listed(WORD),
  'word/field': wordField,
  'word/vml': officeGenerator((line) => ({
    body: run(`<w:pict>${VML[line] ?? ''}</w:pict>`),
    links: [outside('image')],
  })),
  'drawing/blip-link': officeGenerator(
    (_, format) =>
      BLIPS[format] ??
      drawing(
        `<xdr:pic><xdr:nvPicPr><xdr:cNvPr id="1" name="p"/><xdr:cNvPicPr/></xdr:nvPicPr><xdr:blipFill>${blip}</xdr:blipFill><xdr:spPr/></xdr:pic>`,
        [outside('image')],
      ),
  ),
  'slide/action': slideAction,
  'slide/element': listed(SLIDE),
};
