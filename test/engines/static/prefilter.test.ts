import { readdirSync, readFileSync } from 'node:fs';
import { Compiler } from '@virustotal/yara-x';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { prefilterOf } from '../../../lib/engines/static/yara/prefilter/prefilter.ts';
import { loadRules } from '../../../lib/engines/static/yara/yara.ts';
import { benignSet } from '../../benign/benign-set.ts';
import { RULE_SAMPLES } from '../rule-samples.ts';
import { ruleAndFiles } from './rule-grammar.ts';

const folder = new URL('../../../lib/engines/static/yara/rules/', import.meta.url);
const sources = readdirSync(folder).map((name) => readFileSync(new URL(name, folder), 'utf8'));
const own = new Map(
  sources.flatMap((text) =>
    [...text.matchAll(/^rule (\w+) \{[\s\S]*?^\}/gm)].map(([rule, name = '']) => [name, rule] as const),
  ),
);

const ORDINARY = Buffer.from('Dear Ana, the figures of last month are in the table below.\r\n');

/** What YARA-X says without a filter; null for a rule that it does not take. It must be initialised. */
function isReported(source: string, bytes: Uint8Array): boolean | null {
  const compiler = new Compiler();
  try {
    compiler.addSource(source);
  } catch {
    compiler.free();
    return null;
  }
  const rules = compiler.build();
  const answer = rules.scan(bytes) as { readonly matches: readonly { readonly isPrivate: boolean }[] };
  compiler.free();
  rules.free();
  return answer.matches.some(({ isPrivate }) => !isPrivate);
}

beforeAll(() => {
  loadRules();
});

describe('the filter before the rules of this project', () => {
  const mayMatch = prefilterOf(sources);

  test.each([...own])('lets the sample of %s through, and no file without a word of it', (name, rule) => {
    const alone = prefilterOf([rule]);
    const sample = RULE_SAMPLES[name]?.positive ?? ORDINARY;
    expect([alone(sample), mayMatch(sample), alone(ORDINARY)]).toEqual([true, true, false]);
    expect(alone(Buffer.concat([ORDINARY, sample, ORDINARY]))).toBe(true);
  });

  test('spares nearly all ordinary files the scan', () => {
    const files = benignSet().filter(({ bytes }) => bytes.length < 100_000);
    const scanned = files.filter(({ bytes }) => mayMatch(bytes));
    expect(scanned.length).toBeLessThan(files.length / 10);
  });

  test('never changes what they find in files of their own words', () => {
    const rules = loadRules();
    const samples = Object.values(RULE_SAMPLES).map(({ positive }) => Buffer.from(positive).toString('latin1'));
    const words = sources.flatMap((text) => [...text.matchAll(/"((?:[^"\\\n]){3,40})"/g)].map(([, word = '']) => word));
    const piece = fc.oneof(fc.constantFrom(...samples), fc.constantFrom(...words), fc.constantFrom('\0', '\r\n', '"'));
    const changed = fc.tuple(piece, fc.constantFrom('as it is', 'upper', 'wide', 'cut')).map(([text, how]) => {
      if (how === 'upper') return text.toUpperCase();
      if (how === 'wide') return text.replace(/[\s\S]/g, '$&\0');
      return how === 'cut' ? text.slice(1) : text;
    });
    const seen = { reported: 0, spared: 0 };
    fc.assert(
      fc.property(fc.array(changed, { maxLength: 4 }), (pieces) => {
        const bytes = Buffer.from(pieces.join(' '), 'latin1');
        const { matches } = rules.scan(bytes) as { readonly matches: readonly unknown[] };
        if (matches.length > 0) seen.reported += 1;
        if (!mayMatch(bytes)) seen.spared += 1;
        return matches.length === 0 || mayMatch(bytes);
      }),
      { numRuns: 150 },
    );
    expect(Math.min(seen.reported, seen.spared)).toBeGreaterThan(25);
  });
});

