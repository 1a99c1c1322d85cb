import { describe, expect, test } from 'vitest';
import { isSafeFieldCode, removeDeniedFields } from '../../../lib/engines/disarm/office/fields.ts';
import { parseXml } from '../../../lib/engines/disarm/office/xml/parse.ts';
import { serializeBytes } from '../../../lib/engines/disarm/office/xml/write.ts';
import { DEFAULT_ENGINE_LIMITS } from '../../../lib/engines/engine.ts';

const NAMESPACE = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main';
const begin = '<w:fldChar w:fldCharType="begin"/>';
const separate = '<w:fldChar w:fldCharType="separate"/>';
const end = '<w:fldChar w:fldCharType="end"/>';
const instruction = (text: string) => `<w:instrText>${text}</w:instrText>`;
const result = (text: string) => `<w:t>${text}</w:t>`;

function run(markup: string) {
  const root = parseXml(Buffer.from(`<w:p xmlns:w="${NAMESPACE}">${markup}</w:p>`), DEFAULT_ENGINE_LIMITS);
  const removed = removeDeniedFields(root);
  return { removed, markup: serializeBytes(root.children).toString('utf8') };
}

test.each([
  ' PAGE ',
  'NUMPAGES \\* MERGEFORMAT',
  '= 2 + 3',
  'HYPERLINK "https://example.com/a"',
  'HYPERLINK \\l "chapter1"',
  'hyperlink "mailto:a@example.com" \\o "write"',
  'TOC \\o "1-3" \\h \\z \\u',
])('the field code %s may stay', (code) => {
  expect(isSafeFieldCode(code)).toBe(true);
});

test.each([
  'DDEAUTO c:\\\\windows\\\\cmd.exe "/k calc"',
  'dde excel',
  ' \u200bDDE x',
  'INCLUDEPICTURE "https://example.com/a.png"',
  'HYPERLINK "file:///c:/a.exe"',
  'HYPERLINK "\\\\\\\\server\\\\share"',
  'HYPERLINK \\o "tip" javascript:1',
  'IF 1 = 1 "a" "b"',
  'QUOTE 68 68 69',
  '"DDE"',
  '',
])('the field code %j may not stay', (code) => {
  expect(isSafeFieldCode(code)).toBe(false);
});

describe('complex fields', () => {
  test('lose a denied code that is spread over runs and keep the result', () => {
    const { removed, markup } = run(
      begin + instruction('DD') + instruction('EAU') + instruction('TO x') + separate + result('shown') + end,
    );
    expect(removed).toEqual(['DDEAUTO']);
    expect(markup).toBe(result('shown'));
  });

  test('keep a safe field as it is', () => {
    const field = begin + instruction(' PAGE ') + separate + result('7') + end;
    expect(run(field)).toEqual({ removed: [], markup: field });
  });

  test('lose everything inside the code of a denied outer field', () => {
    const inner = begin + instruction(' PAGE ') + separate + result('hidden') + end;
    const { markup } = run(begin + instruction('DDE ') + inner + separate + result('shown') + end);
    expect(markup).toBe(result('shown'));
  });

  test('lose a link whose target another field computes', () => {
    const inner = begin + instruction('MERGEFIELD url') + separate + result('x') + end;
    expect(run(begin + instruction('HYPERLINK ') + inner + separate + result('shown') + end).markup).toBe(
      result('shown'),
    );
  });

  test('lose a field that never ends and an end that never began', () => {
    expect(run(begin + instruction('PAGE')).markup).toBe('');
    expect(run(result('a') + end).markup).toBe(result('a'));
  });

  test('keep a denied inner field apart from the safe outer one', () => {
    const inner = begin + instruction('DDE x') + separate + result('in') + end;
    expect(run(begin + instruction('PAGE') + separate + inner + end).markup).toBe(
      begin + instruction('PAGE') + separate + result('in') + end,
    );
  });
});

test('a field whose keyword another field gives is removed', () => {
  const inner = (code: string, text: string) => `${begin}${instruction(code)}${separate}${result(text)}${end}`;
  expect(
    run(`${begin}${inner('REF a', 'DDEAUTO')}${instruction(' cmd')}${separate}${result('kept')}${end}`).markup,
  ).toBe(result('kept'));
  expect(run(`${begin}${instruction('TC')}${inner('REF a', 'X')}${end}`).markup).toBe('');
  expect(run(`${begin}${instruction('= ')}${inner('PAGE', '3')}${instruction(' - 1')}${end}`).removed).toEqual([]);
});

test('fields in the codes of fields take no more memory with each one around them', () => {
  const nested = (count: number) => `${begin}${instruction('IF ')}`.repeat(count) + end.repeat(count);
  expect(run(nested(60)).markup).toBe('');
  expect(run(nested(200)).markup).toBe('');
  expect(() => run(nested(201))).toThrow('nested');
});
