/**
 * Finds what mail programs make clickable in running text: URLs with a scheme, and words that only look like a host name
 * (`example.com/x`). One pass decides the words that are plainly a link or plainly none. linkify-it decides the odd ones.
 */
import { LinkifyIt } from 'linkify-it';
import tlds from 'tlds' with { type: 'json' };
import { addressesInWord, isMereAddress } from './bare-addresses.ts';
import { hostsBesideLetters, hostsInWord, isOnlyAFile, startsLikeHost } from './bare-hosts.ts';
import type { TextMatch } from './html/mapped.ts';

const TLDS: ReadonlySet<string> = new Set(tlds);
/** Returns true for a top-level domain that exists. */
export const isTopLevel = (label: string) => TLDS.has(label.toLowerCase());

let linkifyIt: LinkifyIt | null = null;

/** Compiled on first use: the list of top-level domains makes a large expression. */
function linkify(): LinkifyIt {
  linkifyIt ??= new LinkifyIt({ fuzzyLink: true, fuzzyIP: false, fuzzyEmail: true, urlAuth: true, tlds }).add(
    '//',
    null,
  );
  return linkifyIt;
}

/** Every link has one of these: a dot that ends no sentence, or the colon and slashes behind a scheme. */
const SIGNAL = /\.(?=[a-z0-9\x80-\uffff])|:(?=[\\/]{2})/gi;

