import { describe, expect, test } from 'vitest';
import { withoutComments } from '../../lib/pipeline/policy/commented-json.ts';

describe('JSON with comments', () => {
  test.each([
    ['{"a":[1,2,],"b":{"c":1,},}', { a: [1, 2], b: { c: 1 } }],
    ['{"a":"// no", "b":"\\"/*"} // yes', { a: '// no', b: '"/*' }],
    ['\uFEFF/* "a": 1 */ {"a": 2}', { a: 2 }],
  ])('%s is read', (text, value) => {
    expect(JSON.parse(withoutComments(text).json)).toEqual(value);
  });

  test.each(['[,]', '{,}', '[1,,]', '{"a":,}', '/* [1]', '"a // b'])('%s stays a fault', (text) => {
    expect(() => JSON.parse(withoutComments(text).json)).toThrow(SyntaxError);
  });

  test('knows the line of each key, and which are there twice', () => {
    const { lines, repeated } = withoutComments('{\n"a": [{"c": 1},\n{"c": 2}], // "x": 1\n"b": 1, "b": 2\n}');
    expect([...lines]).toEqual([
      ['a', 2],
      ['a.0.c', 2],
      ['a.1.c', 3],
      ['b', 4],
    ]);
    expect(repeated).toEqual(['b']);
  });
});
