/** Distinguishes the written address of a machine from a link to a web server there. */
import type { TextMatch } from './html/mapped.ts';

const ADDRESS = /^\d{1,3}(?:\.\d{1,3}){3}(?::(\d{1,5}))?(\/.*)?$/s;
/** The length of a prefix, as in `10.0.0.0/8`. The text in front of it is a network. */
const PREFIX = /^\/(?:\d|[12]\d|3[0-2])$/;

/**
 * Ports that no browser opens, with any service behind them (Fetch standard, "bad port"): the ports of mail, of logins, of name servers.
 */
const REFUSED_PORTS = new Set(
  (
    '1 7 9 11 13 15 17 19 20 21 22 23 25 37 42 43 53 69 77 79 87 95 101 102 103 104 109 110 111 113 115 117 119 123 135 137 139 143 ' +
    '161 179 389 427 465 512 513 514 515 526 530 531 532 540 548 554 556 563 587 601 636 989 990 993 995 1719 1720 1723 2049 3659 ' +
    '4045 4190 5060 5061 6000 6566 6665 6666 6667 6668 6669 6679 6697 10080'
  ).split(' '),
);

/**
 * Returns true for four numbers without a scheme that are no link: a version (`15.1.2.3`), the address of a machine, a network, or an
 * address with a port that no browser opens. Outlook, Thunderbird, Gmail and linkify-it as it is shipped make no link of them. An address
 * with any other port or with a path is a link in some programs, so it does not count here.
 */
export function isMereAddress(word: string): boolean {
  const address = ADDRESS.exec(word);
  if (address === null) return false;
  const [, port, path = ''] = address;
  // Every manual of a server names the machine of its reader.
  if (port !== undefined) return REFUSED_PORTS.has(String(Number(port))) || (path === '' && word.startsWith('127.'));
  return path === '' || PREFIX.test(path);
}

/** An address in front of its port or path, up to a sign that ends it for some program. Programs link it anywhere in a word. */
const IN_WORD = /(?<![\d.])(?:\d{1,3}\.){3}\d{1,3}(?::\d{1,5}(?!\d)|(?=[/?#]))[^\s"'<>`|{}^\\,;]*/g;
const CLOSING = new Set(')]}>\'".,;:!?*');
const MAX_OCTET = 255;
/** Addresses of one word. A word with more of them is a flood, and the first ones are enough to judge it. */
const ADDRESSES_PER_WORD = 16;

/** Returns the addresses in a word that are links, as URLs, with indexes into the word. Linear. */
export function addressesInWord(word: string): TextMatch[] {
  const found: TextMatch[] = [];
  for (const { 0: run, index: start } of word.matchAll(IN_WORD)) {
    if (found.length === ADDRESSES_PER_WORD) break;
    const text = withoutClosing(run);
    const octets = /^[\d.]+/.exec(text)?.[0].split('.') ?? [];
    if (isMereAddress(text) || octets.some((octet) => Number(octet) > MAX_OCTET)) continue;
    // Programs differ in the sign that ends it.
    for (const url of new Set([text, withoutClosing(word.slice(start))]))
      found.push({ url: `http://${url}`, start, end: start + url.length });
  }
  return found;
}

/** This is a loop, because an expression anchored at the end takes quadratic time. */
function withoutClosing(text: string): string {
  let end = text.length;
  while (end > 0 && CLOSING.has(text.charAt(end - 1))) end--;
  return text.slice(0, end);
}
