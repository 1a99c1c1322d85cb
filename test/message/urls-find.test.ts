import { describe, expect, test } from 'vitest';
import { parseUrl } from '../../lib/formats/urls/parse-url.ts';
import { findUrls, locateUrls } from '../../lib/message/urls/find.ts';
import { urlCases } from '../fixtures/cases.ts';

const LIMITS = { urlLength: 8192 };
const inHtml = (html: string) => findUrls(html, 'html', LIMITS);
const inText = (text: string) => findUrls(text, 'text', LIMITS);
const forms = (urls: readonly { normalised: string }[]) => urls.map((url) => url.normalised);

describe('URLs of an HTML body', () => {
  test.each([
    ['a link', '<a href="https://evil.example/p">x</a>', 'https://evil.example/p'],
    ['an unquoted attribute', '<a href=https://evil.example/p>x</a>', 'https://evil.example/p'],
    ['a link in entities', '<a href="https&colon;&sol;&sol;evil&period;example/n">', 'https://evil.example/n'],
    ['a scheme split by a tab', '<a href="java&#9;script:alert(1)">', 'javascript:alert(1)'],
    ['a scheme-relative link', '<img src="//evil.example/s.png">', 'https://evil.example/s.png'],
    [
      'a candidate of a srcset',
      '<img srcset="https://evil.example/a,b.png 1x, c.png 2x">',
      'https://evil.example/a,b.png',
    ],
    ['a refresh', '<meta http-equiv=refresh content="0; url=https://evil.example/r">', 'https://evil.example/r'],
    ['a style attribute', '<p style="background:url(&quot;https://evil.example/b&quot;)">', 'https://evil.example/b'],
    ['an escaped style', '<style>a{background:u\\72l(\\68ttps://evil.example/e)}</style>', 'https://evil.example/e'],
    ['an import', '<style>@import "//evil.example/i.css";</style>', 'https://evil.example/i.css'],
    [
      'a comment for Outlook',
      '<!--[if mso]><a href="https://evil&period;example/m">x</a><![endif]-->',
      'https://evil.example/m',
    ],
    [
      'style inside svg, which is markup',
      '<svg><style><a href="https://evil&#46;example/v">',
      'https://evil.example/v',
    ],
    ['a document in srcdoc', '<iframe srcdoc="&lt;a href=https://evil.example/d&gt;">', 'https://evil.example/d'],
    [
      'a document in a data: URL',
      '<a href="data:text/html;base64,PGEgaHJlZj0iaHR0cHM6Ly9ldmlsLmV4YW1wbGUvYiI+">',
      'https://evil.example/b',
    ],
    ['running text', '<p>go to www.evil-example.com/x now</p>', 'http://www.evil-example.com/x'],
    ['text in entities', '<p>https&#58;//evil&#46;example/t</p>', 'https://evil.example/t'],
    ['a numeric host', '<a href="http://0x7f000001/">', 'http://127.0.0.1/'],
    ['a UNC path', '<img src="\\\\evil.example\\share\\x.png">', 'file://evil.example/share/x.png'],
    ['an unclosed last tag', 'x <a href="https://evil.example/u', 'https://evil.example/u'],
    [
      'a web address no parser accepts',
      '<a href="https://evil.example%00.good.example/">',
      'https://evil.example%00.good.example/',
    ],
  ])('finds %s', (_, html, expected) => {
    expect(forms(inHtml(html))).toContain(expected);
  });

  test('resolves relative links by the base, wherever it stands', () => {
    const html = '<a href="login.html">x</a><base href="https://evil.example/a/">';
    expect(forms(inHtml(html))).toEqual(['https://evil.example/a/login.html', 'https://evil.example/a/']);
  });

  test('does not report what leads nowhere outside the message', () => {
    const html =
      '<!DOCTYPE html PUBLIC "x" "http://www.w3.org/TR/html4/strict.dtd"><html xmlns="http://www.w3.org/1999/xhtml">' +
      '<a href="mailto:a@evil.example">a@evil.example</a><a href="tel:+123">t</a><img src="cid:1@x"><a href="#top">y</a>' +
      '<a href="page.html">z</a><img src="data:image/png;base64,iVBORw0KGgo=">';
    expect(inHtml(html)).toEqual([]);
  });

  test('gives the exact place of the raw attribute value', () => {
    const html = 'ü <a title=x href="&#104;ttps://evil.example/?a=1&amp;b=2">x</a>';
    const [url] = inHtml(html);
    expect(html.slice(url?.start, url?.end)).toBe('&#104;ttps://evil.example/?a=1&amp;b=2');
    expect(url).toMatchObject({ normalised: 'https://evil.example/?a=1&b=2', where: 'attribute' });
    expect(url?.untrustedRaw).toBe('&#104;ttps://evil.example/?a=1&amp;b=2');
  });

  test('gives the exact place of a URL within a text with entities', () => {
    const html = '<p>&lt;see&gt; https://evil.example/a&amp;b &amp; more</p>';
    const [url] = inHtml(html);
    expect(html.slice(url?.start, url?.end)).toBe('https://evil.example/a&amp;b');
  });

  test('lists the same URL twice when it stands at two places', () => {
    expect(inHtml('<a href="https://evil.example/">https://evil.example/</a>')).toHaveLength(2);
  });
});

