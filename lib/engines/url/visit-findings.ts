/** Judges a URL by its visit: a pure function of the record of the visit. */
import { parseUrl } from '../../formats/urls/parse-url.ts';
import type { Finding } from '../engine.ts';
import type { PageFacts, UrlVisit, VisitEnd, VisitedHop } from '../url-report.ts';
import { BRANDS, type Brand } from './brands.ts';
import { isOwnHost } from './look-alikes.ts';
import { isWithin, registrableDomain } from './registrable-domain.ts';
import { type VisitRuleId, visitFinding } from './visit-rules.ts';

/** A password field on a host with one of these findings is an attack. */
const LOOK_ALIKE = new Set(['borrowed-brand', 'misspelled-brand', 'brand-homograph', 'mixed-script-host']);

const OF_END: Readonly<Partial<Record<VisitEnd, VisitRuleId>>> = {
  'redirect-to-internal': 'redirect-to-internal',
  'internal-address': 'internal-address',
  certificate: 'certificate-refused',
  'too-many-redirects': 'many-redirects',
};

/** Says to a person why a visit ended. */
const END_WORDS: Readonly<Record<VisitEnd, string>> = {
  'internal-address': 'the address is not public',
  'redirect-to-internal': 'a redirect leads to an address that is not public',
  'not-visitable': 'the scheme or the port is not used for web pages',
  unresolved: 'the name does not resolve',
  certificate: 'the certificate is not valid',
  connection: 'the connection failed',
  timeout: 'there was no answer in time',
  'too-many-redirects': 'there are too many redirects',
  oversize: 'the answer is too large',
  unreadable: 'the answer cannot be read',
};

/** Returns the findings of a visit. `checkText` judges one URL by itself: every hop is judged like the first. */
export function judgeVisit(visit: UrlVisit, checkText: (text: string, url: URL) => Finding[]): Finding[] {
  const { hops } = visit;
  const judged = (text: string) => {
    const url = parseUrl(text);
    return url === null ? [] : checkText(text, url);
  };
  const ofHops = hops.slice(1).flatMap(({ url }) => inHop(judged(url)));
  const last = hops.at(-1);
  const ofLast = last ? judged(last.url) : [];
  return [
    ...ofHops,
    ...judgeHops(hops),
    ...judgeEnd(visit),
    ...(visit.page && last ? judgePage(visit.page, last.url, ofLast) : []),
    ...judgeFile(visit),
  ];
}

const inHop = (findings: readonly Finding[]) =>
  findings.map((finding) => ({
    ...finding,
    where: finding.where ? `${finding.where} after redirects` : 'after redirects',
  }));

function judgeHops(hops: readonly VisitedHop[]): Finding[] {
  const urls = hops.flatMap(({ url: text, via }) => {
    const url = parseUrl(text);
    return url === null ? [] : [{ url, via }];
  });
  const findings: Finding[] = [];
  for (const [at, { url, via }] of urls.entries()) {
    const before = urls[at - 1]?.url;
    if (!before) continue;
    if (registrableDomain(before.hostname) !== registrableDomain(url.hostname))
      findings.push(visitFinding('leads-elsewhere', null, url.href));
    if (via === 'script') findings.push(visitFinding('script-redirect', before.href, url.href));
    if (before.protocol === 'https:' && url.protocol === 'http:')
      findings.push(visitFinding('loses-protection', before.href, url.href));
  }
  return findings;
}

function judgeEnd({ end, hops }: UrlVisit): Finding[] {
  const last = hops.at(-1);
  if (end === null) {
    const isError = last?.status !== undefined && last.status !== null && last.status >= 400;
    return isError ? [visitFinding('page-refused', null, `status ${last.status}`)] : [];
  }
  const isWeb = last !== undefined && /^https?:/i.test(last.url);
  const id = end === 'not-visitable' && hops.length > 1 && !isWeb ? 'redirect-to-danger' : OF_END[end];
  const ended = visitFinding('visit-ended', END_WORDS[end]);
  return id ? [visitFinding(id, null, last?.url), ended] : [ended];
}

