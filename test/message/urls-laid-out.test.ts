/** Links whose pieces only the layout of the page puts together: side by side, in another order, at places, in fields, and made by style. */
import { describe, expect, test } from 'vitest';
import { findUrls } from '../../lib/message/urls/find.ts';
import { defang } from '../../lib/message/urls/html/defang.ts';
import { isLinear } from '../growth.ts';

const LIMITS = { urlLength: 8192 };
const WORDS = { behind: 'blocked', beside: 'blocked', withheld: 'withheld' };
const LINK = 'http://evil.example/x';
const [FIRST, LAST] = ['http://ev', 'il.example/x'] as const;
const found = (html: string) => findUrls(html, 'html', LIMITS).map(({ normalised }) => normalised);

const SHOWN: readonly (readonly [name: string, page: string])[] = [
  ['floats', `<div style="float:left">${FIRST}</div><div style="float:left">${LAST}</div>`],
  ['floats by a rule', `<style>.f{float:left}</style><p class=f>${FIRST}</p><p class=f>${LAST}</p>`],
  ['floats to the right', `<p style="float:right">${LAST}</p><p style="float:right">${FIRST}</p>`],
  ['a float behind its line', `<p>${LAST}<span style="float:left">${FIRST}</span></p>`],
  ['a float in front of a block', `<div style="float:left">${FIRST}</div><div>${LAST}</div>`],
  [
    'tables with align',
    `<table align=left><tr><td>${FIRST}</td></tr></table><table align=left><tr><td>${LAST}</table>`,
  ],
  ['flex', `<div style="display:flex"><div>${FIRST}</div> <div> ${LAST} </div></div>`],
  ['grid', `<div style="display:inline-grid"><p>${FIRST}</p><p>${LAST}</p></div>`],
  ['flex by a rule', `<style>div{display:-webkit-flex}</style><div><p>${FIRST}</p><p>${LAST}</p></div>`],
  ['order', `<div style="display:flex"><p style="order:2">${LAST}</p><p style="order:1">${FIRST}</p></div>`],
  ['row-reverse', `<div style="display:flex;flex-direction:row-reverse"><b>${LAST}</b><b>${FIRST}</b></div>`],
  ['flex-flow', `<div style="display:flex;flex-flow:row-reverse nowrap"><b>${LAST}</b><b>${FIRST}</b></div>`],
  ['flex from right to left', `<div dir=rtl style="display:flex"><b>${LAST}</b><b>${FIRST}</b></div>`],
  [
    'grid columns',
    `<div style="display:grid"><b style="grid-column:2">${LAST}</b><b style="grid-column:1">${FIRST}</b></div>`,
  ],
  ['bdo', `<p>see <bdo dir=rtl>x/elpmaxe.live//:ptth</bdo></p>`],
  ['bidi-override', `<p style="direction:rtl;unicode-bidi:bidi-override">x/elpmaxe.live//:ptth is it</p>`],
  [
    'bidi-override by a rule',
    `<style>.r{unicode-bidi:isolate-override;direction:rtl}</style><b class=r>x/elpmaxe.live//:ptth</b>`,
  ],
  ['bdo in a word', '<p>http://ev<bdo dir=rtl>axe.li</bdo>mple/x</p>'],
  ['places', `<b style="position:absolute;left:90px">${LAST}</b><b style="position:absolute;left:0">${FIRST}</b>`],
  [
    'places in lines',
    `<div style="position:absolute;top:9px;left:90px">${LAST}</div><p style="position:absolute;top:40px;left:1px">z</p><div style="position:absolute;top:8px;left:0">${FIRST}</div>`,
  ],
  [
    'places from the right',
    `<i style="position:fixed;right:0px">${LAST}</i><i style="position:fixed;right:90px">${FIRST}</i>`,
  ],
  ['blocks at places', `<div style="position:absolute">${FIRST}</div><div style="position:absolute">${LAST}</div>`],
  ['text in front', `<style>.a::before{content:"${FIRST}"}</style><i class=a>${LAST}</i>`],
  ['text behind', `<i class=a>${FIRST}</i><style>.a:after{color:red;content:'il' ".example/x"}</style>`],
  [
    'text of two elements',
    `<style>#a:before{content:"http:"}#b:before{content:"//ev"}</style><i id=a></i><i id=b>il.example/x</i>`,
  ],
  ['text with escapes', `<style>b::before{content:"\\68ttp://ev"}</style><b>${LAST}</b>`],
  ['the text of an attribute', `<style>b::after{content:attr(data-x)}</style><b data-x="${LAST}">${FIRST}</b>`],
  [
    'cells',
    `<table><tr><td>${FIRST}</td>
<td> ${LAST}</td></tr></table>`,
  ],
  ['cells without ends', `<table><tr><td>z<td><b>http:</b>//ev<td>${LAST}</table>`],
  ['cells from right to left', `<table dir=rtl><tr><td>${LAST}</td><td>${FIRST}</td></tr></table>`],
  ['fields', `<input value="${FIRST}"><input value="${LAST}">`],
  ['a field with a placeholder', `${FIRST}<input placeholder="${LAST}">`],
  ['pictures', `<img alt="http"><img alt="://ev"><img alt="${LAST}">`],
  ['a picture in a word', `<p>http:<img alt="//evil">.example/x</p>`],
];