test.each([
  ['plain slashes', 'https%3A//evil.example/x'],
  ['two encodings', 'https%253A%252F%252Fevil.example%252Fx'],
])('a URL with %s inside the link of a page is found', (_, inner) => {
  expect(forms(inHtml(`<a href="https://a.example/?u=${inner}">x</a>`))).toContain('https://evil.example/x');
  expect(forms(inHtml(`<p title="https://a.example/?u=${inner}">x</p>`))).toContain('https://evil.example/x');
});

describe('URLs of a text body', () => {
  test.each([
    ['brackets around it', '(https://evil.example/t)', 'https://evil.example/t'],
    ['only a host name', 'see evil.example.com/fuzzy', 'http://evil.example.com/fuzzy'],
    ['a word glued to it', 'texthttps://evil.example/glued', 'https://evil.example/glued'],
    ['Chinese text after it', '点击https://evil.example/cjk进入', 'https://evil.example/cjk'],
    ['user information', 'https://good.example@evil.example/', 'https://good.example@evil.example/'],
    ['a share', 'open \\\\evil.example\\share\\a.docx', 'file://evil.example/share/a.docx'],
    ['another URL inside', 'https://a.example/?u=https%3A%2F%2Fevil.example%2Fx', 'https://evil.example/x'],
    ['a URL with plain slashes inside', 'https://a.example/?u=https%3A//evil.example/x', 'https://evil.example/x'],
    [
      'a URL encoded four times',
      `https://a.example/?u=https%2525253A%2525252F${'%2525252F'}evil.example`,
      'https://evil.example/',
    ],
    ['a URL encoded twice', 'https://a.example/?u=https%253A%252F%252Fevil.example%252Fx', 'https://evil.example/x'],
  ])('finds one with %s', (_, text, expected) => {
    expect(forms(inText(text))).toContain(expected);
  });

  test('does not report mail addresses', () => {
    expect(inText('write to someone@evil.example')).toEqual([]);
  });

  test('keeps a URL longer than the limit, cut to it', () => {
    const [url] = findUrls(`https://evil.example/${'a'.repeat(9000)}`, 'text', { urlLength: 100 });
    expect(url?.normalised).toHaveLength(100);
    expect(url?.untrustedRaw).toHaveLength(100);
  });
});

test.each([
  ['nested tags', '<div>'],
  ['open angle brackets', '<'],
  ['table cells', '<td>a'],
  ['unclosed style functions', '<p style="url(url(url('],
  ['unclosed quotes in style', `<style>url("url('`],
  ['glued schemes', 'http://'],
  ['encoded glued schemes', 'https%3a%2f%2f'],
  ['dots', 'https://a.......'],
  ['domain labels', 'a.a.a.'],
  ['punycode', 'xn--a.'],
  ['ampersands', '&amp'],
  ['entity links', '<a href="&#104;&#116;">'],
  ['attributes', '<a b=c d='],
  ['unclosed comments', '<!--[if mso]>'],
  ['unclosed tags', '<https://a'],
  ['white space in a refresh', '<meta content="          '],
  ['backslashes', '\\\\a'],
  ['bases', '<base href="//a.example/">'],
])('comes to its end on a megabyte of %s', (_, piece) => {
  const html = piece.repeat(Math.ceil(1_000_000 / piece.length));
  // Quadratic work on a megabyte would outlast the test's own time limit by hours.
  for (const format of ['html', 'text'] as const)
    expect(findUrls(html, format, LIMITS).filter((url) => url.end > html.length)).toEqual([]);
});

