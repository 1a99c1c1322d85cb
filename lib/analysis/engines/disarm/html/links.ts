/** Which URLs of a page are active by themselves, and which may stay in a rebuilt one. */
import { isSafeLink as isSafeTarget } from '../links.ts';

/** What browsers drop before they look at a scheme (WHATWG URL §4.4), and what is not seen. */
const IGNORED = /[\p{Cc}\p{Cf}\s]/gu;

/** Schemes that start no program by themselves. Fewer may stay: see `isSafeLink`. */
const SAFE_SCHEMES = new Set('http https mailto tel sms ftp cid mid'.split(' '));
const RASTER_DATA = /^data:image\/(?:png|jpe?g|gif|webp|bmp)(?:;[a-z0-9=-]+)*;base64,[a-z0-9+/=%]*$/i;
/** How much of a URL is looked at for its scheme, when all of it counts. */
const HEAD = 4_096;

/** The start of a URL as programs read it. Thousands of blanks before or in a scheme hide nothing. */
function headOf(url: string): string {
  const head = url.slice(0, HEAD);
  const read = head.replace(IGNORED, '');
  return read.length === head.length ? head : url.replace(IGNORED, '').slice(0, HEAD);
}

function schemeOf(url: string): string | null {
  return /^([a-z][a-z0-9+.-]*):/i.exec(headOf(url))?.[1]?.toLowerCase() ?? null;
}

/**
 * Slashes or backslashes to another machine: `\\server\share`, in any mixture that Windows takes for one. `//host/path` too: a page in a
 * mail or a file has no scheme to lend, so programs look for a share of that name, and log on to it.
 */
const isUncPath = (url: string) => /^[\\/]{2}/.test(headOf(url));

/** A picture inside the URL, of a format without scripts. */
export function isRasterData(url: string): boolean {
  return RASTER_DATA.test(url.replace(IGNORED, ''));
}

/** A URL that acts when it is opened or loaded: every program on the machine can have a scheme of its own, so what is not known counts. */
export function isActiveUrl(url: string): boolean {
  const scheme = schemeOf(url);
  if (scheme === 'data') return !isRasterData(url);
  if (scheme === null) return isUncPath(url);
  return !SAFE_SCHEMES.has(scheme) && !/^about:blank$/i.test(url.trim());
}

/** The URLs of a `srcset`, each with its size behind it. Some programs take a comma inside one for the end of it; data is full of them. */
export function isActiveSet(set: string): boolean {
  const urls = set.split(/,?\s+|,$/).flatMap((url) => (/^data:/i.test(url) ? [url] : url.split(',')));
  return urls.some(isActiveUrl);
}

/** A link that may stay: to the web, an address, a telephone or a place in the page. */
export function isSafeLink(url: string): boolean {
  return url.startsWith('#') || isSafeTarget(url);
}

/** A picture that may stay: a part of the message or inside the page. One from elsewhere tells the sender who reads. */
export function isSafeImage(url: string): boolean {
  return schemeOf(url) === 'cid' || isRasterData(url);
}
