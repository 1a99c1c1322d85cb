import { describe, expect, test } from 'vitest';
import { inOneReading, isReadAlike } from '../../lib/message/reading/one-reading.ts';

const latin1 = (text: string) => Buffer.from(text, 'latin1');
const PAGE = '<html><head><meta http-equiv="Content-Type" content="text/html; charset=iso-8859-1"></head>';
const shown = (bytes: Uint8Array, charset: string | null, isPage = false) => {
  const text = inOneReading(bytes, { charset, isPage });
  return text === null ? null : Buffer.from(text).toString();
};

describe('stays as it came', () => {
  test.each([
    ['ASCII under any label', latin1('Hello + 49 +4930 a+b'), null],
    ['ASCII in Japanese without an escape', latin1('Hello'), 'iso-2022-jp'],
    ['UTF-8', Buffer.from('Grüße'), 'utf-8'],
    ['UTF-8 with its mark', Buffer.from('\ufeffGrüße'), 'utf-8'],
    ['windows-1252 as iso-8859-1', latin1('\x93Gr\xfc\xdfe\x94'), 'iso-8859-1'],
    ['Japanese', Buffer.from('93fa967b8cea', 'hex'), 'shift_jis'],
    ['Chinese under its older name', Buffer.from('d6d0cec4', 'hex'), 'gb2312'],
    ['colours of a terminal', latin1('\x1b[31mred\x1b[m'), 'utf-8'],
  ])('%s', (_, bytes, charset) => expect(isReadAlike(bytes, { charset, isPage: false })).toBe(true));

  test('a page in ASCII that declares another charset than its header', () => {
    expect(shown(latin1(`${PAGE}<p>Hello</p>`), 'utf-8', true)).toBeNull();
  });
});

describe('is delivered as its reading', () => {
  test.each([
    ['high bytes that are labelled ASCII', latin1('Gr\xfc\xdfe'), 'us-ascii', 'Grüße'],
    ['high bytes without a label', Buffer.from('Grüße'), null, 'Grüße'],
    ['windows-1252 that is labelled UTF-8', latin1('Gr\xfc\xdfe'), 'utf-8', 'Grüße'],
    ['a long slash', latin1('\u00e4:\xc0\xaf'), 'utf-8', 'ä:À¯'],
    ['a mark that the label contradicts', Buffer.from('\ufeffGrüße'), 'iso-8859-1', 'Grüße'],
    ['half a letter before a quote', latin1('a="\x81"'), 'shift_jis', 'a="\ufffd"'],
    ['letters that escapes begin', latin1('\x1b$BF|K\\\x1b(B'), 'iso-2022-jp', '日本'],
    ['such escapes in another charset', latin1('a\x1b$Bb'), 'utf-8', 'a\ufffd$Bb'],
    ['UTF-16', Buffer.from('hi', 'utf16le'), 'utf-16le', 'hi'],
    ['what could be UTF-7 where nothing is said', latin1('+ADw-b+AD4-'), null, '+ADw-b+AD4-'],
  ])('%s', (_, bytes, charset, expected) => expect(shown(bytes, charset)).toBe(expected));

  test('a page that declares another charset than its header declares UTF-8 after that, and its text stays', () => {
    const page = `${PAGE}<p>charset=iso-8859-1 is Gr\u00fc\u00dfe</p>`;
    expect(shown(Buffer.from(page), 'utf-8', true)).toBe(page.replace('iso-8859-1"', 'utf-8"'));
  });

  test('a page whose charset only the page declares', () => {
    const page = `${PAGE.replace('iso-8859-1', 'windows-1251')}<p>\xcf\xf0`;
    expect(shown(latin1(page), null, true)).toContain('charset=utf-8"></head><p>Пр');
  });
});
