/** Finds URLs in the headers of a part: URLs that programs show or offer as a button, and URLs of external bodies. */
import { asBuffer } from '../../formats/byte-scan.ts';
import { decodeHeaderText, decodeJoined } from '../../formats/mail/encoded-words.ts';
import { numberOf, remembered } from '../../formats/remembered.ts';
import { parseStructured } from '../headers/params.ts';
import { type RawField, rawHeader } from '../headers/raw-fields.ts';
import { kindOfRootField } from '../headers/root-fields.ts';
import type { DiscoveredUrl } from '../model.ts';
import { INVISIBLE } from './invisible.ts';
import { normaliseBase } from './normalise.ts';
import { distinct, linkOf, linksIn, type Place, type SearchLimits } from './sources/source.ts';

/** The statements of a header about how the links of its part are read. */
export interface LinkFacts {
  /** See UrlSource. */
  readonly base: string | null;
  readonly isDelSp: boolean;
  /** True when the part asks to be shown within the message (Content-Disposition: inline). */
  readonly isShown: boolean;
  /** Whether a line that ends in a space continues in the next one and keeps the space (RFC 3676). */
  readonly isFlowed: boolean;
}

/** The statements of a header about the URLs of its part. */
export interface HeaderFacts extends LinkFacts {
  readonly urls: readonly DiscoveredUrl[];
}

/** Fields that are shown to the recipient. */
const SHOWN = new Set(['subject', 'organization', 'organisation', 'comments', 'keywords']);
/** Fields that programs offer as a button (RFC 2369, RFC 5064). */
const BUTTONS = /^(?:list-(?:unsubscribe|help|subscribe|post|owner|archive)|archived-at)$/;

/** Every stage reads the headers of a mail, and many mails have parts with the same header and fields. */
const REMEMBERED = 200;
/** Longer headers and fields are searched each time, because an attacker may make megabytes of links. */
const REMEMBERED_LENGTH = 400;

const keyOfHeader = (header: Uint8Array): string | null =>
  header.length > REMEMBERED_LENGTH ? null : asBuffer(header).toString('latin1');

/** Reads one header block, from its first byte to its blank line. Never throws. */
export function readHeaderFacts(headerBytes: Uint8Array, limits: SearchLimits): HeaderFacts {
  return headerFactsOnce({ header: headerBytes, limits });
}

const headerFactsOnce = remembered<{ readonly header: Uint8Array; readonly limits: SearchLimits }, HeaderFacts>(
  {
    most: REMEMBERED,
    keyOf: ({ header, limits }) => {
      const key = keyOfHeader(header);
      return key === null ? null : `${numberOf(limits)} ${key}`;
    },
  },
  ({ header, limits }) => {
    const fields = fieldsOf(header);
    return { urls: distinct(fields.flatMap((field) => linksOfField(field, limits))), ...linkFactsOf(fields) };
  },
);

/** Does the same without the links of the header itself, of which there may be thousands. */
export const readLinkFacts: (headerBytes: Uint8Array) => LinkFacts = remembered(
  { most: REMEMBERED, keyOf: keyOfHeader },
  (header) => linkFactsOf(fieldsOf(header)),
);

/**
 * Returns the address from which the relative links of a page in a web archive start: its one Content-Location, if that is a plain web
 * address. Returns null for every other header. The disarm of web archives reads the same (RFC 2557).
 */
export function pageBase(headerBytes: Uint8Array): string | null {
  const fields = fieldsOf(headerBytes);
  const [place, ...more] = fields.filter(({ name }) => name === 'content-location');
  const isAlone = place !== undefined && more.length === 0 && !fields.some(({ name }) => name === 'content-base');
  return isAlone && PAGE_PLACE.test(place.value) ? normaliseBase(place.value) : null;
}

