/** Flowed text (RFC 3676) with `delsp=yes`: lines that go on in the next one, without the blank that says so. */

const QUOTES = /^>*/;
/** The line above a signature ends in a blank and goes on nowhere (§4.3). */
const SIGNATURE = '-- ';

/**
 * The text with its soft line ends undone, as a program that knows them shows it: lines go on in the next one of the same depth
 * of quotes, and blanks that stuff the start of a line are left out (§4.4). Linear.
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
