/** Joins the lines of flowed text (RFC 3676) with `delsp=yes`: the blank that marks a soft line end is not part of the text. */

const QUOTES = /^>*/;
/** The line above a signature ends in a blank, but does not continue in the next line (§4.3). */
const SIGNATURE = '-- ';

/**
 * Returns the text without its soft line ends, as programs that know them show it. A line continues in the next one if both have the same
 * depth of quotes. The blank that stuffs the start of a line is left out (§4.4). Linear.
 */
export function unflowed(text: string): string {
  const lines: string[] = [];
  let isOpen = false;
  let depth = 0;
  for (const raw of text.split(/\r?\n/)) {
    const quotes = QUOTES.exec(raw)?.[0] ?? '';
    const content = raw.slice(quotes.length).replace(/^ /, '');
    const isSignature = content === SIGNATURE;
    if (isOpen && quotes.length === depth && !isSignature) lines.push(content.replace(/ $/, ''));
    else
      lines.push(
        `${lines.length === 0 ? '' : '\r\n'}${quotes}${quotes === '' ? '' : ' '}${isSignature ? content : content.replace(/ $/, '')}`,
      );
    isOpen = content.endsWith(' ') && !isSignature;
    depth = quotes.length;
  }
  return lines.join('');
}
