/** Pages that do something for a mail program that reads them otherwise than browsers: none of it may count as passive. */
import { describe, expect, test } from 'vitest';
import { disarm } from '../../../../lib/analysis/engines/disarm/html/html.ts';
import { PASSIVE } from '../../../../lib/analysis/engines/disarm/html/rules.ts';
import { DEFAULT_ENGINE_LIMITS, type DetectedType } from '../../../../lib/analysis/engines/engine.ts';

const HTML: DetectedType = { type: 'text/html', extension: 'html', description: 'HTML page' };
const PASSIVE_KINDS: ReadonlySet<string> = new Set(Object.values(PASSIVE));

/** What is found in a page that also holds a picture from the web, as every newsletter does. */
async function activeKinds(markup: string): Promise<readonly string[]> {
  const bytes = new TextEncoder().encode(`<p>Hello</p><img src="https://shop.example/x.png">${markup}`);
  const input = { bytes, untrustedName: 'page.html', password: null };
  const { details } = await disarm(input, HTML, DEFAULT_ENGINE_LIMITS);
  return [...new Set(details.map(({ kind }) => kind).filter((kind) => !PASSIVE_KINDS.has(kind)))];
}

const SHARE = 'file://evil.example/x';

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