describe("the filter before an operator's rules", () => {
  test('never spares a file that a rule would be reported for, whatever the rule and the file', () => {
    const seen = { reported: 0, spared: 0 };
    fc.assert(
      fc.property(ruleAndFiles, ({ rule, files }) => {
        const mayMatch = prefilterOf([rule]);
        return files.every((file) => {
          const mustPass = isReported(rule, file);
          if (mustPass) seen.reported += 1;
          if (!mayMatch(file)) seen.spared += 1;
          return !mustPass || mayMatch(file);
        });
      }),
      { numRuns: 100 },
    );
    expect(Math.min(seen.reported, seen.spared)).toBeGreaterThan(25);
  });

  const rule = (condition: string, strings = '') => `rule a { ${strings} condition: ${condition} }`;
  const bird = 'strings: $a = "bluebird"';

  test.each([
    ['a size', rule('filesize < 1000')],
    ['no string', rule('not $a', bird)],
    ['a number of zero', rule('#a < 1', bird)],
    ['none of them', rule('none of them', bird)],
    ['a size or a string', rule('$a or filesize < 1000', bird)],
    ['first bytes', rule('uint16(0) == 0x6544')],
    ['another rule', `private rule b { condition: filesize < 1000 } ${rule('b')}`],
    ['an expression with a name', rule('with b = filesize : (b < 1000)')],
    ['a loop over numbers', rule('for any i in (0..3) : (uint8(i) == 0x44)')],
    ['a loop over strings', rule('for any of them : (not $)', bird)],
    ['a share of the strings', rule('1% of them', 'strings: $a = "bluebird" $b = "Dear"')],
    ['a string of one letter', rule('$a', 'strings: $a = "D"')],
    ['a hexadecimal string of gaps', rule('$a', 'strings: $a = { 44 ?? 61 [1-3] 41 }')],
    ['bytes under a key', rule('$a', 'strings: $a = "Ed\\x60s" xor')],
    ['alternatives, one of them without a word', rule('$a', 'strings: $a = /bluebird|D.?.?.?.?A/')],
    ['a word that may be absent', rule('$a', 'strings: $a = /(bluebird)*D(redbird)?e/')],
    ['a class with a bracket', rule('$a', 'strings: $a = /[[:upper:]]ear/')],
    ['a comment with a brace', rule('$a /* } */ // }\n', 'strings: $a = { 44 /* } */ 65 // }\n 61 }')],
    ['parentheses without end', rule(`${'('.repeat(60)}$a${')'.repeat(60)}`, 'strings: $a = "Dear"')],
    ['groups without end', rule('$a', `strings: $a = /${'(?:'.repeat(55)}Dear${')'.repeat(55)}/`)],
  ])('lets everything through that is reported for %s', (_, source) => {
    expect([isReported(source, ORDINARY), prefilterOf([source])(ORDINARY)]).toEqual([true, true]);
  });

  test('lets every file through as soon as one rule needs no word', () => {
    expect(prefilterOf([...sources, rule('filesize > 0')])(ORDINARY)).toBe(true);
    expect(prefilterOf([...sources, 'include "other.yar"'])(ORDINARY)).toBe(true);
  });

  test('reads modules, tags, sections and strings without a name', () => {
    const source = `import "pe"
      global private rule b : one two { meta: strings = 1 condition: true }
      rule a : three { meta: x = "y" z = true strings: $ = "bluebird" wide $b = /red\\/bird/i fullword condition: 1 of them }`;
    const mayMatch = prefilterOf([source.replace('strings = 1', 'text = "}"')]);
    const files = ['b\0l\0u\0e\0b\0i\0r\0d\0', 'a RED/BIRD', 'bluebird', 'redbird'];
    expect(files.map((text) => mayMatch(Buffer.from(text)))).toEqual([true, true, false, false]);
  });

  test('does not take a sign outside ASCII for a letter', () => {
    const source = rule('$a', 'strings: $a = /kelvin/ nocase');
    const bytes = Buffer.from('\u212aelvin');
    expect([isReported(source, bytes), prefilterOf([source])(bytes)]).toEqual([false, false]);
  });

  test('is no filter for words that would fill the memory, and none for files of half a megabyte', () => {
    const many = (count: number) =>
      Array.from({ length: count }, (_, index) => `$s${index} = "${(index * 0x9e3779b1).toString(16)}birds"`).join(
        '\n',
      );
    const filterOf = (count: number) => prefilterOf([rule('any of them', `strings: ${many(count)}`)]);
    expect([filterOf(1_000)(ORDINARY), filterOf(20_000)(ORDINARY)]).toEqual([false, true]);
    const mayMatch = prefilterOf([rule('$a', bird)]);
    expect([mayMatch(Buffer.alloc(512 * 1024)), mayMatch(Buffer.alloc(512 * 1024 + 1))]).toEqual([false, true]);
  });
});
