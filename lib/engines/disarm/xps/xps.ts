/**
 * Disarm of XPS and OpenXPS documents: fixed pages in a package. Each page is written anew from a closed list. Its fonts stay, because
 * their glyphs are the text that a reader sees. They are written anew without their programs. Pictures are encoded again.
 */
import type { DetectedType } from '../../../formats/detection/detected-type.ts';
import { EngineError, type EngineLimits, type FileInput } from '../../engine.ts';
import { type Disarmed, type Nested, writtenAnew } from '../disarm-module.ts';
import { documentPicture } from '../document-picture.ts';
import { noteLayout, openContainer, type PackageContainer, writeContainer } from '../office/package/container.ts';
import { readRelationships, resolveTarget } from '../office/package/relationships.ts';
import { type RemovalLog, removalLog } from '../removals.ts';
import { isSafeLink } from '../safe-links.ts';
import { childrenOf, readXml, writeXml, type XmlElement, type XmlNode } from '../xml/tree.ts';
import { densityOf } from './density.ts';
import { PAGE_DECLARATIONS, PAGE_ELEMENTS, PAGE_SPACES, PAGE_VALUES } from './rules.ts';
import { rebuildFont } from './sfnt.ts';
import { writeDescriptions } from './written-package.ts';

const MAIN = /\/fixedrepresentation$/i;
const WANTED = /^image\/(?:png|jpeg|tiff)$/;
/** Pages of one document. Reports have thousands. */
const MAX_PAGES = 10_000;

interface Resource {
  readonly name: string;
  readonly bytes: Uint8Array;
  /** For a picture: the growth of its pixels, by its stated dots per inch. */
  readonly scale?: number;
}

/** Dots per inch of a picture that states none (ECMA-388, 9.1.5.1). */
const DENSITY = 96;

interface Work {
  readonly container: PackageContainer;
  readonly limits: EngineLimits;
  readonly nested: Nested;
  readonly log: RemovalLog;
  /** Fonts and pictures by lower-case name in the input. */
  readonly resources: Map<string, Resource | null>;
  readonly used: Set<string>;
}

/** Rebuilds a document. Throws EngineError `unreadable` (no pages), `unsupported` (a font that cannot be read), `oversize`. */
export async function disarm(
  input: FileInput,
  type: DetectedType,
  limits: EngineLimits,
  nested: Nested,
): Promise<Disarmed> {
  const log = removalLog();
  const container = await openContainer(input.bytes, limits);
  noteLayout(container, log);
  const work: Work = { container, limits, nested, log, resources: new Map(), used: new Set(['[content_types].xml']) };
  const pages = await pagesOf(work);
  const parts = new Map<string, Uint8Array>();
  const resourcesOf: string[][] = [];
  for (const [at, name] of pages.entries()) {
    const { bytes, resources } = await writePage(name, work);
    parts.set(`Pages/${at + 1}.fpage`, bytes);
    resourcesOf.push(resources);
  }
  for (const resource of work.resources.values()) if (resource !== null) parts.set(resource.name, resource.bytes);
  for (const [name, bytes] of writeDescriptions(resourcesOf)) parts.set(name, bytes);
  noteLeftOut(work);
  const bytes = await writeContainer(parts);
  return writtenAnew(input, bytes, type, log.removals);
}

/** Returns the names of the pages, in the order of the documents of the first sequence. */
async function pagesOf(work: Work): Promise<readonly string[]> {
  const { container, limits, used } = work;
  used.add('_rels/.rels');
  const main = (await readRelationships(container, '', limits)).find(
    ({ type, external }) => MAIN.test(type) && !external,
  );
  const sequence = main === undefined ? null : resolveTarget('', main.target);
  const pages: string[] = [];
  for (const document of await sourcesIn(sequence, 'DocumentReference', work))
    for (const page of await sourcesIn(document, 'PageContent', work)) pages.push(page);
  if (pages.length === 0) throw new EngineError('unreadable', 'the document has no pages');
  if (pages.length > MAX_PAGES) throw new EngineError('oversize', `the document has more than ${MAX_PAGES} pages`);
  return pages;
}

async function sourcesIn(name: string | null, key: string, { container, limits, used }: Work): Promise<string[]> {
  const entry = container.entries.get(name?.toLowerCase() ?? '');
  if (name === null || entry === undefined) throw new EngineError('unreadable', 'a part of the document is missing');
  used.add(name.toLowerCase());
  const { root } = readXml(await entry.read(), limits, PAGE_SPACES);
  return childrenOf(root, key).flatMap(({ attributes }) => resolveTarget(name, attributes.get('Source') ?? '') ?? []);
}

async function writePage(name: string, work: Work): Promise<{ bytes: Uint8Array; resources: string[] }> {
  const { container, limits, nested, log, used } = work;
  const entry = container.entries.get(name.toLowerCase());
  if (entry === undefined) throw new EngineError('unreadable', 'a page of the document is missing');
  used.add(name.toLowerCase());
  nested.spend(1, 0);
  const { root, hasDoctype, hasInstructions } = readXml(await entry.read(), limits, PAGE_SPACES);
  if (root.key !== 'FixedPage') throw new EngineError('unreadable', 'a page of the document is none');
  if (hasDoctype) log.note('document type declaration', name);
  if (hasInstructions) log.note('processing instruction', name);
  const page: Page = { name, work, resources: new Set() };
  return { bytes: writeXml(await rewritten(root, page), PAGE_DECLARATIONS), resources: [...page.resources] };
}

interface Page {
  readonly name: string;
  readonly work: Work;
  readonly resources: Set<string>;
}

