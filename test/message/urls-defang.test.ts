import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findUrls } from '../../lib/message/urls/find.ts';
import { defang } from '../../lib/message/urls/html/defang.ts';
import { roundsOf } from '../hostile/share.ts';
import { LINK_WORDS } from './link-words.ts';

const LIMITS = { urlLength: 8192 };
const blocksEvil = (url: string) => url.includes('evil');
/** Defanged URLs stay: that is what blocked ones are turned into. */
const blockedIn = (text: string, format: 'html' | 'text') =>
  findUrls(text, format, LIMITS).filter((url) => url.where !== 'respelled' && blocksEvil(url.normalised));
const inHtml = (html: string) => defang(html, 'html', blocksEvil, LIMITS, LINK_WORDS);

/** What stands where the address of a link stood, and behind its text. */
const STRUCK =
  'color:#5f6368;background:none;text-decoration:line-through;color:#5f6368!important;-webkit-text-fill-color:#5f6368!important;background:none!important;border:0!important;text-decoration:line-through!important;cursor:not-allowed!important';
const BESIDE =
  'color:#5f6368;font-size:12px;font-style:italic;text-decoration:none!important;-webkit-text-fill-color:#5f6368!important;line-height:normal!important;letter-spacing:normal!important;word-spacing:normal!important;float:none!important;background:none!important;display:inline!important;visibility:visible!important;opacity:1!important;color:#5f6368!important;font-family:Arial,sans-serif!important;font-size:12px!important;font-style:italic!important;overflow-wrap:anywhere!important';
const note = (address: string) => `<span style=${BESIDE}> [off: ${address}]</span>`;

