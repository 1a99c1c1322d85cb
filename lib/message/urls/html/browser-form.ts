/**
 * Reads the URLs of a text as a browser does. To a browser, ideographic full stops are dots of a host, and full-width letters and
 * signs are ordinary ones (UTS 46). Other programs link such a URL whole, or up to the first of these characters.
 */
import { isTopLevel } from '../autolinks.ts';
import { rewritten } from '../rewritten.ts';
import { type MappedText, type TextMatch, verbatim, within } from './mapped.ts';

const ODD = /[。．｡](?=[^\s])|[＠﹫]|[０-９Ａ-Ｚａ-ｚ－]|：(?=[/／]{2})|(?<=[：:])／(?=[/／])|(?<=[：:][/／])／/g;
const SHIFT = 0xfee0;
/** Group 1 is the text between the slashes and the path. */
const HOST = /^[a-z][a-z0-9+.-]*:[\\/]*([^\\/?#]*)/i;

/**
 * Returns the text in the form that a browser reads, with the way back. It is the same object when the text holds none of these characters.
 */
export function asBrowsersRead(text: MappedText): MappedText {
  if (text.text.search(ODD) < 0) return text;
  const local = rewritten(verbatim(text.text, 0), ODD, (odd) =>
    odd === '﹫' ? '@' : /[。．｡]/.test(odd) ? '.' : String.fromCharCode(odd.charCodeAt(0) - SHIFT),
  );
  return new BrowserText(text, local);
}

/**
 * Returns the matches in a text of `asBrowsersRead` that the text itself does not have. A match counts only when it names a possible host,
 * because an ideographic full stop may also end a sentence.
 */
export function* differently(read: MappedText, matches: Iterable<TextMatch | null>): Generator<TextMatch | null, void> {
  for (const match of matches)
    if (match === null || (read instanceof BrowserText && read.isOdd(match) && namesHost(match.url))) yield match;
}

class BrowserText implements MappedText {
  readonly text: string;
  private readonly outer: MappedText;
  constructor(
    private readonly source: MappedText,
    private readonly local: MappedText,
  ) {
    this.text = local.text;
    this.outer = within(source, local);
  }
  spanOf(start: number, end: number) {
    return this.outer.spanOf(start, end);
  }
  stretchesOf(start: number, end: number) {
    return this.outer.stretchesOf(start, end);
  }
  isCut(start: number, end: number) {
    return this.outer.isCut(start, end);
  }
  isOdd({ start, end }: TextMatch): boolean {
    const span = this.local.spanOf(start, end);
    return this.source.text.slice(span.start, span.end) !== this.text.slice(start, end);
  }
}

function namesHost(url: string): boolean {
  const host = HOST.exec(url)?.[1] ?? '';
  return !/[^\0-\x7f]/.test(host) || isTopLevel(host.slice(host.lastIndexOf('.') + 1));
}