test.each([
  ['text', (url: string) => `${url}\n`],
  ['links', (url: string) => `<a href="${url}">x</a>`],
  ['conditional comments', (url: string) => `<!--[if mso]><a href="${url}"><![endif]-->`],
  ['style', (url: string) => `<p style="background:url(${url})">`],
  ['links inside links', (url: string) => `<a href="https://r.example/?u=${url}">`],
])('a search that gave up on %s never says that it came to the end', (_, piece) => {
  const long = (index: number) => `https://a${index % 700}.example/${'x'.repeat(7_900)}`;
  const last = 'https://last.example/end';
  const text = Array.from({ length: 1_150 }, (__, index) => piece(long(index))).join('') + piece(last);
  for (const format of ['html', 'text'] as const) {
    const { urls, isComplete } = locateUrls(text, { format }, LIMITS);
    expect(urls.some(({ normalised }) => normalised === last)).toBe(false);
    expect(isComplete).toBe(false);
  }
});

test('a search that gave up in a srcdoc, whose URLs all stand at one place, is not complete either', () => {
  const links = Array.from(
    { length: 1_150 },
    (_, index) => `<a href=https://a${index % 700}.example/${'x'.repeat(7_900)}>`,
  );
  const page = `<iframe srcdoc="${links.join('')}<a href=https://last.example/end>">`;
  const { urls, isComplete } = locateUrls(page, { format: 'html' }, LIMITS);
  expect(forms(urls)).not.toContain('https://last.example/end');
  expect(isComplete).toBe(false);
});

test.each([
  ['short hosts', 'ab.de '],
  ['links in a page', '<a href="//ab.de">'],
  ['resources of a style sheet', 'url(a.de)'],
  ['schemes in one word', 'http://a.de,'],
])('gives up on a flood of %s, whose URLs are few', (_, piece) => {
  const text = `<style>${piece.repeat(350_000)}</style>${piece.repeat(350_000)}`;
  const { urls, isComplete } = locateUrls(text, { format: 'html' }, LIMITS, false);
  expect(urls.length).toBeLessThan(10);
  expect(isComplete).toBe(false);
});

test.each([
  ['a log of one address', '192.0.2.7 - - [28/Nov/2026] "GET /a HTTP/1.1" 200 1234 "https://www.shop.example/" "-"\n'],
  ['numbers of a map without a blank', '[12.345,45.678],'],
])('comes to the end of the longest text that is searched, full of %s', (_, piece) => {
  const text = piece.repeat(Math.floor((16 * 1024 * 1024) / piece.length));
  const { urls, isComplete } = locateUrls(`${text} https://last.example/`, { format: 'text' }, LIMITS, false);
  expect(forms(urls)).toContain('https://last.example/');
  expect(isComplete).toBe(true);
});

test.each([
  ['text', 'a.'],
  ['html', 'я.'],
] as const)('a word of megabytes in letters of two scripts does not end the search of %s', (format, piece) => {
  const text = `я ${piece.repeat(5_000_000)} https://last.example/`;
  expect(forms(findUrls(text, format, LIMITS))).toContain('https://last.example/');
});

test('finds the URLs of the case files', () => {
  const bodies = urlCases().flatMap((entry) => (entry.type === 'mime' ? [] : [{ ...entry, type: entry.type }]));
  const canonical = (url: string) => parseUrl(url)?.href ?? url;
  const missed = bodies.filter((entry) => {
    const found = new Set(forms(findUrls(entry.input, entry.type, LIMITS)));
    return !entry.expect.every((url) => found.has(canonical(url)));
  });
  expect(missed.map(({ id }) => id)).toEqual([]);
});

test('style properties that begin like a scheme are no links, and links in a style are found', () => {
  const style =
    '<style>img{-ms-interpolation-mode:bicubic} @-ms-viewport{width:device-width} p{ms-text-size-adjust:100%;x-a-b:c}</style>' +
    '<p style="-ms-text-size-adjust:100%;-ms-filter:none">x</p><style>a{b:url(ms-word:ofe|u|https://evil.example/x)} q{c:"search-ms:query=x"}</style>';
  const found = findUrls(style, 'html', { urlLength: 2_000 }).map(({ normalised }) => normalised);
  expect(found.filter((url) => /^(?:x-|ms-(?!word))/.test(url))).toEqual([]);
  expect(found).toContainEqual(expect.stringMatching(/^ms-word:/));
  expect(found).toContain('search-ms:query=x');
});

test('a host behind a backslash and an at sign is no mail address', () => {
  expect(forms(inText('see www.good.com\\@evil.com'))).toContain('http://evil.com/');
});
