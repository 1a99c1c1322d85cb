/** Checks of the host of a URL, in the form the WHATWG parser gives it: lower case, punycode, numeric hosts resolved. */
import { domainToUnicode } from 'node:url';
import type { Finding } from '../engine.ts';
import { isLookAlikeOnly, isMixedScript } from './confusables.ts';
import { urlFinding } from './findings.ts';
import { ABUSED_SUFFIXES, DYNAMIC_DNS, FREE_HOSTING, IPFS_GATEWAYS, SHORT_LINKS, TUNNELS } from './hosting.ts';
import { isBait, strongWordsIn } from './login-words.ts';
import { brandFinding, chosenName, gluedBrand } from './look-alikes.ts';
import { boundedName, isWithin, registrableDomain, suffixIn } from './registrable-domain.ts';

/** Most screens do not show the end of a host with more labels than this. */
const LABELS = 7;
/** From this many hyphens on, a label reads like a sentence. */
const HYPHENS = 4;
/** From this length on, a registered name is checked for letters without meaning. */
const JUDGED_NAME = 10;

/** Hosts below this name are always judged malicious, like the EICAR test file. `.test` never resolves (RFC 6761 §6.2). */
export const MALICIOUS_TEST_HOST = 'malicious.airlock.test';

const IPV4 = /^\d{1,3}(?:\.\d{1,3}){3}$/;

/** Returns the findings of the host by itself. `rawHost` is the host as written, or null when it is not known. */
export function checkHost(host: string, rawHost: string | null): Finding[] {
  const name = boundedName(host);
  if (IPV4.test(name) || name.startsWith('[')) return checkAddress(name, rawHost);
  const unicode = name.includes('xn--') ? domainToUnicode(name) : name;
  const brand = brandFinding(name, unicode);
  return [
    ...(isWithin(name, MALICIOUS_TEST_HOST) ? [urlFinding('malicious-test-url', 'host')] : []),
    ...(name.split('.').length > LABELS ? [urlFinding('many-subdomains', 'host')] : []),
    ...checkInternational(name, unicode),
    ...(brand ? [brand] : checkGlued(name)),
    ...checkNaming(name),
    ...checkSuffix(name),
    ...checkOwner(name),
    ...checkWords(name),
  ];
}

/**
 * Compares the host as written with the result of the parser. The parser removes every disguise, so a different spelling was a disguise.
 */
function checkAddress(address: string, rawHost: string | null): Finding[] {
  const isMapped = /^\[(?:::ffff:|64:ff9b:|2002:|::[0-9a-f]{1,4}:[0-9a-f]{1,4}\]$)/.test(address);
  const isDisguised = rawHost !== null && !address.startsWith('[') && rawHost.replace(/\.$/, '') !== address;
  const id = isMapped || isDisguised ? 'disguised-address' : 'ip-address-host';
  return [urlFinding(id, 'host', rawHost ?? address)];
}

function checkInternational(host: string, unicode: string): Finding[] {
  if (!/(?:^|\.)xn--/.test(host)) return [];
  const labels = unicode.split('.');
  const topLevel = labels.at(-1) ?? '';
  const isDeceptive = labels.some(
    // A name is ordinary below a top-level domain in the same alphabet.
    (label) =>
      isMixedScript(label) || (isLookAlikeOnly(label) && /^[a-z-]+$/.test(topLevel) && !isAtHome(label, topLevel)),
  );
  return [urlFinding(isDeceptive ? 'mixed-script-host' : 'punycode-host', 'host', unicode)];
}

/** Top-level domains that are also file extensions. */
const FILE_SUFFIX = /\.(?:zip|mov)$/;

/**
 * Finds domains inside of a name: `usps.com-track.example`, `bank.com.login-7f3a.example`. Proxies of libraries do the same, but have a
 * plain name at the end.
 */
function checkSuffix(host: string): Finding[] {
  const domain = registrableDomain(host);
  const left = host.slice(0, -domain.length - 1);
  const isCheap = ABUSED_SUFFIXES.has(domain.slice(domain.lastIndexOf('.') + 1));
  const inMiddle = /(?:^|\.)[a-z0-9-]{2,}\.(?:com|net|org|gov)(?:\.|$)/.test(left) && (isCheap || /-/.test(domain));
  return [
    ...(inMiddle || (left !== '' && left !== 'www' && /^(?:com|net|org|gov)-/.test(domain))
      ? [urlFinding('suffix-in-the-middle', 'host', host)]
      : []),
    ...(FILE_SUFFIX.test(host) ? [urlFinding('suffix-like-a-file', 'host', host)] : []),
  ];
}

function checkGlued(host: string): Finding[] {
  const brand = gluedBrand(host);
  return brand === null ? [] : [urlFinding('brand-glued', 'host', brand)];
}

