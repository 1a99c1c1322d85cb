/** Pages and rich text as the second look sees them: the words that people see, whatever the encoding, and markup that acts. */
import { describe, expect, test } from 'vitest';
import { DEFAULT_ENGINE_LIMITS } from '../../../lib/engines/engine.ts';
import { inspectOutput } from '../../../lib/engines/inspect/inspect.ts';
import { detectType } from '../../../lib/formats/detection/detect.ts';
import { describeType, type FileType, secondLookOf } from '../../../lib/formats/file-types.ts';

async function look(output: string | Uint8Array, type: FileType, original: string | Uint8Array = output) {
  const described = describeType(type);
  const [before, after] = [original, output].map((bytes) => ({ bytes: Buffer.from(bytes), type: described }));
  if (before === undefined || after === undefined) throw new Error('two files');
  const found = await inspectOutput(before, after, DEFAULT_ENGINE_LIMITS, { detectType, secondLookOf });
  return { ...found, ids: found.leftovers.map(({ id }) => id) };
}

describe('a page', () => {
  const PAGE: FileType = 'text/html';
  const wordsOf = async (html: string | Uint8Array) => (await look('<p>', PAGE, html)).words?.before;

  test.each([
    ['<p>one two</p>', 2],
    ['<p>one</p><p>two</p>', 2],
    ['o<b>n</b>e', 1],
    ['o<nobr>n</nobr>e <WBR>', 1],
    ['one<br>two', 2],
    ['one<td>two', 2],
    ['a < b', 2],
    ['a<', 1],
    ['<title>one <b> two</title>three', 4],
    ['<script>one</script>two', 1],
    ['<SCRIPT>one</p></SCRIPT >two', 1],
    ['<style>one</style>two', 1],
    ['<svg>one<svg>two</svg>three</svg>four', 1],
    ['<select><option>one</option>two</select>three', 1],
    ['<noscript>one', 0],
    ['<textarea><p>one</textarea>two', 1],
    ['<xmp></svg>one</xmp>two', 1],
    ['<!-- one > two -->three', 1],
    ['<!--> one -->two', 2],
    ['<!-- one', 0],
    ['<!one two>three', 1],
    ['<?one two>three', 1],
    ['</ one>two', 1],
    ['<!one', 0],
    ['<p title="one > two">three</p>', 1],
    ["<p title='one > two' a=b>three</p>", 1],
    ['<p title=one>two', 1],
    ['<p one', 0],
    ['&#111;ne &#x74;wo', 2],
    ['one&nbsp;two&amp;three', 3],
    ['one&#0;two &#x110000; three', 3],
    ['&#1086;дин', 1],
  ])('%j shows %i words', async (html, count) => expect(await wordsOf(html)).toBe(count));

  test('is read in its encoding', async () => {
    const html = '<p>слово два</p>';
    expect(await wordsOf(Buffer.from(`\ufeff${html}`, 'utf16le'))).toBe(2);
    expect(await wordsOf(Buffer.from(`\ufeff${html}`, 'utf16le').swap16())).toBe(2);
    const wide = `<html><body><p class="a">one two</p></body></html>`;
    expect(await wordsOf(Buffer.from(wide, 'utf16le'))).toBe(2);
    expect(await wordsOf(Buffer.from(wide, 'utf16le').swap16())).toBe(2);
    const cyrillic = Buffer.concat([
      Buffer.from('<meta charset="windows-1251"><p>'),
      Buffer.from([0xf1, 0xeb, 0xee, 0xe2, 0xee, 0x20, 0xe4, 0xe2, 0xe0]),
    ]);
    expect((await look(Buffer.from(html), PAGE, cyrillic)).words).toEqual({ before: 2, kept: 2, after: 2 });
    expect(await wordsOf('<meta charset="nobody"><p>one two')).toBe(2);
    expect(await wordsOf(Buffer.from('<meta charset=windows-1252>one\x93two', 'latin1'))).toBe(2);
    expect(await wordsOf(`<p>${'a\0\0'.repeat(30)}`)).toBe(30);
  });

  test.each([
    ['<img src="cid:a">', 1],
    ["<IMG alt=x SRC = 'data:image/png;base64,AAAA'><img src=cid:b>", 2],
    ['<img src="data:image/jpeg,x"><img src="data:image/webp;x">', 2],
    ['<img src="https://a.example/a.png">', 0],
    ['<img src="data:image/svg+xml;x">', 0],
    ['<img data-src="cid:a">', 0],
    ['<imgs src="cid:a">', 0],
  ])('%j has %i pictures of its own', async (html, count) => {
    expect((await look(html, PAGE)).pictures).toEqual({ before: count, after: count });
  });

  test.each([
    ['<p>a</p>', []],
    ['<!DOCTYPE html><p>a</p></>', []],
    ['<!-- a -->', ['html-comment']],
    ['<![if mso]>', ['html-comment']],
    ['<?xml a?>', ['html-comment']],
    ['<!doctypes>', ['html-comment']],
    ['<p onclick="a">', ['html-event-handler']],
    ['<p x:onclick="a">', ['html-event-handler']],
    ['<p on="a" one="b">', ['html-event-handler']],
    ['<p data-a="b">', ['html-data-attribute']],
    ['<p metadata-a="b">', []],
    ['</p onclick="a">', []],
    ['<a href="https://a.example/">', []],
    ['<a href="mailto:a@b.example">', []],
    ['<a href="#a">', []],
    ['<a href="javascript:a()">', ['html-active-address']],
    ['<a href="java&Tab;script&colon;a()">', ['html-active-address']],
    ['<a href="&#106;avascript:a()">', ['html-active-address']],
    ['<a href="//a.example/">', ['html-active-address']],
    ['<a href="\\\\a\\b">', ['html-active-address']],
    ['<a href="a.html">', ['html-live-link']],
    ['<a href=" https://a.example/">', ['html-live-link']],
    ['<a href="ftp://a.example/">', ['html-live-link']],
    ['<img src="data:image/png;base64,A">', []],
    ['<img src="data:text/html,a">', ['html-remote-source', 'html-active-address']],
  ] as const)('%j has the findings %j', async (html, ids) => expect((await look(html, PAGE)).ids).toEqual(ids));
});

