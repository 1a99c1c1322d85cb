/** URLs in the headers of a part: what programs show or offer as a button, and where an external body is fetched from. */
import { asBuffer } from '../byte-scan.ts';
import { decodeHeaderText } from '../encoded-words.ts';
import { fieldsNamed, type HeaderBlock, rawValue, readHeaderBlock } from '../header-block.ts';
import { parseStructured } from '../header-params.ts';
import type { DiscoveredUrl } from '../model.ts';
import { normaliseBase } from './normalise.ts';
import { distinct, linkOf, linksIn, type SearchLimits } from './source.ts';

/** What a header says about the URLs of its part. */
export interface HeaderFacts {
  readonly urls: readonly DiscoveredUrl[];
  /** See UrlSource. */
  readonly base: string | null;
  readonly isDelSp: boolean;
}

/** Shown to the recipient, or offered as a button (RFC 2369). */
const SHOWN = ['subject', 'from', 'sender', 'reply-to', 'to', 'cc', 'organization', 'comments', 'content-description'];
const BUTTONS = [
  'list-unsubscribe',
  'list-help',
  'list-subscribe',
  'list-post',
  'list-owner',
  'list-archive',
  'archived-at',
];
/** A header of megabytes is looked at up to here. */
const VALUE_BYTES = 64 * 1024;
const HEADER_LINES = 10_000;

/** Reads one header block, from its first byte to its blank line. Never throws. */
export function readHeaderFacts(headerBytes: Uint8Array, limits: SearchLimits): HeaderFacts {
  const header = asBuffer(headerBytes);
  const block = readHeaderBlock(header, 0, {
    isDelimiter: () => false,
    maxBytes: Number.POSITIVE_INFINITY,
    maxLines: HEADER_LINES,
  });
  const values = (name: string) => fieldsNamed(block, name).map((field) => rawValue(header, field, VALUE_BYTES));
  const shown = SHOWN.flatMap(values).flatMap((value) => shownUrls(decodeHeaderText(value), limits));
  const buttons = BUTTONS.flatMap(values).flatMap((value) =>
    linksIn(decodeHeaderText(value), { where: 'header', rank: 0 }, limits, true),
  );
  return {
    urls: distinct([...buttons, ...shown, ...elsewhere(header, block, limits)]),
    base: baseOf(header, block),
    isDelSp: values('content-type').some(
      (value) => parseStructured(value).params.get('delsp')?.[0]?.bytes.toLowerCase() === 'yes',
    ),
  };
}

/** With a scheme, a path or www: `Amazon.com` in the name of a sender is a name. */
const MEANT_AS_URL = /^[a-z][a-z0-9+.-]*:\/\/(?:www\.|[^/]+\/.)/i;

function shownUrls(text: string, limits: SearchLimits): DiscoveredUrl[] {
  const place = { where: 'header', rank: 2 } as const;
  const spelledOut = linksIn(text, place, limits, true);
  return [...spelledOut, ...linksIn(text, place, limits).filter((url) => MEANT_AS_URL.test(url.normalised))];
}

/** Content-Base, or Content-Location (RFC 2557 §5): what the relative links of a page start from. */
function baseOf(header: Buffer, block: HeaderBlock): string | null {
  for (const name of ['content-base', 'content-location']) {
    const field = fieldsNamed(block, name)[0];
    if (field === undefined) continue;
    const base = normaliseBase(
      rawValue(header, field, VALUE_BYTES)
        .replace(/\s+/g, '')
        .replace(/^["<]|[">]$/g, ''),
    );
    if (base !== null) return base;
  }
  return null;
}

const FTP_ACCESS = new Set(['ftp', 'anon-ftp', 'tftp']);

/** RFC 2017 (access-type URL, white space in it means nothing) and RFC 2046 §5.2.3.2 (FTP). */
function elsewhere(header: Buffer, block: HeaderBlock, limits: SearchLimits): DiscoveredUrl[] {
  const place = { where: 'header', rank: 0 } as const;
  return fieldsNamed(block, 'content-type').flatMap((field) => {
    const { value, params } = parseStructured(rawValue(header, field, VALUE_BYTES));
    if (value !== 'message/external-body') return [];
    const first = (name: string) => params.get(name)?.[0]?.bytes ?? '';
    const urls = (params.get('url') ?? []).flatMap(({ bytes }) => linkOf(bytes.replace(/\s+/g, ''), place, limits));
    if (!FTP_ACCESS.has(first('access-type').toLowerCase()) || first('site') === '') return urls;
    const path = [first('directory'), first('name')].filter((segment) => segment !== '').join('/');
    return [...urls, ...linkOf(`ftp://${first('site')}/${path}`, place, limits)];
  });
}