const WRITTEN_SUFFIX =
  /(?:^|[a-z0-9]-)(?:co-(?:jp|kr|uk|za|nz|in|il|th)|com-[a-z]{2}|go-jp|or-jp|gov-[a-z]{2}|com)(?:\.|$)/;
const GOVERNMENT_WORD = /(?:^|\.)(?:gov|gouv|gob|govuk|mygov|irs|hmrc)[.-]|-(?:gov|gouv|gob)-/;
const GOVERNMENT_DOMAIN = /(?:^|\.)(?:gov|gouv|gob|mil|gv|govt|go|admin|bund|europa|fed)(?:\.[a-z]{2,3})?$/;
/** Buckets of a service that gives each a number as its public name. */
const NAMELESS_BUCKET = /^pub-[0-9a-f]{32}\.r2\.dev$/;

/** Finds words in a name that imitate another owner. */
function checkNaming(host: string): Finding[] {
  const domain = registrableDomain(host);
  const labels = host.slice(0, host.length - domain.length) + domain.slice(0, domain.indexOf('.'));
  const chosen = chosenName(host);
  const speaksOfGovernment = GOVERNMENT_WORD.test(`${labels}.`) && !GOVERNMENT_DOMAIN.test(host);
  return [
    ...(WRITTEN_SUFFIX.test(labels) ? [urlFinding('written-suffix', 'host', labels)] : []),
    ...(speaksOfGovernment ? [urlFinding('government-words', 'host', host)] : []),
    ...(chosen !== null && isBait(chosen) ? [urlFinding('bait-name', 'host', chosen)] : []),
  ];
}

/** Returns whether a URL is a page, and no file, in a bucket without a chosen name. */
export const isNamelessPage = (host: string, path: string): boolean =>
  NAMELESS_BUCKET.test(host) && /(?:\.html?|\/)$/i.test(path);

/** Returns whether the alphabet is usual. Countries write names in their own alphabet below their Latin top-level domains. */
const isAtHome = (label: string, topLevel: string) =>
  (/^[\p{Script=Greek}\d-]+$/u.test(label) && /^(?:gr|cy|eu)$/.test(topLevel)) ||
  (/^[\p{Script=Cyrillic}\d-]+$/u.test(label) && /^(?:ru|su|ua|by|bg|rs|mk|kz|mn|kg|eu)$/.test(topLevel));

function checkOwner(host: string): Finding[] {
  const known = (
    [
      ['tunnel', TUNNELS],
      ['ipfs-gateway', IPFS_GATEWAYS],
      ['dynamic-dns', DYNAMIC_DNS],
      ['short-link', SHORT_LINKS],
      ['free-hosting', FREE_HOSTING],
      ['abused-suffix', ABUSED_SUFFIXES],
    ] as const
  ).flatMap(([id, domains]) => {
    const suffix = suffixIn(host, domains);
    return suffix === null ? [] : [urlFinding(id, 'host', suffix)];
  });
  // A tunnel is also free hosting, so only the narrower finding is reported.
  return known.slice(0, 1);
}

function checkWords(host: string): Finding[] {
  const domain = registrableDomain(host);
  const owned = domain.slice(0, domain.indexOf('.'));
  // Below free hosting, the label that the user chose is further left.
  const chosen = (suffixIn(host, FREE_HOSTING) ?? suffixIn(host, DYNAMIC_DNS)) ? host : owned;
  const strong = strongWordsIn(host);
  const findings: Finding[] = [];
  if (isJoined(chosen) && strongWordsIn(chosen).size > 1)
    findings.push(urlFinding('many-credential-words', 'host', [...strong].join(' ')));
  else if (isJoined(host)) findings.push(urlFinding('credential-words', 'host', [...strong].join(' ')));
  if (host.split('.').some((label) => label.split('-').length > HYPHENS && !label.startsWith('xn--')))
    findings.push(urlFinding('many-hyphens', 'host'));
  if (isMadeUp(owned) && chosen === owned) findings.push(urlFinding('made-up-name', 'host', owned));
  return findings;
}

const isJoined = (host: string) =>
  host.split('.').some((label) => label.includes('-') && strongWordsIn(label).size > 0);

/** Returns whether a name has many digits between letters, or no vowels. People do not choose such names. */
function isMadeUp(name: string): boolean {
  if (name.length < JUDGED_NAME || name.startsWith('xn--')) return false;
  const changes = name.match(/[a-z][0-9]|[0-9][a-z]/g)?.length ?? 0;
  const vowels = name.match(/[aeiouy]/g)?.length ?? 0;
  return changes >= 4 || /[bcdfghjklmnpqrstvwxz]{7}/.test(name) || vowels / name.length < 0.1;
}
