/** Adds URLs to the ledger: every leaf, member and header is searched. The URLs that are most likely to be clicked are judged first. */
import { extensionsOf } from '../../formats/detection/file-names.ts';
import { numberOf, rememberedLater } from '../../formats/remembered.ts';
import { parseUrl } from '../../formats/urls/parse-url.ts';
import { createWarnings, type WarningList } from '../../message/headers/warnings.ts';
import type { DiscoveredUrl, WarningCode } from '../../message/model.ts';
import { type HeaderFacts, readHeaderFacts } from '../../message/urls/header-urls.ts';
import { isDataFile } from '../../message/urls/sources/data-files.ts';
import type { Search, SearchTools, UrlSource } from '../../message/urls/sources/source.ts';
import { canHoldUrls, searchSource } from '../../message/urls/sources/sources.ts';
import type { ParseContext } from '../context.ts';
import { isTable, isTakenOut } from '../judging/blocked-urls.ts';
import type { UrlArtifact } from '../ledger/artifact.ts';
import { type UrlId, urlIdOf } from '../ledger/artifact-id.ts';
import type { FoundUrl, Ledger, Part } from '../ledger/ledger.ts';
import type { Limits } from '../limits.ts';
import { type Leaf, UNJUDGED } from './leaves.ts';
import { meterWork } from './work-meter.ts';

export type UrlContext = Pick<ParseContext, 'limits' | 'work' | 'unpacker' | 'codes' | 'signatures'>;

/** A URL with the part in which it was found. */
interface Found {
  readonly path: string;
  readonly url: DiscoveredUrl;
  readonly artifactId: UrlId;
}

/**
 * Returns the ledger with its URLs, and an artifact for each distinct one. `email` contains the headers of its parts; null for a bare file.
 */
export async function withUrls(
  ctx: UrlContext,
  ledger: Ledger,
  leaves: readonly Leaf[],
  email: Uint8Array | null,
): Promise<Ledger> {
  const warnings = createWarnings();
  const findings = createFindings(ctx.limits);
  const tools = toolsOf(ctx);
  for (const leaf of leaves) {
    const { path } = leaf.part;
    let differing = 0;
    for (const url of await urlsOfLeaf(ctx.limits, leaf, email, tools, warnings)) {
      if (url.untrustedShown !== null) differing++;
      findings.add(path, url);
    }
    if (differing === 1) warnings.add('link_text_differs', path, 'a link shows one address and leads to another');
    if (differing > 1)
      warnings.add('link_text_differs', path, `${differing} links show one address and lead to another`);
  }
  return listed(ctx.limits, ledger, findings.list, warnings);
}

interface Findings {
  readonly list: readonly Found[];
  add(path: string, url: DiscoveredUrl): void;
}

/** Keeps a few spellings of each URL per part: a part may contain the same link a hundred thousand times. */
function createFindings(limits: Limits): Findings {
  const list: Found[] = [];
  const ids = new Map<string, UrlId>();
  const spellings = new Map<string, string[]>();
  return {
    list,
    add(path, url) {
      const artifactId = ids.get(url.normalised) ?? urlIdOf(url.normalised);
      ids.set(url.normalised, artifactId);
      const key = `${path} ${artifactId}`;
      const seen = spellings.get(key) ?? [];
      const spelling = `${url.where} ${url.untrustedRaw}`;
      if (seen.length >= limits.urlSpellings || seen.includes(spelling)) return;
      seen.push(spelling);
      spellings.set(key, seen);
      list.push({ path, url, artifactId });
    },
  };
}

function toolsOf(ctx: UrlContext): SearchTools {
  const { limits } = ctx;
  const { usedMs, unpack, readCodes } = meterWork(ctx);
  return { limits, unpack, readCodes, workLeftMs: () => Math.max(0, limits.urlSearchWorkSeconds * 1_000 - usedMs()) };
}

