/** Finds hosts and paths that contain the name of a brand that they do not belong to. */
import type { Finding } from '../engine.ts';
import { BRANDS, type Brand } from './brands.ts';
import { skeletonOf } from './confusables.ts';
import { urlFinding } from './findings.ts';
import { ABUSED_SUFFIXES, DYNAMIC_DNS, FREE_HOSTING } from './hosting.ts';
import { isLoginWord, isMadeOfLoginWords } from './login-words.ts';
import { registrableDomain, suffixIn } from './registrable-domain.ts';
import { confusableForm, isOneSlip } from './typo-distance.ts';

/** Ordinary words that differ from a brand by one letter. */
const NEIGHBOURS = new Set('paypay finance revolt goggle telegraf amazone'.split(' '));

interface KnownBrand extends Brand {
  readonly confusable: string;
}
const KNOWN: readonly KnownBrand[] = [...BRANDS.values()].map((brand) => ({
  ...brand,
  confusable: confusableForm(brand.word),
}));
const BY_CONFUSABLE_FORM: ReadonlyMap<string, Brand> = new Map(KNOWN.map((brand) => [brand.confusable, brand]));

/** Domains of fewer characters (`t.co`) are also parts of other names. */
const SHORT_DOMAIN = 7;
/** Maps each domain of a brand to the first brand that has it. */
const BY_DOMAIN: ReadonlyMap<string, Brand> = new Map(
  KNOWN.toReversed().flatMap((brand) => brand.domains.map((domain) => [domain, brand] as const)),
);
const OWN_DOMAINS: ReadonlySet<string> = new Set(BY_DOMAIN.keys());

const WHOLE_SUFFIX = /^(?:[a-z]{2,24}|(?:co|com|org|net|or|ne)\.[a-z]{2})$/;

/**
 * Returns whether a brand may own its bare name (`amazon.fr`, `google.co.jp`, `spotify.design`). Brands register all such names, except
 * below cheap top-level domains.
 */
export function isOwnHost(host: string, { word, domains }: Brand): boolean {
  const domain = registrableDomain(host);
  if (domains.includes(domain)) return true;
  const dot = domain.indexOf('.');
  const suffix = domain.slice(dot + 1);
  if (suffix === word) return true;
  const isBare = domain.slice(0, dot) === word && WHOLE_SUFFIX.test(suffix) && !ABUSED_SUFFIXES.has(suffix);
  return isBare || host === `${word}.github.io`;
}

/** Returns the brand whose name a host carries without belonging to it, and how. Returns null for none. */
export function brandFinding(host: string, unicodeHost: string): Finding | null {
  if (unicodeHost !== host) {
    const brand = homographOf(unicodeHost);
    if (brand) return urlFinding(brand.isDictionaryWord ? 'borrowed-brand' : 'brand-homograph', 'host', brand.word);
  }
  const labels = host.split('.');
  const isCheap = ABUSED_SUFFIXES.has(labels.at(-1) ?? '');
  const chosen = PROJECTS.has(registrableDomain(host)) ? null : chosenName(host);
  const carried = KNOWN.find(
    (brand) =>
      labels.some(
        (label) =>
          carries(label, brand) ||
          (label === chosen && isDistinct(brand) && label.includes(brand.word)) ||
          (isCheap && label === brand.word && !brand.isDictionaryWord),
      ) && !isOwnHost(host, brand),
  );
  const brand = carried ?? brandBelow(host);
  return brand ? urlFinding('borrowed-brand', 'host', brand.word) : misspelled(labels, host);
}

/** Returns whether no other word contains the name by chance. */
const isDistinct = ({ word, isDictionaryWord, isCommonLabel }: Brand) =>
  word.length >= 6 && !isDictionaryWord && !isCommonLabel;

/** Hosts where developers publish their projects. They name them after the products with which they work. */
const PROJECTS = new Set(['github.io', 'gitlab.io', 'codesandbox.io', 'csb.app', 'stackblitz.io']);

/** Returns the label that the user of free hosting or of a dynamic name chose, or null for every other host. */
export function chosenName(host: string): string | null {
  const suffix = suffixIn(host, FREE_HOSTING) ?? suffixIn(host, DYNAMIC_DNS);
  if (suffix === null || suffix === host) return null;
  return (
    host
      .slice(0, -suffix.length - 1)
      .split('.')
      .at(-1) ?? null
  );
}

/** Returns the brand with whose name the registered name of a host begins or ends (`paypalhelpdesk.example`), or null. */
export function gluedBrand(host: string): string | null {
  const owned = registrableDomain(host).split('.', 1)[0] ?? '';
  const found = KNOWN.find(
    (brand) =>
      isDistinct(brand) &&
      owned.length > brand.word.length &&
      (owned.startsWith(brand.word) || owned.endsWith(brand.word)) &&
      !isOwnHost(host, brand),
  );
  return found?.word ?? null;
}

