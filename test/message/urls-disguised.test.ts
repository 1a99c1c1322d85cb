import { describe, expect, test } from 'vitest';
import { decodeText } from '../../lib/formats/charsets/decode-text.ts';
import { findUrls } from '../../lib/message/urls/find.ts';
import { defang } from '../../lib/message/urls/html/defang.ts';
import { LINK_WORDS } from './link-words.ts';

const LIMITS = { urlLength: 8192 };
const inHtml = (html: string) => findUrls(html, 'html', LIMITS);
const inText = (text: string) => findUrls(text, 'text', LIMITS);
const forms = (urls: readonly { normalised: string }[]) => urls.map((url) => url.normalised);

describe('defanged URLs', () => {
  test.each([
    ['hxxps://evil.example/d', 'https://evil.example/d'],
    ['hXXp://evil[.]example/d', 'http://evil.example/d'],
    ['h**ps://evil.example/d', 'https://evil.example/d'],
    ['hxtps://evil.example/d', 'https://evil.example/d'],
    ['meows://evil.example/d', 'https://evil.example/d'],
    ['ttps://evil.example/d', 'https://evil.example/d'],
    ['http(s)://evil.example/d', 'https://evil.example/d'],
    ['fxp://evil.example/d', 'ftp://evil.example/d'],
    ['https://evil[dot]example/d', 'https://evil.example/d'],
    ['https://evil (dot) example/d', 'https://evil.example/d'],
    ['https://evil{.}example/d', 'https://evil.example/d'],
    ['https://evil<.>example/d', 'https://evil.example/d'],
    ['https://evil dot example/d', 'https://evil.example/d'],
    ['https://www dot evil dot example/d', 'https://www.evil.example/d'],
    ['https://evil[.example/d', 'https://evil.example/d'],
    ['https://evil.]example/d', 'https://evil.example/d'],
    ['https://evil\\.example/d', 'https://evil.example/d'],
    ['https[:]//evil.example/d', 'https://evil.example/d'],
    ['https[://]evil.example/d', 'https://evil.example/d'],
    ['https : // evil.example/d', 'https://evil.example/d'],
    ['hxxps[:]//www[.]evil[.]com[/]d', 'https://www.evil.com/d'],
    ['hxxp://1[.]2[.]3[.]4/d', 'http://1.2.3.4/d'],
    ['www[.]evil[.]com', 'http://www.evil.com/'],
  ])('%s', (text, expected) => {
    const found = inText(text).find(({ normalised }) => normalised === expected);
    expect(found).toMatchObject({ where: 'respelled', rank: 3 });
    expect(text.slice(found?.start, found?.end)).toBe(found?.untrustedRaw);
  });

  test('with ideographic and full-width characters are ordinary links to a browser', () => {
    for (const text of ['https：//evil。example/d', 'ｈｔｔｐｓ://ｅvil．example/d', 'https://evil｡example/d'])
      expect(inText(text)[0]).toMatchObject({ normalised: 'https://evil.example/d', where: 'text', rank: 2 });
  });

  test.each([
    'Connect the dot to the line. See chapter (d) [1.2] and (.) there',
    'the dot com bubble, a.k.a. dot-com',
    'int f(x) { .a = b[.5] } // x : / y',
    'He said: meow. Then h*p* happened',
  ])('are not seen in ordinary text: %s', (text) => {
    expect(inText(text)).toEqual([]);
  });

  test('stay when they are blocked, because no program makes a link of them', () => {
    const text = 'never open hxxps://evil[.]example/';
    expect(defang(text, 'text', () => true, LIMITS, LINK_WORDS)).toEqual({ text, count: 0 });
  });
});

describe('slashes that are percent-encoded', () => {
  test('are decoded, as the service behind a counted link does', () => {
    const counted = 'https://click.sender.example/CL0/https:%2F%2Fwww.shop.example%2Fboots/1/0102';
    expect(forms(inHtml(`<a href="${counted}">x</a>`))).toEqual([counted, 'https://www.shop.example/boots/1/0102']);
  });

  test.each([
    ['https:%2F%2Fgood.example%40evil.example/x', 'https://good.example@evil.example/x'],
    ['https:%2F%2Fgood.example%5C@evil.example/', 'https://%2F%2Fgood.example%5C@evil.example/'],
    ['https:%2F%2F%2Fevil.example', 'https:%2F%2F%2Fevil.example'],
    ['https:%252F%252Fevil.example', 'https:%252F%252Fevil.example'],
  ])('are judged as the host that a program opens, or as what no program can open: %s', (text, expected) => {
    expect(forms(inText(`see ${text}`))).toContain(expected);
  });
});

