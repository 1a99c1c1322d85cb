/** The names of people in the head of a page that is otherwise left as it is. */

/** A meta element that names a person. Only cut out where the rest is proven to be a page without active content. */
const AUTHOR = /<meta\b(?=[^<>]{0,1000}\bname\s*=\s*["']?(?:author|creator|owner|reply-to)["'\s/>])[^<>]{0,2000}>/gi;

/** The page without such elements; null when it has none. One character of `latin1` text is one byte, whatever the encoding. */
export function withoutAuthor(bytes: Uint8Array): Uint8Array | null {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  const cut = text.replace(AUTHOR, '');
  return cut.length === text.length ? null : Buffer.from(cut, 'latin1');
}