describe('pieces of a link', () => {
  test.each(SHOWN)('in %s are found and disarmed', (_, page) => {
    expect(found(page)).toContain(LINK);
    const { text, count } = defang(page, 'html', (url) => url.includes('evil'), LIMITS, WORDS);
    expect(count).toBeGreaterThan(0);
    expect(text).not.toBe('withheld');
    expect(found(text).filter((url) => url.includes('evil'))).toEqual([]);
    expect(text.replace(/\[[^\]]*\]/g, '').replace(/[\s\S]*<\/style>/, '')).not.toMatch(/il\.example/);
  });
});

test('a blocked piece does not end the string or the attribute around it', () => {
  const pages = [
    `<style>b::before{content:"http://ev\\"x"}</style><b>il.example/'x</b>`,
    `<input value='http://ev'><input value='il.example/a&#39;onfocus=x&#39;b'>`,
  ];
  for (const page of pages) {
    const { text } = defang(page, 'html', (url) => url.includes('evil'), LIMITS, WORDS);
    expect(text).not.toMatch(/value='[^']*'\w|onfocus=x'/);
  }
});

describe('an override of the direction', () => {
  const turned = '\u202ex/elpmaxe.live//:ptth';

  test.each(['text', 'html'] as const)('turns an address around in %s', (format) => {
    for (const text of [turned, `${turned}\u202c now`]) {
      expect(findUrls(text, format, LIMITS).map(({ normalised }) => normalised)).toContain(LINK);
      const safe = defang(text, format, (url) => url.includes('evil'), LIMITS, WORDS);
      expect(safe.text).not.toContain('live//:');
      expect(findUrls(safe.text, format, LIMITS).filter(({ where }) => where !== 'respelled')).toEqual([]);
    }
  });

  test('in a word turns only its own letters around', () => {
    const page = 'see http://ev\u202eaxe.li\u202cmple/x';
    expect(findUrls(page, 'text', LIMITS).map(({ normalised }) => normalised)).toContain(LINK);
  });
});

describe('ordinary neighbours', () => {
  test.each([
    `<div style="float:left">http://shop.com</div><div style="float:left">Home</div>`,
    `<ul style="display:flex"><li>www.shop.com</li><li>Contact us</li></ul>`,
    `<input value="http://shop.com"><input type=submit value="Go">`,
    `<div style="display:flex"><p>http://shop.com and</p><p>more</p></div>`,
    `<div style="position:absolute;top:1px">http://shop.com/</div><div style="position:absolute;top:30px">a.b</div>`,
    '<table><tr><td>http://shop.com/list</td><td>Prices</td></tr><tr><td>http://shop.com</td></tr><tr><td>x/y</td></tr></table>',
    '<table><tr><td>http://shop.com/*/u</td><td>http://shop.com/a/u/</td></tr></table>',
    '<p style="float:left"><b>http://shop.com/x.</b> <i>y.z</i></p>',
  ])('stay apart: %s', (page) => {
    expect(new Set(found(page).map((url) => new URL(url).host.replace('www.', '')))).toEqual(new Set(['shop.com']));
  });

  test.each([
    '<div style="float:left">a</div>',
    '<b style="position:absolute;left:1px;top:1px">a</b>',
    '<div style="display:flex">a',
    '<style>b::before{content:"a"}</style><b>a</b>',
    '<bdo dir=rtl>a',
    '<bdo dir=rtl>a</bdo>',
    '<input value=a>',
    '<br><i style="float:left">a</i><br>',
    '<td>http://a<td>b',
    '<tr><td>www.</td> ',
  ])('a flood of %s costs no more than its length', async (piece) => {
    expect(await isLinear(20_000, (size) => found(piece.repeat(size / piece.length)))).toBe(true);
  });
});
