/** The targets of links that formulas make, with the texts of which they are composed. */

import { type Expression, parseFormula } from './xlm/expression.ts';
import { textOf, valueOfFunction, valueOfOperation } from './xlm/functions-of-values.ts';
import type { Value } from './xlm/macro-book.ts';

/**
 * A link whose target begins with a plain address, and so leads to the web with any ending. Most links of sheets are like this, and cost no
 * parsing.
 */
const PLAIN_LINK = /\bHYPERLINK\s*\(\s*(?:"\s*(?:https?:\/\/|mailto:[^"?]*"|tel:|#)|\$?[A-Z]{1,3}\$?\d{1,7}\s*[,;)])/gi;
/** References of OpenFormula, `[.A1]` and `[$Sheet.A1:.B2]`, in the form of Excel. */
const OPEN_REFERENCE = /\[\$?[^[\]"]{0,200}?\.(\$?[A-Z]{1,3}\$?\d{1,7})(?::\.?(\$?[A-Z]{1,3}\$?\d{1,7}))?\]/gi;

/**
 * Returns the targets of all HYPERLINK functions of a formula. A part that is in a cell is unknown, and is shown as a question mark. A
 * formula that cannot be read has one target: its texts from there on, joined.
 */
export function linksOfFormula(formula: string): string[] {
  if (!/\bHYPERLINK\s*\(/i.test(formula.replace(PLAIN_LINK, ''))) return [];
  const plain = formula.replace(/^\s*[a-z]{2,9}:(?==)/i, '').replace(OPEN_REFERENCE, '$1');
  const expression = parseFormula(plain.replace(/\b_xl[a-z]{2,4}\./gi, ''));
  return expression === null ? joinedTexts(plain) : linksIn(expression);
}

function joinedTexts(formula: string): string[] {
  const pieces = formula.split(/\bHYPERLINK\s*\(/i).slice(1);
  return pieces.map((piece) => [...piece.matchAll(/"((?:[^"]|"")*)"/g)].map(([, text]) => text).join(''));
}

function linksIn(expression: Expression): string[] {
  if (expression.kind !== 'call' && expression.kind !== 'operation') return [];
  const inner = expression.args.flatMap(linksIn);
  const [target] = expression.args;
  if (expression.kind !== 'call' || expression.name !== 'HYPERLINK' || target === undefined) return inner;
  return [...choicesOf(target).map(textOf), ...inner];
}

/** Functions that give one of their arguments, and nobody can tell which. */
const CHOOSING = new Set(['IF', 'IFS', 'CHOOSE', 'SWITCH', 'IFERROR', 'IFNA', 'LET', 'T', 'INDEX', 'XLOOKUP']);
/** The most values that one target may have, because functions can be nested and have many arguments. */
const MAX_CHOICES = 100;

function choicesOf(expression: Expression): Value[] {
  if (expression.kind === 'call' && CHOOSING.has(expression.name))
    return expression.args.flatMap(choicesOf).slice(0, MAX_CHOICES);
  return [valueIn(expression)];
}

function valueIn(expression: Expression): Value {
  switch (expression.kind) {
    case 'value':
      return expression.value;
    case 'missing':
      return '';
    case 'operation':
      return valueOfOperation(expression.operator, expression.args.map(valueIn));
    case 'call':
      return callValue(expression.name, expression.args);
    default:
      return null;
  }
}

function callValue(name: string, args: readonly Expression[]): Value {
  const values = args.map(valueIn);
  switch (name) {
    case 'UNICHAR':
      return characterOf(Number(values[0] ?? Number.NaN));
    case 'CONCAT':
      return valueOfFunction('CONCATENATE', values) ?? null;
    case 'TEXTJOIN':
      return values
        .slice(2)
        .map(textOf)
        .join(textOf(values[0] ?? ''));
    case 'IF':
      return chosen(values);
    default:
      return valueOfFunction(name, values) ?? null;
  }
}

function characterOf(code: number): Value {
  return Number.isInteger(code) && code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : null;
}

/** Returns the first known value when the condition is not known. */
function chosen([condition = null, yes = null, no = null]: readonly Value[]): Value {
  if (condition === null) return yes ?? no;
  return condition === false || condition === 0 ? no : yes;
}
