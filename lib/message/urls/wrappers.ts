/**
 * Unwraps links that mail gateways, web sites and mailing services rewrote to lead through themselves. The target is in the link
 * itself, so no service is asked.
 */

import { oneOf } from '../../formats/patterns.ts';
import { parseUrl } from '../../formats/urls/parse-url.ts';
import { normaliseUrl } from './normalise.ts';
import { fromProofpoint } from './proofpoint.ts';
import { type Decoder, fromParameter, fromPath, parameter, percentDecoded } from './wrapped-parts.ts';

/** How many wrappers inside each other are opened. The gateways of sender and receiver each add one. No honest link has six. */
const MAX_HOPS = 6;

interface Wrapper {
  readonly service: string;
  readonly host: RegExp;
  readonly path?: RegExp;
  readonly decode: Decoder;
}

/** One row per service: its name, how its links are recognised, and how they are read. */
const WRAPPERS: readonly Wrapper[] = [
  {
    service: 'Microsoft Safe Links',
    host: /(?:^|\.)safelinks\.protection\.(?:outlook\.com|office365\.us|outlook\.cn|partner\.outlook\.cn)$/,
    decode: fromParameter('url'),
  },
  {
    service: 'Microsoft Teams Safe Links',
    host: /^statics\.teams\.(?:cdn\.office\.net|cdn\.live\.net|microsoft\.com)$/,
    path: /safelinks/i,
    decode: fromParameter('url'),
  },
  {
    service: 'Proofpoint URL Defense',
    host: /^(?:[a-z0-9-]+\.)?urldefense(?:\.proofpoint)?\.(?:com|us)$/,
    decode: fromProofpoint,
  },
  { service: 'Barracuda', host: /^linkprotect\.cudasvc\.com$/, decode: fromParameter('a') },
  {
    service: 'Symantec Click-time Protection',
    host: /^clicktime\.(?:cloud\.postoffice\.net|symantec\.com)$/,
    decode: fromParameter('u'),
  },
  {
    service: 'FireEye and Trellix',
    host: /^(?:[a-z0-9-]+\.)?protect\d*(?:-[a-z]+)?\.(?:fireeye|trellix)\.com$/,
    decode: fromParameter('u'),
  },
  { service: 'Cisco Secure Email', host: /^secure-web\.cisco\.com$/, decode: fromPath(/^\/[^/]+\/(.+)$/) },
  {
    service: 'Sophos',
    host: /(?:^|\.)protection\.sophos\.com$/,
    decode: (url) => base64Text(parameter(url, 'u')),
  },
  { service: 'Trend Micro', host: /./, path: /\/wis\/clicktime\/v1\/query$/, decode: fromParameter('url') },
  {
    service: 'Check Point and Avanan',
    host: /(?:^|\.)(?:avanan\.click|protect\.checkpoint\.com)$/,
    decode: fromPath(/^\/v\d+\/(?:[a-z0-9]+\/)?___(.+?)___\./),
  },
  { service: 'Libraesva', host: /^urlsand\.(?:esvalabs\.com|com|io)$|\.esvalabs\.com$/, decode: fromParameter('u') },
  // The link is a token that only Mimecast can read. Only the domain beside it can be judged.
  {
    service: 'Mimecast',
    host: /(?:^|\.)(?:mimecast\.com|mimecastprotect\.com)$/,
    path: /^\/s\//,
    decode: (url) => hostOnly(parameter(url, 'domain')),
  },
  {
    service: 'Google',
    host: /^(?:www\.)?google\.[a-z]{2,3}(?:\.[a-z]{2})?$/,
    path: /^\/url$/,
    decode: fromParameter('q', 'url'),
  },
  {
    service: 'Google and Bing AMP',
    host: /^(?:www\.)?(?:google\.[a-z]{2,3}(?:\.[a-z]{2})?|bing\.com)$/,
    path: /^\/amp\//,
    decode: (url) => ampTarget(url, /^\/amp\/(s\/)?(.+)$/),
  },
  {
    service: 'AMP cache',
    host: /(?:^|\.)(?:cdn\.ampproject\.org|bing-amp\.com)$/,
    decode: (url) => ampTarget(url, /^\/[a-z]{1,2}\/(s\/)?(.+)$/),
  },
  {
    service: 'Google Translate',
    host: /^[a-z0-9-]+\.translate\.goog$/,
    decode: (url) => `https://${translatedHost(url.hostname)}${url.pathname}${url.search}`,
  },
  {
    service: 'Facebook and Instagram',
    host: /^(?:lm?|www|m)\.(?:facebook|instagram|messenger)\.com$|^l\.wl\.co$/,
    path: /^\/(?:l\.php|l)?$/,
    decode: fromParameter('u'),
  },
  { service: 'YouTube', host: /^(?:www\.|m\.)?youtube\.com$/, path: /^\/redirect$/, decode: fromParameter('q') },
  {
    service: 'LinkedIn',
    host: /^(?:[a-z]+\.)?linkedin\.com$/,
    path: /^\/(?:redir\/redirect|safety\/go|slink)/,
    decode: fromParameter('url'),
  },
  { service: 'Slack', host: /^slack-redir\.net$/, path: /^\/link$/, decode: fromParameter('url') },
  {
    service: 'Bing',
    host: /^(?:www\.|cn\.)?bing\.com$/,
    path: /^\/ck\/a$/,
    decode: (url) => base64Text(/^a1(.*)$/s.exec(parameter(url, 'u') ?? '')?.[1] ?? null),
  },
  { service: 'Amazon SES', host: /(?:^|\.)awstrack\.me$/, decode: fromPath(/^\/L\d+\/([^/]+)/) },
  {
    service: 'Mandrill',
    host: /^(?:www\.)?mandrillapp\.com$/,
    path: /^\/track\/click/,
    decode: (url) => mandrillTarget(base64Text(parameter(url, 'p'))),
  },
];

