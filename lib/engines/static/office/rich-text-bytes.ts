/**
 * The raw bytes in rich text: `\bin` and their number ([RTF 1.9.1], "Picture data"). A program skips so many bytes wherever the word is. Word
 * itself writes pictures as digits, and other programs write them as bytes.
 */

/** The word with its number and the one blank that ends it. */
const RAW_BYTES = /\\bin(\d{1,9}) ?/g;
/** The innermost group in front of the bytes, or the group around it: a picture, and how it is measured. */
const IN_PICTURE =
  /\{(?:\\\*)?\\pict(?![a-z])(?:\\(?:pic[a-z]{1,10}|[a-z]{1,5}blip|wmetafile|dibitmap|wbm[a-z]{1,16}|bliptag|blipuid|blipupi)-?\d{0,10}|\s){0,40}\{?\s?$/;
/** The word where zeros split it, or with more digits than any file has bytes. */
const LEFT_OVER = /\\bin0*[1-9]/;
const MAX_WORDS = 1_000;
/** How pictures begin, in hexadecimal: PNG, JPEG, EMF, WMF, and a bitmap without the header of its file. */
const PICTURE = /^(?:89504e470d0a1a0a|ffd8ff|01000000.{72}20454d46|d7cdc69a|0[12]000900000[13]|28000000)/;

export interface RawBytes {
  /** `pictures`: all bytes are those of pictures, of which each ends its group. */
  readonly kind: 'none' | 'pictures' | 'others';
  /** The text without these bytes, as a program reads it, and without zeros. */
  readonly rest: string;
}

/** Finds the raw bytes in a document, of which each character is one byte. */
export function withoutRawBytes(latin1: string): RawBytes {
  const rest: string[] = [];
  let kind = 'none' as RawBytes['kind'];
  let from = 0;
  RAW_BYTES.lastIndex = 0;
  for (let match = RAW_BYTES.exec(latin1); match !== null; match = RAW_BYTES.exec(latin1)) {
    const start = match.index + match[0].length;
    const end = start + Number(match[1]);
    if (end === start) continue;
    const isPicture =
      IN_PICTURE.test(latin1.slice(Math.max(from, match.index - MAX_WORDS), match.index)) &&
      PICTURE.test(Buffer.from(latin1.slice(start, Math.min(end, start + 44)), 'latin1').toString('hex')) &&
      /^\s{0,4}\}/.test(latin1.slice(end, end + 5));
    kind = isPicture && kind !== 'others' ? 'pictures' : 'others';
    rest.push(latin1.slice(from, match.index));
    from = end;
    RAW_BYTES.lastIndex = end;
  }
  rest.push(latin1.slice(from));
  const text = rest.join('').replaceAll('\0', '');
  return { kind: LEFT_OVER.test(text) ? 'others' : kind, rest: text };
}