function judgePage(page: PageFacts, pageUrl: string, ofHost: readonly Finding[]): Finding[] {
  const { hostname } = new URL(pageUrl);
  const findings = page.tricks.map((trick) =>
    visitFinding(trick === 'whole-frame' ? 'whole-frame' : 'page-writes-itself', null, pageUrl),
  );
  const asks = page.hasPassword || page.forms.some(({ hasPassword }) => hasPassword);
  if (!asks) return findings;
  if (ofHost.some(({ id, where }) => LOOK_ALIKE.has(id) && where === 'host'))
    findings.push(visitFinding('login-on-look-alike', pageUrl));
  return [...findings, ...judgeBrand(page, hostname, pageUrl), ...judgeForms(page, pageUrl)];
}

function judgeForms({ forms }: PageFacts, pageUrl: string): Finding[] {
  const page = new URL(pageUrl);
  return forms
    .filter(({ hasPassword }) => hasPassword)
    .flatMap(({ action }) => {
      const target = /^https?:/i.test(action) ? parseUrl(action) : null;
      if (target === null) return [];
      const isElsewhere = registrableDomain(target.hostname) !== registrableDomain(page.hostname);
      return [
        ...(isElsewhere ? [visitFinding('credentials-elsewhere', pageUrl, action)] : []),
        ...(target.protocol === 'http:' ? [visitFinding('credentials-unprotected', pageUrl, action)] : []),
      ];
    });
}

/**
 * Finds the brand of a page. A shop titled "Sign in with PayPal" names a brand too, so a page counts only with the title and the logo of
 * the brand.
 */
function judgeBrand(page: PageFacts, hostname: string, pageUrl: string): Finding[] {
  const title = wordsOf(page.title ?? '');
  const logos = page.logos.map((logo) => wordsOf(logo));
  const foreign = [...BRANDS.values()].filter((brand) => !isOwnHost(hostname, brand));
  const titled = foreign.filter((brand) => hasWord(title, brand) && !(brand.isCommonLabel && brand.isDictionaryWord));
  const shown = (brand: Brand) =>
    logos.some((words) => hasWord(words, brand)) || page.logos.some((logo) => isHotLinked(logo, brand));
  for (const brand of titled.length > 0 ? titled : foreign.filter((known) => hasWord(title, known))) {
    if (shown(brand)) return [visitFinding('brand-page-elsewhere', pageUrl, brand.word)];
  }
  const [brand] = titled;
  const borrowed = foreign.find((known) => page.logos.some((logo) => isHotLinked(logo, known)));
  const named = brand && !brand.isCommonLabel ? brand : borrowed;
  return named ? [visitFinding('brand-title-elsewhere', pageUrl, named.word)] : [];
}

const wordsOf = (text: string) => ` ${text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, ' ')} `;
const hasWord = (words: string, { word }: Brand) =>
  words.includes(` ${word} `) || (word.length > 7 && words.replaceAll(' ', '').includes(word));

/** Returns whether the logo is fetched from the own server of the brand. Attackers often copy the page but not its pictures. */
function isHotLinked(logo: string, { domains }: Brand): boolean {
  const hostname = parseUrl(/https?:\/\/\S+$/.exec(logo)?.[0] ?? '')?.hostname;
  if (hostname === undefined) return false;
  return domains.some((domain) => isWithin(hostname, domain));
}

function judgeFile({ file, hops }: UrlVisit): Finding[] {
  if (!file) return [];
  const where = hops.at(-1)?.url ?? null;
  if (file.level === 'malicious') return [visitFinding('download-malicious', where, file.untrustedName)];
  if (file.level === 'suspicious') return [visitFinding('download-suspicious', where, file.untrustedName)];
  return [visitFinding('download-offered', where, file.untrustedName)];
}
