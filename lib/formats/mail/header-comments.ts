/** Removes comments from header values (RFC 5322 §3.2.2). */
import { trimBlanks } from './trim-blanks.ts';

/** Returns the text without its comments. An unclosed comment runs to the end. */
export function withoutComments(text: string): string {
  if (!text.includes('(')) return text;
  let plain = '';
  let depth = 0;
  for (const char of text) {
    if (char === '(') depth++;
    else if (char === ')' && depth > 0) depth--;
    else if (depth === 0) plain += char;
  }
  return trimBlanks(plain);
}
