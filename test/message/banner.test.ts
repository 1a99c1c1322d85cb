import { describe, expect, test } from 'vitest';
import { pageWithBanner } from '../../lib/message/banner/page.ts';
import { startOf } from '../../lib/message/banner/page-start.ts';
import { stillDeclarations, stillSheet } from '../../lib/message/banner/still-style.ts';
import { textWithBanner } from '../../lib/message/banner/text.ts';

const BANNER = '<b>OURS</b>';
const top = (page: string) => pageWithBanner(page, BANNER, 'top');
/** Everything but tags, as a reader sees it. */
const words = (page: string) =>
  page.replace(/<style[\s\S]*?<\/style>|<title[\s\S]*?<\/title>|<!--[\s\S]*?-->|<[^>]*>/gi, '');

describe('the banner is the first thing that a page shows', () => {
  test.each([
    [
      'an ordinary page',
      '<!DOCTYPE html><html><head><meta charset="utf-8"><title>t</title></head><body bgcolor="#eee">words</body></html>',
    ],
    [
      'a page of Outlook',
      '<html xmlns:o="urn:x"><head><!--[if gte mso 9]><xml></xml><![endif]--><style><!-- p{color:red} --></style></head>\r\n<body lang=DE>words</body></html>',
    ],
    [
      'conditions that are shown',
      '<!doctype html>\n<html>\n<head>\n<!--[if !mso]><!-->\n<meta name="a" content="b">\n<!--<![endif]-->\n</head>\n<body>words',
    ],
    ['text alone', 'words'],
    ['text in front of the page', 'wor<html><body>ds</body></html>'],
    ['no body', '<html><head><title>t</title></head><p>words</p></html>'],
    ['frames', '<html><head></head><frameset><frame src="cid:a"></frameset></html>'],
    ['a title that is never closed', '<title>words<body>'],
    ['a quote that is never closed', '<body title="a>words'],
    ['an odd comment', '<!--><body>words'],
    ['a table', '<table><tr><td>words</table>'],
    ['nothing', ''],
  ])('%s', (_, page) => {
    const shown = top(page);
    expect(shown.match(/OURS/g)).toHaveLength(1);
    expect(words(shown.slice(0, shown.indexOf(BANNER))).trim()).toBe('');
    // Whatever begins the body for a browser stands behind ours.
    expect(shown.slice(0, shown.indexOf(BANNER))).toMatch(/<body[^>]*display:block!important/);
    expect(words(shown).replace('OURS', '').trim()).toBe(words(page).trim());
  });
});

test('the tags of page and body keep what they say, lose what hides them, and are shown', () => {
  const shown = top(
    `<html lang="de" hidden style='display:none!important'><body class=a style="margin:-9px;color:red" bgcolor="#fff">x`,
  );
  expect(shown).toMatch(
    /^<html style="[^"]*;display:block!important;[^"]*" lang="de"><head style="display:none!important"><body style="color:red;/,
  );
  expect(shown.slice(0, shown.indexOf('<head'))).not.toContain('display:none');
  expect(shown).toContain(' class=a bgcolor="#fff">');
});

describe('style of a page with a banner', () => {
  test.each([
    ['position:fixed;top:0;color:red', 'color:red'],
    ['p\\6fsition:fixed', ''],
    ['margin-top:-9px;margin:0 auto', 'margin:0 auto'],
    ['margin:calc(0px - 9px)', ''],
    ['position/**/:fixed;z-index:9', ''],
    ['color:red /* unclosed', ''],
    ['background:url("a;position:fixed;b");width:1px', 'background:url("a;position:fixed;b");width:1px'],
    ['transform:none;translate:0 -9px;inset:0;content:"x"', ''],
    ['font:12px Arial;mso-line-height-rule:exactly', 'font:12px Arial;mso-line-height-rule:exactly'],
  ])('of an element: %s', (style, kept) => {
    expect(stillDeclarations(style)).toBe(kept);
  });

  test.each([
    ['.a{color:red;position:fixed}', '.a{color:red}'],
    ['.a{position:fixed}b{color:red}', 'b{color:red}'],
    [
      '@media (max-width:600px){.a{width:100%!important;top:0}.b{left:0}}',
      '@media (max-width:600px){.a{width:100%!important}}',
    ],
    ['@font-face{font-family:Arial;src:url(data:font/woff2;base64,AA)}p{color:red}', 'p{color:red}'],
    ['@import url(x.css);p{color:red}', 'p{color:red}'],
    ['@keyframes k{from{color:red}}', ''],
    ['td::before{color:red}td:first-letter{color:red}', ''],
    ['div[style*="a{b}"]{margin:0}', 'div[style*="a{b}"]{margin:0}'],
    ['<!-- p{color:red} -->', 'p{color:red}'],
    ['p{color:red', ''],
    ['}p{color:red}', 'p{color:red}'],
    ['.a{background:url(x{y);position:fixed;top:0)}b{color:red}', 'b{color:red}'],
  ])('of a sheet: %s', (sheet, kept) => {
    expect(stillSheet(sheet)).toBe(kept);
  });

  test('is looked at wherever it stands, and the words around it stay', () => {
    const page =
      '<html><head><style>.o{position:fixed;color:red}</style></head><body><!--><style>.p{position:fixed}</style>-->' +
      '<div class="o" style="p&#111;sition:fixed;color:blue">one</div><p STYLE=position:fixed>two</p>style="position:fixed"</body></html>';
    const shown = top(page);
    expect(shown).toContain('.o{color:red}');
    expect(shown).toContain('<div class="o" style="color:blue">one</div><p >two</p>style="position:fixed"</body>');
    expect(shown).not.toContain('.p{');
  });
});

describe('a banner at the end', () => {
  test('stands behind what the page left open, in front of the end of the body', () => {
    const shown = pageWithBanner('<html><body><div><table><tr><td>words</body></html>', BANNER, 'bottom');
    expect(shown).toContain(`words</td></tr></table></div>${BANNER}</body></html>`);
  });

  test('stands at the end of a page without one', () => {
    expect(pageWithBanner('<p>words', BANNER, 'bottom')).toMatch(/words<b>OURS<\/b>$/);
  });
});

test('the start of a page is found in linear time', () => {
  for (const piece of ['<html a=b ', '<meta a ', '<!--', '<title>', '<style>', ' ', '<!x', '<body a="']) {
    const page = piece.repeat(60_000);
    expect(startOf(page).at).toBeLessThanOrEqual(page.length);
  }
});

test.each([
  ['words\r\n', 'top', 'OURS\r\n\r\nwords\r\n'],
  ['words\n', 'top', 'OURS\n\nwords\n'],
  ['words', 'bottom', 'words\n\nOURS\n'],
  ['words\r\n', 'bottom', 'words\r\n\r\nOURS\r\n'],
] as const)('a text keeps its line ends: %j, %s', (text, place, expected) => {
  expect(textWithBanner(text, 'OURS\n', place)).toBe(expected);
});
