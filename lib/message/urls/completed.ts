/**
 * Completes a reference that is no complete URL, as programs do. A browser resolves it against the page. Outlook, Word and others take
 * `www.evil.example` for a web site and `//server/x` for a share, and drop any text before `http`.
 */
import { parseUrl } from '../../formats/urls/parse-url.ts';
import { isTopLevel } from './autolinks.ts';

/** Programs drop these characters in front of a link: blanks of every kind, controls, brackets and quotes. */
const LEADING = /^[\p{C}\p{Z}\s<>[\](){}"'`«»‹›“”„‘’‚.,;:!?*_|-]+/u;
/** Invisible characters, which some programs drop anywhere, as they drop blanks of every kind. */
const UNSEEN = /[\p{C}\p{Z}\s\u115f\u1160\u3164\uffa0]|\u034f|[\u17b4\u17b5]|[\u180b-\u180f]|[\ufe00-\ufe0f]/gu;
/** A reference that all programs read alike: it has a common scheme and ordinary characters. Most references of a page are like this. */
const PLAIN = /^(?:https?:\/\/[a-z0-9]|mailto:|tel:|cid:|#)[\x21\x23-\x26\x28-\x3b\x3d\x3f-\x5b\x5d-\x5f\x61-\x7e]*$/i;
const SCHEME = /^[a-z][a-z0-9+.-]+:/i;
/** A scheme is looked for only in this many characters. */
const HEAD = 256;

/** Returns the complete URLs that a program may open instead of this reference. There are none for nearly every link. */
export function completions(untrustedReference: string): string[] {
  if (PLAIN.test(untrustedReference)) return [];
  const reference = untrustedReference.trim();
  const found = new Set<string>();
  for (const bare of [reference, withoutOddities(reference)]) {
    if (SCHEME.test(bare)) {
      // A link with a blank in its path leads to the same host.
      if (hostOf(bare) === null || hostOf(bare) !== hostOf(reference)) found.add(bare);
    } else if (/^[\\/]{2}[^\\/]/.test(bare)) found.add(`\\\\${bare.slice(2)}`);
    else if (/^[\\/]{2}/.test(bare)) found.add(bare);
    else if (/^ftp\./i.test(bare)) found.add(`ftp://${bare}`);
    else if (isHost(bare)) found.add(`http://${bare}`);
  }
  found.delete(reference);
  return [...found];
}

function withoutOddities(reference: string): string {
  const head = reference
    .slice(0, HEAD)
    .replace(UNSEEN, '')
    .replace(LEADING, '')
    .replace(/^url[:=]/i, '');
  return head.normalize('NFKC') + reference.slice(HEAD);
}

function hostOf(reference: string): string | null {
  const url = parseUrl(reference);
  return url === null || url.host === '' ? null : `${url.protocol}//${url.host}`;
}

/**
 * Returns true for `www.…`, and for `name.tld` with a path or with nothing after it. Returns false for `page.html`, because `html` is no
 * top-level domain.
 */
function isHost(reference: string): boolean {
  if (/^www\.[^\s]/i.test(reference)) return true;
  const host = /^[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+(?=[/\\:?#]|$)/u.exec(reference.slice(0, HEAD))?.[0];
  return host !== undefined && isTopLevel(host.slice(host.lastIndexOf('.') + 1));
}
