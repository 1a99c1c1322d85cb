/**
 * Rebuilds an Office package. It starts at the package's own relationships and copies the parts that are reached over allowed relationship
 * types, filtered. A part that is not reached does not exist in the output.
 */
import { EngineError, type EngineLimits, type Removal } from '../../engine.ts';
import { removalLog } from '../removals.ts';
import { removeDeniedFields } from './fields.ts';
import { filterContext, filterElement } from './filter.ts';
import { rewriteProperties } from './package/app-properties.ts';
import { noteLayout, type PackageContainer, type PackageEntry } from './package/container.ts';
import { isCoreProperties, namesPeople, rewriteCoreProperties } from './package/core-properties.ts';
import { isMainType, type MainPart, mainPart, shortType } from './package/parts.ts';
import { accept, entryOf, type Rebuild } from './package/rebuild-state.ts';
import { judge } from './package/relationship-targets.ts';
import {
  type Relationship,
  readContentTypes,
  readRelationships,
  relationshipsPartOf,
  relativeTarget,
  resolveTarget,
  serializeContentTypes,
  serializeRelationships,
} from './package/relationships.ts';
import { UnchangedParts } from './package/unchanged-parts.ts';
import { type PackedPart, packPart } from './package/zip-write.ts';
import { skipRulesFor } from './skipped-markup.ts';
import { repairWorkbook } from './workbook.ts';
import { withoutDocumentType } from './xml/document-type.ts';
import { isElement } from './xml/element.ts';
import { parseXml } from './xml/parse.ts';
import { serializeXml } from './xml/write.ts';

export interface RebuiltPackage {
  readonly parts: ReadonlyMap<string, PackedPart>;
  readonly main: MainPart;
  readonly removals: readonly Removal[];
}

/** Rebuilds it. Throws EngineError `unreadable`, `unsupported` (add-ins, binary workbooks), `oversize`, `encrypted`. */
export async function rebuildPackage(
  container: PackageContainer,
  limits: EngineLimits,
  keepMetadata = false,
  unchanged = new UnchangedParts(),
): Promise<RebuiltPackage> {
  const rebuild: Rebuild = {
    container,
    contentTypes: await readContentTypes(container, limits),
    limits,
    keepMetadata,
    unchanged,
    parts: new Map(),
    outputTypes: new Map(),
    seen: new Set(['[content_types].xml']),
    judged: new Map(),
    log: removalLog(),
    takenNames: new Set(),
    queue: [],
  };
  noteLayout(container, rebuild.log);
  const main = await rebuildRoot(rebuild);
  // The queue grows during the loop.
  for (const part of rebuild.queue) await rebuildPart(rebuild, part);
  for (const [key, entry] of container.entries)
    if (!rebuild.seen.has(key)) rebuild.log.note('unreached part', entry.name);
  rebuild.parts.set('[Content_Types].xml', packPart(serializeContentTypes(rebuild.outputTypes)));
  return { parts: rebuild.parts, main, removals: rebuild.log.removals };
}

/** Judges the package's own relationships: exactly one main document, its rewritten properties, a sensitivity label. */
async function rebuildRoot(rebuild: Rebuild): Promise<MainPart> {
  const relationships = await readRelationships(rebuild.container, '', rebuild.limits);
  rebuild.seen.add('_rels/.rels');
  const documents = relationships.filter(({ type, external }) => isMainType(shortType(type)) && !external);
  const [document] = documents;
  const target = document === undefined ? null : resolveTarget('', document.target);
  const entry = rebuild.container.entries.get(target?.toLowerCase() ?? '');
  if (document === undefined || documents.length > 1 || entry === undefined) {
    throw new EngineError('unreadable', 'the package does not name one main document');
  }
  const main = mainPart(rebuild.contentTypes.of(entry.name));
  if (main === null) {
    throw new EngineError(
      'unsupported',
      'this kind of Office file (add-in, binary workbook or other) cannot be disarmed',
    );
  }
  if (main.hadMacroType) rebuild.log.note('macro file type', entry.name, 'sanitized');
  accept(rebuild, entry, main.contentType);
  const kept: Relationship[] = [{ ...document, target: entry.name }];
  for (const each of relationships) {
    if (each === document) continue;
    const properties = /^extended-?properties$/i.test(shortType(each.type))
      ? await takeProperties(rebuild, each)
      : isCoreProperties(each.type) && !each.external
        ? await takeCoreProperties(rebuild, each)
        : null;
    const judged = properties ?? (await judge(rebuild, '', each));
    if (judged !== null) kept.push(judged);
  }
  rebuild.parts.set('_rels/.rels', packPart(serializeRelationships(kept)));
  return main;
}

