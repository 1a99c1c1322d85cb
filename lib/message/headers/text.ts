/** Writes text into a header field so that no program reads another field, word or link in it. RFC 5322, 2047. */

/** Bytes of one encoded word. In base64 and with its frame it stays below 75 characters. */
const WORD_BYTES = 42;
/** Characters of a line. Longer lines are folded between words. */
const LINE_LENGTH = 76;
const MAX_WORD_LENGTH = 900;

/** Returns a folded field with its line break. Plain ASCII stays as it is, and any other text is written as encoded words of UTF-8. */
export function textField(name: string, text: string, eol: string): string {
  const clean = text
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\p{Cs}]+/gu, ' ')
    .replace(/ {2,}/g, ' ')
    .trim();
  const words = clean.split(' ');
  const isPlain = /^[\x20-\x7e]*$/.test(clean) && !clean.includes('=?');
  return folded(
    name,
    isPlain && words.every(({ length }) => length <= MAX_WORD_LENGTH) ? words : encodedWords(clean),
    eol,
  );
}

function encodedWords(text: string): string[] {
  const words: string[] = [];
  let word = '';
  for (const character of text) {
    if (Buffer.byteLength(word + character) > WORD_BYTES) {
      words.push(word);
      word = '';
    }
    word += character;
  }
  return [...words, word].map((each) => `=?utf-8?B?${Buffer.from(each).toString('base64')}?=`);
}

function folded(name: string, words: readonly string[], eol: string): string {
  let field = `${name}:`;
  let line = field.length;
  for (const word of words) {
    const breaks = line > name.length + 1 && line + 1 + word.length > LINE_LENGTH;
    field += breaks ? `${eol} ${word}` : ` ${word}`;
    line = breaks ? 1 + word.length : line + 1 + word.length;
  }
  return `${field}${eol}`;
}
