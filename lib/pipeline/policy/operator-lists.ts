/** The lists of the operator, ready for look-ups: of a file by its hash, and of a link by its host and its beginning. Pure. */
import { parseUrl } from '../../formats/urls/parse-url.ts';
import type { Artifact } from '../ledger/artifact.ts';
import { hashOf } from '../ledger/artifact-id.ts';
import { LISTED_VERDICTS, type ListEntry } from '../ledger/list-entry.ts';
import { addressesWithin, decodedOnce } from './addresses-within.ts';

/** Returns the entry of the lists about an artifact; null when it is on none. */
export type LookedUp = (artifact: Pick<Artifact, 'type' | 'id' | 'untrustedUrl' | 'listed'>) => ListEntry | null;

/** The longest allowed address. The end of a longer one may have been cut off when it was found. */
const MAX_ALLOWED = 2_048;

interface Index {
  readonly files: ReadonlyMap<string, ListEntry>;
  readonly domains: ReadonlyMap<string, ListEntry>;
  /** Beginnings of addresses, by host. */
  readonly beginnings: ReadonlyMap<string, Beginnings>;
}

/** Beginnings by their text, and their lengths. Each length is one look-up, however long the list is. */
interface Beginnings {
  readonly entries: Map<string, ListEntry>;
  readonly lengths: Set<number>;
}

/**
 * Returns the entry that counts for an artifact: the worst one. An entry that allows a link does not count when the link contains another
 * address or a user name, or is no web link, because it may lead elsewhere. An entry that blocks a link also counts for addresses inside
 * it.
 *
 * @example
 * ```ts
 * import { parseOperatorList } from './lib/pipeline/policy/operator-list.ts';
 *
 * const countFor = (text: string) => lookUp(parseOperatorList('soc.txt', text));
 * ```
 */
export function lookUp(entries: readonly ListEntry[]): LookedUp {
  const [against, allowed] = [entries.filter(isAgainst), entries.filter((entry) => !isAgainst(entry))] as const;
  const indexes = { against: indexOf(against, blockedTexts), allowed: indexOf(allowed, (url) => [allowedText(url)]) };
  return (artifact) => {
    if (artifact.type === 'file') {
      const hash = hashOf(artifact.id);
      return indexes.against.files.get(hash) ?? indexes.allowed.files.get(hash) ?? null;
    }
    return urlEntry(indexes, artifact.untrustedUrl ?? '');
  };
}

const isAgainst = ({ verdict }: ListEntry) => verdict !== 'allow';

/** Keeps the worse of two entries for the same artifact. */
function indexOf(entries: readonly ListEntry[], textsOf: TextsOf): Index {
  const [files, domains] = [new Map<string, ListEntry>(), new Map<string, ListEntry>()];
  const beginnings = new Map<string, Beginnings>();
  for (const entry of worstFirst(entries)) {
    const url = entry.kind === 'url' ? parseUrl(entry.value) : null;
    if (url !== null) {
      const known = beginnings.get(hostOf(url)) ?? { entries: new Map(), lengths: new Set() };
      beginnings.set(hostOf(url), known);
      const text = textsOf(url)[0] ?? '';
      known.lengths.add(text.length);
      if (!known.entries.has(text)) known.entries.set(text, entry);
    } else {
      const known = entry.kind === 'sha256' ? files : domains;
      if (!known.has(entry.value)) known.set(entry.value, entry);
    }
  }
  return { files, domains, beginnings };
}

const worstFirst = (entries: readonly ListEntry[]) =>
  entries.toSorted((one, other) => LISTED_VERDICTS.indexOf(one.verdict) - LISTED_VERDICTS.indexOf(other.verdict));

const hostOf = ({ hostname }: URL) => hostname.toLowerCase().replace(/\.+$/, '');

function urlEntry(
  { against, allowed }: Readonly<Record<'against' | 'allowed', Index>>,
  href: string,
): ListEntry | null {
  const url = parseUrl(href);
  const isWeb = url !== null && /^(?:https?|ftp):$/.test(url.protocol);
  const rest = isWeb ? `${url.pathname}${url.search}${url.hash}` : href;
  const within = addressesWithin(rest, (each) => against.beginnings.has(hostOf(each)));
  const found = [...(isWeb ? [url] : []), ...within.addresses, ...within.bareHosts].flatMap(
    (each) => entryFor(against, each, blockedTexts(each), () => true) ?? [],
  );
  const [worst] = worstFirst(found);
  if (worst !== undefined) return worst;
  if (!isWeb || within.addresses.length > 0 || within.hasMore || !staysThere(url)) return null;
  const text = allowedText(url);
  return entryFor(allowed, url, [text], (length) => isBorder(text, length));
}

/** Returns false for a user name, for a path that servers may read as going up, and for an address that may be cut. */
function staysThere({ href, username, password, pathname }: URL): boolean {
  const goesUp = /(?:^|[\\/])\.\.(?=[\\/;]|$)/.test(decodedOnce(decodedOnce(decodedOnce(pathname))));
  return username === '' && password === '' && !goesUp && href.length <= MAX_ALLOWED;
}

function entryFor(
  { domains, beginnings }: Index,
  url: URL,
  texts: readonly string[],
  mayEnd: (length: number) => boolean,
): ListEntry | null {
  const host = hostOf(url);
  const { entries, lengths } = beginnings.get(host) ?? { entries: new Map<string, ListEntry>(), lengths: [] };
  const begun = [...lengths]
    .filter(mayEnd)
    .flatMap((length) => texts.flatMap((text) => entries.get(text.slice(0, length)) ?? []));
  const labels = host.split('.');
  const named = labels.flatMap((_, from) => domains.get(labels.slice(from).join('.')) ?? []);
  return worstFirst([...begun, ...named])[0] ?? null;
}

type TextsOf = (url: URL) => readonly string[];

/**
 * The texts with which a beginning is compared. Another scheme, a user name, a dot behind the host, a second slash or percent-encoded
 * letters do not evade a list. A beginning without a port counts for all ports.
 */
const blockedTexts: TextsOf = ({ port, pathname, search, hash }) => {
  const path = plainly(`${pathname.replace(/\/{2,}/g, '/')}${search}${hash}`);
  return port === '' ? [path] : [`${port} ${path}`, path];
};

const allowedText = ({ href }: URL) => plainly(href);

/** Returns whether a beginning ends at a border of the path, so that `/share` does not allow `/share-of-others`. */
const isBorder = (text: string, length: number) =>
  text[length - 1] === '/' || text.length === length || /[/?#]/.test(text[length] ?? '');

/** Decodes letters, digits and signs that need no percent sign (RFC 3986, 6.2.2.2). */
const plainly = (href: string) =>
  href.replace(/%([0-9a-f]{2})/gi, (written, hex: string) => {
    const sign = String.fromCharCode(Number.parseInt(hex, 16));
    return /[A-Za-z0-9._~-]/.test(sign) ? sign : written.toUpperCase();
  });
