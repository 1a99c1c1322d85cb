/**
 * The url engine: checks of the URL itself, and of what a visit brought, where there was one. It opens no connection; a visit is made
 * beforehand (visit/) and handed in. Without one, `benign` says that nothing is wrong with the URL as a text.
 */
import type { FailedReport, Finding } from '../engine.ts';
import type { UrlReport, UrlVisit } from '../url-report.ts';
import { urlFinding } from './findings.ts';
import { checkHost } from './host.ts';
import { checkPath } from './path.ts';
import { checkScheme, isPictureUrl, isWebUrl } from './scheme.ts';
import { scoreUrl } from './scoring.ts';
import { targetsOf } from './targets.ts';
import { judgeVisit } from './visit-findings.ts';
import { checkWriting, rawHostOf } from './written-form.ts';

export const engineVersion = 'url-2.2.0';

/** Megabytes of URL: refused, not read. */
const URL_LENGTH = 65_536;
/** Longer than links of newsletters wrapped by link filters get; some programs cut URLs here. */
const LONG_URL = 4_096;
/** URLs inside URLs inside URLs: rewriters, redirectors and trackers in a row rarely make more. */
const TARGET_DEPTH = 4;
/** All URLs judged for one: parameters of parameters fan out. */
const JUDGED_URLS = 12;

/** Hosts that nobody links to through a well-known service unless another name is to be seen instead. */
const THROWAWAY = new Set([
  'abused-suffix',
  'dynamic-dns',
  'made-up-name',
  'ip-address-host',
  'tunnel',
  'ipfs-gateway',
]);

/**
 * Judges one URL, with the visit to it where there was one. Not parseable, or absurdly long: a failed report, `unreadable` or
 * `oversize`. Never throws.
 */
export function analyseUrl(untrustedUrl: string, visit: UrlVisit | null = null): UrlReport | FailedReport {
  if (untrustedUrl.length > URL_LENGTH) return failed('oversize', `the URL is longer than ${URL_LENGTH} characters`);
  const text = webText(untrustedUrl);
  const url = parsed(text);
  if (url === null) return failed('unreadable', 'this is not a URL');
  const findings = mergedFindings([
    ...checkText(text, url),
    ...(isWebUrl(url) ? checkTargets(url) : []),
    ...(visit ? judgeVisit(visit, checkText) : []),
  ]);
  return {
    outcome: 'completed',
    ...scoreUrl(findings, visit === null || visit.outcome === 'visited'),
    findings,
    ...(visit && { visit }),
    engineVersion,
  };
}

function webText(untrustedUrl: string): string {
  const text = untrustedUrl.trim();
  // `\\host@80\share` and `\\host@SSL\share` are shares over HTTP.
  return text.startsWith('\\\\') ? `file:${text.replaceAll('\\', '/').replace(/^(\/\/[^/@]+)@[^/]*/, '$1')}` : text;
}

const parsed = (text: string): URL | null => (URL.canParse(text) ? new URL(text) : null);

function failed(code: 'oversize' | 'unreadable', message: string): FailedReport {
  return { outcome: 'failed', failure: { code, message }, engineVersion };
}

/** Everything that one URL says by itself, without what is inside it. */
function checkText(text: string, url: URL): Finding[] {
  const findings = checkScheme(url);
  const isWeb = isWebUrl(url);
  if (isWeb) findings.push(...checkWriting(text, url), ...checkHost(url.hostname, rawHostOf(text)), ...checkPath(url));
  else if (url.protocol === 'file:' && url.hostname !== '') findings.push(...checkHost(url.hostname, null));
  if (text.length > LONG_URL && !isPictureUrl(text)) findings.push(urlFinding('very-long', null));
  return findings;
}

/** The URLs that stand in it, judged like itself. */
function checkTargets(url: URL): Finding[] {
  const findings: Finding[] = [];
  const seen = new Set([url.href]);
  let level = [url];
  for (let depth = 0; depth < TARGET_DEPTH && level.length > 0; depth += 1) {
    const next: URL[] = [];
    for (const target of level.flatMap(targetsOf)) {
      if (seen.has(target.url) || seen.size > JUDGED_URLS) continue;
      seen.add(target.url);
      const inner = new URL(target.url);
      const inside = checkText(target.url, inner);
      findings.push(urlFinding(target.via, null, target.url), ...inTarget(inside));
      if (target.via === 'open-redirector' && inside.some(({ id }) => THROWAWAY.has(id)))
        findings.push(urlFinding('redirector-to-throwaway', 'target', target.url));
      next.push(inner);
    }
    level = next;
  }
  return findings;
}

const inTarget = (findings: readonly Finding[]) =>
  findings.map((finding) => ({ ...finding, where: finding.where ? `${finding.where} of the target` : 'target' }));

/** One finding per rule and place: a thousand parameters are no thousand reasons. */
function mergedFindings(findings: readonly Finding[]): Finding[] {
  return [...new Map(findings.map((finding) => [`${finding.id} ${finding.where}`, finding])).values()];
}
