/** Decides which URLs of a page are active by themselves, and which may stay in a rebuilt page. */

import { heldDigest } from '../../../formats/pictures/held-picture.ts';
import { parseUrl } from '../../../formats/urls/parse-url.ts';

/** Characters that browsers drop before they read a scheme (WHATWG URL §4.4), and invisible characters. */
const IGNORED = /[\p{Cc}\p{Cf}\s]/gu;

/** Schemes that start no program by themselves. Not all of them may stay: see `writtenLink`. */
const SAFE_SCHEMES = new Set('http https mailto tel sms ftp cid mid'.split(' '));
const RASTER_DATA = /^data:image\/(?:png|jpe?g|gif|webp|bmp)(?:;[a-z0-9=-]+)*;base64,[a-z0-9+/=%]*$/i;
/** The most characters of a URL that are searched for its scheme. */
const HEAD = 4_096;

/**
 * Returns true for a path to another machine: `\\server\share`, with any mixture of slashes that Windows accepts. `//host/path` counts,
 * too. A page in a mail or a file has no scheme to complete it, so programs look for a share of that name and log on to it.
 */
const isUncPath = (url: string) => /^[\\/]{2}/.test(headOf(url));

/** Returns the start of a URL as programs read it. Thousands of blanks before or in a scheme do not hide it. */
function headOf(url: string): string {
  const head = url.slice(0, HEAD);
  const read = head.replace(IGNORED, '');
  return read.length === head.length ? head : url.replace(IGNORED, '').slice(0, HEAD);
}

/** Returns true for a picture inside the URL, of a format without scripts. */
export function isRasterData(url: string): boolean {
  return RASTER_DATA.test(url.replace(IGNORED, ''));
}

/**
 * Returns true for a URL that acts when it is opened or loaded. An unknown scheme counts, because any program on the machine can have its
 * own.
 */
export function isActiveUrl(url: string): boolean {
  const scheme = schemeOf(url);
  if (scheme === 'data') return !isRasterData(url);
  if (scheme === null) return isUncPath(url);
  return !SAFE_SCHEMES.has(scheme) && !/^about:blank$/i.test(url.trim());
}

function schemeOf(url: string): string | null {
  return /^([a-z][a-z0-9+.-]*):/i.exec(headOf(url))?.[1]?.toLowerCase() ?? null;
}

/**
 * Returns true when a URL of a `srcset` is active. A size follows each. Some programs end a URL at any comma, and `data:` URLs contain
 * many.
 */
export function isActiveSet(set: string): boolean {
  const urls = set.split(/,?\s+|,$/).flatMap((url) => (/^data:/i.test(url) ? [url] : url.split(',')));
  return urls.some(isActiveUrl);
}

