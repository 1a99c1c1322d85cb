/**
 * What programs make of a reference that is no complete URL. A browser resolves it against the page; Outlook, Word and others
 * complete it: `www.evil.example` is a web site, `//server/x` a share, and what stands in front of `http` is dropped.
 */
import { isTopLevel } from './autolinks.ts';

/** What nobody sees, or drops, in front of a link: blanks of every kind, controls, brackets and quotes. */
const LEADING = /^[\p{C}\p{Z}\s<>[\](){}"'`«»‹›“”„‘’‚.,;:!?*_|-]+/u;
/** What nobody sees, anywhere. Blanks of every kind are dropped by some programs, too. */
const UNSEEN = /[\p{C}\p{Z}\s\u115f\u1160\u3164\uffa0]|\u034f|[\u17b4\u17b5]|[\u180b-\u180f]|[\ufe00-\ufe0f]/gu;
/** Nothing about it is odd: a scheme of the web, and no character that anybody reads otherwise. Most references of a page. */
const PLAIN = /^(?:https?:\/\/[a-z0-9]|mailto:|tel:|cid:|#)[\x21\x23-\x26\x28-\x3b\x3d\x3f-\x5b\x5d-\x5f\x61-\x7e]*$/i;
const SCHEME = /^[a-z][a-z0-9+.-]+:/i;
/** Only so far in is there a scheme. */
const HEAD = 256;

/** Other spellings of a reference that a program may open instead, each complete; none for nearly every link. */
export function completions(untrustedReference: string): string[] {
  if (PLAIN.test(untrustedReference)) return [];
  const reference = untrustedReference.trim();
  const found = new Set<string>();
  for (const bare of [reference, withoutOddities(reference)]) {
    if (SCHEME.test(bare)) {
      // A blank in its path changes nothing about where it leads.
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
  if (!URL.canParse(reference)) return null;
  const { protocol, host } = new URL(reference);
  return host === '' ? null : `${protocol}//${host}`;
}

/** `www.…`, and `name.tld` with a path or nothing behind it: not `page.html`, whose ending is no top-level domain. */
function isHost(reference: string): boolean {
  if (/^www\.[^\s]/i.test(reference)) return true;
  const host = /^[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+(?=[/\\:?#]|$)/u.exec(reference.slice(0, HEAD))?.[0];
  return host !== undefined && isTopLevel(host.slice(host.lastIndexOf('.') + 1));
}
