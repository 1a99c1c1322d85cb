import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findUrls } from '../../lib/message/urls/find.ts';
import { neutralise } from '../../lib/message/urls/neutralise.ts';

const LIMITS = { urlLength: 8192 };
const blocksEvil = (url: string) => url.includes('evil');
/** Respelled URLs stay: that is what blocked ones are turned into. */
const blockedIn = (text: string, format: 'html' | 'text') =>
  findUrls(text, format, LIMITS).filter((url) => url.where !== 'respelled' && blocksEvil(url.normalised));
const inHtml = (html: string) => neutralise(html, 'html', blocksEvil, LIMITS);

describe('blocked URLs in HTML', () => {
  test('gives an attribute a harmless value and keeps the rest', () => {
    const html =
      '<p>é <a class=x href="https://evil.example/?a=1&amp;b">text</a> <a href="https://good.example/">ok</a>';
    expect(inHtml(html)).toEqual({
      text: '<p>é <a class=x href="#blocked-by-mail-airlock">text</a> <a href="https://good.example/">ok</a>',
      count: 1,
    });
  });

  test('respells a URL in running text', () => {
    expect(inHtml('<b>https://evil.example/a.exe?x=1&amp;y</b>').text).toBe(
      '<b>hxxps://evil[.]example/a[.]exe?x=1&amp;y [blocked link]</b>',
    );
  });

  test('replaces an attribute that carries a blocked URL inside another', () => {
    const html = '<a href="https://good.example/?to=https%3A%2F%2Fevil.example%2F">x</a>';
    expect(inHtml(html).text).toBe('<a href="#blocked-by-mail-airlock">x</a>');
  });

  test('replaces URLs in style, comments, refreshes and the base', () => {
    const html =
      '<base href="https://evil.example/"><a href="x.html">1</a><p style="background:url(https://evil.example/b)">' +
      '<!-- https://evil.example/c --><meta http-equiv=refresh content="0;url=https://evil.example/r">';
    const result = inHtml(html);
    expect(result.text).not.toContain('evil.example');
    expect(result.text).toContain('style="background:url(#blocked-by-mail-airlock)"');
    expect(result.text).toContain('<!-- hxxps://evil[.]example/c [blocked link] -->');
  });

  test('cannot be made to close the comment or attribute it writes into', () => {
    const result = inHtml(
      '<!-- https://evil.example/"--&gt;x --><i title="https://evil.example/&quot;onclick=1">t</i>',
    );
    expect(result.text).toBe(
      '<!-- hxxps://evil[.]example/"--&gt;x --><i title="hxxps://evil[.]example/&quot;onclick=1">t</i>',
    );
  });

  test('uses the next base when a blocked one is removed', () => {
    const html = '<base href="https://evil.example/"><base href="https://good.example/evil/"><a href="x">1</a>';
    expect(findUrls(inHtml(html).text, 'html', LIMITS)).toEqual([]);
  });
});

test('respells a URL of a text body and leaves every other character', () => {
  const text = 'a\r\n\thttps://evil.example/x,\u00a0www.good-example.com\r\nevil.com.';
  expect(neutralise(text, 'text', blocksEvil, LIMITS)).toEqual({
    text: 'a\r\n\thxxps://evil[.]example/x [blocked link],\u00a0www.good-example.com\r\nevil[.]com [blocked link].',
    count: 2,
  });
});

test('changes nothing when nothing is blocked', () => {
  const html = '<A HREF=https://good.example>&nbsp;x</a >';
  expect(inHtml(html)).toEqual({ text: html, count: 0 });
});

const piece = fc.constantFrom(
  ...'https:// http:// evil .example .com / \\ // @ : . & &amp; &#46; &colon; %3a%2f%2f " \' ` < > = # ? ( ) - 　 é \u200b \0 \n ; ,'.split(
    ' ',
  ),
  ...[
    '<a href=',
    '<a href="',
    "<img src='",
    '<base href="',
    '<style>',
    '</style>',
    '<!--',
    '-->',
    '<!--[if mso]>',
    '<svg>',
  ],
  ...[
    'style="background:url(',
    'url("',
    '@import "',
    '<meta http-equiv=refresh content="0;url=',
    '<script>',
    '</script>',
  ],
  ...[
    'srcset="',
    'data:text/html,',
    'javascript:',
    'evil.com',
    'https://evil.example/',
    'www.evil.com',
    ' 1x, ',
    ' ',
    ')',
    '">',
  ],
  ...['<textarea>', '<iframe srcdoc="', '&lt;a href=', '<title>', '<plaintext>', 'x', 'file:', '\\\\evil\\x', '\\/'],
);

test.each(['html', 'text'] as const)(
  'leaves no blocked URL in any %s, and a second pass finds nothing to do',
  (format) => {
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 24 }), (pieces) => {
        const once = neutralise(pieces.join(''), format, blocksEvil, LIMITS);
        expect(blockedIn(once.text, format)).toEqual([]);
        expect(neutralise(once.text, format, blocksEvil, LIMITS)).toEqual({ text: once.text, count: 0 });
      }),
      { numRuns: 1500 },
    );
  },
);

test('leaves every text without a blocked URL as it is, and a page but for links that lead nowhere', () => {
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 24 }), (pieces) => {
      const text = pieces.join('').replaceAll('evil', 'fine');
      expect(neutralise(text, 'text', blocksEvil, LIMITS)).toEqual({ text, count: 0 });
      const page = text.replace(/href|src|content|cite|ping/g, 'title');
      expect(inHtml(page)).toEqual({ text: page, count: 0 });
    }),
    { numRuns: 300 },
  );
});
