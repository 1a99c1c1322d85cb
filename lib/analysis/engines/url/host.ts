/** Checks of the host of a URL, in the form the WHATWG parser gives it: lower case, punycode, numeric hosts resolved. */
import { domainToUnicode } from 'node:url';
import type { Finding } from '../engine.ts';
import { borrowedBrand } from './brands.ts';
import { urlFinding } from './findings.ts';

/** A host of more labels than this is shown without its end on most screens. */
const LABELS = 6;

/** Hosts below this name are malicious by agreement, as EICAR is for files: `.test` never resolves (RFC 6761 §6.2). */
export const MALICIOUS_TEST_HOST = 'malicious.airlock.test';

const IPV4 = /^\d{1,3}(?:\.\d{1,3}){3}$/;
const isWithin = (host: string, domain: string) => host === domain || host.endsWith(`.${domain}`);

/** Letters of Cyrillic and Greek that look like Latin ones: a label made of these only is read as Latin. */
const LATIN_LOOK_ALIKES = /^[аеорсухіјѕԁԛԝһӏкмтвнгпαοριυνκτχ0-9-]+$/u;
const SCRIPTS: readonly RegExp[] = [
  /\p{Script=Latin}/u,
  /\p{Script=Cyrillic}/u,
  /\p{Script=Greek}/u,
  /\p{Script=Armenian}/u,
  /\p{Script=Cherokee}/u,
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Bopomofo}]/u,
];

/** Latin beside Han or kana is ordinary (UTS 39 §5.2, highly restrictive); Latin beside Cyrillic or Greek is not. */
function isMixed(label: string): boolean {
  const present = SCRIPTS.map((script) => script.test(label));
  return present.slice(0, 5).filter(Boolean).length > 1 || (present[5] === true && present.slice(1, 5).some(Boolean));
}

function checkInternational(host: string): Finding[] {
  if (!/(?:^|\.)xn--/.test(host)) return [];
  const labels = domainToUnicode(host).split('.');
  const topLevel = labels.at(-1) ?? '';
  const isDeceptive = labels.some(
    // Below a top-level domain in the same alphabet, a name in that alphabet is at home.
    (label) =>
      isMixed(label) || (/[^\0-\x7f]/.test(label) && LATIN_LOOK_ALIKES.test(label) && /^[a-z-]+$/.test(topLevel)),
  );
  return [urlFinding(isDeceptive ? 'mixed-script-host' : 'punycode-host', 'host')];
}

/** Everything the host says by itself. */
export function checkHost(host: string): Finding[] {
  const findings: Finding[] = [];
  if (isWithin(host.replace(/\.$/, ''), MALICIOUS_TEST_HOST)) findings.push(urlFinding('malicious-test-url', 'host'));
  if (IPV4.test(host) || host.startsWith('[')) findings.push(urlFinding('ip-address-host', 'host'));
  else if (host.split('.').length > LABELS) findings.push(urlFinding('many-subdomains', 'host'));
  findings.push(...checkInternational(host));
  if (borrowedBrand(host) !== null || borrowedBrand(latinised(host)) !== null)
    findings.push(urlFinding('borrowed-brand', 'host'));
  return findings;
}

/** The host as a hasty reader sees it. */
function latinised(host: string): string {
  if (!host.includes('xn--')) return host;
  const like: Readonly<Record<string, string>> = {
    а: 'a',
    е: 'e',
    о: 'o',
    р: 'p',
    с: 'c',
    у: 'y',
    х: 'x',
    і: 'i',
    ј: 'j',
    ѕ: 's',
    ӏ: 'l',
    ԁ: 'd',
  };
  return domainToUnicode(host)
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^\0-\x7f]/gu, (letter) => like[letter] ?? letter);
}
