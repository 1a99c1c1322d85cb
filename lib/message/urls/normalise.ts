/**
 * Gives each URL one spelling: the one of the WHATWG URL parser, because the recipient's program will open that. URLs with userinfo
 * tricks, backslashes, tabs, numeric hosts, full-width dots and punycode all get the same form.
 */
import { parseUrl } from '../../formats/urls/parse-url.ts';
import { isShare, shareUrl } from './unc-paths.ts';
import { percentDecoded } from './wrapped-parts.ts';

/** Schemes that open nothing that a sender controls: addresses, telephone numbers and parts of the same message. */
const NOT_LINKS = new Set(['mailto:', 'tel:', 'sms:', 'cid:', 'mid:', 'about:', 'callto:', 'facetime:', 'geo:']);

/** Pictures and fonts carried in the URL itself. They lead nowhere. SVG is not among them, because it is markup. */
const INERT_DATA =
  /^data:(?:image\/(?:png|jpe?g|gif|webp|bmp|avif|x-icon)|font\/[a-z0-9-]+|application\/(?:x-)?font-[a-z0-9-]+)[;,]/i;

/** Some programs attach the file of `mailto:…?attach=C:\…` to the mail without asking. An ordinary address names no file. */
const ATTACHES = /[?&;][^=]{0,3}attach(?:ments?)?[^=]{0,3}=/i;

/** A link that the parser may refuse. Other programs may open it, so it is reported and judged. */
const BROKEN_LINK = /^(?:(?:https?|ftp):[\\/]*|[a-z][a-z0-9+.-]+:[\\/]{2,})[^\\/\s?#]/i;
/** Old mail programs read these as a quote around an attribute value that is unquoted in HTML. */
const STRAY_QUOTE = /[`'"]/;

/**
 * Returns the WHATWG form of a reference found in a message. Returns null when it is not a link: relative without a base, a fragment, an
 * address, or a part of the same message. A form longer than `maxLength` is cut there. A web address that the parser refuses is returned
 * percent-encoded, so that the engine judges it. Never throws.
 */
export function normaliseUrl(untrustedReference: string, base: string | null, maxLength: number): string | null {
  if (untrustedReference.length <= maxLength && isNormal(untrustedReference)) return untrustedReference;
  // It is cut before it is parsed, because parsing megabytes of one URL only to cut them is a waste.
  const reference = trimmed(untrustedReference).slice(0, maxLength * CUT);
  if (reference === '' || reference.startsWith('#')) return null;
  if (isShare(reference)) return shareUrl(reference)?.slice(0, maxLength) ?? null;
  const url = reference.startsWith('//') ? parse(reference, base ?? 'https://base.invalid/') : parse(reference, base);
  if (url === null && BROKEN_LINK.test(reference))
    return (withDecodedSlashes(reference) ?? printable(reference)).slice(0, maxLength);
  if (url === null) return null;
  if (isAddress(url) || INERT_DATA.test(reference)) return null;
  return url.href.slice(0, maxLength);
}

/** A URL that the parser returns unchanged: it has no port, user, numeric host, punycode or escape. Most links of a page are like this. */
const NORMAL =
  /^https?:\/\/[a-z0-9][a-z0-9.-]*[a-z]\/[A-Za-z0-9_~!$&()*+,;=:@/.-]*(?:\?[A-Za-z0-9_~!$&()*+,;=:@/.?%-]*)?$/;

/** This many times the characters that are kept are parsed. Escapes make a URL longer, but a host name can get shorter. */
const CUT = 4;

/** Returns true for an absolute web address that the parser would return unchanged. */
export function isNormal(reference: string): boolean {
  return (
    NORMAL.test(reference) && !reference.includes('xn--') && !reference.includes('/.') && !reference.includes('..')
  );
}

/**
 * Returns the reference without C0 controls and space around it, and tabs and newlines inside, which a URL parser skips (WHATWG URL §4.4).
 */
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

const parse = (reference: string, base: string | null): URL | null => parseUrl(reference, base ?? undefined);

/** Services that count clicks write the address behind their own like this: `https:%2F%2Fwww.sender.example%2Fpage`. */
const ENCODED_SLASHES = /^(https?|ftp):%2f%2f(?=[^%\\/])/i;

/**
 * Returns the address that a program opens when it decodes such a reference; browsers open it in no other way. Returns null when it is
 * none, or when its slashes alone, decoded, would lead to another host.
 */
function withDecodedSlashes(reference: string): string | null {
  if (!ENCODED_SLASHES.test(reference)) return null;
  const decoded = parse(percentDecoded(reference), null);
  const half = parse(reference.replace(ENCODED_SLASHES, '$1://'), null);
  return decoded !== null && (half === null || half.host === decoded.host) ? decoded.href : null;
}

/** Returns the reference with all characters that no URL may hold percent-encoded. */
function printable(reference: string): string {
  return encodeURI(reference.replace(/\p{Surrogate}/gu, '\ufffd')).replaceAll('%25', '%');
}

/** Returns true for an address, a telephone number or a part of the message, unless it names a file to attach, in any encoding. */
function isAddress(url: URL): boolean {
  if (!NOT_LINKS.has(url.protocol)) return false;
  return !ATTACHES.test(percentDecoded(percentDecoded(url.href)).replaceAll('\0', ''));
}

/** Returns true for a reference that needs a base to lead somewhere: `pay?x=1`. */
export function isRelativeUrl(untrustedReference: string): boolean {
  const reference = trimmed(untrustedReference);
  if (reference === '' || /^(?:#|\/\/|\\\\)/.test(reference)) return false;
  return parse(reference, null) === null && parse(reference, 'https://base.invalid/') !== null;
}

/** Returns true for a link that leads nowhere in a mail: it has no scheme and no base, and names no place in the page. */
export function isUnresolved(untrustedReference: string, base: string | null): boolean {
  if (untrustedReference.length < 10_000 && isNormal(untrustedReference)) return false;
  const reference = trimmed(untrustedReference);
  return (
    reference !== '' && !reference.startsWith('#') && parse(reference, base) === null && !BROKEN_LINK.test(reference)
  );
}

/** Returns the address that relative references of a document start from, or null when `href` cannot be one. */
export function normaliseBase(untrustedHref: string): string | null {
  const reference = trimmed(untrustedHref);
  const url = reference.startsWith('//') ? parse(reference, 'https://base.invalid/') : parse(reference, null);
  return url !== null && /^(?:https?|ftp|file):$/.test(url.protocol) ? url.href : null;
}
