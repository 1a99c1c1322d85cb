/**
 * One spelling per URL: what the WHATWG URL parser makes of it, because that is what the recipient's program will open.
 * Userinfo tricks, backslashes, tabs, numeric hosts, full-width dots and punycode all end in the same form.
 */
import { isShare, shareUrl } from './shares.ts';
import { percentDecoded } from './wrapped-parts.ts';

/** Schemes that open nothing a sender controls: addresses, telephone numbers and parts of the same message. */
const NOT_LINKS = new Set(['mailto:', 'tel:', 'sms:', 'cid:', 'mid:', 'about:', 'callto:', 'facetime:', 'geo:']);

/** Pictures and fonts carried in the URL itself: content, not a place to go to. SVG is markup and is not among them. */
const INERT_DATA =
  /^data:(?:image\/(?:png|jpe?g|gif|webp|bmp|avif|x-icon)|font\/[a-z0-9-]+|application\/(?:x-)?font-[a-z0-9-]+)[;,]/i;

/** `mailto:…?attach=C:\…`: some programs attach the file to the mail without a word. No file is named by an address. */
const ATTACHES = /[?&;][^=]{0,3}attach(?:ments?)?[^=]{0,3}=/i;

/** With a scheme and something behind its slashes, but no URL to the parser: other programs may open it, so it is reported and judged. */
const BROKEN_LINK = /^(?:(?:https?|ftp):[\\/]*|[a-z][a-z0-9+.-]+:[\\/]{2,})[^\\/\s?#]/i;
/** What old mail programs treat as a quote around an attribute value that HTML calls unquoted. */
const STRAY_QUOTE = /[`'"]/;

function parse(reference: string, base: string | null): URL | null {
  try {
    return base === null ? new URL(reference) : new URL(reference, base);
  } catch {
    return null;
  }
}

/** C0 controls and space around it, and tabs and newlines inside, mean nothing to a URL parser (WHATWG URL §4.4). */
function trimmed(untrustedReference: string): string {
  const inner = untrustedReference.replace(/[\t\n\r]/g, '').replace(/\0/g, '');
  let start = 0;
  let end = inner.length;
  while (start < end && inner.charCodeAt(start) <= 0x20) start++;
  while (end > start && inner.charCodeAt(end - 1) <= 0x20) end--;
  if (STRAY_QUOTE.test(inner.charAt(start))) {
    if (inner.charAt(end - 1) === inner.charAt(start)) end--;
    start++;
  }
  return inner.slice(start, end);
}

/**
 * The WHATWG form of a reference found in a message, or null when it is not a link: relative without a base, a fragment, an
 * address, or a part of the same message. A form longer than `maxLength` is cut there. A web address that the parser
 * refuses comes back as it is, for the engine to refuse as well. Never throws.
 */
export function normaliseUrl(untrustedReference: string, base: string | null, maxLength: number): string | null {
  if (untrustedReference.length <= maxLength && isNormal(untrustedReference)) return untrustedReference;
  // Cut before it is parsed: megabytes of one URL are parsed, encoded and cut again for nothing.
  const reference = trimmed(untrustedReference).slice(0, maxLength * CUT);
  if (reference === '' || reference.startsWith('#')) return null;
  if (isShare(reference)) return shareUrl(reference)?.slice(0, maxLength) ?? null;
  const url = reference.startsWith('//') ? parse(reference, base ?? 'https://base.invalid/') : parse(reference, base);
  if (url === null) return BROKEN_LINK.test(reference) ? printable(reference).slice(0, maxLength) : null;
  if (isAddress(url) || INERT_DATA.test(reference)) return null;
  return url.href.slice(0, maxLength);
}

/** What the parser would hand back as it is: no port, user, number for a host, punycode or escape. Most links of a page. */
const NORMAL =
  /^https?:\/\/[a-z0-9][a-z0-9.-]*[a-z]\/[A-Za-z0-9_~!$&()*+,;=:@/.-]*(?:\?[A-Za-z0-9_~!$&()*+,;=:@/.?%-]*)?$/;

/** Escapes only make a URL longer; a host name can get shorter. */
const CUT = 4;

function isNormal(reference: string): boolean {
  return (
    NORMAL.test(reference) && !reference.includes('xn--') && !reference.includes('/.') && !reference.includes('..')
  );
}

/** As it stands, with what cannot stand in a URL percent-encoded. */
function printable(reference: string): string {
  return encodeURI(reference.replace(/\p{Surrogate}/gu, '\ufffd')).replaceAll('%25', '%');
}

/** An address, a telephone or a part of the message; not one that names a file to attach, in any encoding. */
function isAddress(url: URL): boolean {
  if (!NOT_LINKS.has(url.protocol)) return false;
  return !ATTACHES.test(percentDecoded(percentDecoded(url.href)).replaceAll('\0', ''));
}

/** True for a reference that leads somewhere only together with a base: `pay?x=1`. */
export function isRelativeUrl(untrustedReference: string): boolean {
  const reference = trimmed(untrustedReference);
  if (reference === '' || /^(?:#|\/\/|\\\\)/.test(reference)) return false;
  return parse(reference, null) === null && parse(reference, 'https://base.invalid/') !== null;
}

/** True for a link that leads nowhere without something that a mail does not have: no scheme, no base, and no place in the page. */
export function isUnresolved(untrustedReference: string, base: string | null): boolean {
  if (untrustedReference.length < 10_000 && isNormal(untrustedReference)) return false;
  const reference = trimmed(untrustedReference);
  return (
    reference !== '' && !reference.startsWith('#') && parse(reference, base) === null && !BROKEN_LINK.test(reference)
  );
}

/** The address that relative references of a document start from, or null when `href` cannot be one. */
export function normaliseBase(untrustedHref: string): string | null {
  const reference = trimmed(untrustedHref);
  const url = reference.startsWith('//') ? parse(reference, 'https://base.invalid/') : parse(reference, null);
  return url !== null && /^(?:https?|ftp|file):$/.test(url.protocol) ? url.href : null;
}
