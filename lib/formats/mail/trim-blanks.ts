/** Removes the blanks around a header value. */

/**
 * Returns the text without spaces and tabs at both ends. `trim()` would also remove U+00A0, which is the last byte of a UTF-8 letter in a
 * string of bytes. The regular expression `[ \t]+$` would take quadratic time for a run of spaces.
 */
export function trimBlanks(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && (text[start] === ' ' || text[start] === '\t')) start++;
  while (end > start && (text[end - 1] === ' ' || text[end - 1] === '\t')) end--;
  return text.slice(start, end);
}
