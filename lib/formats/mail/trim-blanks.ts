/** Blanks around a header value. */

/**
 * Without spaces and tabs at both ends. Not `trim()`: in a string of bytes U+00A0 is the tail of a UTF-8 letter; and not a
 * regular expression: `[ \t]+$` is quadratic on a run of spaces.
 */
export function trimBlanks(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && (text[start] === ' ' || text[start] === '\t')) start++;
  while (end > start && (text[end - 1] === ' ' || text[end - 1] === '\t')) end--;
  return text.slice(start, end);
}
