/** Calculates functions of formulas from known values. An argument that is not known makes the result unknown. */
import type { Value } from './macro-book.ts';

/** The longest text. Excel has 32,767 characters, and a macro that doubles a text must end. */
export const MAX_TEXT = 32_767;

export const textOf = (value: Value): string =>
  value === null ? '?' : typeof value === 'boolean' ? String(value).toUpperCase() : String(value);
export const numberOf = (value: Value): number => (value === null ? Number.NaN : Number(value === '' ? 0 : value));

const known = (number: number): Value => (Number.isFinite(number) ? number : null);
const text = (value: string): Value => value.slice(0, MAX_TEXT);

type Work = (args: readonly Value[]) => Value;
const ofText =
  (work: (first: string, second: number, third: number) => Value): Work =>
  ([first = null, second = null, third = null]) =>
    first === null ? null : work(textOf(first), numberOf(second), numberOf(third));
const ofNumber =
  (work: (first: number, second: number) => number): Work =>
  ([first = null, second = 0]) =>
    known(work(numberOf(first), numberOf(second)));
const positive = (number: number, otherwise: number) => (Number.isNaN(number) ? otherwise : Math.max(0, number));

const FUNCTIONS: Readonly<Record<string, Work>> = {
  CHAR: ([code = null]) => {
    const number = numberOf(code);
    return number >= 1 && number <= 255 ? String.fromCharCode(number) : null;
  },
  CODE: ofText((value) => known(value.charCodeAt(0))),
  MID: ofText((value, from, count) =>
    text(value.slice(Math.max(0, from - 1), Math.max(0, from - 1) + positive(count, 0))),
  ),
  LEFT: ofText((value, count) => value.slice(0, positive(count, 1))),
  RIGHT: ofText((value, count) => value.slice(Math.max(0, value.length - positive(count, 1)))),
  LEN: ofText((value) => value.length),
  REPT: ofText((value, count) => value.repeat(Math.min(positive(count, 0), MAX_TEXT / Math.max(1, value.length)))),
  UPPER: ofText((value) => value.toUpperCase()),
  LOWER: ofText((value) => value.toLowerCase()),
  TRIM: ofText((value) => value.trim().replace(/ +/g, ' ')),
  // biome-ignore lint/suspicious/noControlCharactersInRegex: this function removes control characters
  CLEAN: ofText((value) => value.replace(/[\u0000-\u001f]/g, '')),
  T: ([value = null]) => (typeof value === 'string' ? value : value === null ? null : ''),
  TEXT: ([value = null]) => (value === null ? null : textOf(value)),
  N: ofNumber((value) => value),
  VALUE: ofNumber((value) => value),
  INT: ofNumber(Math.floor),
  TRUNC: ofNumber(Math.trunc),
  ABS: ofNumber(Math.abs),
  SIGN: ofNumber(Math.sign),
  SQRT: ofNumber(Math.sqrt),
  ROUND: ofNumber((value, places) => Math.round(value * 10 ** places) / 10 ** places),
  MOD: ofNumber((value, by) => value - by * Math.floor(value / by)),
  POWER: ofNumber((value, by) => value ** by),
  SUM: (args) => known(args.reduce((sum: number, value) => sum + numberOf(value), 0)),
  PRODUCT: (args) => known(args.reduce((product: number, value) => product * numberOf(value), 1)),
  MAX: (args) => known(Math.max(...args.map(numberOf))),
  MIN: (args) => known(Math.min(...args.map(numberOf))),
  NOT: ([value = null]) => (value === null ? null : !value),
  AND: (args) => (args.includes(false) || args.includes(0) ? false : args.includes(null) ? null : true),
  OR: (args) => (args.some((value) => value !== null && Boolean(value)) ? true : args.includes(null) ? null : false),
  ISNUMBER: ([value = null]) => (value === null ? null : typeof value === 'number'),
  ISTEXT: ([value = null]) => (value === null ? null : typeof value === 'string'),
  ISBLANK: ([value = null]) => (value === null ? null : value === ''),
  EXACT: ([one = null, other = null]) => (one === null || other === null ? null : textOf(one) === textOf(other)),
  CONCATENATE: (args) => text(args.map(textOf).join('')),
  SUBSTITUTE: ([value = null, what = null, by = null]) =>
    value === null || what === null || textOf(what) === ''
      ? value
      : text(
          textOf(value)
            .split(textOf(what))
            .join(by === null ? '' : textOf(by)),
        ),
  REPLACE: ([value = null, from = null, count = null, by = null]) => {
    if (value === null || from === null || count === null) return null;
    const start = Math.max(0, numberOf(from) - 1);
    return text(textOf(value).slice(0, start) + textOf(by) + textOf(value).slice(start + numberOf(count)));
  },
  SEARCH: ([what = null, value = null]) => positionOf(textOf(value).toLowerCase(), textOf(what).toLowerCase()),
  FIND: ([what = null, value = null]) => positionOf(textOf(value), textOf(what)),
  /** Answers questions of a macro about the program like the Excel of today on a desk with a mouse, a screen and a sound card. */
  'GET.WORKSPACE': ([what = null]) => WORKSPACE[numberOf(what)] ?? null,
};

const positionOf = (value: string, what: string): Value => {
  const at = value.indexOf(what);
  return at === -1 ? null : at + 1;
};

/** Answers by number: name and version of the program, size of the window, mouse, sound, and that nobody runs the macro step by step. */
const WORKSPACE: Readonly<Record<number, Value>> = {
  1: 'Windows (64-bit) NT 10.00',
  2: '16.0',
  13: 1_440,
  14: 810,
  19: true,
  31: false,
  42: true,
};

/** Returns the value of a function, or undefined for an unknown one. */
export function valueOfFunction(name: string, args: readonly Value[]): Value | undefined {
  return Object.hasOwn(FUNCTIONS, name) ? FUNCTIONS[name]?.(args) : undefined;
}

/** Returns the value of an operation. A text that is joined with something unknown shows a question mark there. */
export function valueOfOperation(operator: string, [left = null, right = null]: readonly Value[]): Value {
  const [one, other] = [numberOf(left), numberOf(right)];
  switch (operator) {
    case '&':
      return left === null && right === null ? null : text(textOf(left) + textOf(right));
    case '+':
      return known(one + other);
    case '-':
      return known(one - other);
    case '*':
      return known(one * other);
    case '/':
      return known(one / other);
    case '^':
      return known(one ** other);
    case 'u-':
      return known(-one);
    case 'u+':
      return left;
    case '%':
      return known(one / 100);
    default:
      return left === null || right === null ? null : compared(operator, left, right);
  }
}

function compared(operator: string, left: string | number | boolean, right: string | number | boolean): Value {
  const [one, other] = [left, right].map((value) => (typeof value === 'string' ? value.toLowerCase() : Number(value)));
  if (one === undefined || other === undefined) return null;
  switch (operator) {
    case '=':
      return one === other;
    case '<>':
      return one !== other;
    case '<':
      return one < other;
    case '<=':
      return one <= other;
    case '>':
      return one > other;
    case '>=':
      return one >= other;
    default:
      return null;
  }
}