/** Base64 in either alphabet, with or without padding, as text. Returns null when it holds nothing. */
function base64Text(encoded: string | null): string | null {
  if (encoded === null || encoded === '') return null;
  return Buffer.from(percentDecoded(encoded).replaceAll(' ', '+'), 'base64').toString('utf8');
}

/** Reads JSON in JSON: `{"s":…,"p":"{\"url\":\"https:\\/\\/…\"}"}`. */
function mandrillTarget(json: string | null): string | null {
  try {
    const outer = JSON.parse(json ?? '') as { p?: unknown } | null;
    const inner = JSON.parse(String(outer?.p)) as { url?: unknown } | null;
    return typeof inner?.url === 'string' ? inner.url : null;
  } catch {
    return null;
  }
}

/** Reads the page behind a cache of AMP: `/c/s/host/path`, where `s` means https. */
function ampTarget(url: URL, path: RegExp): string | null {
  const [, secure, page] = path.exec(url.pathname) ?? [];
  return page === undefined ? null : `${secure === undefined ? 'http' : 'https'}://${page}${url.search}`;
}

/** Reads the host of a page that Google translates: a dash means a dot, and two dashes for one. */
function translatedHost(hostname: string): string {
  return hostname.slice(0, -'.translate.goog'.length).replace(/--|-/g, (dashes) => (dashes === '--' ? '-' : '.'));
}

function hostOnly(domain: string | null): string | null {
  return domain !== null && /^[a-z0-9.-]+\.[a-z0-9-]+$/i.test(domain) ? `https://${domain}/` : null;
}

/** Reads the address that Android opens for `intent://host/path#Intent;scheme=https;…;end`, with that scheme. */
function intentTarget(url: URL): string | null {
  const scheme = /[#;]scheme=([a-z][a-z0-9+.-]*)/i.exec(url.hash)?.[1];
  return scheme === undefined ? null : `${scheme}:${url.href.slice('intent:'.length, url.href.indexOf('#'))}`;
}

/** Every rewritten link holds one of these. This is asked first, because most links of a message are not rewritten. */
const CAN_BE_WRAPPED = new RegExp(
  oneOf(String.raw`
    ^intent: safelinks urldefense cudasvc clicktime fireeye trellix cisco\.com sophos avanan checkpoint esvalabs urlsand
    mimecast google\. facebook instagram messenger wl\.co youtube linkedin slack-redir bing\.com awstrack mandrillapp
    ampproject\.org bing-amp translate\.goog
  `),
);

/**
 * Returns the targets of a normalised link behind the services that rewrote it, normalised, from the outermost to the innermost. Empty for
 * a link that no service rewrote. There are at most six, and a link that leads back to itself ends there. Never throws.
 */
export function unwrap(normalised: string, maxLength: number): string[] {
  const hops: string[] = [];
  let current = normalised;
  while (hops.length < MAX_HOPS && CAN_BE_WRAPPED.test(current)) {
    const inner = unwrapOnce(current);
    const next = inner === null ? null : normaliseUrl(inner, null, maxLength);
    if (next === null || next === normalised || hops.includes(next)) break;
    hops.push(next);
    current = next;
  }
  return hops;
}

function unwrapOnce(href: string): string | null {
  const url = parseUrl(href);
  if (url === null) return null;
  if (url.protocol === 'intent:') return intentTarget(url);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return null;
  for (const { host, path, decode } of WRAPPERS) {
    if (!host.test(url.hostname) || (path && !path.test(url.pathname))) continue;
    const inner = decode(url);
    // Some gateways keep only the host name of `http://host`.
    if (inner !== null && inner !== '') return /^[a-z][a-z0-9+.-]*:/i.test(inner) ? inner : `http://${inner}`;
  }
  return null;
}
