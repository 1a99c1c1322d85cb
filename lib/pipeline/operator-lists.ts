/** The lists of the operator, as they are looked up: what they say of a file by its hash, and of a link by its host and its beginning. Pure. */
import { hashOf } from './artifact-id.ts';
import type { Artifact } from './ledger.ts';
import { LISTED_VERDICTS, type ListEntry } from './list-entry.ts';

/** What the lists say of an artifact; null when it is on none. */
export type LookedUp = (artifact: Pick<Artifact, 'type' | 'id' | 'untrustedUrl' | 'listed'>) => ListEntry | null;

/** How often an address within an address is decoded before it is looked for. */
const DECODINGS = 3;
/** Addresses within one address that are looked up. */
const MAX_INNER = 12;

interface Index {
  readonly files: ReadonlyMap<string, ListEntry>;
  readonly domains: ReadonlyMap<string, ListEntry>;
  /** Beginnings of addresses, by host. */
  readonly beginnings: ReadonlyMap<string, readonly ListEntry[]>;
}

/**
 * The entry that counts for an artifact: the one that says the worst. An entry that allows a link does not count when the link holds another
 * address or a user name, because it may lead elsewhere; one that blocks it counts for addresses within it, too.
 *
 * @example
 * ```ts
 * import { parseOperatorList } from './lib/pipeline/operator-list.ts';
 *
 * const countFor = (text: string) => lookUp(parseOperatorList('soc.txt', text));
 * ```
 */
export function lookUp(entries: readonly ListEntry[]): LookedUp {
  const [against, allowed] = [entries.filter(isAgainst), entries.filter((entry) => !isAgainst(entry))].map(indexOf) as [
    Index,
    Index,
  ];
  return (artifact) => {
    if (artifact.type === 'file') {
      const hash = hashOf(artifact.id);
      return against.files.get(hash) ?? allowed.files.get(hash) ?? null;
    }
    return urlEntry(against, allowed, artifact.untrustedUrl ?? '');
  };
}

const isAgainst = ({ verdict }: ListEntry) => verdict !== 'allow';

/** Of two entries for the same, the worse one stays. */
function indexOf(entries: readonly ListEntry[]): Index {
  const [files, domains] = [new Map<string, ListEntry>(), new Map<string, ListEntry>()];
  const beginnings = new Map<string, ListEntry[]>();
  for (const entry of worstFirst(entries)) {
    if (entry.kind === 'url') {
      const host = addressOf(entry.value)?.host ?? '';
      beginnings.set(host, [...(beginnings.get(host) ?? []), entry]);
    } else {
      const known = entry.kind === 'sha256' ? files : domains;
      if (!known.has(entry.value)) known.set(entry.value, entry);
    }
  }
  return { files, domains, beginnings };
}

const worstFirst = (entries: readonly ListEntry[]) =>
  entries.toSorted((one, other) => LISTED_VERDICTS.indexOf(one.verdict) - LISTED_VERDICTS.indexOf(other.verdict));

/** An address in the pieces that a list asks about. Those of a ledger are as the WHATWG parser writes them: nothing is parsed anew here. */
interface Address {
  readonly href: string;
  readonly user: string | undefined;
  readonly host: string;
  readonly rest: string;
}

function addressOf(href: string): Address | null {
  const found = /^[a-z][a-z0-9+.-]*:\/\/(?:([^/?#]*)@)?(\[[^\]]*\]|[^/?#:]*)(?::\d*)?(?=[/?#]|$)/i.exec(href);
  if (found === null) return null;
  const [start, user, host = ''] = found;
  return { href, user, host: host.toLowerCase().replace(/\.+$/, ''), rest: href.slice(start.length) };
}

function urlEntry(against: Index, allowed: Index, href: string): ListEntry | null {
  const address = addressOf(href);
  if (address === null) return null;
  const inner = addressesIn(address.rest);
  const found = [address, ...inner].flatMap((each) => entryFor(against, each, isLikeBlocked) ?? []);
  const [worst] = worstFirst(found);
  if (worst !== undefined) return worst;
  const leadsElsewhere = inner.length > 0 || address.user !== undefined || /aHR0c/.test(href);
  return leadsElsewhere ? null : entryFor(allowed, address, isLikeAllowed);
}

type IsLike = (address: string, beginning: string) => boolean;

function entryFor({ domains, beginnings }: Index, { href, host }: Address, isLike: IsLike): ListEntry | null {
  const address = plainly(href);
  const begun = beginnings.get(host)?.filter(({ value }) => isLike(address, plainly(value))) ?? [];
  const labels = host.split('.');
  const named = labels.flatMap((_, from) => domains.get(labels.slice(from).join('.')) ?? []);
  return worstFirst([...begun, ...named])[0] ?? null;
}

/** Nobody gets past a list with another scheme, or with letters that are written as percent signs and digits. */
const isLikeBlocked: IsLike = (address, beginning) => withoutScheme(address).startsWith(withoutScheme(beginning));
const withoutScheme = (address: string) => address.replace(/^[a-z]+:\/\//, '');

/** A beginning ends at a border of the path, so that `/share` does not allow `/share-of-others`. */
const isLikeAllowed: IsLike = (address, beginning) =>
  address.startsWith(beginning) &&
  (beginning.endsWith('/') || address === beginning || /[/?#]/.test(address[beginning.length] ?? ''));

/** Letters, digits and signs that need no percent sign stand without one (RFC 3986, 6.2.2.2). */
const plainly = (href: string) =>
  href.replace(/%([0-9a-f]{2})/gi, (written, hex: string) => {
    const sign = String.fromCharCode(Number.parseInt(hex, 16));
    return /[A-Za-z0-9._~-]/.test(sign) ? sign : written.toUpperCase();
  });

/** Addresses in the path, the question and the fragment of an address, as redirectors have them. */
function addressesIn(behindHost: string): Address[] {
  const found = new Map<string, Address>();
  let rest = behindHost;
  for (let time = 0; time <= DECODINGS && found.size < MAX_INNER; time++) {
    for (const [, host = '', path = ''] of rest.matchAll(/[\\/]{2,}([^\\/?#&\s"'<>]+)([^&\s"'<>]*)/g)) {
      const inner = addressOf(`https://${host}${path === '' ? '/' : path}`);
      if (inner?.host.includes('.') && found.size < MAX_INNER) found.set(inner.href, inner);
    }
    const decoded = decodedOnce(rest);
    if (decoded === rest) break;
    rest = decoded;
  }
  return [...found.values()];
}

const decodedOnce = (text: string) =>
  text.replace(/(?:%[0-9a-f]{2})+/gi, (run) => Buffer.from(run.replaceAll('%', ''), 'hex').toString('utf8'));
