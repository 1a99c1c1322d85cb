/** Text and values as XML has them, in the way every writer here writes them. */

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\r': '&#13;',
  '\n': '&#10;',
  '\t': '&#9;',
};

/** Text between tags. Nearly all of it has nothing to escape. */
export function escapeText(text: string): string {
  return /[&<>\r]/.test(text) ? text.replace(/[&<>\r]/g, (character) => ESCAPES[character] ?? '') : text;
}

/** Text as it stands between the double quotes of an attribute. */
export function escapeValue(value: string): string {
  return /[&<>"\r\n\t]/.test(value) ? value.replace(/[&<>"\r\n\t]/g, (character) => ESCAPES[character] ?? '') : value;
}
