/** Finds markup in an encoding in which programs see other markup than a search of its bytes. */

/** Encodings in which every program sees markup in the same bytes. In UTF-7 or EBCDIC, other bytes are markup. */
const ENCODINGS = /^(?:utf-?8|utf-?16(?:le|be)?|us-ascii|iso-8859-1|windows-1252)$/i;
/** The beginning of markup in those encodings: a mark, white space, and `<`. */
const START = /^(?:\xef\xbb\xbf|\xff\xfe|\xfe\xff)?\s*</;
/** Four bytes for each letter: the first of them or the mark before them. */
const WIDE = /^(?:\xff\xfe\0\0|\0\0\xfe\xff|\0{3}[^\0]|[^\0]\0{3})/;

/** Returns whether a part cannot be searched, because it is not markup in an encoding of the list. */
export function hasForeignEncoding(content: Uint8Array): boolean {
  const head = Buffer.from(content.subarray(0, 400)).toString('latin1');
  const letters = head.replaceAll('\0', '');
  if (WIDE.test(head) || !START.test(letters)) return true;
  const named = /^[^<]{0,4}<\?xml\s[^>]{0,200}encoding\s*=\s*["']([^"']{1,40})/i.exec(letters)?.[1];
  return named !== undefined && !ENCODINGS.test(named);
}
