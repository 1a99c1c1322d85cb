/** Writes file names as header parameters that every program reads alike (RFC 2045, RFC 2231). */

/** Most characters of a name. File systems allow 255 bytes, but a name may have megabytes. */
const NAME_LENGTH = 200;
/** Characters of an RFC 2231 value per line, so that the line stays below 78. */
const CONTINUATION_LENGTH = 54;
const PLAIN_NAME = /^[ !#-[\]-~]{1,60}$/;
/** Control characters, line separators, and the marks that turn text around, so that `exe.pdf` may look like `fdp.exe`. */
export const UNSAFE = /[\p{Cc}\p{Cs}\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;
const PERCENT_ENCODED = /[^A-Za-z0-9!#$&+.^_`|~-]/g;

/** `label="name"` when the name is short and plain ASCII, else pieces of RFC 2231. Empty when no character of it is left. */
export function nameParams(label: 'name' | 'filename', filename: string): readonly string[] {
  // Programs decode encoded words even where RFC 2047 forbids them, and one could bring back what was just taken out.
  const name = [...filename.replace(UNSAFE, '').replaceAll('=?', '=_')].slice(0, NAME_LENGTH).join('');
  if (PLAIN_NAME.test(name)) return [`${label}="${name}"`];
  const encoded = name.replace(PERCENT_ENCODED, percentEncoded);
  const pieces = [...(encoded.match(new RegExp(`(?:%..|[^%]){1,${CONTINUATION_LENGTH / 3}}`, 'g')) ?? [])];
  if (pieces.length === 1) return [`${label}*=utf-8''${encoded}`];
  return pieces.map((piece, at) => `${label}*${at}*=${at === 0 ? "utf-8''" : ''}${piece}`);
}

function percentEncoded(char: string): string {
  return Buffer.from(char).toString('hex').replace(/../g, '%$&').toUpperCase();
}
