/**
 * The URL engine checks the URL itself and the result of a visit, if there was one. It opens no connection: the visit (visit/) is made
 * beforehand and passed in. Without a visit, `benign` only means that nothing is wrong with the text of the URL.
 */
import { parseUrl } from '../../formats/urls/parse-url.ts';
import type { FailedReport, Finding } from '../engine.ts';
import { ENGINE_VERSIONS } from '../engine-versions.ts';
import type { UrlReport, UrlVisit } from '../url-report.ts';
import { urlFinding } from './findings.ts';
import { checkHost } from './host.ts';
import { checkPath } from './path.ts';
import { checkScheme, isPictureUrl, isWebUrl } from './scheme.ts';
import { scoreUrl } from './scoring.ts';
import { targetsOf } from './targets.ts';
import { judgeVisit } from './visit-findings.ts';
import { checkWriting, rawHostOf } from './written-form.ts';

/** A longer URL is refused and not read. */
const URL_LENGTH = 65_536;
/** Newsletter links that a link filter has wrapped are shorter than this. Some programs cut URLs here. */
const LONG_URL = 4_096;
/** Depth of URLs inside URLs. Rewriters, redirectors and trackers in a row rarely make more. */
const TARGET_DEPTH = 4;
/** Most URLs that are judged for one URL: parameters of parameters multiply. */
const JUDGED_URLS = 12;

/** Nobody links to such a host through a well-known service, except to hide the name of the host. */
const THROWAWAY = new Set([
  'abused-suffix',
  'dynamic-dns',
  'made-up-name',
  'ip-address-host',
  'tunnel',
  'ipfs-gateway',
]);

/**
 * Judges one URL, with the visit to it if there was one. A URL that cannot be parsed ends as `unreadable`, and one that is far too
 * long as `oversize`. Never throws.
 *
 * @example
 * ```ts
 * analyseUrl('https://example.org/').outcome; // => 'completed'
 * ```
 */
export function analyseUrl(untrustedUrl: string, visit: UrlVisit | null = null): UrlReport | FailedReport {
  if (untrustedUrl.length > URL_LENGTH) return failed('oversize', `the URL is longer than ${URL_LENGTH} characters`);
  const text = webText(untrustedUrl);
  const url = parseUrl(text);
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
    engineVersion: ENGINE_VERSIONS.url,
  };
}

function webText(untrustedUrl: string): string {
  const text = untrustedUrl.trim();
  // `\\host@80\share` and `\\host@SSL\share` are shares over HTTP.
  return text.startsWith('\\\\') ? `file:${text.replaceAll('\\', '/').replace(/^(\/\/[^/@]+)@[^/]*/, '$1')}` : text;
}

function failed(code: 'oversize' | 'unreadable', message: string): FailedReport {
  return { outcome: 'failed', failure: { code, message }, engineVersion: ENGINE_VERSIONS.url };
}

/** Returns the findings of one URL by itself, without the URLs inside it. */
function checkText(text: string, url: URL): Finding[] {
  const findings = checkScheme(url);
  const isWeb = isWebUrl(url);
  if (isWeb) findings.push(...checkWriting(text, url), ...checkHost(url.hostname, rawHostOf(text)), ...checkPath(url));
  else if (url.protocol === 'file:' && url.hostname !== '') findings.push(...checkHost(url.hostname, null));
  if (text.length > LONG_URL && !isPictureUrl(text)) findings.push(urlFinding('very-long', null));
  return findings;
}

/** Returns the findings of the URLs inside it, which are judged in the same way. */
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

/** Keeps one finding per rule and place, so that a thousand parameters do not make a thousand findings. */
function mergedFindings(findings: readonly Finding[]): Finding[] {
  return [...new Map(findings.map((finding) => [`${finding.id} ${finding.where}`, finding])).values()];
}