async function urlsOfLeaf(
  limits: Limits,
  leaf: Leaf,
  email: Uint8Array | null,
  tools: SearchTools,
  warnings: WarningList,
): Promise<readonly DiscoveredUrl[]> {
  const { part, bytes, charset } = leaf;
  const header = headerFacts(leaf, email, limits);
  if (bytes === null || part.detectedType === null) return header.urls;
  const source: UrlSource = {
    detectedType: part.detectedType,
    declaredType: part.declaredType,
    charset,
    bytes,
    extensions: part.untrustedNames.flatMap(extensionsOf),
    base: header.base ?? leaf.base ?? null,
    isDelSp: header.isDelSp,
    isData: isDataFile(part, header.isShown),
  };
  if (!canHoldUrls(source)) return header.urls;
  if (isText(part) && bytes.length > limits.textBytes) {
    warnings.add('text_too_large', part.path, `a text of ${bytes.length} bytes was not searched for URLs`);
    return header.urls;
  }
  const search = await searchOnce({ source, sha256: part.sha256, tools });
  note('urls_not_searched', part, search, warnings);
  if (search.unresolved !== undefined && part.role === 'body')
    warnings.add('unresolved_links', part.path, `${search.unresolved} relative links have no base address`);
  if (search.hasMore) warnings.add('urls_over_limit', part.path, 'more URLs than can be listed');
  return [...header.urls, ...asWritten(part, search.urls)];
}

interface Searched {
  readonly source: UrlSource;
  readonly sha256: string | null;
  readonly tools: SearchTools;
}

/** Many mails have the same signature, picture or file. */
const REMEMBERED = 200;
/** A text with more links is searched each time, because an attacker may make megabytes of them. */
const REMEMBERED_LINKS = 100;

const searchOnce = rememberedLater<Searched, Search>(
  {
    most: REMEMBERED,
    keyOf: ({ source: { bytes: _, ...facts }, sha256, tools: { limits, unpack, readCodes } }) =>
      sha256 && JSON.stringify([sha256, facts, numberOf(limits), unpack !== null, readCodes !== null]),
    // A search that ended at a limit of time or of anything else may find more the next time.
    isKept: ({ urls, notSearched, hasMore }) =>
      notSearched.length === 0 && urls.length <= REMEMBERED_LINKS && hasMore !== true,
  },
  ({ source, tools }) => searchSource(source, tools),
);

function note(code: WarningCode, part: Part, { notSearched }: Search, warnings: WarningList): void {
  if (notSearched.length > 0)
    warnings.add(code, part.path, `not searched for URLs: ${[...new Set(notSearched)].join('; ')}`);
}

/** Returns true for a text, a page or a table, from which links can be removed in place. */
const isText = (part: Part) => part.typeGroup === 'text' || part.typeGroup === 'html' || isTableOfData(part);

/** Returns true for a table that may act. It counts as `other`, and nothing of it is delivered. */
const isTableOfData = (part: Part) => part.typeGroup === 'data' && isTable(part);

const NO_HEADER: HeaderFacts = { urls: [], base: null, isDelSp: false, isFlowed: false, isShown: false };

/** Returns the URLs in the header of a part; for an attached message also those in the header of that message. */
function headerFacts({ part, bytes }: Leaf, email: Uint8Array | null, limits: Limits): HeaderFacts {
  const isInEmail = email !== null && part.role !== 'member';
  const own = isInEmail ? readHeaderFacts(email.subarray(part.header.start, part.header.end), limits) : NO_HEADER;
  if (part.detectedType !== 'message/rfc822' || bytes === null) return own;
  const shown = readHeaderFacts(bytes, limits).urls.filter(({ rank }) => rank < NOT_SHOWN);
  return { ...own, urls: [...own.urls, ...shown.map(inFile)] };
}

/** An attached message loses its other fields when it is disarmed. */
const NOT_SHOWN = 3;

const inFile = (url: DiscoveredUrl): DiscoveredUrl => ({ ...url, where: 'document' });

/**
 * Returns the links. Links of a text or page can be removed in place if they are found in the same way in which `rebuild` searches.
 * Every other link counts as a link inside a file, and a blocked link removes that file as a whole.
 */
function asWritten(part: Part, urls: readonly DiscoveredUrl[]): DiscoveredUrl[] {
  const isOwn = part.role !== 'member' && isText(part);
  return urls.map((url) => {
    const isInText = url.where === 'attribute' || url.where === 'css' || url.where === 'text';
    return isInText && !isOwn ? inFile(url) : url;
  });
}

