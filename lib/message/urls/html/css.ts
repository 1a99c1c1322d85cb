/** Finds URLs in style sheets: `url()`, `@import "…"`, and every URL with a scheme. Follows CSS Syntax Level 3. */

import { rewritten } from '../rewritten.ts';
import { findSpelledOut } from '../text-links.ts';
import type { MappedText, TextMatch } from './mapped.ts';

/** An escape is up to six hexadecimal digits with one space, or any one character: `\68 ttps` is `https`. */
const ESCAPE = /\\(?:[0-9a-f]{1,6}[ \t\r\n\f]?|[^0-9a-f])/gi;
const OPENING = /url\(|src\(|@import\s*(?=["'])/gi;
const WHITE_SPACE = /\s*/y;
/** An unquoted url() ends before these characters. Stopping at `(` keeps the search linear for a flood of openings. */
const UNQUOTED = /[^)("'\s;]*/y;

/** Style text with its escapes resolved. */
export function decodeCss(css: MappedText): MappedText {
  return css.text.includes('\\') ? rewritten(css, ESCAPE, unescaped) : css;
}

function unescaped(sequence: string): string {
  const digits = /^[0-9a-f]+/i.exec(sequence.slice(1))?.[0];
  if (digits === undefined) return sequence.slice(1);
  const code = Number.parseInt(digits, 16);
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : '';
}

/**
 * URLs in decoded style text, with indexes into it. `url` may be relative. Operands end when there are more than `most` of them. Linear
 * in the length of the text.
 */
export function findInCss(css: string, most: number): TextMatch[] {
  const found: TextMatch[] = [];
  const unclosed = new Set<string>();
  // An opening inside an operand does not count: `url("url("` names one resource.
  for (let at = nextOperand(css, 0); at !== -1 && found.length <= most; ) {
    const operand = operandAt(css, at, unclosed);
    if (operand !== null) found.push(operand);
    at = nextOperand(css, operand?.end ?? at);
  }
  if (found.length > most) return found;
  const starts = new Set(found.map((match) => match.start));
  return [...found, ...findSpelledOut(css).filter((match) => !starts.has(match.start) && !isProperty(css, match))];
}

function nextOperand(css: string, from: number): number {
  OPENING.lastIndex = from;
  return OPENING.exec(css) === null ? -1 : OPENING.lastIndex;
}

/** Returns the URL that begins at `at`, quoted or not. An unclosed string is read as an unquoted one. */
function operandAt(css: string, at: number, unclosed: Set<string>): TextMatch | null {
  const start = at + matchAt(WHITE_SPACE, css, at).length;
  const quote = css[start];
  if (quote !== '"' && quote !== "'") {
    const url = matchAt(UNQUOTED, css, start);
    return url === '' ? null : { url, start, end: start + url.length };
  }
  // If one quote is unclosed, no later one of its kind is closed. Looking again each time would take quadratic time.
  const close = unclosed.has(quote) ? -1 : css.indexOf(quote, start + 1);
  if (close === -1) {
    unclosed.add(quote);
    const url = matchAt(UNQUOTED, css, start + 1);
    return url === '' ? null : { url, start: start + 1, end: start + 1 + url.length };
  }
  return { url: css.slice(start + 1, close), start: start + 1, end: close };
}

function matchAt(pattern: RegExp, text: string, at: number): string {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? '';
}

/** Returns true for the name of a property, which looks like a scheme: `-ms-interpolation-mode:bicubic`, `{ms-text-size-adjust:100%`. */
function isProperty(css: string, { url, start }: TextMatch): boolean {
  if (/^[a-z0-9.+-]+:[\\/]/i.test(url)) return false;
  return /(?:^|[{};/*_-])\s{0,100}$/.test(css.slice(Math.max(0, start - 101), start));
}