describe('blocked URLs in HTML', () => {
  test('strikes a link through, says where it led, and keeps the rest', () => {
    const html =
      '<p>é <a class=x href="https://evil.example/?a=1&amp;b">text</a> <a href="https://good.example/">ok</a>';
    expect(inHtml(html)).toEqual({
      text: `<p>é <a class=x style="${STRUCK}">text</a>${note('hxxps://evil[.]example/?a=1&amp;b')} <a href="https://good.example/">ok</a>`,
      count: 1,
    });
  });

  test('defangs a URL in running text', () => {
    expect(inHtml('<b>https://evil.example/a.exe?x=1&amp;y</b>').text).toBe(
      '<b>hxxps://evil[.]example/a[.]exe?x=1&amp;y [off]</b>',
    );
  });

  test('replaces an attribute that carries a blocked URL inside another', () => {
    const html = '<a href="https://good.example/?to=https%3A%2F%2Fevil.example%2F">x</a>';
    expect(inHtml(html).text).toBe(
      `<a style="${STRUCK}">x</a>${note('hxxps://good[.]example/?to=hxxps[:]/%2Fevil[.]example%2F')}`,
    );
  });

  test('replaces URLs in style, comments, refreshes and the base', () => {
    const html =
      '<base href="https://evil.example/"><a href="x.html">1</a><p style="background:url(https://evil.example/b)">' +
      '<!-- https://evil.example/c --><meta http-equiv=refresh content="0;url=https://evil.example/r">';
    const result = inHtml(html);
    expect(result.text).not.toContain('evil.example');
    expect(result.text).toContain('style="background:url(#blocked-by-mail-airlock)"');
    expect(result.text).toContain('<!-- hxxps://evil[.]example/c [off] -->');
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
    expect(findUrls(inHtml(html).text, 'html', LIMITS).map(({ where }) => where)).toEqual(['respelled']);
  });

  test('keeps no look that the sender gave the link, whatever quotes he used', () => {
    const html = "<a style='display:block;color:white'href=https://evil.example>Pay</a>";
    expect(inHtml(html).text).toBe(`<a style=${STRUCK}>Pay</a>${note('hxxps://evil[.]example/')}`);
  });

  test('lets no second address take the place of a blocked one', () => {
    const html = '<a href="https://evil.example/" href="https://good.example/">x</a>';
    expect(inHtml(html).text).toBe(`<a style="${STRUCK}" >x</a>${note('hxxps://evil[.]example/')}`);
  });

  test('has one style alone, also where the sender wrote an empty one in front of the address', () => {
    const html = '<a style="" style href="https://evil.example/" STYLE=color:blue!important>x</a>';
    expect(inHtml(html).text).toBe(`<a   style="${STRUCK}" >x</a>${note('hxxps://evil[.]example/')}`);
  });

  test('strikes through each element in the text of the link, and no picture and nothing behind it', () => {
    const html =
      '<a href="https://evil.example/"><span style="display:inline-block;color:blue" class=b>x</span>' +
      '<img src="cid:a" style="width:9px"></a><i style="color:red">y</i>';
    expect(inHtml(html).text).toBe(
      `<a style="${STRUCK}"><span style=${STRUCK}   class=b>x</span><img src="cid:a" style="width:9px"></a>` +
        `${note('hxxps://evil[.]example/')}<i style="color:red">y</i>`,
    );
  });

  test('does not say the address twice where the link shows it', () => {
    const html = '<a href="https://evil.example/">https://evil.example</a> evil.com';
    expect(inHtml(html).text).toBe(`<a style="${STRUCK}">hxxps://evil[.]example/ [off]</a> evil[.]com [off]`);
  });

  test('shows the target of a link that a service rewrote, and cuts a long address', () => {
    const target = `https://evil.example/${'a'.repeat(100)}`;
    const html = `<a href="https://www.google.com/url?q=${target}">x</a>`;
    expect(inHtml(html).text).toBe(`<a style="${STRUCK}">x</a>${note(`hxxps://evil[.]example/${'a'.repeat(49)}…`)}`);
  });

  test('says it where a link ends that is not closed, and in no comment and no map', () => {
    expect(inHtml('<a href="//evil.example">x<a href="https://good.example/">y').text).toBe(
      `<a style="${STRUCK}">x${note('hxxps://evil[.]example/')}<a href="https://good.example/">y`,
    );
    expect(inHtml('<a href="https://evil.example/">x').text).toBe(
      `<a style="${STRUCK}">${note('hxxps://evil[.]example/')}x`,
    );
    expect(inHtml('<map><area href="https://evil.example/"></map>').text).toBe(`<map><area style="${STRUCK}"></map>`);
    expect(inHtml('<!--[if mso]><a href="https://evil.example/">x</a><![endif]-->').text).toBe(
      '<!--[if mso]><a href="#blocked-by-mail-airlock">x</a><![endif]-->',
    );
  });

  test('says it once when a reply brings the link back', () => {
    const once = inHtml('<a href="https://evil.example/">text</a>').text;
    const reply = `<p>No.</p><blockquote>${once}</blockquote>`;
    expect(inHtml(reply)).toEqual({ text: reply, count: 0 });
  });
});

test('defangs a URL of a text body and leaves every other character', () => {
  const text = 'a\r\n\thttps://evil.example/x,\u00a0www.good-example.com\r\nevil.com.';
  expect(defang(text, 'text', blocksEvil, LIMITS, LINK_WORDS)).toEqual({
    text: 'a\r\n\thxxps://evil[.]example/x [off],\u00a0www.good-example.com\r\nevil[.]com [off].',
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
        const once = defang(pieces.join(''), format, blocksEvil, LIMITS, LINK_WORDS);
        expect(blockedIn(once.text, format)).toEqual([]);
        expect(defang(once.text, format, blocksEvil, LIMITS, LINK_WORDS)).toEqual({ text: once.text, count: 0 });
      }),
      { numRuns: roundsOf(1500) },
    );
  },
);

test('leaves every text without a blocked URL as it is, and a page but for links that lead nowhere', () => {
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 24 }), (pieces) => {
      const text = pieces.join('').replaceAll('evil', 'fine');
      expect(defang(text, 'text', blocksEvil, LIMITS, LINK_WORDS)).toEqual({ text, count: 0 });
      const page = text.replace(/href|src|content|cite|ping/g, 'title');
      expect(inHtml(page)).toEqual({ text: page, count: 0 });
    }),
    { numRuns: roundsOf(300) },
  );
});
