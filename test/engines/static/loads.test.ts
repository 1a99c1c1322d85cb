/** What documents, drawings and pages load by themselves, and where their links lead, in every place of their formats where an address can stand. */
import { expect, test } from 'vitest';
import { zipOf } from '../zip-fixture.ts';
import { verdictOn } from './analyse.ts';

const FAR = 'https://load.example/x';
const OD = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const VML = 'xmlns:v="urn:schemas-microsoft-com:vml" xmlns:o="urn:schemas-microsoft-com:office:office" xmlns:r="r"';

interface Part {
  readonly main?: string;
  readonly content?: string;
  readonly rels?: string;
}
const packed =
  (main: string, kind: string) =>
  ({ main: inner = '', content = '', rels = '' }: Part): Buffer =>
    zipOf({
      '[Content_Types].xml': `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Override PartName="/${main}" ContentType="application/vnd.openxmlformats-officedocument.${kind}.main+xml"/></Types>`,
      '_rels/.rels': `<Relationships><Relationship Id="r1" Type="${OD}/officeDocument" Target="${main}"/></Relationships>`,
      [main]: `<document ${VML}>${inner}</document>`,
      ...(rels === '' ? {} : { [main.replace(/[^/]*$/, '_rels/$&.rels')]: `<Relationships>${rels}</Relationships>` }),
      'docProps/other.xml': `<Properties ${VML}>${content}</Properties>`,
    });
const word = packed('word/document.xml', 'wordprocessingml.document');
const book = packed('xl/workbook.xml', 'spreadsheetml.sheet');
const cell = (formula: string) => book({ main: `<c><f>${formula.replaceAll('"', '&quot;')}</f></c>` });
const openText = (part: string) =>
  zipOf({ mimetype: 'application/vnd.oasis.opendocument.text', 'content.xml': part, 'META-INF/manifest.xml': '<m/>' });
const openCell = (formula: string) =>
  openText(`<table:table-cell table:formula="${formula.replaceAll('"', '&quot;')}"/>`);
const svg = (inner: string, head = '') =>
  Buffer.from(
    `${head}<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="9" height="9">${inner}</svg>`,
  );
const xhtml = (inner: string, head = '') =>
  Buffer.from(
    `<?xml version="1.0"?>${head}<html xmlns="http://www.w3.org/1999/xhtml"><head><title>a</title></head><body>${inner}<p>Words of a page.</p></body></html>`,
  );

/** The finding, in which file, and the files that have it. */
type Table = readonly (readonly [id: string, name: string, files: Readonly<Record<string, Buffer>>])[];