async function takeProperties(rebuild: Rebuild, relationship: Relationship): Promise<Relationship | null> {
  const entry = entryOf(rebuild, '', relationship);
  if (entry === null || rebuild.judged.has(entry.name.toLowerCase()) || !entry.name.endsWith('.xml')) return null;
  rebuild.seen.add(entry.name.toLowerCase());
  rebuild.judged.set(entry.name.toLowerCase(), entry.name);
  const content = await entry.read();
  if (!rebuild.keepMetadata && namesPeople(content, rebuild.limits))
    rebuild.log.note('document properties', entry.name);
  rebuild.parts.set(entry.name, packPart(rewriteProperties(content, rebuild.limits)));
  rebuild.outputTypes.set(entry.name, 'application/vnd.openxmlformats-officedocument.extended-properties+xml');
  rebuild.takenNames.add(entry.name.toLowerCase());
  return { ...relationship, target: entry.name };
}

/** Handles properties. They are kept only when the caller asks. Otherwise a document that names people is never returned unchanged. */
async function takeCoreProperties(rebuild: Rebuild, relationship: Relationship): Promise<Relationship | null> {
  const entry = entryOf(rebuild, '', relationship);
  if (entry === null || rebuild.judged.has(entry.name.toLowerCase()) || !entry.name.endsWith('.xml')) return null;
  const content = await entry.read();
  if (!rebuild.keepMetadata) {
    if (namesPeople(content, rebuild.limits)) rebuild.log.note('document properties', entry.name);
    return null;
  }
  rebuild.seen.add(entry.name.toLowerCase());
  rebuild.judged.set(entry.name.toLowerCase(), entry.name);
  rebuild.parts.set(entry.name, packPart(rewriteCoreProperties(content, rebuild.limits)));
  rebuild.outputTypes.set(entry.name, 'application/vnd.openxmlformats-package.core-properties+xml');
  rebuild.takenNames.add(entry.name.toLowerCase());
  return { ...relationship, target: entry.name };
}

async function rebuildPart(rebuild: Rebuild, name: string): Promise<void> {
  const entry = rebuild.container.entries.get(name.toLowerCase());
  if (entry === undefined) throw new EngineError('unreadable', 'a part of the document is missing');
  const relationships = await readRelationships(rebuild.container, name, rebuild.limits);
  const partRelationships = relationshipsPartOf(name);
  rebuild.seen.add(partRelationships.toLowerCase());
  const kept: Relationship[] = [];
  const isRelative = name.startsWith('visio/');
  for (const each of relationships) {
    const judged = await judge(rebuild, name, each);
    if (judged !== null)
      kept.push(isRelative && !judged.external ? { ...judged, target: relativeTarget(name, judged.target) } : judged);
  }
  if (kept.length > 0) rebuild.parts.set(partRelationships, packPart(serializeRelationships(kept)));
  rebuild.parts.set(name, await filterEntry(rebuild, entry, kept));
}

/** Adds a part. If nothing in it changed, it keeps its packed bytes. */
async function filterEntry(
  rebuild: Rebuild,
  entry: PackageEntry,
  relationships: readonly Relationship[],
): Promise<PackedPart> {
  const { name } = entry;
  const packed = entry.packed();
  const judgedBy = JSON.stringify(relationships.map(({ id, external }) => [id, external]).sort());
  if (packed !== null && rebuild.unchanged.isUnchanged(name, packed, judgedBy)) return packed;
  const content = await entry.read();
  const filtered = filterPart(rebuild, name, content, relationships);
  if (packed === null || !isSame(filtered, content)) return packPart(filtered);
  rebuild.unchanged.remember(name, packed, judgedBy);
  return packed;
}

/** Returns whether the serialiser copied nothing of a part. The result is then the same piece of memory. */
function isSame(one: Uint8Array, other: Uint8Array): boolean {
  if (one.length !== other.length) return false;
  return (one.buffer === other.buffer && one.byteOffset === other.byteOffset) || Buffer.compare(one, other) === 0;
}

function filterPart(
  rebuild: Rebuild,
  name: string,
  bytes: Uint8Array,
  relationships: readonly Relationship[],
): Uint8Array {
  const ids = new Set(relationships.map(({ id }) => id));
  const links = new Set(relationships.flatMap(({ id, external }) => (external ? [id] : [])));
  const report = (kind: string, action: Removal['action'] = 'removed') => rebuild.log.note(kind, name, action);
  const context = filterContext(ids, links, report);
  const untyped = withoutDocumentType(bytes);
  if (untyped !== null) report('document type declaration');
  const root = parseXml(untyped ?? bytes, rebuild.limits, skipRulesFor(context));
  if (root.key === 'x:workbook') repairWorkbook(root, ids, report);
  for (const keyword of removeDeniedFields(root)) report(/^DDE/.test(keyword) ? 'DDE field' : 'field code');
  const [filtered] = filterElement(root, context);
  if (filtered === undefined || typeof filtered === 'string' || !isElement(filtered)) {
    throw new EngineError('unreadable', 'a part of the document is not what its type says');
  }
  return serializeXml(filtered);
}