describe('rich text', () => {
  const RTF: FileType = 'application/rtf';
  test.each([
    ['{\\rtf1 one two}', 2],
    ['{\\rtf1 one\\par two}', 2],
    ['{\\rtf1 one\\tab two\\cell three\\row four}', 4],
    ['{\\rtf1 o\\b n\\b0 e}', 1],
    ["{\\rtf1 one\\'20two}", 2],
    ['{\\rtf1 one\\~two\\{three}', 3],
    ['{\\rtf1{\\fonttbl one;}{\\info two}three}', 1],
    ['{\\rtf1{\\*\\unknown one{ two}}three}', 1],
    ['{\\rtf1{\\field{\\*\\fldinst PAGE one}{\\fldrslt two}}}', 1],
    // What stands behind a character for old programs is no text. Accented letters and surrogates only part words.
    ['{\\rtf1 \\u1086?\\u1076?}', 1],
    // Old files write letters of another script in bytes, which part words. So they do as numbers.
    ['{\\rtf1 \\u1086 \\u1076 a}', 2],
    ['{\\rtf1 \\u-10179 a}', 0],
    ['{\\rtf1 \\u228 a}', 0],
    ['{\\rtf1 \\u228 a b}', 1],
    ['{\\rtf1{\\pict\\bin5 }one}}two}', 1],
    // Programs stop at the brace that closes the document.
    ['{\\rtf1 }}}one', 0],
  ])('%j shows %i words', async (text, count) => {
    expect((await look('{\\rtf1 }', RTF, text)).words?.before).toBe(count);
  });

  test.each([
    ['{\\rtf1 one}', []],
    ['{\\rtf1 one}\r\n', []],
    ['{\\rt one}', ['rtf-header']],
    [' {\\rtf1 one}', ['rtf-header']],
    ['{\\rtf1 one}x', ['rtf-data-behind']],
    ['{\\rtf1{\\*\\OBJDATA 00}}', ['rtf-object']],
    ['{\\rtf1{\\field{\\*\\fldinst HYPERLINK "https://a.example/"}{\\fldrslt a}}}', []],
    ['{\\rtf1{\\field{\\*\\fldinst HYPERLINK "file:///a"}{\\fldrslt a}}}', ['rtf-field']],
    ['{\\rtf1{\\field{\\*\\fldinst DDE{AUTO} a}{\\fldrslt a}}}', ['rtf-field']],
    ['{\\rtf1{\\field{\\*\\fldinst QUOTE {\\field{\\*\\fldinst PAGE}{\\fldrslt 1}}}{\\fldrslt a}}}', ['rtf-field']],
    ['{\\rtf1{\\field{\\*\\fldinst PAGE {\\field{\\*\\fldinst QUOTE}{\\fldrslt 1}}}{\\fldrslt a}}}', ['rtf-field']],
    ['{\\rtf1{\\field{\\*\\fldinst = {\\field{\\*\\fldinst PAGE}{\\fldrslt 1}} + 1}{\\fldrslt a}}}', []],
    ['{\\rtf1{\\field{\\*\\fldinst 1PAGE}{\\fldrslt a}}}', ['rtf-field']],
    ['{\\rtf1{\\field{\\*\\fldinst QUOTE\\}', ['rtf-field']],
    ['{\\rtf1{\\field{\\*\\fldinst QUOTE\\fldinst PAGE}{\\fldrslt a}}}', ['rtf-field']],
  ] as const)('%j has the findings %j', async (text, ids) => expect((await look(text, RTF)).ids).toEqual(ids));

  test('may have fifty codes inside each other, and one more is a finding', async () => {
    const nested = (depth: number) => `{\\rtf1 ${'{\\fldinst PAGE '.repeat(depth)}${'}'.repeat(depth)}}`;
    expect((await look(nested(50), RTF)).ids).toEqual([]);
    expect((await look(nested(51), RTF)).leftovers).toEqual([{ id: 'rtf-field', where: 'nesting' }]);
  });

  const DIGITS = '89504e470d0a1a0a';

  test.each([
    [`{\\rtf1{\\pict ${DIGITS}}}`, 1],
    [`{\\rtf1{\\pict{\\*\\blipuid ${DIGITS}}}}`, 0],
    [`{\\rtf1{\\pict ${DIGITS}}{\\pict ${DIGITS}}}`, 2],
    [`{\\rtf1{\\*\\shppict{\\pict ${DIGITS}}}{\\nonshppict{\\pict ${DIGITS}}}}`, 1],
    ['{\\rtf1{\\pict\\bin8 12345678}}', 1],
    ['{\\rtf1{\\pict 00}}', 0],
    ['{\\rtf1 a}', 0],
  ])('%j has pictures: %i', async (text, count) => {
    expect((await look(text, RTF)).pictures).toEqual({ before: count, after: count });
  });
});
