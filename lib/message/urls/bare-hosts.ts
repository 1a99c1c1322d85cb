/** Host names in words that are neither plainly a link nor plainly none: `file:evil.com`, `..evil.com`, `a_b.com/x|evil.com`. */
import type { TextMatch } from './mapped.ts';

/** Host names of one word: the rest of a flood leads where the first ones lead. */
const HOSTS_PER_WORD = 8;
const TOKEN = /[\p{L}\p{N}_.-]+/gu;
/** Where some programs end a URL, and look for the next one. */
const SEPARATORS = /[\s"'<>`|{}^\\]+/g;
const CLOSING = new Set(')]}>\'".,;:!?*');
const PATH = /^(?::\d{1,5})?(?=[/?#])/;
/** `(Foo.java:12)`: a place in a program, and no port that a web server has. */
const LINE_NUMBER = /^:(?!80(?!\d)|443(?!\d))\d{1,3}(?![\d/?#])/;
/** `www.bank.example@evil.example/x`: what looks like the host is a user, to programs that link all up to the next blank. */
const USER = /^[^\s@/?#"<>]{0,100}?(?:@|%40)/i;
/** Linked by these first letters, whatever the last label: names of an intranet have none that is registered. */
const NAMED = /^(?:www|ftp)\.[\p{L}\p{N}]/iu;
const PORT = /^:\d{1,5}(?!\d)/;

/**
 * Links without a scheme in a word, with indexes into it. Not the host of a mail address, nor a file in a path (`lib/main.py`), nor
 * what stands behind `https://`. Linear.
 */
export function hostsInWord(word: string, isTopLevel: (label: string) => boolean): TextMatch[] {
  const found: TextMatch[] = [];
  let from = 0;
  for (const token of word.matchAll(TOKEN)) {
    if (found.length === HOSTS_PER_WORD) break;
    if (token.index < from || !token[0].includes('.')) continue;
    const host = hostOf(token[0], isTopLevel);
    const start = token.index + token[0].lastIndexOf(host);
    if (host === '' || !canBegin(word, start, host)) continue;
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

/** The labels up to the last one, behind the last empty one; empty when the last is no top-level domain. */
function hostOf(token: string, isTopLevel: (label: string) => boolean): string {
  const from = Math.max(0, token.search(BEHIND_LETTERS) + 1);
  const plain = token
    .slice(from)
    .replace(/^[._-]+/, '')
    .slice(0, MOST_CHARACTERS);
  let end = plain.length;
  while (end > 0 && /[._-]/.test(plain.charAt(end - 1))) end--;
  const host = plain.slice(plain.lastIndexOf('..', end) + 1, end).replace(/^[._-]+/, '');
  const dot = host.lastIndexOf('.');
  return dot > 0 && (startsLikeHost(host) || isTopLevel(host.slice(dot + 1))) ? host : '';
}

/** True for `www.…` and `ftp.…`, of which programs make links without knowing the top-level domain. */
export const startsLikeHost = (host: string) => NAMED.test(host);

/** `见www.…`: in scripts that know no blanks a link stands right behind a word. */
const BEHIND_LETTERS = /[^\0-\x7f](?=(?:www|ftp)\.)/i;
/** Longer than a host name can be. */
const MOST_CHARACTERS = 1_000;

const LOOK_BEHIND = 64;

/** What is found as it is spelled. Behind other schemes programs link the host by itself. */
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
  // `www.shop.example;ann@shop.example` names one place twice, and is found where no blank stands between the two.
  const another = rest.slice(user.length, user.length + MOST_CHARACTERS).toLowerCase();
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