describe('URLs cut in pieces', () => {
  test.each([
    ['an element', 'https://evil<b></b>.example/p'],
    ['elements and entities', 'ht<span>tps&colon;</span>//evil<i>&period;exam</i>ple/p'],
    ['a break opportunity', 'https://evil<wbr>.example/p'],
    ['a comment', 'https://evil<!-- x -->.example/p'],
    ['hidden text', 'https://<span style="display:none">good.example/</span>evil.example/p'],
    ['text of no size', 'https://<font style="font-size:0px">x<font>y</font></font>evil.example/p'],
    ['a cell outside of a table', 'https://evil<td>.exam<tr>ple/p'],
    ['an end tag of nothing', 'https://evil</div>.exam</li>ple/p'],
    ['an end tag that its cell hides', '<div><table><tr><td>https://evil</div>.example/p</td></tr></table></div>'],
    ['text of a table in no cell', 'https://evil<table>.exam<tr><td>x</td></tr>ple/p</table>'],
    ['a second body', 'https://evil<body>.exam</html>ple/p'],
    ['a style sheet', 'https://evil<style>p{}</style>.exam<title>x</title>ple/p'],
    ['a form in a form', '<form>https://evil<form>.example/p</form>'],
    ['soft hyphens', 'https://ev&shy;il.example/p'],
    ['zero-width characters', 'https://ev\u200bil\u2060.exam\ufeffple/p'],
  ])('by %s', (_, html) => {
    expect(forms(inHtml(`<p>${html}</p>`))).toContain('https://evil.example/p');
  });

  test.each([
    ['a paragraph', '<p>https://evil</p><p>.example/p</p>'],
    ['a row', '<table><tr><td>https://evil<tr><td>.example/p</table>'],
    ['a table', '<div>https://evil<table><tr><td>x</td></tr></table>.example/p</div>'],
    ['a table in a cell', '<table><tr><td>https://evil<table><tr><td>.example/p</table></table>'],
    ['a break', 'https://evil</br>.example/p'],
  ])('are not joined over the edge of %s', (_, html) => {
    expect(forms(inHtml(html))).not.toContain('https://evil.example/p');
  });

  test('two sentences with a tag between them make no host name', () => {
    expect(inHtml('<p>That is all.<b>Me</b> too.<i>Info</i></p>')).toEqual([]);
  });

  test('are broken in every piece when they are blocked, and the tags stay', () => {
    const html = '<p>https://ev<b>il.exam</b>ple/p <i>ok</i></p>';
    const { text } = defang(html, 'html', (url) => url === 'https://evil.example/p', LIMITS, LINK_WORDS);
    expect(text).toBe('<p>https[:]//ev<b>il[.]exam</b>ple/p [off] <i>ok</i></p>');
    expect(forms(inHtml(text).filter(({ where }) => where !== 'respelled'))).toEqual([]);
  });

  test('by a line break within angle brackets are joined', () => {
    expect(forms(inText('<https://evil.example/very/\r\nlong>'))).toContain('https://evil.example/very/long');
  });
});

describe('the text of a link', () => {
  const shown = (html: string) => inHtml(html)[0]?.untrustedShown;
  test('that shows another address is reported', () => {
    expect(shown('<a href="https://evil.example/x">https://bank.example/login</a>')).toBe('https://bank.example/login');
    expect(shown('<a href="https://evil.example/x">go to <b>www.bank.com</b> now</a>')).toBe('http://www.bank.com');
  });

  test.each([
    '<a href="https://bank.com/x">bank.com</a>',
    '<a href="https://login.bank.com/x">www.bank.com</a>',
    '<a href="https://bank.com/">https://www.bank.com/terms</a>',
    '<a href="https://evil.example/x">Click here. Thank you</a>',
    '<a href="https://evil.example/x">someone@bank.com</a>',
    '<a href="https://x.safelinks.protection.outlook.com/?url=https%3A%2F%2Fbank.com%2F">bank.com</a>',
    '<a href="https://bank.com/">x</a> https://other.com/',
  ])('that does not is not: %s', (html) => {
    expect(shown(html)).toBeNull();
  });
});

test('a page in UTF-7 is read as one', () => {
  const page = decodeText(Buffer.from('+ADw-a href=+ACI-https://evil.example/u7+ACI-+AD4-1 +- 1'), 'utf-7');
  expect(page).toBe('<a href="https://evil.example/u7">1 + 1');
});

test('scripts are read with their escapes', () => {
  expect(forms(inHtml('<script>location="https:\\x2f\\u002fevil.example\\/s"</script>'))).toContain(
    'https://evil.example/s',
  );
});

test('a link that a click opens ranks above a picture, and a picture above text', () => {
  const html = '<a href="https://a.example/">x</a><img src="https://b.example/">https://c.example/';
  expect(inHtml(html).map(({ rank }) => rank)).toEqual([0, 1, 2]);
});
