/**
 * Makes direct calls of `eval` record their code. They must stay direct calls, because that code uses the variables around the call. So
 * the argument is wrapped: `eval(x)` becomes `eval(layer(x,layer))`. This takes one pass in linear time.
 */

const WORD = /[\w$]/;
const BEFORE_REGEXP = /[(,=:[!&|?{};+\-*%~^<>]/;
const WORD_BEFORE_REGEXP = /(?:^|[^\w$.])(?:return|typeof|case|in|of|delete|void|throw|new|do|else)$/;

/** The names under which the code calls the functions that watch it. */
export interface EvalNames {
  readonly layer: string;
  readonly evaluate: string;
}

/** The code that was copied so far, and the state of the reading. */
interface Rewriting {
  readonly code: string;
  readonly names: EvalNames;
  readonly out: string[];
  /** For each open parenthesis, whether it belongs to a watched call. */
  readonly open: boolean[];
  copied: number;
  at: number;
  /** The last character that is not blank and not in a comment. */
  last: string;
}

/** Returns the code, in which every direct call of `eval` is watched and every other use of the name means a watched function. */
export function rewriteEval(code: string, names: EvalNames): string {
  if (!code.includes('eval')) return code;
  const state: Rewriting = { code, names, out: [], open: [], copied: 0, at: 0, last: '' };
  while (state.at < code.length) readOne(state);
  if (state.open.includes(true)) return code;
  state.out.push(code.slice(state.copied));
  return state.out.join('');
}

function readOne(state: Rewriting): void {
  const { code, at } = state;
  const char = code.charAt(at);
  const end = skip(code, at, state.last);
  if (end > at) {
    if (char !== '/' || !/[/*]/.test(code.charAt(at + 1))) state.last = '"';
    state.at = end;
    return;
  }
  if (char === 'e' && isEval(code, at)) {
    readEval(state);
    return;
  }
  if (char === '(') state.open.push(false);
  if (char === ')' && state.open.pop() === true) copyUpTo(state, at, `,${state.names.layer})`);
  if (!/\s/.test(char)) state.last = char;
  state.at += 1;
}

function readEval(state: Rewriting): void {
  const { code, at } = state;
  const parenthesis = callAt(code, at + 4);
  if (parenthesis !== null) {
    copyUpTo(state, parenthesis + 1, `${state.names.layer}(`);
    state.open.push(true);
    state.at = parenthesis + 1;
    state.last = '(';
    return;
  }
  if (isValue(code, at)) {
    copyUpTo(state, at, state.names.evaluate);
    state.copied = at + 4;
  }
  state.at = at + 4;
  state.last = 'l';
}

function copyUpTo(state: Rewriting, end: number, then: string): void {
  state.out.push(state.code.slice(state.copied, end), then);
  state.copied = end;
}

function isEval(code: string, at: number): boolean {
  if (!code.startsWith('eval', at) || WORD.test(code.charAt(at + 4))) return false;
  const before = code.slice(Math.max(0, at - 40), at).trimEnd();
  return (
    !WORD.test(code.charAt(at - 1)) && !before.endsWith('.') && !/(?:^|[^\w$])(?:function|var|let|const)$/.test(before)
  );
}

/** Returns the index of the parenthesis of a call that has an argument; null when there is none. */
function callAt(code: string, from: number): number | null {
  const match = /^\s{0,200}\(\s{0,200}(?!\))/.exec(code.slice(from, from + 402));
  return match === null ? null : from + match[0].indexOf('(');
}

function isValue(code: string, at: number): boolean {
  return !/^\s{0,40}(?:[:(]|=(?!=))/.test(code.slice(at + 4, at + 46));
}

/** Returns the end of the text, comment or regular expression that starts at `at`; `at` itself when none does. */
export function skip(code: string, at: number, last: string): number {
  const char = code.charAt(at);
  if (char === '"' || char === "'" || char === '`') return endOfText(code, at, char);
  if (char !== '/') return at;
  const next = code.charAt(at + 1);
  if (next === '/') return endOr(code.indexOf('\n', at), code.length, 0);
  if (next === '*') return endOr(code.indexOf('*/', at + 2), code.length, 2);
  const startsRegExp =
    last === '' || BEFORE_REGEXP.test(last) || WORD_BEFORE_REGEXP.test(code.slice(Math.max(0, at - 12), at).trimEnd());
  return startsRegExp ? endOfRegExp(code, at) : at;
}

const endOr = (found: number, otherwise: number, length: number) => (found === -1 ? otherwise : found + length);

function endOfText(code: string, at: number, quote: string): number {
  for (let index = at + 1; index < code.length; index++) {
    const char = code.charAt(index);
    if (char === '\\') index++;
    else if (char === quote) return index + 1;
    else if (char === '\n' && quote !== '`') return index;
  }
  return code.length;
}

function endOfRegExp(code: string, at: number): number {
  let inClass = false;
  for (let index = at + 1; index < code.length; index++) {
    const char = code.charAt(index);
    if (char === '\n') return at;
    if (char === '\\') index++;
    else if (char === '[') inClass = true;
    else if (char === ']') inClass = false;
    else if (char === '/' && !inClass) return index + 1;
  }
  return at;
}
