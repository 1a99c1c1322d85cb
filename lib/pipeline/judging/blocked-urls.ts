/** Decides about a part that contains a blocked URL. Pure. */
import type { Artifact } from '../ledger/artifact.ts';
import { shortId, type UrlId } from '../ledger/artifact-id.ts';
import { fileOf, filesById, linksOf } from '../ledger/artifacts-of.ts';
import { type FoundUrl, isLeaf, isMember, type Ledger, MEMBER_MARK, type Part, type Reason } from '../ledger/ledger.ts';

/** Returns the URLs that must not be clickable in the delivered message. */
export function blockedUrlIds(ledger: Ledger): ReadonlySet<UrlId> {
  const blocked = linksOf(ledger).filter(({ disposition }) => disposition !== 'keep');
  return new Set(blocked.map(({ id }) => id));
}

/** Returns true for a URL in a header field. The rebuilt message leaves the field out, or spells the URL so that nothing links it. */
const goesWithItsField = ({ where, path }: FoundUrl) => where === 'field' && !path.includes(MEMBER_MARK);

/** Returns the URLs that were judged and may stay clickable. */
export function keptUrlIds(ledger: Ledger): ReadonlySet<UrlId> {
  return new Set(linksOf(ledger).flatMap(({ id, disposition }) => (disposition === 'keep' ? [id] : [])));
}

/** Returns true for a URL that can be defanged in its place: in a text or a page of the message. */
export function isTakenOut({ where, path }: Pick<FoundUrl, 'where' | 'path'>): boolean {
  return (where === 'attribute' || where === 'text' || where === 'css') && !path.includes(MEMBER_MARK);
}

/** Links that lead nowhere by themselves, and links that nobody analysed, are removed from the text around them. */
const REWRITES: ReadonlySet<string> = new Set(['unresolved_links', 'links_not_analysed']);

/** Returns the parts from whose text a link is removed. */
export function pathsThatLoseLinks(ledger: Ledger): ReadonlySet<string> {
  const blocked = blockedUrlIds(ledger);
  return new Set([
    ...ledger.urls.filter((url) => blocked.has(url.artifactId) && isTakenOut(url)).map(({ path }) => path),
    ...ledger.warnings.flatMap(({ code, path }) => (REWRITES.has(code) && path !== null ? [path] : [])),
  ]);
}

/** Returns true for a saved web page. It is delivered as a page, from which every link is removed that may not stay. */
export function isWebArchive({ typeGroup, extension }: Pick<Artifact, 'typeGroup' | 'extension'>): boolean {
  return typeGroup === 'email' && extension === 'mht';
}

/** Returns true for a table that is text. Links are removed from it as from a text, and its cells and rows stay. */
export function isTable({ detectedType }: { readonly detectedType: string | null }): boolean {
  return detectedType === 'text/csv' || detectedType === 'text/tab-separated-values';
}

/**
 * Returns bookmarklets: scripts as links that only occur in attached pages. They are removed from the page, and no program runs one by
 * itself, so they do not hold the message. In the message itself and in any other place they do.
 */
export function bookmarkletIds(ledger: Ledger): ReadonlySet<UrlId> {
  const pages = new Set(
    ledger.parts.filter(({ role, typeGroup }) => role === 'attachment' && typeGroup === 'html').map(({ path }) => path),
  );
  const elsewhere = new Set(
    ledger.urls
      .filter((url) => url.where !== 'attribute' || !isTakenOut(url) || !pages.has(url.path))
      .map(({ artifactId }) => artifactId),
  );
  const scripts = linksOf(ledger).filter(({ untrustedUrl }) => /^javascript:/i.test(untrustedUrl));
  return new Set(scripts.flatMap(({ id, origins }) => (elsewhere.has(id) || origins.length === 0 ? [] : [id])));
}

/** Returns a test for URLs that go with a member that is left out of its container, and for those of containers inside that member. */
function goesWithItsMember(ledger: Ledger): (url: FoundUrl) => boolean {
  const files = filesById(ledger);
  const gone = new Set(
    ledger.parts
      .filter((part) => isMember(part) && fileOf(files, part)?.disposition === 'remove')
      .map(({ path }) => path),
  );
  return ({ path }) => {
    const marks = [...path.matchAll(/!/g)].map(({ index }) => index).slice(1);
    return [...marks.map((mark) => path.slice(0, mark)), path].some((around) => gone.has(around));
  };
}

const REASON =
  'it contains a link to a blocked address, or one that was not analysed, and the link cannot be taken out';

/** Returns leaves that contain links which nobody analysed, and from which no link can be removed. */
function carriersOfUnanalysed({ parts, warnings }: Ledger, archives: ReadonlySet<string>): string[] {
  const texts = new Set(
    parts
      .filter((part) => part.typeGroup === 'text' || part.typeGroup === 'html' || isTable(part))
      .map(({ path }) => path),
  );
  return warnings.flatMap(({ code, path }) => {
    if (code !== 'links_not_analysed' || path === null) return [];
    const leaf = leafPathOf(path);
    return (texts.has(path) && leaf === path) || archives.has(leaf) ? [] : [leaf];
  });
}

/** Returns the leaf that contains a part. */
const leafPathOf = (path: string) => path.split(MEMBER_MARK, 1)[0] ?? path;

/** Returns leaves that are delivered as pages. */
function webArchives(ledger: Ledger): ReadonlySet<string> {
  const files = filesById(ledger);
  const isArchive = (part: Part) => {
    const file = fileOf(files, part);
    return file !== undefined && isWebArchive(file) && file.disposition === 'disarm';
  };
  return new Set(ledger.parts.filter((part) => isLeaf(part) && isArchive(part)).map(({ path }) => path));
}

/**
 * Judges files and messages with blocked links. A file with a blocked link is removed as a whole, because no link can be removed from a
 * PDF, a picture or an archive. A blocked link in an address field quarantines the message. Any other header field with one is left out.
 * Defanged URLs may stay, because no click opens them.
 */
export function withoutCarriers(ledger: Ledger): { readonly artifacts: Artifact[]; readonly held: readonly Reason[] } {
  const blocked = blockedUrlIds(ledger);
  const archives = webArchives(ledger);
  const carriers = new Set<string>(carriersOfUnanalysed(ledger, archives));
  const held: Reason[] = [];
  const isLeftOut = goesWithItsMember(ledger);
  for (const url of ledger.urls) {
    if (!blocked.has(url.artifactId) || url.where === 'respelled' || isTakenOut(url) || goesWithItsField(url)) continue;
    if (isLeftOut(url) || archives.has(leafPathOf(url.path))) continue;
    if (url.where === 'header' && !url.path.includes(MEMBER_MARK))
      held.push({
        code: 'blocked_link_in_header',
        text: `${shortId(url.artifactId)} in a header of part ${url.path}`,
      });
    else carriers.add(leafPathOf(url.path));
  }
  const files = filesById(ledger);
  const going = new Set<Artifact | undefined>(
    ledger.parts.filter((part) => isLeaf(part) && carriers.has(part.path)).map((part) => fileOf(files, part)),
  );
  const artifacts = ledger.artifacts.map((artifact): Artifact => {
    if (!going.has(artifact) || artifact.disposition === 'remove') return artifact;
    return { ...artifact, disposition: 'remove', removedFor: 'blocked_link', reasons: [...artifact.reasons, REASON] };
  });
  return { artifacts, held };
}
