import { describe, expect, test } from 'vitest';
import { judgeCode } from '../../../lib/engines/static/scripts/code.ts';
import { layersIn } from '../../../lib/engines/static/scripts/code-layers.ts';
import { SHOWS_CODE } from '../../../lib/engines/static/scripts/code-patterns.ts';
import { readable } from '../../../lib/engines/static/scripts/code-readable.ts';

describe('code made readable', () => {
  test.each([
    ['javascript', 'a = "WSc" + "ript" + ".Shell"', 'a = "WScript.Shell"'],
    ['basic', 'a = "po" & "wer" & _\r\n "shell"', 'a = "powershell"'],
    ['basic', 'a = Chr(99) & Chr(&H6d) & ChrW(100)', 'a = "cmd"'],
    ['javascript', 'a = String.fromCharCode(99, 109, 100)', 'a = "cmd"'],
    ['javascript', 'a = "\\x63\\u006dd"', 'a = "cmd"'],
    ['basic', 'a = StrReverse("dmc")', 'a = "cmd"'],
    ['javascript', 'a = "dmc".split("").reverse().join("")', 'a = "cmd"'],
    ['basic', 'a = Replace("cZmZd", "Z", "")', 'a = "cmd"'],
    ['powershell', "$a = 'cXmXd'.replace('X', '')", '$a = "cmd"'],
    ['powershell', 'I`nvoke-Ex`pression', 'Invoke-Expression'],
    ['powershell', "& ('{1}{0}' -f 'x','ie')", '& "iex"'],
    ['powershell', '[char]105+[char]101+[char]120', '"iex"'],
    ['batch', 'p^o^w^ershell', 'powershell'],
    ['batch', 'set a=power\r\n%a%shell', 'set a=power\r\npowershell'],
    ['batch', 'set k=abcdef\r\n%k:~2,1%%k:~0,1%', 'set k=abcdef\r\nca'],
  ] as const)('%s: %j', (language, code, expected) => {
    expect(readable(code, language)).toBe(expected);
  });
});

describe('the signs that words may be hidden', () => {
  test.each([
    ['exports.a = function (b) { return this.c(b, function () {}); };', false],
    ['const parent = this.constructor;', false],
    ['const make = Function; make(text)();', true],
    ['const make = work.constructor; make(text)();', true],
  ])('of %s', (code, expected) => {
    expect(SHOWS_CODE.test(code)).toBe(expected);
  });
});

describe('layers', () => {
  test('of the shortest length is found at every place, beside shorter runs', () => {
    const hidden = Buffer.from('call(one, two); done(three, four); z').toString('base64');
    expect(hidden).toHaveLength(48);
    for (let before = 0; before <= 100; before++) {
      const text = `${'short '.repeat(before % 7)}${'.'.repeat(before)}${'A'.repeat(before % 48)} "${hidden}" ${'B'.repeat(47)}`;
      expect(layersIn(text)).toMatchObject([{ encoding: 'base64', offset: text.indexOf(hidden) }]);
    }
  });

  test.each([
    ['words that only look encoded', 'ThisIsALongNameOfAFunctionThatNobodyWouldEverCallBase64AtAll();'],
    [
      'a picture',
      Buffer.from([0x89, 0x50, 0x4e, 0x47, ...Array.from({ length: 90 }, (_, at) => (at * 37) % 256)]).toString(
        'base64',
      ),
    ],
    ['a table of numbers', `[${Array.from({ length: 60 }, (_, at) => (at * 71) % 256).join(',')}]`],
    ['a hash', 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'],
  ])('%s hold none', (_, text) => {
    expect(layersIn(text)).toEqual([]);
  });
});

describe('the time it takes grows with the size and no faster', () => {
  const size = 1_000_000;
  test.each([
    ['one quote', '"'],
    ['joined quotes', '"+"'],
    ['letters', 'A'],
    ['digits', '1,'],
    ['escapes', '\\x41'],
    ['percents', '%41'],
    ['carets', '^a'],
    ['backticks', 'a`b'],
    ['blanks', ' '],
    ['calls', 'Chr('],
    ['replaces', '"a".replace("'],
    ['brackets', '([{'],
    ['variables', '%a:~0,1%'],
    ['sets', 'set a=b\r\n'],
  ])('over %s', (_, unit) => {
    const text = unit.repeat(size / unit.length);
    for (const type of ['text/javascript', 'text/vbscript', 'application/x-powershell', 'text/x-msdos-batch']) {
      // A quadratic step would take minutes here, and end the test by its own time limit.
      expect(judgeCode(text, type).findings.length).toBeLessThan(20);
    }
  });
});