/** Returns the judged URLs, their artifacts, and everything that was left out. */
function listed(limits: Limits, ledger: Ledger, found: readonly Found[], warnings: WarningList): Ledger {
  const ids = byRisk(found);
  const judged = new Set(ids.slice(0, limits.urls));
  warnOfOthers(
    ledger,
    found.filter(({ artifactId }) => !judged.has(artifactId)),
    judged.size,
    warnings,
  );
  const urls = entries(
    limits,
    found.filter(({ artifactId }) => judged.has(artifactId)),
    warnings,
  );
  return {
    ...ledger,
    warnings: [...ledger.warnings, ...warnings.list()],
    urls,
    urlsOverLimit: ids.length - judged.size,
    artifacts: [...ledger.artifacts, ...urlArtifacts(urls)],
  };
}

/**
 * Sorts URLs. The likeliest to be opened comes first. Within each rank, one link of every host comes before the second link of any host.
 */
function byRisk(found: readonly Found[]): UrlId[] {
  const ranks = new Map<UrlId, { rank: number; turn: number }>();
  const turns = new Map<string, number>();
  for (const { artifactId, url } of found) {
    const known = ranks.get(artifactId);
    if (known !== undefined) known.rank = Math.min(known.rank, url.rank);
    else {
      const host = parseUrl(url.normalised)?.host ?? '';
      const turn = turns.get(host) ?? 0;
      turns.set(host, turn + 1);
      ranks.set(artifactId, { rank: url.rank, turn });
    }
  }
  // The sort is stable, so equal links stay in the order of the message.
  return [...ranks].sort(([, one], [, other]) => one.rank - other.rank || one.turn - other.turn).map(([id]) => id);
}

/** The most parts with links that nobody analysed. With more parts the message is held. */
const UNANALYSED_PARTS = 10;

/**
 * Warns of the links that nobody will analyse, part by part. Defanged links are left out, because no click opens them. So are header
 * fields, which are removed as a whole.
 */
function warnOfOthers({ parts }: Ledger, others: readonly Found[], judged: number, warnings: WarningList): void {
  const texts = new Set(parts.filter(isText).map(({ path }) => path));
  const counts = new Map<string, number>();
  for (const { path, url } of others) {
    if (url.where === 'respelled' || url.where === 'field') continue;
    const isStuck = url.where === 'header' || (texts.has(path) && !isTakenOut({ where: url.where, path }));
    if (isStuck)
      warnings.add('urls_over_limit', path, 'a link that cannot be taken out, behind those that are analysed');
    else counts.set(path, (counts.get(path) ?? 0) + 1);
  }
  // Every part must have its warning, because decide uses it, and the list of warnings is limited.
  if (counts.size > UNANALYSED_PARTS)
    warnings.add('urls_over_limit', null, `${counts.size} parts with links beyond those that are analysed`);
  for (const [path, count] of counts)
    warnings.add('links_not_analysed', path, `${count} links beyond the ${judged} that are analysed in one message`);
}

/** A quarter of the capacity of a ledger. 200 URLs of 8,000 characters in each of a thousand parts would be more than a gigabyte. */
const LEDGER_SHARE = 4;

function entries(limits: Limits, found: readonly Found[], warnings: WarningList): FoundUrl[] {
  const most = limits.ledgerBytes / LEDGER_SHARE;
  const urls: FoundUrl[] = [];
  let characters = 0;
  for (const { path, url, artifactId } of found) {
    const { normalised, where, unwrapped, untrustedShown } = url;
    const untrustedRaw = url.untrustedRaw.slice(0, limits.untrustedTextLength);
    characters += normalised.length + untrustedRaw.length + unwrapped.join('').length;
    if (characters > most || urls.length >= limits.urlPlaces) {
      warnings.add('urls_over_limit', null, 'there are more places of URLs than a ledger may hold');
      break;
    }
    const shown = untrustedShown?.slice(0, limits.untrustedTextLength) ?? null;
    urls.push({ path, untrustedRaw, normalised, where, unwrapped: [...unwrapped], untrustedShown: shown, artifactId });
  }
  return urls;
}

function urlArtifacts(urls: readonly FoundUrl[]): UrlArtifact[] {
  const byId = new Map<UrlId, { normalised: string; origins: Set<string> }>();
  for (const { artifactId, normalised, path } of urls) {
    const known = byId.get(artifactId) ?? { normalised, origins: new Set() };
    known.origins.add(path);
    byId.set(artifactId, known);
  }
  return [...byId].map(([id, { normalised, origins }]) => ({
    ...UNJUDGED,
    type: 'url',
    id,
    typeGroup: 'url',
    extension: '',
    size: normalised.length,
    untrustedUrl: normalised,
    origins: [...origins],
  }));
}