async function rewritten(element: XmlElement, page: Page): Promise<XmlElement> {
  const attributes = new Map<string, string>();
  for (const [name, value] of element.attributes) {
    const kept = await keptValue(name, value, page);
    if (kept !== null) attributes.set(name, kept);
  }
  scaleViewbox(attributes, page);
  const children: XmlNode[] = [];
  for (const child of childrenOf(element)) {
    if (child.key !== null && PAGE_ELEMENTS.has(child.key)) children.push(await rewritten(child, page));
    else page.work.log.note('unknown markup', `${page.name} ${child.untrustedName}`);
  }
  return { ...element, attributes, children };
}

/** Converts the shown part of a picture, which a page gives in inches. */
function scaleViewbox(attributes: Map<string, string>, { work }: Page): void {
  const name = attributes.get('ImageSource')?.slice(1);
  const scale = [...work.resources.values()].find((resource) => resource?.name === name)?.scale ?? 1;
  const box = attributes.get('Viewbox');
  if (name === undefined || box === undefined || scale === 1) return;
  const scaled = box.split(',').map((number) => String(Math.round(Number(number) * scale * 1e6) / 1e6));
  attributes.set('Viewbox', scaled.join(','));
}

async function keptValue(name: string, value: string, page: Page): Promise<string | null> {
  const { log } = page.work;
  if (name === 'FontUri') return fontAt(value, page);
  if (name === 'ImageSource') return pictureAt(value, page);
  if (name === 'FixedPage.NavigateUri') {
    if (isSafeLink(value)) return value.trim();
    // A place in the document. Its parts have other names now.
    log.note('unsafe link', page.name);
    return null;
  }
  const form = PAGE_VALUES.get(name);
  if (form?.test(value) === true) return value;
  // Names of programs' own attributes are no content.
  if (form !== undefined || /uri|source/i.test(name)) log.note('external reference', `${page.name} ${name}`);
  return null;
}

/**
 * Returns the name of a font in the output. Throws EngineError `unsupported`, because the text of a page cannot be read without its font.
 */
async function fontAt(address: string, page: Page): Promise<string> {
  const found = await resourceAt(address, page, async (bytes, name, number) => {
    const font = rebuildFont(unobfuscated(bytes, name));
    if (font === null) return null;
    if (Buffer.compare(font, bytes) !== 0) page.work.log.note('embedded font', name, 'sanitized');
    return { name: `Resources/font-${number}.ttf`, bytes: font };
  });
  if (found === null)
    throw new EngineError(
      'unsupported',
      'a font of the document cannot be made safe, and its text cannot be read without it; ask for it as PDF',
    );
  return found;
}

async function pictureAt(address: string, page: Page): Promise<string | null> {
  const { nested, log } = page.work;
  // The picture comes before its colour profile.
  const [, named = address] = /^\{ColorConvertedBitmap\s+(\S+)\s/i.exec(address) ?? [];
  const found = await resourceAt(named, page, async (bytes, name, number) => {
    const picture = await documentPicture(bytes, nested, WANTED);
    for (const { kind, action } of picture.details) log.note(kind, name, action);
    const [before, after] = [densityOf(bytes), densityOf(picture.bytes)];
    const scale = (before ?? DENSITY) / (after ?? DENSITY);
    return { name: `Resources/picture-${number}.${picture.extension}`, bytes: picture.bytes, scale };
  });
  if (found === null) log.note('external picture', page.name);
  return found;
}

async function resourceAt(
  address: string,
  { name: from, work, resources }: Page,
  make: (bytes: Uint8Array, name: string, number: number) => Promise<Resource | null>,
): Promise<string | null> {
  const name = resolveTarget(from, decoded(address));
  const key = name?.toLowerCase() ?? '';
  const entry = work.container.entries.get(key);
  if (entry === undefined) return null;
  let resource = work.resources.get(key);
  if (resource === undefined) {
    resource = await make(await entry.read(), entry.name, work.resources.size + 1);
    work.resources.set(key, resource);
    work.used.add(key);
  }
  if (resource === null) return null;
  resources.add(resource.name);
  return `/${resource.name}`;
}

function decoded(address: string): string {
  try {
    return decodeURIComponent(address.trim());
  } catch {
    // A percent sign that starts no escape belongs to the name.
    return address.trim();
  }
}

/** Decodes an obfuscated font. Its first 32 bytes are mixed with the digits of its name (ECMA-388, 9.1.7.3). */
function unobfuscated(bytes: Uint8Array, name: string): Uint8Array {
  const digits = /([0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12})\.odttf$/i.exec(name)?.[1];
  if (digits === undefined) return bytes;
  const key = Buffer.from(digits.replaceAll('-', ''), 'hex').reverse();
  const font = Buffer.from(bytes);
  for (let at = 0; at < Math.min(32, font.length); at += 1) font[at] = (font[at] ?? 0) ^ (key[at % 16] ?? 0);
  return font;
}

/** The kinds under which left-out entries are reported; null for entries that are not reported. The first match counts. */
const LEFT_OUT: readonly (readonly [RegExp, string | null])[] = [
  [/\.rels$/i, null],
  [/(?:^|\/)(?:[^/]*ticket|pt)[^/]*\.xml$/i, 'printer settings'],
  [/signature|\.psdsxs$|\.psdsor$/i, 'digital signature'],
  [/^docProps\/|core-?properties|\.psmdcp$/i, 'document properties'],
  [/thumbnail/i, 'thumbnail'],
];

function noteLeftOut({ container, log, used }: Work): void {
  for (const [key, { name }] of container.entries) {
    if (used.has(key)) continue;
    const found = LEFT_OUT.find(([pattern]) => pattern.test(name));
    const kind = found === undefined ? 'unused part' : found[1];
    if (kind !== null) log.note(kind, name);
  }
}