const linkRelationship = `<Relationship Id="r9" Type="${OD}/hyperlink" TargetMode="External" Target="${FAR}"/>`;
const LOADED: Table = [
  [
    'office-external-content',
    'a.docx',
    {
      ...Object.fromEntries(
        [
          'v:imagedata src',
          'v:imagedata o:href',
          'v:fill o:althref',
          'v:stroke src',
          'v:stroke/><o:left src',
          'v:shape src',
        ].map((place) => [place, word({ main: `<${place}="${FAR}"/>` })]),
      ),
      'a share': word({ main: '<v:imagedata src="\\\\fs01\\a.png"/>' }),
      'another prefix': word({ main: `<q:imagedata xmlns:q="urn:schemas-microsoft-com:vml" src="${FAR}"/>` }),
      'no prefix': word({ main: `<imagedata xmlns="urn:schemas-microsoft-com:vml" src="${FAR}"/>` }),
      'a link as a picture': word({ main: '<a:blip r:link="r9"/>', rels: linkRelationship }),
      'a link as a template': word({ main: '<w:attachedTemplate r:id="r9"/>', rels: linkRelationship }),
      'a film with a script': word({ main: '<wp15:webVideoPr embeddedHtml="&lt;script src=a&gt;"/>' }),
    },
  ],
  [
    'office-add-in',
    'a.docx',
    {
      'an assembly': word({ content: '<property name="_AssemblyLocation"><lpwstr>a</lpwstr></property>' }),
      'a smart document': word({ main: `<sl:schema sl:uri="a" sl:manifestLocation="${FAR}"/>` }),
    },
  ],
  [
    'office-external-content',
    'a.odt',
    {
      ...Object.fromEntries(
        [
          ...['draw:image', 'draw:fill-image', 'draw:object', 'style:background-image', 'text:section-source'],
          ...['presentation:sound', 'anim:audio', 'svg:font-face-uri', 'text:alphabetical-index-auto-mark-file'],
        ].flatMap((element) =>
          [
            'smb://load.example/x',
            'file://load.example/x',
            '//load.example/x',
            'vnd.sun.star.webdav://load.example/x',
            FAR,
          ].map((address) => [`${element} ${address}`, openText(`<${element} xlink:href="${address}"/>`)]),
        ),
      ),
      'a picture of a form': openText(`<form:image-frame form:image-data="${FAR}"/>`),
      'data of a form': openText(`<xforms:instance src="${FAR}"/>`),
      'where a form is sent': openText(`<xforms:submission action="${FAR}"/>`),
      'a palette': openText(`<config:config-item config:name="BitmapTableURL">${FAR}</config:config-item>`),
      'a cell of a share': openCell("of:=['file://load.example/x.ods'#$A.B1]"),
    },
  ],
  ['office-data-connection', 'a.odt', { 'a database': openText(`<form:form form:datasource="${FAR}"/>`) }],
  ['office-external-template', 'a.odt', { 'a template': openText(`<meta:template xlink:href="${FAR}"/>`) }],
  [
    'html-active-element',
    'a.svg',
    {
      ...Object.fromEntries(
        ['image', 'use', 'feImage', 'cursor', 'linearGradient', 'pattern', 'filter', 'font-face-uri', 'tref'].flatMap(
          (element) => [
            [element, svg(`<${element} xlink:href="${FAR}"/>`)],
            [`${element} in XML alone`, svg(`<title/><${element} href="https:load.example"/>`)],
          ],
        ),
      ),
      'an import': svg(`<style>@import "${FAR}";</style>`),
      'an import in a section': svg(`<title/><style><![CDATA[@import url(${FAR});]]></style>`),
      'a font': svg(`<style>@font-face{font-family:a;src:url('${FAR}')}</style>`),
      'a style': svg(`<rect style="fill:url(${FAR}#a)"/>`),
      'an attribute': svg(`<rect filter="url(&quot;${FAR}#a&quot;)"/>`),
      'an escape': svg(`<rect style="fill:\\75 rl(${FAR}#a)"/>`),
      'a set of pictures': svg(`<style>a{cursor:image-set("${FAR}" 1x)}</style>`),
      'a sheet': svg('', `<?xml-stylesheet href="${FAR}" type="text/css"?>`),
      'a base': svg('<g xml:base="https://load.example/"><image href="x.png"/></g>'),
    },
  ],
  [
    'html-unsafe-link',
    'a.svg',
    {
      'a share': svg('<image href="file://load.example/x"/>'),
      'a share in a style': svg('<style>a{fill:url("\\\\\\\\load.example\\\\x")}</style>'),
    },
  ],
  [
    'html-active-element',
    'a.xhtml',
    {
      'a style sheet of instructions': xhtml('', `<?xml-stylesheet href="${FAR}" type="text/xsl"?>`),
      'a drawing that loads': xhtml(`<svg xmlns="http://www.w3.org/2000/svg"><image href="${FAR}"/></svg>`),
    },
  ],
  [
    'html-unsafe-link',
    'a.xhtml',
    {
      'a picture of a share': xhtml('<img src="file://load.example/x.png"/>'),
      'a background of a share': xhtml('<p style="background:url(file://load.example/x)">a</p>'),
    },
  ],
];

