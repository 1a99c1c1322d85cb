/** Which URLs of a page are active by themselves, and which may stay in a rebuilt one. */

/** What browsers drop before they look at a scheme (WHATWG URL §4.4), and what is not seen. */
const IGNORED = /[\p{Cc}\p{Cf}\s]/gu;

const SAFE_SCHEMES = new Set('http https mailto tel sms ftp cid mid'.split(' '));
const RASTER_DATA = /^data:image\/(?:png|jpe?g|gif|webp|bmp)(?:;[a-z0-9=-]+)*;base64,[a-z0-9+/=%]*$/i;
/** How much of a URL is looked at for its scheme. */
const HEAD = 4_096;

function schemeOf(url: string): string | null {
  return /^([a-z][a-z0-9+.-]*):/i.exec(url.slice(0, HEAD).replace(IGNORED, ''))?.[1]?.toLowerCase() ?? null;
}

/** Slashes or backslashes to another machine: `\\server\share`, in any mixture that Windows takes for one. */
const isUncPath = (url: string) => /^\\[\\/]/.test(url.slice(0, HEAD).replace(IGNORED, ''));

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

/** A link that may stay: to the web, an address, a telephone, a part of the message or a place in the page. */
export function isSafeLink(url: string): boolean {
  const scheme = schemeOf(url);
  if (scheme === null) return url.startsWith('#');
  return SAFE_SCHEMES.has(scheme);
}

/** A picture that may stay: a part of the message or inside the page. One from elsewhere tells the sender who reads. */
export function isSafeImage(url: string): boolean {
  return schemeOf(url) === 'cid' || isRasterData(url);
}
