import { describe, expect, test } from 'vitest';
import { translateJScript } from '../../lib/engines/script/dialect.ts';
import { rewriteEval } from '../../lib/engines/script/rewrite-eval.ts';
import { decodeScript } from '../../lib/formats/charsets/script-encoding.ts';

const NAMES = { layer: 'L', evaluate: 'E' };

describe('watching eval', () => {
  test.each([
    ['eval(x)', 'eval(L(x,L))'],
    ['eval (a + (b))', 'eval (L(a + (b),L))'],
    ['eval(eval("1"))', 'eval(L(eval(L("1",L)),L))'],
    ['var e = eval; e(x)', 'var e = E; e(x)'],
    ['(0, eval)(x)', '(0, E)(x)'],
    ['window.eval(x)', 'window.eval(x)'],
    ['"eval(x)" + /eval(x)/ // eval(x)', '"eval(x)" + /eval(x)/ // eval(x)'],
    ['eval(/\\)/.source)', 'eval(L(/\\)/.source,L))'],
    ['eval()', 'eval()'],
    ['evaluate(x); medieval(y)', 'evaluate(x); medieval(y)'],
    ['eval(x', 'eval(x'],
  ])('%s', (code, watched) => {
    expect(rewriteEval(code, NAMES)).toBe(watched);
  });

  test('takes linear time', () => {
    expect(rewriteEval('eval('.repeat(100_000), NAMES)).toBe('eval('.repeat(100_000));
  });
});

describe('the dialect of JScript', () => {
  test.each([
    ['function a.b(c) {}', 'a.b = function (c) {}'],
    ['/*@cc_on x() @*/', '   x()  '],
    ['@if (@_win16) a() @else b() @end', ' b() '],
    ['@if (@_jscript_version >= 5) a() @elif (@x) b() @end', ' a() '],
    ['@set @n = 3; @cc_on f(@n)', 'var cc_n = 3;  f(cc_n)'],
  ])('%s', (code, translated) => {
    expect(translateJScript(code, 'cc_')).toBe(translated);
  });
});

describe('the encoding of scripts', () => {
  const wrapped = (piece: string) => `#@~^AAAAAA==${piece}AAAAAA==^#~@`;
  const CHARS = Array.from({ length: 96 }, (_, index) => String.fromCharCode(index + 32)).filter(
    (char) => char !== '@',
  );

  /** The encoder, made of the decoder. At every place, exactly one character stands for the wanted one. */
  function encoded(text: string): string {
    let piece = '';
    for (const wanted of text) {
      const fitting = CHARS.filter((char) => decodeScript(wrapped(piece + char))?.at(-1) === wanted);
      expect(fitting.length).toBeGreaterThan(0);
      piece += fitting[0];
    }
    return piece;
  }

  test('decodes what the script encoder wrote', () => {
    expect(decodeScript(wrapped('\\ko$K6,J'))).toBe('MsgBox "');
    expect(decodeScript('var a = 1;')).toBeNull();
  });

  test('is undone between plain text, at each of its 64 places', () => {
    const code = 'var shell = new ActiveXObject("WScript.Shell"); shell.Run("calc"); var rest = "0123456789";';
    expect(decodeScript(`a;${wrapped(encoded(code))};b`)).toBe(`a;${code};b`);
  });
});
