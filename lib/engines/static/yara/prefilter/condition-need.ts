/** Finds what a file must hold so that the condition of a rule can be true. */
import { allOf, anyOf, type Need, NOTHING, NotUnderstood } from './need.ts';
import type { Token } from './rule-tokens.ts';

/** A string of the rule. Strings without a name are called `$`. */
export interface NamedNeed {
  readonly name: string;
  readonly need: Need;
}

/** Parentheses in parentheses. Deeper ones would fill the stack. */
const MAX_DEPTH = 50;
/** They give names to expressions, with words of their own between the parts. */
const NOT_FOLLOWED = ['with'];

/** Returns the need of a condition. Every part that is not a demand for strings needs nothing. Throws `NotUnderstood`. */
export function conditionNeed(condition: readonly Token[], strings: readonly NamedNeed[]): Need {
  if (condition.length === 0 || condition.some(({ text }) => NOT_FOLLOWED.includes(text)))
    throw new NotUnderstood('a condition');
  return anyPart(condition, strings, 0);
}

/** `or` binds less than `and`, and both less than everything else. */
function anyPart(tokens: readonly Token[], strings: readonly NamedNeed[], depth: number): Need {
  if (depth > MAX_DEPTH) throw new NotUnderstood('parentheses that are too deep');
  return anyOf(
    splitAt('or', tokens).map((part) => allOf(splitAt('and', part).map((term) => termNeed(term, strings, depth)))),
  );
}

/** Splits where a word stands outside all brackets. */
function splitAt(word: string, tokens: readonly Token[]): Token[][] {
  const parts: Token[][] = [[]];
  let depth = 0;
  for (const token of tokens) {
    if ('(['.includes(token.text)) depth += 1;
    if (')]'.includes(token.text)) depth -= 1;
    if (depth < 0) throw new NotUnderstood('a bracket that nothing opens');
    if (depth === 0 && token.text === word) parts.push([]);
    else parts.at(-1)?.push(token);
  }
  if (depth !== 0) throw new NotUnderstood('a bracket that nothing closes');
  return parts;
}

function termNeed(term: readonly Token[], strings: readonly NamedNeed[], depth: number): Need {
  const first = term[0]?.text ?? '';
  if (first === '(' && endOfGroup(term, 0) === term.length - 1) return anyPart(term.slice(1, -1), strings, depth + 1);
  if (/^\$\w+$/.test(first)) return isPlace(term.slice(1)) ? needOfString(first, strings) : NOTHING;
  if (/^#\w+$/.test(first)) return isAtLeastOne(term.slice(1)) ? needOfString(`$${first.slice(1)}`, strings) : NOTHING;
  if (first === 'for') return loopNeed(term, strings, depth);
  return term[1]?.text === 'of' ? setNeed(term, strings) : NOTHING;
}

/** Nothing, `at` and a number, or `in` and a range: all of them demand the string itself. */
function isPlace(rest: readonly Token[]): boolean {
  const [word, ...where] = rest;
  if (word === undefined) return true;
  if (word.text === 'at') return where.length > 0 && !where.some(({ text }) => /^(?:[=!<>]=|[<>])$/.test(text));
  return word.text === 'in' && where[0]?.text === '(' && endOfGroup(where, 0) === where.length - 1;
}

function isAtLeastOne([sign, number, ...rest]: readonly Token[]): boolean {
  if (rest.length > 0 || number === undefined || !/^\d+$/.test(number.text)) return false;
  const count = Number(number.text);
  return sign?.text === '>' || ((sign?.text === '>=' || sign?.text === '==') && count >= 1);
}

/** `for any i in (1..#a) : (…)` demands the string, and what one round demands. */
function loopNeed(term: readonly Token[], strings: readonly NamedNeed[], depth: number): Need {
  const written = term.map(({ text }) => text);
  const head = /^for any \w+ in \( 1 \.\. #(\w+) \) : \($/.exec(written.slice(0, 11).join(' '));
  if (head === null || endOfGroup(term, 10) !== term.length - 1) return NOTHING;
  return allOf([needOfString(`$${head[1]}`, strings), anyPart(term.slice(11, -1), strings, depth + 1)]);
}

/** `any of them`, `2 of ($a*, $b)`, `all of ($a*) in (0..100)`. */
function setNeed([quantity, , ...rest]: readonly Token[], strings: readonly NamedNeed[]): Need {
  const end = rest[0]?.text === 'them' ? 0 : endOfGroup(rest, 0);
  if (end === -1 || !isPlace(rest.slice(end + 1))) return NOTHING;
  const names = rest.slice(0, end + 1).map(({ text }) => text);
  const inside = end === 0 ? ['$*'] : names.slice(1, -1).filter((name) => name !== ',');
  if (inside.length === 0 || !inside.every((name) => /^\$\w*\*?$/.test(name) && name !== '$')) return NOTHING;
  const chosen = strings.filter(({ name }) => inside.some((pattern) => isNamed(name, pattern))).map(({ need }) => need);
  if (chosen.length === 0) return NOTHING;
  if (quantity?.text === 'all') return allOf(chosen);
  return quantity?.text === 'any' || /^[1-9]\d*$/.test(quantity?.text ?? '') ? anyOf(chosen) : NOTHING;
}

const isNamed = (name: string, pattern: string) =>
  pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern;

function needOfString(name: string, strings: readonly NamedNeed[]): Need {
  return strings.find((one) => one.name === name)?.need ?? NOTHING;
}

/** Returns the place of the parenthesis that closes the one at `from`, or -1. */
function endOfGroup(tokens: readonly Token[], from: number): number {
  if (tokens[from]?.text !== '(') return -1;
  let depth = 0;
  for (let at = from; at < tokens.length; at++) {
    if (tokens[at]?.text === '(') depth += 1;
    if (tokens[at]?.text === ')') depth -= 1;
    if (depth === 0) return at;
  }
  return -1;
}