const SHARE = '\\\\load.example\\x';
const LINKED: Table = [
  [
    'office-unsafe-link',
    'a.docx',
    {
      'a shape': word({ main: '<v:rect href="file://load.example/x"/>' }),
      'a program in reach': word({ main: '<v:rect href="file:///\\\\fs01\\tools\\setup.exe"/>' }),
      'a field': word({ main: `<w:instrText>HYPERLINK \\o "tip" "${SHARE}"</w:instrText>` }),
      'a field without quotes': word({ main: `<w:instrText>HYPERLINK ${SHARE}</w:instrText>` }),
      'the base of all links': word({ content: `<HyperlinkBase>${SHARE}</HyperlinkBase>` }),
      WebDAV: word({ main: '<w:instrText>HYPERLINK "\\\\fs01@SSL\\DavWWWRoot\\x"</w:instrText>' }),
      'a relationship': word({
        rels: `<Relationship Id="r9" Type="${OD}/hyperlink" TargetMode="External" Target="file://load.example/x"/>`,
      }),
    },
  ],
  [
    'office-unsafe-link',
    'a.xlsx',
    {
      ...Object.fromEntries(
        [
          '"fi"&"le://load.example/x"',
          'CHAR(102)&UNICHAR(105)&"le://load.example/x"',
          'CONCATENATE("fi","le:","//load.example/x")',
          '_xlfn.CONCAT("fi","le://load.example/x")',
          '_xlfn.TEXTJOIN("",TRUE,"fi","le://load.example/x")',
          'SUBSTITUTE("xile://load.example/x","x","f",1)',
          'LEFT("file:abc",5)&"//load.example/x"',
          'MID("abfile:",3,5)&"//load.example/x"',
          'REPLACE("xxle://load.example/x",1,2,"fi")',
          'LOWER("FILE://LOAD.EXAMPLE/X")',
          'IF(A1=1,"https://a.example","fi"&"le://load.example/x")',
          `"${SHARE}"`,
          '"\\\\"&A1',
          '"fi"&"le://load.example/"&Tabelle1[Name]',
          '"fi"&"le://load.example/"&Größe',
        ].map((target) => [target, cell(`HYPERLINK(${target},"a")`)]),
      ),
      'a name': book({ main: '<definedName name="a">HYPERLINK("fi"&amp;"le://load.example/x")</definedName>' }),
      'in another function': cell('IF(A1,SUM(1),hyperlink("fi"&"le://load.example/x"))'),
      'behind an ordinary one': cell('HYPERLINK("https://a.example")&HYPERLINK("fi"&"le://load.example/x")'),
    },
  ],
  [
    'office-unsafe-link',
    'a.odt',
    {
      ...Object.fromEntries(
        ['text:a', 'draw:a', 'draw:area-circle', 'form:button', 'form:form'].map((element) => [
          element,
          openText(`<${element} xlink:href="file://load.example/x"/>`),
        ]),
      ),
      'a formula': openCell('of:=HYPERLINK("fi"&"le://load.example/x";[.A1])'),
      'a formula with cells': openCell('of:=HYPERLINK("fi"&"le://load.example/"&[$Sheet.A1];"a")'),
    },
  ],
  [
    'office-unsafe-link',
    'a.xml',
    {
      'Excel 2003': Buffer.from(
        '<?xml version="1.0"?><?mso-application progid="Excel.Sheet"?><Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet" xmlns:ss="urn:schemas-microsoft-com:office:spreadsheet"><Cell ss:Formula="=HYPERLINK(&quot;fi&quot;&amp;&quot;le://load.example/x&quot;)"/></Workbook>',
      ),
    },
  ],
];

const cases = (table: Table) =>
  table.flatMap(([id, name, files]) => Object.entries(files).map(([what, bytes]) => ({ id, name, what, bytes })));

test.each(cases(LOADED))('$id is found in $name: $what', async ({ id, name, bytes }) => {
  expect(await verdictOn(bytes, name)).toContain(id);
});

test.each(cases(LINKED))('$id is found in $name: $what', async ({ id, name, bytes }) => {
  expect(await verdictOn(bytes, name)).toContain(id);
});

