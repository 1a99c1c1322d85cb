/** Rewrites syntax that QuickJS treats differently than the emulated programs, and watches caught errors. One pass in linear time. */
import { skip } from './rewrite-eval.ts';

const CATCH = /^catch\s{0,20}\(\s{0,20}([\w$]{1,200})\s{0,20}\)\s{0,20}\{/;
/** More characters than the pattern ever matches. */
const CATCH_CHARS = 300;

/**
 * Returns the code, in which every caught error first goes through the function `mend`. In the old dialect, `\v` in a text is a v, and a
 * comma at the end of a list begins one more element.
 */
export function rewriteSyntax(code: string, mend: string, isOld: boolean): string {
  if (!code.includes('catch') && !(isOld && /\\v|,\s{0,200}\]/.test(code))) return code;
  const out: string[] = [];
  let last = '';
  for (let at = 0; at < code.length; ) {
    const piece = pieceAt(code, at, last, isOld);
    out.push(isOld && piece.text === ']' && last === ',' ? ',]' : piece.text);
    if (piece.caught !== undefined) out.push(`${mend}(${piece.caught});`);
    last = piece.last;
    at += piece.length;
  }
  return out.join('');
}

/** A piece of code: a text, a comment, a pattern, the beginning of a handler of errors, or one character. */
interface Piece {
  readonly length: number;
  readonly text: string;
  /** The last character that is not blank and not in a comment. */
  readonly last: string;
  /** The name of the caught error. */
  readonly caught?: string;
}

function pieceAt(code: string, at: number, last: string, isOld: boolean): Piece {
  const end = skip(code, at, last);
  if (end > at) {
    const text = code.slice(at, end);
    return {
      length: text.length,
      text: isOld ? withoutVerticalTabs(text) : text,
      last: /^\/[/*]/.test(text) ? last : '"',
    };
  }
  const char = code.charAt(at);
  const caught = char === 'c' ? catchAt(code, at) : null;
  return caught ?? { length: 1, text: char, last: /\s/.test(char) ? last : char };
}

function catchAt(code: string, at: number): Piece | null {
  if (/[\w$.]/.test(code.charAt(at - 1))) return null;
  const match = CATCH.exec(code.slice(at, at + CATCH_CHARS));
  return match ? { length: match[0].length, text: match[0], last: ';', caught: match[1] ?? '' } : null;
}

/** Returns a text in quotes, in which `\v` is a v. */
const withoutVerticalTabs = (text: string) =>
  /^["']/.test(text) ? text.replace(/\\([\s\S])/g, (whole, next: string) => (next === 'v' ? 'v' : whole)) : text;
