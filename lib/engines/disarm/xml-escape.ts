/** Escapes text and attribute values for XML. Every writer here uses these functions. */

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\r': '&#13;',
  '\n': '&#10;',
  '\t': '&#9;',
};

/** Escapes text between tags. Most text has nothing to escape. */
export function escapeText(text: string): string {
  return /[&<>\r]/.test(text) ? text.replace(/[&<>\r]/g, (character) => ESCAPES[character] ?? '') : text;
}

/** Escapes text for an attribute value in double quotes. */
export function escapeValue(value: string): string {
  return /[&<>"\r\n\t]/.test(value) ? value.replace(/[&<>"\r\n\t]/g, (character) => ESCAPES[character] ?? '') : value;
}
