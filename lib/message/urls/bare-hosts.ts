/** Finds host names in words that are neither plainly a link nor plainly none: `file:evil.com`, `..evil.com`, `a_b.com/x|evil.com`. */
import type { TextMatch } from './html/mapped.ts';

/** Most host names that are taken from one word. A word with more of them is a flood, and the first ones are enough to judge it. */
const HOSTS_PER_WORD = 8;
/** The repetition is bounded. An unbounded expression of letters of every script overflows the stack on megabytes. */
const TOKEN = /[\p{L}\p{N}_.-]{1,4096}/gu;
/** Some programs end a URL here and look for the next one. */
const SEPARATORS = /[\s"'<>`|{}^\\]+/g;
const CLOSING = new Set(')]}>\'".,;:!?*');
const PATH = /^(?::\d{1,5})?(?=[/?#])/;
/** The number in `(Foo.java:12)` is a line of a program. No web server has such a port. */
const LINE_NUMBER = /^:(?!80(?!\d)|443(?!\d))\d{1,3}(?![\d/?#])/;
/**
 * Programs that link everything up to the next blank read `www.bank.example@evil.example/x` as a user name and a host. The text that looks
 * like the host is the user.
 */
const USER = /^[^\s@/?#"<>]{0,100}?(?:@|%40)/i;
/** Programs link these first letters with any last label. Names of an intranet end in no registered domain. */
const NAMED = /^(?:www|ftp)\.[\p{L}\p{N}]/iu;
const PORT = /^:\d{1,5}(?!\d)/;

/**
 * Links without a scheme in a word, with indexes into it. The host of a mail address, a file in a path (`lib/main.py`) and a URL
 * behind `https://` are not among them. Linear.
 */
export function hostsInWord(word: string, isTopLevel: (label: string) => boolean): TextMatch[] {
  const found: TextMatch[] = [];
  let from = 0;
  for (const token of word.matchAll(TOKEN)) {
    if (found.length === HOSTS_PER_WORD) break;
    if (token.index < from || !token[0].includes('.')) continue;
    const host = hostOf(token[0], isTopLevel);
    const start = token.index + token[0].lastIndexOf(host);
    if (host === '' || isOnlyAFile(host) || !canBegin(word, start, host)) continue;
    if (LINE_NUMBER.test(word.slice(start + host.length, start + host.length + LOOK_BEHIND))) continue;
    const end = endOf(word, start, start + host.length);
    found.push({ url: `http://${word.slice(start, end)}`, start, end });
    SEPARATORS.lastIndex = start + host.length;
    const separator = SEPARATORS.exec(word);
    if (separator !== null && separator.index < end) {
      found.push({ url: `http://${word.slice(start, separator.index)}`, start, end: separator.index });
      from = SEPARATORS.lastIndex;
    } else from = end;
  }
  return found;
}

/** Letters of this kind continue a word in every program. All others end a host name in some: `请访问bank.example请`, `bank.example에서`. */
const LATIN = /^[\p{Script=Latin}\p{Script=Common}\p{Script=Inherited}]$/u;
const LETTER = /^[\p{L}\p{M}]$/u;
/** The repetition is bounded for the same reason as that of a token. */
const ASCII_NAME = /[a-z0-9._-]{3,1000}/gi;

/**
 * Returns the links without a scheme that stand directly beside letters of another script, with indexes into the word. Programs that know
 * where such a word ends link the ASCII name alone, and others link all of it, which is another host. Linear.
 */
export function hostsBesideLetters(word: string, isTopLevel: (label: string) => boolean): TextMatch[] {
  const found: TextMatch[] = [];
  if (!NOT_ASCII.test(word)) return found;
  for (const { 0: host, index: start } of word.matchAll(ASCII_NAME)) {
    if (found.length === HOSTS_PER_WORD) break;
    const end = start + host.length;
    const isCut = endsName(letterBefore(word, start)) || endsName(letterAt(word, end));
    // A dot beside the letters makes them a label of the same host: `пример.example`.
    if (!isCut || !/^[a-z0-9].*[a-z0-9]$/is.test(host) || hostOf(host, isTopLevel) !== host || isOnlyAFile(host))
      continue;
    if (word.charAt(end) === '@' || !canBegin(word, start, host)) continue;
    const linkEnd = endOf(word, start, end);
    found.push({ url: `http://${word.slice(start, linkEnd)}`, start, end: linkEnd });
  }
  return found;
}

const NOT_ASCII = /[^\0-\x7f]/;
const endsName = (letter: string) => LETTER.test(letter) && !LATIN.test(letter);
const letterAt = (word: string, at: number) => String.fromCodePoint(word.codePointAt(at) ?? 0);
/** A letter of two code units has its second one here, which is no letter. The first one says what it is. */
const letterBefore = (word: string, at: number) =>
  /[\ud800-\udbff]/.test(word.charAt(at - 2)) ? letterAt(word, at - 2) : letterAt(word, at - 1);

/** Returns the host name in a token: the labels behind the last empty one. Empty when the last label is no top-level domain. */
function hostOf(token: string, isTopLevel: (label: string) => boolean): string {
  const from = Math.max(0, token.search(BEHIND_LETTERS) + 1);
  const plain = token
    .slice(from)
    .replace(/^[._-]+/, '')
    .slice(0, MAX_CHARACTERS);
  let end = plain.length;
  while (end > 0 && /[._-]/.test(plain.charAt(end - 1))) end--;
  const host = plain.slice(plain.lastIndexOf('..', end) + 1, end).replace(/^[._-]+/, '');
  const dot = host.lastIndexOf('.');
  return dot > 0 && (startsLikeHost(host) || isTopLevel(host.slice(dot + 1))) ? host : '';
}

/** Returns true for `www.…` and `ftp.…`, of which programs make links without knowing the top-level domain. */
export const startsLikeHost = (host: string) => NAMED.test(host);

/** In scripts without blanks, a link follows a word directly: `见www.…`. */
const BEHIND_LETTERS = /[^\0-\x7f](?=(?:www|ftp)\.)/i;
/** No host name is this long. */
const MAX_CHARACTERS = 1_000;

/**
 * Returns true for the name of a source file that can be no host: all names under `.java` belong to one company, and Paraguay registers
 * names only on the third level.
 */
export const isOnlyAFile = (host: string) => /^(?:[^.]+\.py|(?!www\.).+\.java)$/i.test(host);

const LOOK_BEHIND = 64;

/** URLs with these schemes are found as spelled. Behind other schemes, programs link the host alone. */
const SPELLED_OUT = /(?:https?|ftps?):[\\/]*$/i;

function canBegin(word: string, start: number, host: string): boolean {
  const before = word.slice(Math.max(0, start - LOOK_BEHIND), start).replace(/[._-]+$/, '');
  if (/^(?:www|ftp)\./i.test(host)) return !before.endsWith('//') || before.length === 2;
  if (/[^\s"'<>|(\\]@$/.test(before.slice(-2))) return false;
  if (!before.endsWith('/') || /^\/+$/.test(before)) return true;
  return before.endsWith('//') ? !SPELLED_OUT.test(before) : word.indexOf('://', start) !== -1;
}

function isUser(host: string, rest: string): boolean {
  const user = startsLikeHost(host) ? USER.exec(rest)?.[0] : undefined;
  if (user === undefined) return false;
  // `www.shop.example;ann@shop.example` names one site twice. Lists without blanks look like this.
  const another = rest.slice(user.length, user.length + MAX_CHARACTERS).toLowerCase();
  return user === '@' || !another.startsWith(host.replace(/^(?:www|ftp)\./i, '').toLowerCase());
}

function endOf(word: string, start: number, hostEnd: number): number {
  const rest = word.slice(hostEnd);
  if (!isUser(word.slice(start, hostEnd), rest) && !PATH.test(rest))
    return hostEnd + (PORT.exec(rest)?.[0].length ?? 0);
  let end = word.length;
  while (end > hostEnd && CLOSING.has(word.charAt(end - 1))) end--;
  return end;
}
