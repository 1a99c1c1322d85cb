/**
 * Finds the target of a URL that leads elsewhere: links that mail filters have rewritten, redirectors of well-known services, and
 * URLs in a parameter or the path. It reads only the URL itself and makes no request.
 */
import { parseUrl } from '../../formats/urls/parse-url.ts';
import type { UrlRuleId } from './findings.ts';
import { isWithin } from './registrable-domain.ts';

export interface Target {
  readonly url: string;
  readonly via: UrlRuleId & ('rewritten-link' | 'open-redirector' | 'embedded-url');
}

/** A service: hosts, part of the path (or none), and the parameters that hold the target. */
type Service = readonly [hosts: string, path: RegExp | null, parameters: string];

const REWRITERS: readonly Service[] = [
  [
    'safelinks.protection.outlook.com safelinks.protection.office365.us safelink.emails.azure.net statics.teams.cdn.office.net',
    null,
    'url',
  ],
  ['urldefense.proofpoint.com urldefense.com urldefense.us', /^\/v1\/url/, 'u'],
  ['linkprotect.cudasvc.com', null, 'a'],
  ['protect2.fireeye.com protect.fireeye.com', null, 'u'],
  ['url.avanan.click', null, 'url'],
  ['urlsand.esvalabs.com', null, 'u'],
  ['clicktime.symantec.com clicktime.cloud.postoffice.net', null, 'u'],
  ['trendmicro.com', /\/clicktime\//, 'url'],
  ['mailguard.com.au linkscan.io scanmail.trustwave.com', null, 'u url'],
];

const REDIRECTORS: readonly Service[] = [
  ['google.com', /^\/(?:url|aclk|local_url|interstitial|imgres)/, 'q url adurl imgrefurl'],
  ['googleadservices.com doubleclick.net googlesyndication.com', null, 'adurl url ds_dest_url ueid'],
  ['facebook.com instagram.com messenger.com', /^\/(?:l|flx\/warn|share|sharer)/, 'u'],
  ['youtube.com', /^\/(?:redirect|attribution_link|signin)/, 'q u next'],
  ['linkedin.com', /^\/(?:redir|slink|safety|authwall|e\/)/, 'url session_redirect'],
  ['slack-redir.net slack.com', null, 'url'],
  ['bing.com', /^\/(?:ck\/a|newtabredir|aclick)/, 'u url'],
  ['t.umblr.com disq.us vk.com steamcommunity.com', null, 'z url to u'],
  ['duckduckgo.com', /^\/l\//, 'uddg'],
  ['yahoo.com r.search.yahoo.com', null, 'u RU url'],
  ['baidu.com', /^\/link/, 'url'],
  ['medium.com', /^\/r\//, 'url'],
  ['ad.doubleclick.net', null, 'url'],
  ['microsoftonline.com live.com', null, 'redirect_uri ru'],
];

/** Most targets that are read from one URL. */
const MAX_TARGETS = 5;
const MAX_PARAMETERS = 200;

/** Returns the targets that the URL itself names, with the services' parameters first. Empty for most URLs. */
export function targetsOf(url: URL): readonly Target[] {
  const named = namedTarget(url);
  if (named) return [named];
  const found = new Map<string, Target>();
  for (const text of [...candidates(url)]) {
    const target = asWebUrl(text);
    if (target !== null && target !== url.href) found.set(target, { url: target, via: 'embedded-url' });
    if (found.size >= MAX_TARGETS) break;
  }
  return [...found.values()];
}

function namedTarget(url: URL): Target | null {
  const rewritten = proofpoint(url) ?? ciscoOrAmazon(url) ?? ofServices(url, REWRITERS);
  if (rewritten !== null) return { url: rewritten, via: 'rewritten-link' };
  const redirected = ampOrTranslated(url) ?? ofServices(url, REDIRECTORS);
  return redirected === null ? null : { url: redirected, via: 'open-redirector' };
}

function ofServices(url: URL, services: readonly Service[]): string | null {
  for (const [hosts, path, parameters] of services) {
    if (!hosts.split(' ').some((host) => isWithin(url.hostname, host)) || (path && !path.test(url.pathname))) continue;
    for (const name of parameters.split(' ')) {
      const value = url.searchParams.get(name);
      const target = value === null ? null : asWebUrl(value);
      if (target !== null) return target;
    }
  }
  return null;
}

/** Decodes v2 (`-` for `%` and `_` for `/`) and v3 (the URL between `__`, with `*` for letters that are in the second part). */
function proofpoint({ hostname, pathname, searchParams, href }: URL): string | null {
  if (!/(?:^|\.)urldefense(?:\.proofpoint)?\.(?:com|us)$/.test(hostname)) return null;
  if (pathname.startsWith('/v2/')) {
    const value = searchParams.get('u');
    return value === null ? null : asWebUrl(percentDecoded(value.replaceAll('-', '%').replaceAll('_', '/')));
  }
  const start = href.indexOf('/v3/__');
  const end = href.lastIndexOf('__;');
  return start < 0 || end < start ? null : asWebUrl(href.slice(start + 6, end).replace(/^(https?):\/(?!\/)/, '$1://'));
}

function ciscoOrAmazon({ hostname, pathname }: URL): string | null {
  const isPathWrapped = hostname === 'secure-web.cisco.com' || isWithin(hostname, 'awstrack.me');
  return isPathWrapped
    ? (pathname
        .split('/', 8)
        .map(asWebUrl)
        .find((target) => target !== null) ?? null)
    : null;
}

/** Decodes `google.com/amp/s/evil.example/x`, and `evil-example.translate.goog`, where `-` is a dot and `--` a hyphen. */
function ampOrTranslated({ hostname, pathname, search }: URL): string | null {
  const amp = /^\/amp\/(s\/)?([^/]+\.[^/]+.*)$/.exec(pathname);
  if (amp && /(?:^|\.)google\.[a-z.]+$/.test(hostname))
    return asWebUrl(`http${amp[1] ? 's' : ''}://${amp[2]}${search}`);
  if (!isWithin(hostname, 'translate.goog') || hostname === 'translate.goog') return null;
  const name = hostname.slice(0, -'.translate.goog'.length);
  return asWebUrl(`https://${name.replaceAll('--', '\0').replaceAll('-', '.').replaceAll('\0', '-')}${pathname}`);
}

/** Returns texts that may be a URL: every parameter, parameters of the fragment, and the rest of the path from `http` on. */
function* candidates({ searchParams, hash, pathname, search }: URL): Generator<string> {
  let left = MAX_PARAMETERS;
  for (const [, value] of searchParams) {
    if (left-- === 0) return;
    yield value;
  }
  for (const [, value] of new URLSearchParams(hash.slice(1))) {
    if (left-- <= 0) return;
    yield value;
  }
  for (const text of [pathname, search, hash]) {
    const at = text.search(/https?(?::|%3a)(?:\/|%2f)/i);
    if (at >= 0) yield text.slice(at);
  }
}

/** Returns the text as a URL of the web: plain, percent-encoded once or twice, or in base64. Returns null for anything else. */
function asWebUrl(text: string): string | null {
  for (const form of [text, percentDecoded(text), percentDecoded(percentDecoded(text)), base64Decoded(text)]) {
    const candidate = form.startsWith('//') ? `https:${form}` : form;
    // Restores a slash: paths of redirectors often lose one of two slashes.
    const repaired = candidate.replace(/^(https?):\/(?!\/)/i, '$1://');
    const url = /^https?:\/\/[^/]*[.:[]/i.test(repaired) ? parseUrl(repaired) : null;
    if (url !== null) return url.href;
  }
  return null;
}

function base64Decoded(text: string): string {
  const start = text.search(/aHR0c/);
  // Bing puts `a1` before it.
  return start < 0 || start > 2
    ? ''
    : Buffer.from(text.slice(start), 'base64')
        .toString('latin1')
        .replace(/[^\x21-\x7e].*$/s, '');
}

function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // A percent sign without a valid code means itself.
    return text;
  }
}
