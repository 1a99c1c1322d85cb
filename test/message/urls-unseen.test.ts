/** Links with words between their pieces that no person sees: every way to hide them, by style attributes, by sheets and by elements. */
import { describe, expect, test } from 'vitest';
import { findUrls } from '../../lib/message/urls/find.ts';

const LINK = 'http://evil.example/x';
const [FIRST, LAST] = ['http://ev', 'il.example/x'] as const;
const found = (html: string) => findUrls(html, 'html', { urlLength: 8192 }).map(({ normalised }) => normalised);

const HIDING = [
  'display:none',
  'display:/**/none',
  'd\\69splay:none',
  'display:n\\6f ne',
  'display:var(--a)',
  'visibility:collapse',
  'visibility:var(--a)',
  'all:var(--a)',
  'font-size:0',
  'font-size:.01px',
  'font-size:calc(1px - 1px)',
  'font:0/0 a',
  'opacity:0%',
  'position:absolute;clip-path:inset(100%)',
  'position:absolute;clip:rect(0,0,0,0)',
  'position:fixed;top:-99px',
  'position:absolute;left:-9999px',
  'position:absolute;color:transparent',
  'position:absolute;transform:scale(0)',
  'display:inline-block;width:0;overflow:hidden',
  'display:inline-block;max-width:0;overflow:clip',
  'display:inline-block;text-indent:-99px;width:1px',
  'margin-right:-9em',
  'letter-spacing:-99px',
  'content-visibility:hidden',
  'user-select:none',
  'mso-hide:all',
  'zoom:0',
  'a-property-of-tomorrow:1',
] as const;
const SELECTORS = [
  ['i', 'i'],
  ['.q', 'i class=q'],
  ['#q', 'i id=q'],
  ['[q]', 'i q'],
  ['[class^=q]', 'i class=qq'],
  ['[class~="q"]', 'i class="a q"'],
  ['i[q="]"]', 'i q="]"'],
  ['p>*', 'i'],
  ['*', 'i'],
  [':nth-child(1)', 'i'],
  ['i:not(.b)', 'i'],
  [':is(.q, .b)', 'i class=q'],
  ['u, p > i:first-of-type', 'i'],
  ['.a .b,.q:not([b])', 'i class=q'],
] as const;

describe.each(HIDING)('words with the style %s', (style) => {
  test('of an attribute do not cut a link', () => {
    for (const tag of ['i', 'span', 'div', 'b', 'font', 'center'])
      expect(found(`<p>${FIRST}<${tag} style='${style}'>zz <${tag}>z</${tag}></${tag}>${LAST}</p>`), tag).toContain(
        LINK,
      );
  });

  test.each(SELECTORS)('of a rule for %s do not cut a link', (selector, tag) => {
    const page = `<p>${FIRST}<${tag}>zz</i>${LAST}</p>`;
    for (const rule of [`${selector}{color:red;${style}}`, `@media all{${selector}{${style}}}`])
      expect(found(`<style>${rule}</style>${page}`), rule).toContain(LINK);
  });
});

const ELEMENTS = ['template', 'datalist', 'audio', 'video', 'rp', 'details', 'dialog', 'noscript', 'script', 'style'];

test.each([...ELEMENTS, 'canvas', 'object', 'annotation', 'head'])(
  'words in an element %s do not cut a link',
  (tag) => {
    expect(found(`<p>${FIRST}<${tag}>zz</${tag}>${LAST}</p>`)).toContain(LINK);
  },
);

describe('what may be out of sight', () => {
  test('is read by itself, and in its place', () => {
    for (const style of ['foo:bar', 'position:absolute', 'overflow:hidden', 'color:var(--a)']) {
      expect(found(`<div style="${style}">${FIRST}<i q style="foo:bar">zz</i>${LAST}</div>`), style).toContain(LINK);
      expect(found(`<p>${FIRST}<b style="${style}">il</b>.example/x</p>`), style).toContain(LINK);
    }
  });

  test('stays apart from the cells and rows around it', () => {
    const pages = [
      `<table><tr><td>${FIRST}<i style="foo:bar">zz</td><td>see ${LAST}</td></tr></table>`,
      `<table><form style="foo:bar"><tr><td>${FIRST}</td><td>see ${LAST}</td></tr></form></table>`,
      `<td>${FIRST}<table style="foo:bar"><tr><td>zz</td></tr></table> ${LAST}`,
    ];
    for (const page of pages) expect(found(page), page).not.toContain(LINK);
  });

  test('may be a table, or a line break', () => {
    expect(found(`<p>${FIRST}<table style="foo:bar"><tr><td>zz</td></tr></table>${LAST}`)).toContain(LINK);
    expect(found(`<style>br{content:""}</style><p>${FIRST}<br>${LAST}</p>`)).toContain(LINK);
  });
});

test('ordinary style takes no words out of a text', () => {
  const styles = [
    'color:#1155cc;font:bold 14px/1.5 Arial,"Open Sans",sans-serif;margin:0 auto;padding:0 4px',
    'font-size:12.0pt;mso-fareast-language:EN-US;letter-spacing:-0.2px;line-height:0',
    'width:100%!important;max-width:600px;background:#fff url(a.png) no-repeat;border-radius:4px',
    'display:inline-block;text-decoration:none;white-space:nowrap;-webkit-text-size-adjust:none;opacity:.9',
  ];
  for (const style of styles)
    expect(found(`<p>http://a.<b style='${style}'>news.</b>example/</p>`), style).not.toContain('http://a.example/');
  expect(found('<p>http://a.<b style="foo:bar">news.</b>example/</p>')).toContain('http://a.example/');
});

test('a later declaration shows what an earlier one hides', () => {
  expect(found(`<p>${FIRST}<b style="display:none;display:inline">${LAST}</b></p>`)).toContain(LINK);
});