/** A link that holds only characters about which all programs agree. Group 1 is its scheme, group 2 its host. */
const PLAIN_LINK =
  /^(https?:\/\/)?([a-z0-9-]+(?:\.[a-z0-9-]+)*)(?::\d{1,5})?(?:[/?#](?:[a-z0-9/_.=&%+~#?:-]*[a-z0-9/_=&%+~#])?)?$/i;
const PLAIN_ADDRESS = /^(?:mailto:)?[a-z0-9][a-z0-9_.+-]*@[a-z0-9-]+(?:\.[a-z0-9-]+)+$/i;
/**
 * An address that begins with `www.` or `ftp.`, also behind punctuation: `one,www.bank.example@evil.example;two`. Programs that
 * link by the first letters begin there.
 */
const WWW_ADDRESS = /(?<![a-z0-9_.+@-])(?:www|ftp)\.[a-z0-9_.+-]*@[a-z0-9][a-z0-9.-]*[a-z0-9]/gi;
const FOUR_NUMBERS = /^\d+\.\d+\.\d+\.\d+$/;
/** Longer words are not matched by these expressions. Repeated groups use the stack, and a word of megabytes would overflow it. */
const PLAIN_LENGTH = 4_096;
/** Signs that separate host names and are part of none. In a path, a user name or a query they have another meaning. */
const SEPARATOR = /[,;|(){}[\]'"!*]/;
const HAS_PATH = /[/?#@\\:]/;
const SHORTEST_HOST = 3;
const OPENING = new Set('([{\'"*');
const CLOSING = new Set(')]}\'".,;:!?*');

interface Word {
  readonly start: number;
  readonly text: string;
}

/** Links in a text, with indexes into it. Mail addresses are not among them. Linear in the length of the text. */
export function autolinks(text: string): TextMatch[] {
  SIGNAL.lastIndex = 0;
  let signal = SIGNAL.exec(text);
  if (signal === null) return [];
  const found: TextMatch[] = [];
  const odd: Word[] = [];
  let from = 0;
  for (; signal !== null; signal = SIGNAL.exec(text)) {
    let start = signal.index;
    while (start > from && !isGap(text.charCodeAt(start - 1))) start--;
    let end = signal.index + 1;
    while (end < text.length && !isGap(text.charCodeAt(end))) end++;
    judgeWord(text, start, end, found, odd);
    from = end;
    SIGNAL.lastIndex = end;
  }
  // The list is not spread into push, because a million arguments overflow the stack.
  if (odd.length > 0) for (const link of linkifiedWords(odd)) found.push(link);
  return found.sort((left, right) => left.start - right.start);
}

/** Returns true for characters at which every link ends: white space, controls, invisible characters, quotes and angle brackets. */
function isGap(code: number): boolean {
  if (code < 0x7f) return code <= 0x20 || code === 0x22 || code === 0x3c || code === 0x3e;
  if (code <= 0xa0 || code === 0xad || code === 0x3000 || code === 0xfeff) return true;
  return (code >= 0x2000 && code <= 0x200f) || (code >= 0x2028 && code <= 0x202e) || (code >= 0x2060 && code <= 0x206f);
}

function judgeWord(text: string, wordStart: number, wordEnd: number, found: TextMatch[], odd: Word[]): void {
  let start = wordStart;
  let end = wordEnd;
  while (start < end && OPENING.has(text.charAt(start))) start++;
  while (end > start && CLOSING.has(text.charAt(end - 1))) end--;
  if (end - start <= SHORTEST_HOST) return;
  const word = text.slice(start, end);
  const isLong = word.length > PLAIN_LENGTH;
  const plain = isLong ? null : PLAIN_LINK.exec(word);
  if (plain === null) {
    if (!isLong && PLAIN_ADDRESS.test(word)) addAddress(word, start, found);
    else if (isLong || HAS_PATH.test(word) || !SEPARATOR.test(word)) {
      odd.push({ start: wordStart, text: text.slice(wordStart, wordEnd) });
      addAddressesIn(word, start, found);
    } else judgePieces(text, start, end, found, odd);
    return;
  }
  if (plain[1] !== undefined) found.push({ url: word, start, end });
  else if (!isMereAddress(word)) judgeBareWord({ start, text: word }, plain[2] ?? '', found, odd);
}

function judgeBareWord({ start, text: word }: Word, host: string, found: TextMatch[], odd: Word[]): void {
  const end = start + word.length;
  if (isOnlyAFile(host)) return;
  if (isHost(host) || isAddressWithPort(word, host)) found.push({ url: `http://${word}`, start, end });
  else if (FOUR_NUMBERS.test(host) || host.includes('--')) odd.push({ start, text: word });
}

const isHost = (host: string) =>
  startsLikeHost(host) || (host.includes('.') && isTopLevel(host.slice(host.lastIndexOf('.') + 1)));

/** Returns true for `192.0.2.1:8080`. Addresses of the reader's own machine do not count: every manual of a server names one. */
function isAddressWithPort(word: string, host: string): boolean {
  if (!FOUR_NUMBERS.test(host) || word.charAt(host.length) !== ':' || host.startsWith('127.')) return false;
  return host.split('.').every((number) => Number(number) < 256);
}

/**
 * Adds words such as `www.bank.example@evil.example`. Programs that link by the first letters read a user name and a host in
 * it.
 */
function addAddress(word: string, start: number, found: TextMatch[]): void {
  if (/^(?:www|ftp)\./i.test(word)) found.push({ url: `http://${word}`, start, end: start + word.length });
}

function addAddressesIn(word: string, start: number, found: TextMatch[]): void {
  if (word.includes('@'))
    for (const match of word.matchAll(WWW_ADDRESS)) addAddress(match[0], start + match.index, found);
}

/** Judges each piece of `one.com,two.com`, which has no path, as a word of its own. */
function judgePieces(text: string, start: number, end: number, found: TextMatch[], odd: Word[]): void {
  let from = start;
  for (let at = start; at <= end; at++) {
    if (at < end && !SEPARATOR.test(text.charAt(at))) continue;
    if (at - from > SHORTEST_HOST && text.slice(from, at).includes('.')) judgeWord(text, from, at, found, odd);
    from = at + 1;
  }
}

/** Links in the odd words, in one call of linkify-it. A call for each of a million words would take seconds. */
function linkifiedWords(words: readonly Word[]): TextMatch[] {
  const found: TextMatch[] = [];
  const starts: number[] = [];
  let length = 0;
  for (const word of words) {
    starts.push(length);
    length += word.text.length + 1;
  }
  let index = 0;
  for (const match of linkify().match(words.map((word) => word.text).join('\n')) ?? []) {
    while ((starts[index + 1] ?? Number.POSITIVE_INFINITY) <= match.index) index++;
    const shift = (words[index]?.start ?? 0) - (starts[index] ?? 0);
    if (match.schema !== 'mailto:')
      found.push({ url: match.url, start: match.index + shift, end: match.lastIndex + shift });
  }
  // A word of megabytes can hold a million links. Only the few that are needed here are searched for, in the list itself.
  const linked = found.length;
  for (const word of words)
    for (const link of [
      ...hostsInWord(word.text, isTopLevel),
      ...hostsBesideLetters(word.text, isTopLevel),
      ...addressesInWord(word.text),
    ])
      if (linkAt(found, word.start + link.start, linked)?.end !== word.start + link.end)
        found.push({ url: link.url, start: word.start + link.start, end: word.start + link.end });
  return found;
}

/**
 * Returns the last link that starts there, of the first `count` links, which are in order. It searches the list, because building a map
 * costs as much as finding the links.
 */
export function linkAt(links: readonly TextMatch[], start: number, count = links.length): TextMatch | undefined {
  let [low, high] = [0, count];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((links[middle]?.start ?? 0) <= start) low = middle + 1;
    else high = middle;
  }
  const link = low === 0 ? undefined : links[low - 1];
  return link?.start === start ? link : undefined;
}
