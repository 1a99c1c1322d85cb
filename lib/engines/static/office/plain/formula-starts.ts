/**
 * Finds the places where a text may be that begins like a formula, or holds the sign of one. A macro can compose a formula in variables and
 * give it to a cell as its value. So such a text may be compared, searched and shown, or be the whole value of a cell, and nothing else. No
 * variable gets it, and no function that returns a text takes it.
 */
import { depthOf } from './members.ts';
import type { Statement, Word } from './statements.ts';

const FORMULA_START = /^\s*[=+@](?!==+\s*$)/;
/** The same sign, and the signs that begin a formula where a text begins, in front of a joined text. */
const JOINED_START = /^\s*[-=+@]/;
const SIGN_INSIDE = /[=@]/;

/** Functions and methods that only search the text, or show it. */
const LOOKING =
  /^(?:instr|instrrev|strcomp|split|len|lenb|asc|ascw|msgbox|inputbox|print|assert|find|findnext|autofilter|numberformat|isnumeric|ubound|countif)$/;
const LOOKED_FOR = /^(?:what|criteria[12])$/;
/** Functions that make another text of a text. The result may begin with any of its characters. */
const CUTTING = /^(?:mid|right|replace|split|strconv|format|string|join|array|iif|choose|switch|filter|transpose)$/;
const ASKING = /^(?:if|elseif|while|until|case|loop|do)$/;
const SHOWING = /^(?:msgbox|debug|print)$/;
/** Declarations of a variable with its value, and assignments. */
const SETTING = /^(?:let|set|const|dim|static|public|private|global)$/;

/** Returns true when no text of the statement can become the beginning of a formula. */
export function areHarmlessStarts(statement: Statement): boolean {
  return statement.every((word, at) => word.kind !== 'text' || isHarmlessStart(statement, at, word.value));
}

function isHarmlessStart(statement: Statement, at: number, text: string): boolean {
  const callee = calleeOf(statement, at);
  if (CUTTING.test(callee) && SIGN_INSIDE.test(text) && !LOOKING.test(callee)) return false;
  if (isShown(statement)) return true;
  if (JOINED_START.test(text) && isJoinedFirst(statement, at)) return isAsked(statement, at);
  if (!FORMULA_START.test(text)) return true;
  const before = statement[at - 1]?.value ?? '';
  // Between brackets, an equals sign compares.
  if (/^(?:=|<>)$/.test(before) && statement[at + 1]?.value === ')' && depthOf(statement.slice(0, at)) > 0) return true;
  if (before === ':=') return LOOKED_FOR.test(statement[at - 2]?.value ?? '');
  if (callee !== '') return LOOKING.test(callee) || callee === 'setformula';
  return isAsked(statement, at) || !isSetVariable(statement, at);
}

const isShown = ([first]: Statement) => SHOWING.test(first?.value ?? '');

/** Returns whether others are joined to a text, which itself is joined to none. */
function isJoinedFirst(statement: Statement, at: number): boolean {
  const isJoint = (word: Word | undefined) => word?.kind === 'sign' && /^[&+]$/.test(word.value);
  return isJoint(statement[at + 1]) && !isJoint(statement[at - 1]);
}

/** Returns whether a text is in front of `Then`, or behind a word that only asks. */
function isAsked(statement: Statement, at: number): boolean {
  if (!ASKING.test(statement[0]?.value ?? '')) return false;
  const then = statement.findIndex(({ value }) => value === 'then');
  return then === -1 || at < then;
}

/** Returns whether it is `name = "="`, and not `object.member = "="`. */
function isSetVariable(statement: Statement, at: number): boolean {
  const equals = statement.findIndex(({ kind, value }, index) => index < at && kind === 'sign' && value === '=');
  const then = statement.findIndex(({ value }) => value === 'then');
  const left = statement.slice(then === -1 || then > at ? 0 : then + 1, Math.max(0, equals));
  const named = SETTING.test(left[0]?.value ?? '') ? left.slice(1) : left;
  return equals === -1 || !named.some(({ kind, value }) => kind === 'sign' && value === '.');
}

/** Returns the function or method whose argument is at this place; empty for none. */
function calleeOf(statement: Statement, at: number): string {
  let depth = 0;
  let isSet = false;
  for (let index = at - 1; index >= 0; index--) {
    const { kind, value } = statement[index] ?? NOTHING;
    if (kind === 'sign' && value === ')') depth++;
    if (kind === 'sign' && value === '(' && --depth < 0) {
      const name = statement[index - 1];
      return name?.kind === 'name' ? name.value : calleeOf(statement, index);
    }
    isSet ||= depth === 0 && kind === 'sign' && value === '=';
    // A call without brackets: the last name in front of the argument.
    if (depth === 0 && !isSet && kind === 'name' && isCalled(statement, index)) return value;
  }
  return '';
}

/** Returns whether it is `a.Find "="`, `Find "="`, and not `Then "="` or `b & "="`. */
function isCalled(statement: Statement, index: number): boolean {
  const [before, next] = [statement[index - 1], statement[index + 1]];
  const isAtEnd = before === undefined || before.value === '.' || /^(?:then|else|call)$/.test(before.value);
  return isAtEnd && !ASKING.test(statement[index]?.value ?? '') && (next?.kind !== 'sign' || next.value === '-');
}

const NOTHING: Word = { kind: 'sign', value: '' };