/** Returns the address without the blanks around it, which every program drops. */
const trimmed = (url: string) => url.replace(/^[ \t\r\n]+|[ \t\r\n]+$/g, '');
/** A complete address of the web, without anything that programs drop, complete or take for a separator. */
const WEB_ADDRESS =
  /^https?:\/\/([^\s\p{Cc}\p{Cf}\\/?#<>"'`()[\]{}]+|\[[0-9a-f:.]{2,45}\](?::\d{1,5})?)(?:[/?#][^\t\n\r\p{Cc}\p{Cf}\u2028\u2029\u3000\u00a0<>"`\\]*)?$/iu;
/** Returns false for a host with other dots, or with letters that only look alike. */
const isOwnForm = (host: string) => host.normalize('NFKC') === host && !/[\u3002\uff0e\uff61\u2024]/.test(host);
const MAIL_ADDRESS = /^mailto:[^\s\p{Cc}\p{Cf}/\\<>"`]?[^\p{Cc}\p{Cf}<>"`\\]*$/iu;
const TELEPHONE = /^tel:[^\s\p{Cc}\p{Cf}/\\<>"`][^\p{Cc}\p{Cf}<>"`\\]*$/iu;
/** A field of `mailto:`. Some mail programs attach the file that it names, a file of the reader, to the new mail. */
const ATTACHING = /[?&;]\s*attach(?:ment)?s?\s*=/i;
/** Links that are judged like those of the web, or that name a part of the message. Each leads where it says. */
const OTHER_LINK = /^(?:ftp:\/\/[^\s\p{Cc}\p{Cf}\\/<>"'`]|cid:|mid:|sms:|#)[^\s\p{Cc}\p{Cf}\\<>"`]*$/iu;
const CONTENT_ID = /^cid:[^\s\p{Cc}\p{Cf}\\<>"`]*$/iu;
/** A picture of the message, under its own name (RFC 2557). */
const PICTURE_NAME = /^(?!(?:con|prn|aux|nul|com\d|lpt\d)\b)[\w-][\w ()-]*\.(?:gif|png|jpe?g|bmp|webp|tiff?)$/i;

/** Returns true for a complete address of the web, about which no program has to guess. */
export function isWebAddress(url: string): boolean {
  const host = WEB_ADDRESS.exec(trimmed(url))?.[1];
  return host !== undefined && isOwnForm(host);
}

/** Returns true for a link that a body may keep unchanged. It leads to the same place in every program, or nowhere. */
export function isListedLink(url: string): boolean {
  const link = trimmed(url);
  return link === '' || isWebAddress(link) || isMailAddress(link) || TELEPHONE.test(link) || OTHER_LINK.test(link);
}

/** Returns true for a link to a mail address that attaches no file. */
function isMailAddress(url: string): boolean {
  return (
    MAIL_ADDRESS.test(url) &&
    !ATTACHING.test(url.replace(/%([0-7][0-9a-f])/gi, (_, code) => String.fromCharCode(Number.parseInt(code, 16))))
  );
}

/** Returns true for the address of a picture that a body may keep unchanged. */
export function isListedPicture(url: string): boolean {
  const source = trimmed(url);
  return isWebAddress(source) || isRasterData(source) || CONTENT_ID.test(source) || PICTURE_NAME.test(source);
}

/** Real links are far shorter. A link of megabytes attacks the program that shows it. */
const LINK_LENGTH = 8_192;

/**
 * Returns a link in the form that a rebuilt page may contain: an address of the web, of mail or of a telephone, or a place in the page.
 * Every program reads its spelling alike. Returns null for a link that leads elsewhere, and for one that programs must complete, such as a
 * relative link without the `base` of its page.
 */
export function writtenLink(url: string, base: string | null = null): string | null {
  const link = completed(trimmed(url), base);
  if (link.length > LINK_LENGTH) return null;
  if (link.startsWith('#')) return OTHER_LINK.test(link) ? link : null;
  if (isWebAddress(link) || isMailAddress(link) || TELEPHONE.test(link)) return link;
  // Programs complete an address that starts with `www.`. The link is written as browsers and our search for URLs read it (WHATWG URL).
  const whole = /^www\.[^@]+$/i.test(link) ? `http://${link}` : link;
  const parsed = parseUrl(whole);
  return parsed !== null && isWebAddress(parsed.href) ? parsed.href : null;
}

/** Returns a relative link in its complete form. No program may take it for a share, a scheme or a place in the page. */
function completed(link: string, base: string | null): string {
  if (base === null || !/^(?:\/(?![\\/])|\.{0,2}\/?[\w?-])[^\\\p{Cc}\p{Cf}]*$/u.test(link) || /^[^/?#]*:/.test(link))
    return link;
  return parseUrl(link, base)?.href ?? link;
}

/** Returns the digest of the address of a picture of another server; null for any other picture. */
export function heldPicture(url: string, base: string | null): string | null {
  const link = writtenLink(url, base);
  const parsed = link !== null && isWebAddress(link) ? parseUrl(link) : null;
  return parsed === null ? null : heldDigest(parsed.href);
}

/**
 * Returns the address of a picture that may stay, or null. It is a part of the message, or one inside the page. Any other picture tells the
 * sender who reads the page.
 */
export function writtenPicture(url: string): string | null {
  const source = trimmed(url);
  return CONTENT_ID.test(source) || isRasterData(source) ? source : null;
}

/** Returns true for a link to a place in the page. */
export function isPlaceInPage(url: string): boolean {
  return /^#[^\s<>"\\]*$/.test(url);
}