/** An address without anything that programs drop or decode. */
const PAGE_PLACE = /^https?:\/\/[\w.:[\]-]+(?:[/?#][\w.~:/?#[\]@!$&'()*+,;=%-]*)?$/;

function fieldsOf(headerBytes: Uint8Array): readonly RawField[] {
  const header = asBuffer(headerBytes);
  return rawHeader(header, { start: 0, end: header.length }).fields;
}

function linkFactsOf(fields: readonly RawField[]): LinkFacts {
  const types = fields.filter(({ name }) => name === 'content-type').map(({ value }) => parseStructured(value).params);
  const says = (param: string, wanted: string) =>
    types.some((params) => params.get(param)?.[0]?.bytes.toLowerCase() === wanted);
  const isDelSp = says('delsp', 'yes');
  const isShown = fields.some(({ name, value }) => name === 'content-disposition' && /\binline\b/i.test(value));
  return { base: baseOf(fields), isDelSp, isFlowed: says('format', 'flowed') && !isDelSp, isShown };
}

/**
 * Returns the links of one field. A field that is never delivered has none. The place is `header` for a field without which the message
 * makes no sense, and `field` for any other.
 */
export function linksOfField(field: RawField, limits: SearchLimits): readonly DiscoveredUrl[] {
  return linksOnce({ field, limits });
}

const linksOnce = remembered<{ readonly field: RawField; readonly limits: SearchLimits }, readonly DiscoveredUrl[]>(
  {
    most: REMEMBERED,
    keyOf: ({ field: { name, text, value }, limits }) =>
      text.length > REMEMBERED_LENGTH ? null : JSON.stringify([numberOf(limits), name, text, value]),
  },
  ({ field, limits }) => searchField(field, limits),
);

function searchField(field: RawField, limits: SearchLimits): DiscoveredUrl[] {
  if (field.name === 'content-type') return linksOfContentType(field, limits);
  if (!/[:.\\%=]/.test(field.value)) return [];
  const kind = kindOfRootField(field);
  if (kind !== 'address' && kind !== 'known') return [];
  if (BUTTONS.test(field.name)) return buttonUrls(field.value, limits);
  const place: Place =
    kind === 'address' ? { where: 'header', rank: 2 } : { where: 'field', rank: SHOWN.has(field.name) ? 2 : 3 };
  const value = SIGNATURES.has(field.name) ? withoutSignature(field.value) : field.value;
  return spellingsOf(value).flatMap((text) => shownUrls(text, place, limits));
}

/** Fields of DKIM, its predecessor and ARC: lists of tags (RFC 6376 §3.2), some of which hold base64 or the names of fields. */
const SIGNATURES = new Set([
  'dkim-signature',
  'domainkey-signature',
  'x-google-dkim-signature',
  'arc-seal',
  'arc-message-signature',
]);
/** The tag with the names of the signed fields. `x-me-proxy:x-me-sender` in it is no link of a scheme. */
const SIGNED_FIELDS = /(^|;)(\s*h\s*=)\s*[\w-]+(?:\s*:\s*[\w-]+)*\s*(?::\s*)?(?=;|$)/g;
const HASH = /(^|;)(\s*(?:b|bh)\s*=)([A-Za-z0-9+/\s]{20,1000}={0,2}\s*)(?=;|$)/g;
/** Bytes of SHA-1 and SHA-256, of an Ed25519 signature, and of RSA signatures by keys of 512 to 4096 bits. */
const HASH_BYTES: ReadonlySet<number> = new Set([20, 32, 64, 128, 192, 256, 384, 512]);

/**
 * Returns the value without its signature, its hash and the names of the signed fields. One signature in some thousand has two slashes in
 * front, and would be taken for a network share.
 */
function withoutSignature(value: string): string {
  return value.replace(SIGNED_FIELDS, '$1$2').replace(HASH, (whole, before: string, tag: string, hash: string) => {
    const digits = hash.replace(/\s+/g, '');
    const isWhole = digits.length % 4 === 0 && HASH_BYTES.has(Buffer.from(digits, 'base64').length);
    return isWhole ? `${before}${tag}` : whole;
  });
}

/**
 * Returns the value with its encoded words decoded, also by programs that join them first, and the value as written. Some programs link the
 * one, some the other. Invisible characters and line ends in a decoded value cut no address, because programs drop them.
 */
function spellingsOf(value: string): readonly string[] {
  const decoded = [decodeHeaderText(value), decodeJoined(value)];
  return [...new Set([...decoded, ...decoded.map(asShown), value])];
}

const asShown = (text: string) => text.replace(INVISIBLE, '').replace(/[\r\n]+/g, '');

/** Returns the links of a button. Blanks inside its brackets mean nothing, because a long address is folded. */
function buttonUrls(value: string, limits: SearchLimits): DiscoveredUrl[] {
  const joined = value.replace(/<[^>]*>/g, (link) => link.replace(/\s+/g, ''));
  const texts = [...spellingsOf(value), ...spellingsOf(joined)];
  const buttons = texts.flatMap((text) => linksIn(text, { where: 'field', rank: 0 }, limits, true));
  return distinct([...buttons, ...texts.flatMap((text) => shownUrls(text, { where: 'field', rank: 2 }, limits))]);
}

/** A host without its scheme counts only with `www.` or a path, because `Amazon.com` may be the name of a sender. */
const MEANT_AS_URL = /^[a-z][a-z0-9+.-]*:\/\/(?:www\.|[^/]+\/.)/i;

function shownUrls(text: string, place: Place, limits: SearchLimits): DiscoveredUrl[] {
  const spelledOut = linksIn(text, place, limits, true);
  return [...spelledOut, ...linksIn(text, place, limits).filter((url) => MEANT_AS_URL.test(url.normalised))];
}

/** Returns the address that relative links of a page start from: Content-Base, else Content-Location (RFC 2557 §5). */
function baseOf(fields: readonly RawField[]): string | null {
  for (const name of ['content-base', 'content-location']) {
    const field = fields.find((candidate) => candidate.name === name);
    if (field === undefined) continue;
    const base = normaliseBase(field.value.replace(/\s+/g, '').replace(/^["<]|[">]$/g, ''));
    if (base !== null) return base;
  }
  return null;
}

const FTP_ACCESS = new Set(['ftp', 'anon-ftp', 'tftp']);

/**
 * Returns the links of a Content-Type: of an external body (RFC 2017, in whose URL white space means nothing, and RFC 2046 §5.2.3.2 for
 * FTP), and of a boundary that is an address.
 */
function linksOfContentType(field: RawField, limits: SearchLimits): DiscoveredUrl[] {
  const place = { where: 'header', rank: 0 } as const;
  const { value, params } = parseStructured(field.value);
  const boundaries = (params.get('boundary') ?? []).flatMap(({ bytes }) => shownUrls(bytes, place, limits));
  if (value !== 'message/external-body') return boundaries;
  const first = (name: string) => params.get(name)?.[0]?.bytes ?? '';
  const urls = (params.get('url') ?? []).flatMap(({ bytes }) => linkOf(bytes.replace(/\s+/g, ''), place, limits));
  if (!FTP_ACCESS.has(first('access-type').toLowerCase()) || first('site') === '') return urls;
  const path = [first('directory'), first('name')].filter((segment) => segment !== '').join('/');
  return [...urls, ...linkOf(`ftp://${first('site')}/${path}`, place, limits)];
}
