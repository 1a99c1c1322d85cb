/** Makes rules of YARA at random, and files of their words, for the test of the filter. */
import fc from 'fast-check';

const WORDS = ['abc', 'abcd', 'bca', 'ABC', 'aab', 'cabc'] as const;
const word = fc.constantFrom(...WORDS);
const maybe = (text: string) => fc.constantFrom('', text);

const atom = fc.oneof(
  word,
  fc.constantFrom('a', 'b', '.', '[a-c]', '[^b]', '\\x61', '\\w', '\\.', '\\b', '[\\]a]', '\\/'),
);
const repeated = fc.tuple(
  fc.oneof(
    atom,
    fc.tuple(atom, atom).map(([one, other]) => `(${one}|${other})`),
    word.map((text) => `(${text})`),
  ),
  fc.constantFrom('', '', '', '?', '*', '+', '{2}', '{0,2}', '{,2}', '{1,}', '+?'),
);
const expression = fc
  .array(repeated, { minLength: 1, maxLength: 4 })
  .map((parts) => parts.map(([text, times]) => text + times).join(''));
const regexp = fc
  .tuple(expression, fc.option(expression, { nil: null }), fc.constantFrom('', 'i', 's'))
  .map(([one, other, flags]) => `/abc${one}${other === null ? '' : `|${other}abc`}/${flags}`);

const hexOf = (text: string) => Buffer.from(text).toString('hex').match(/../g)?.join(' ') ?? '';
const hex = fc
  .tuple(word, fc.constantFrom('', '??', '6?', '[1-3]', '( 61 | 62 63 )', '~62', '/* } */'), word)
  .map(([one, between, other]) => `{ ${hexOf(one)} ${between} ${hexOf(other)} }`);

const text = fc.tuple(word, maybe('\\x61\\"'), word).map((parts) => `"${parts.join('')}"`);
const modifiers = fc.tuple(maybe('nocase'), fc.constantFrom('', 'ascii', 'wide', 'ascii wide'), maybe('fullword'));
const value = fc.oneof(
  fc
    .tuple(
      text,
      modifiers.map((all) => all.join(' ')),
    )
    .map((parts) => parts.join(' ')),
  text.map((one) => `${one} xor(1-2)`),
  text.map((one) => `${one} base64`),
  fc
    .tuple(
      regexp,
      modifiers.map((all) => all.join(' ')),
    )
    .map((parts) => parts.join(' ')),
  hex,
);

/** All three strings occur in each condition, because YARA-X refuses a string that is not used. */
const term = fc.constantFrom(
  '$a',
  '$b',
  '$c',
  '$a at 0',
  '$b in (0..20)',
  '#a > 0',
  '#b >= 1',
  '#c == 0',
  '#a > #b',
  'any of them',
  '2 of them',
  'all of ($a, $b)',
  'none of ($c)',
  'any of ($*) in (0..9)',
  '50% of them',
  'filesize < 30',
  'uint8(0) == 0x61',
  'for any i in (1..#a) : (@a[i] < 9 and $b)',
  'for all i in (1..#c) : (@c[i] > 3)',
  'for any of them : ($ at 0)',
);
const condition: fc.Arbitrary<string> = fc.letrec<{ whole: string }>((tie) => ({
  whole: fc.oneof(
    { maxDepth: 2 },
    term,
    fc.tuple(tie('whole'), fc.constantFrom('and', 'or'), tie('whole')).map((parts) => parts.join(' ')),
    fc.tuple(maybe('not '), tie('whole')).map(([not, inner]) => `${not}(${inner})`),
  ),
})).whole;

const rule = fc
  .tuple(value, value, value, condition, maybe('// $a }\n'))
  .map(
    ([a, b, c, demand, comment]) =>
      `rule made { strings: $a = ${a} ${comment} $b = ${b} $c = ${c} condition: (${demand}) and (#a + #b + #c) >= 0 }`,
  );

const piece = fc.oneof(word, fc.constantFrom('a', 'b', 'c', 'a"', '.', ' ', '/', '\0', ']'));
const file = fc.tuple(fc.array(piece, { maxLength: 8 }), fc.constantFrom('', '\0', 'upper')).map(([pieces, how]) => {
  const whole = pieces.join('');
  return Buffer.from(how === 'upper' ? whole.toUpperCase() : whole.replace(/[\s\S]/g, `$&${how}`), 'latin1');
});

/** One rule, and a few files. YARA-X refuses some of the rules: it takes no greedy and lazy quantifiers in one expression. */
export const ruleAndFiles = fc.record({ rule, files: fc.array(file, { minLength: 4, maxLength: 4 }) });