/** Finds the name of a brand in front of another domain: `www.paypal.com.evil.example`. */
function brandBelow(host: string): Brand | null {
  const domain = registrableDomain(host);
  // Every host name that may end the labels on the left of the registered name.
  const labels = host.slice(0, -domain.length - 1).split('.', 10);
  for (const at of labels.keys()) {
    const brand = brandOfHost(labels.slice(0, at + 1).join('.'));
    if (brand && !isOwnHost(host, brand)) return brand;
  }
  return null;
}

function carries(label: string, brand: Brand): boolean {
  const { word, isDictionaryWord, isCommonLabel } = brand;
  if (!label.includes(word)) return false;
  if (label === word) return !isCommonLabel;
  const parts = label.split('-');
  if (parts.includes(word)) return !isDictionaryWord || parts.some((part) => part !== word && isLoginWord(part));
  return word.length >= 5 && parts.some((part) => part.includes(word) && isMadeOfLoginWords(part.replace(word, '')));
}

function misspelled(labels: readonly string[], host: string): Finding | null {
  const owned = registrableDomain(host).split('.', 1)[0];
  for (const label of labels) {
    for (const part of label.split('-')) {
      const brand = part.length < 5 ? null : misspelling(part, label === owned);
      if (brand && !isOwnHost(host, brand)) return urlFinding('misspelled-brand', 'host', brand.word);
    }
  }
  return null;
}

function misspelling(part: string, isOwnedLabel: boolean): Brand | null {
  if (BRANDS.has(part)) return null;
  const confusable = confusableForm(part);
  const read = BY_CONFUSABLE_FORM.get(confusable);
  // One different letter is a sign only in the registered name. Subdomains hold many ordinary words.
  if (read || !isOwnedLabel || NEIGHBOURS.has(part)) return read ?? null;
  const slipped = KNOWN.find((brand) => brand.isTypoSign && isOneSlip(confusable, brand.confusable));
  return slipped && part !== `${slipped.word}s` ? slipped : null;
}

function homographOf(unicodeHost: string): Brand | null {
  const parts = unicodeHost.split(/[.-]/).filter((part) => /[^\0-\x7f]/.test(part));
  for (const part of parts) {
    const seen = skeletonOf(part);
    const brand = seen === part ? undefined : BY_CONFUSABLE_FORM.get(confusableForm(seen));
    if (brand) return brand;
  }
  return null;
}

/** Returns whether a text is, or begins with, the name of a host of a brand. */
export const isBrandHost = (text: string): boolean => brandOfHost(text.split(/[/?#]/, 1)[0] ?? '') !== null;

function brandOfHost(text: string): Brand | null {
  const own = suffixIn(text.toLowerCase(), OWN_DOMAINS);
  return own === null || own.length < SHORT_DOMAIN ? null : (BY_DOMAIN.get(own) ?? null);
}

/**
 * Returns true when the path of a URL on another domain begins with the host name of a brand and continues: `/www.paypal.com/signin`. A
 * path that ends with one (`/review/www.paypal.com`) speaks about it.
 */
export function hasBrandHostInPath(host: string, path: string): boolean {
  const segments = path.split('/', 6);
  return segments.slice(1, 4).some((segment, at) => {
    const brand = segment.includes('.') && segments[at + 2] ? brandOfHost(segment) : null;
    return brand !== null && !isOwnHost(host, brand);
  });
}

/** Searches the path below free hosting, where its user chooses a name: `/view/paypal-verify`. */
const brandCarriedBy = (name: string) =>
  KNOWN.find((brand) => name.includes('-') && name.length <= 63 && carries(name, brand));

/** Returns the brand whose bare name is a path segment on a foreign host. Dictionary words count only beside a login word. */
export function brandInPath(host: string, path: string, hasLogin: boolean): string | null {
  const segments = path.toLowerCase().split('/', 8);
  for (const segment of segments) {
    const name = segment.replace(/\.(?:html?|php|aspx?)$/, '');
    const brand = BRANDS.get(name) ?? (suffixIn(host, FREE_HOSTING) ? brandCarriedBy(name) : undefined);
    // `/auth/google/login` is the usual path for signing in with another provider; `/google/login.php` is not.
    const isOther = brand?.isCommonLabel === true && !/\.(?:php|html?|aspx?)$/i.test(path);
    if (brand && !isOther && (hasLogin || !brand.isDictionaryWord) && !isOwnHost(host, brand)) return brand.word;
  }
  return null;
}