/** What people have in their documents: links to the web, and files of their own company, which somebody must click. */
const NEAR = [
  'file:///\\\\fs01\\daten\\a.xlsx',
  '\\\\fs01.firma.local\\a b.docx',
  'file:///S:/Daten/a.docx',
  'C:\\a.pdf',
];
const ORDINARY: readonly (readonly [string, string, Buffer, RegExp])[] = [
  ...NEAR.flatMap((address): [string, string, Buffer, RegExp][] => [
    [
      address,
      'a.docx',
      word({ main: `<w:instrText>HYPERLINK "${address}"</w:instrText>` }),
      /^unknown office-file-link$/,
    ],
    [address, 'a.xlsx', cell(`HYPERLINK("${address}","a")`), /^unknown office-file-link$/],
    [address, 'a.odt', openText(`<text:a xlink:href="${address}"/>`), /^unknown office-file-link$/],
  ]),
  ...['https://a.example/x.exe', 'mailto:a@b.example', '#A1', 'www.a.example:8080/x', '../a/b.docx', 'a.docx'].flatMap(
    (address): [string, string, Buffer, RegExp][] => [
      [address, 'a.docx', word({ main: `<w:instrText>HYPERLINK "${address}"</w:instrText>` }), /^benign$/],
      [address, 'a.xlsx', cell(`HYPERLINK("${address}"&A1,"a")`), /^benign$/],
      [address, 'a.odt', openText(`<text:a xlink:href="${address}"/>`), /^benign$/],
    ],
  ),
  ['a bookmark', 'a.docx', word({ main: '<w:instrText>HYPERLINK \\l "x:y" \\o "file:a"</w:instrText>' }), /^benign$/],
  ['a link of a cell', 'a.xlsx', cell('HYPERLINK(A1,B1)'), /^benign$/],
  ['a link of cells', 'a.xlsx', cell('HYPERLINK(CONCATENATE(A1,"/",B1),TEXT(C1,"0"))'), /^benign$/],
  ['a picture of the mail', 'a.docx', word({ main: '<v:imagedata r:id="r1" o:title="a" src="cid:a@b"/>' }), /^benign$/],
  [
    'a film',
    'a.docx',
    word({
      main: '<wp15:webVideoPr embeddedHtml="&lt;iframe width=&quot;200&quot; src=&quot;https://a.example/b&quot; allowfullscreen=&quot;&quot;&gt;&lt;/iframe&gt;"/>',
    }),
    /^unknown html-active-element$/,
  ],
  [
    'a template of the author',
    'a.odt',
    openText('<meta:template xlink:href="file:///C:/Vorlagen/a.ott"/>'),
    /^benign$/,
  ],
  [
    'palettes of the program',
    'a.odt',
    openText('<config:config-item config:name="ColorTableURL">file:///usr/share/a.soc</config:config-item>'),
    /^benign$/,
  ],
  ['a form of a database', 'a.odt', openText('<form:form form:datasource="Bibliography" xlink:href=""/>'), /^benign$/],
  [
    'references within',
    'a.svg',
    svg('<style>a{fill:url(#g)}</style><use href="#a"/><image href="data:image/png;base64,iVBORw0KGgo="/>'),
    /^benign$/,
  ],
  ['a link of a drawing', 'a.svg', svg('<a href="https://a.example"><text>a</text></a>'), /^benign$/],
  [
    'a style sheet of a page',
    'a.xhtml',
    xhtml(
      '<p style="background:url(https://a.example/b.png)">a</p>',
      '<?xml-stylesheet href="a.css" type="text/css"?>',
    ),
    /^benign$/,
  ],
  [
    'attributes of data',
    'a.xml',
    Buffer.from('<?xml version="1.0"?><!DOCTYPE a [<!ATTLIST x to CDATA "y" href CDATA "#a">]><a><x/></a>'),
    /^benign$/,
  ],
  [
    'a picture of a feed',
    'a.xml',
    Buffer.from('<?xml version="1.0"?><rss><image href="https://a.example/b.png"/></rss>'),
    /^benign$/,
  ],
];

test.each(ORDINARY)('%s in %s is ordinary', async (_, name, bytes, expected) => {
  expect(await verdictOn(bytes, name)).toMatch(expected);
});

test.each([
  ['a script', '<!ATTLIST x onload CDATA "alert(1)">'],
  ['a name space of pages', '<!ATTLIST x xmlns CDATA "http://www.w3.org/1999/xhtml">'],
  ['a link that runs', '<!ATTLIST x to CDATA "javascript:alert(1)">'],
])('%s is still found in the declarations of data', async (_, declaration) => {
  const bytes = Buffer.from(`<?xml version="1.0"?><!DOCTYPE a [${declaration}]><a><x/></a>`);
  expect(await verdictOn(bytes, 'a.xml')).toContain('xml-doctype');
});

test('two contents of one part are found, and each is judged', async () => {
  const pkg = 'http://schemas.microsoft.com/office/2006/xmlPackage';
  const part = (name: string, type: string, content: string) =>
    `<pkg:part pkg:name="${name}" pkg:contentType="application/${type}">${content}</pkg:part>`;
  const data = (xml: string) => `<pkg:xmlData>${xml}</pkg:xmlData>`;
  const bytes = Buffer.from(
    `<?xml version="1.0"?><pkg:package xmlns:pkg="${pkg}">${part(
      '/_rels/.rels',
      'vnd.openxmlformats-package.relationships+xml',
      data(
        `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="${OD}/officeDocument" Target="word/document.xml"/></Relationships>`,
      ),
    )}${part(
      '/word/document.xml',
      'vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml',
      data('<document><instrText>DDE a b</instrText></document>') + data('<document/>'),
    )}</pkg:package>`,
  );
  const verdict = await verdictOn(bytes, 'a.xml');
  expect(verdict).toContain('archive-ambiguous');
  expect(verdict).toContain('office-dde');
});
