/** The look of a blocked link in a page. Its text is struck through and leads nowhere. A note behind it gives its former address. */
import type { Anchor } from './anchors.ts';
import type { Edit } from './edits.ts';
import type { Span } from './mapped.ts';

/** The words for readers about a blocked link, in their language. None of them needs an escape in HTML. */
export interface BlockedWords {
  /** The words beside the text of a link. `{url}` is its address, which nothing links. */
  readonly beside: string;
  /** The words behind an address in running text. */
  readonly behind: string;
  /** The words in place of a text from which the blocked links could not be removed. */
  readonly withheld: string;
}

interface Blocked extends Span {
  readonly normalised: string;
}

/**
 * The style replaces the address, in the quotes of the sender or without any. So it contains no quote and no white space. Each declaration
 * for Outlook for Windows occurs twice. Outlook ignores declarations with `!important`, and style sheets overrule those without it.
 */
const CROSSED_OUT = [
  'color:#5f6368;background:none;text-decoration:line-through',
  'color:#5f6368!important;-webkit-text-fill-color:#5f6368!important;background:none!important;border:0!important',
  'text-decoration:line-through!important;cursor:not-allowed!important',
].join(';');
const BESIDE = [
  'color:#5f6368;font-size:12px;font-style:italic',
  // A page with a banner does not keep `all`.
  'text-decoration:none!important;-webkit-text-fill-color:#5f6368!important;line-height:normal!important',
  'letter-spacing:normal!important;word-spacing:normal!important;float:none!important;background:none!important',
  'display:inline!important;visibility:visible!important;opacity:1!important;color:#5f6368!important',
  'font-family:Arial,sans-serif!important;font-size:12px!important;font-style:italic!important;overflow-wrap:anywhere!important',
].join(';');

/**
 * Returns the edits that make the links among `links` look blocked. `noted` are blocked URLs in running text, which already have a note: a
 * link that shows its address gets no second one. `address` writes an address so that nothing links it, without quotes and brackets of
 * HTML.
 */
export function looksOf<Url extends Blocked>(
  anchors: readonly Anchor[],
  { links, noted }: { readonly links: readonly Url[]; readonly noted: readonly Url[] },
  words: BlockedWords,
  address: (url: Url) => string,
): Edit[] {
  const looks: Edit[] = [];
  const [inLinks, inTexts] = [inOrder(links), inOrder(noted)];
  for (const anchor of anchors) {
    const [first] = anchor.addresses.flatMap(({ value }) => urlsWithin(inLinks, value).slice(0, 1));
    const [main, ...others] = anchor.addresses;
    if (first === undefined || main === undefined) continue;
    looks.push({ ...main.name, replacement: 'style' }, { ...main.value, replacement: CROSSED_OUT });
    // A second address in the same tag would replace the first, and so would another style.
    for (const span of [...others.map(({ whole }) => whole), ...anchor.styles])
      looks.push({ ...span, replacement: '' });
    // A line across a link is not drawn across a box within it, and letters within it have colours of their own.
    for (const { nameEnd, styles } of anchor.inner) {
      looks.push({ start: nameEnd, end: nameEnd, replacement: ` style=${CROSSED_OUT} ` });
      for (const span of styles) looks.push({ ...span, replacement: '' });
    }
    const { text, after } = anchor;
    if (text === null || urlsWithin(inTexts, text).some((url) => isSame(url, first))) continue;
    const note = words.beside.replace('{url}', () => address(first));
    looks.push({ start: after, end: after, replacement: `<span style=${BESIDE}> [${note}]</span>` });
  }
  return looks;
}

const inOrder = <Url extends Span>(urls: readonly Url[]) => [...urls].sort((one, other) => one.start - other.start);

const isSame = (one: Blocked, other: Blocked) =>
  one.normalised.replace(/\/$/, '') === other.normalised.replace(/\/$/, '');

/**
 * Returns the URLs that begin in a range, from an ordered list. A page can have a hundred thousand links, and their ranges do not overlap.
 */
function urlsWithin<Url extends Span>(urls: readonly Url[], span: Span): Url[] {
  let [low, high] = [0, urls.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((urls[middle]?.start ?? 0) < span.start) low = middle + 1;
    else high = middle;
  }
  let end = low;
  while ((urls[end]?.start ?? Number.POSITIVE_INFINITY) <= span.end) end++;
  return urls.slice(low, end);
}
