/** Judges the relationships of a part: the targets that exist in the output, and their names. */
import { EngineError } from '../../../engine.ts';
import { isSafeLink } from '../../safe-links.ts';
import { attribute, descendants } from '../xml/element.ts';
import { checkXml, parseXml } from '../xml/parse.ts';
import type { PackageEntry } from './container.ts';
import { disarmPicture } from './media.ts';
import { droppedKind, type PartRule, ruleFor, shortType } from './parts.ts';
import { accept, entryOf, type Rebuild } from './rebuild-state.ts';
import { type Relationship, readRelationships } from './relationships.ts';
import { type PackedPart, packPart } from './zip-write.ts';

/** Names of parts are URIs of ordinary characters, escaped if a sheet or a chapter gave them its name (ECMA-376 part 2, 6.2.2). */
const PART_NAMES = { vml: /^[\w\-./~()%+,=@]+\.vml$/i, xml: /^[\w\-./~()%+,=@]+\.xml$/i };

/** A place in the document itself. Some programs declare it as an external target. */
const IN_DOCUMENT = /^#[^\p{Cc}]{1,2000}$/u;

/** Returns the output for one relationship of a part: the relationship with a new target, or null. */
export async function judge(rebuild: Rebuild, from: string, relationship: Relationship): Promise<Relationship | null> {
  const short = shortType(relationship.type);
  const where = `${from === '' ? 'package' : from} ${relationship.id}`;
  if (relationship.external) {
    const isSafe = isSafeLink(relationship.target) || IN_DOCUMENT.test(relationship.target);
    if (short === 'hyperlink' && isSafe) return relationship;
    const kind = short === 'hyperlink' ? 'unsafe link' : externalKind(short);
    rebuild.log.note(kind, where);
    return null;
  }
  const entry = entryOf(rebuild, from, relationship);
  const rule = ruleFor(short);
  if (rule === null || entry === null) {
    const kind = rule === null ? droppedKind(short) : 'dangling relationship';
    if (kind !== null) rebuild.log.note(kind, where);
    if (entry !== null) await leaveBehind(rebuild, entry, kind);
    return null;
  }
  const name = await judgeTarget(rebuild, entry, rule, where);
  return name === null ? null : { ...relationship, target: `/${name}` };
}

function externalKind(short: string): string {
  const kind = droppedKind(short);
  return kind === null || kind === 'unknown part' ? `external ${short.split('/').at(-1) ?? 'link'}` : kind;
}

/** Notes that a part was dropped with its relationship. Plain metadata goes unreported only when it is harmless XML. */
async function leaveBehind(rebuild: Rebuild, entry: PackageEntry, kind: string | null): Promise<void> {
  rebuild.seen.add(entry.name.toLowerCase());
  if (kind === null) checkXml(await entry.read(), rebuild.limits);
}

/** Returns the output name of a relationship's target, after checking content type and content; null when the part is dropped. */
async function judgeTarget(
  rebuild: Rebuild,
  entry: PackageEntry,
  rule: PartRule,
  where: string,
): Promise<string | null> {
  if (rule.form === 'picture') return judgePicture(rebuild, entry);
  const key = entry.name.toLowerCase();
  const declared = rebuild.contentTypes.of(entry.name).toLowerCase();
  const allowed =
    rule.contentTypes.find((candidate) => candidate.toLowerCase() === declared) ??
    typeOfAnyXml(rebuild, rule, declared);
  const known = rebuild.judged.get(key);
  if (known !== undefined) {
    // The part was already reached as another type. A part has one type in the output.
    return known !== null && allowed !== undefined && rebuild.outputTypes.get(known) === allowed ? known : null;
  }
  if (
    allowed !== undefined &&
    PART_NAMES[rule.form].test(entry.name) &&
    !(await isForeign(rebuild, entry, rule, allowed))
  ) {
    if (declared !== allowed.toLowerCase()) rebuild.log.note('unusual structure', '[Content_Types].xml', 'sanitized');
    return accept(rebuild, entry, allowed);
  }
  rebuild.seen.add(key);
  rebuild.judged.set(key, null);
  rebuild.log.note('part of a foreign type', where);
  return null;
}

/**
 * Returns the type of a part that the list of types calls any XML, as some programs write it. Other programs read such a part by its
 * relationship. So it gets the type that the relationship allows in a document of this program.
 */
function typeOfAnyXml({ outputTypes }: Rebuild, rule: PartRule, declared: string): string | undefined {
  if (rule.form !== 'xml' || (declared !== 'application/xml' && declared !== 'text/xml')) return undefined;
  const programs = new Set([...outputTypes.values()].flatMap((type) => PROGRAM.exec(type)?.[0] ?? []));
  const fitting = rule.contentTypes.filter((type) => programs.has(PROGRAM.exec(type)?.[0] ?? ''));
  return fitting.length === 1 ? fitting[0] : rule.contentTypes.length === 1 ? rule.contentTypes[0] : undefined;
}

const PROGRAM = /(?:wordprocessing|spreadsheet|presentation)ml/;

async function judgePicture(rebuild: Rebuild, entry: PackageEntry): Promise<string | null> {
  const key = entry.name.toLowerCase();
  const known = rebuild.judged.get(key);
  if (known !== undefined) {
    return known !== null && (rebuild.outputTypes.get(known) ?? '').startsWith('image/') ? known : null;
  }
  rebuild.seen.add(key);
  const packed = entry.packed();
  const contentType = rebuild.contentTypes.of(entry.name);
  if (packed !== null && rebuild.unchanged.isUnchanged(entry.name, packed, contentType)) {
    return takePicture(rebuild, key, packed, { name: entry.name, contentType });
  }
  const content = await entry.read();
  const picture = await disarmPicture(content, entry.name, rebuild.limits);
  for (const removal of picture.removals) rebuild.log.note(removal.kind, entry.name, removal.action);
  if (picture.file === null) {
    rebuild.judged.set(key, null);
    return null;
  }
  const { file } = picture;
  const isAsItWas = file.bytes === content && packed !== null;
  const name = takePicture(rebuild, key, isAsItWas ? packed : packPart(file.bytes), file);
  if (isAsItWas) rebuild.unchanged.remember(name, packed, file.contentType);
  return name;
}

/** Puts a picture into the output, and returns its name there. `key` is the key in the input. */
function takePicture(
  rebuild: Rebuild,
  key: string,
  packed: PackedPart,
  { name, contentType }: { readonly name: string; readonly contentType: string },
): string {
  const unique = uniqueName(rebuild, name);
  rebuild.judged.set(key, unique);
  rebuild.parts.set(unique, packed);
  rebuild.outputTypes.set(unique, contentType);
  return unique;
}

/** image1.bmp becomes image1.png. That name may exist already. */
function uniqueName(rebuild: Rebuild, name: string): string {
  const dot = name.lastIndexOf('.');
  let candidate = name;
  for (let count = 2; rebuild.takenNames.has(candidate.toLowerCase()); count += 1) {
    candidate = `${name.slice(0, dot)}-${count}${name.slice(dot)}`;
  }
  rebuild.takenNames.add(candidate.toLowerCase());
  return candidate;
}

/**
 * Returns true for VML that is not XML (old versions wrote HTML into it) and for pivot caches with outside sources. A document works
 * without either.
 */
async function isForeign(rebuild: Rebuild, entry: PackageEntry, rule: PartRule, contentType: string): Promise<boolean> {
  if (rule.form === 'vml') {
    try {
      checkXml(await entry.read(), rebuild.limits);
      return false;
    } catch (error) {
      if (error instanceof EngineError && error.code === 'unreadable') return true;
      throw error;
    }
  }
  if (/pivotCacheDefinition/i.test(contentType)) {
    const root = parseXml(await entry.read(), rebuild.limits);
    const relationships = await readRelationships(rebuild.container, entry.name, rebuild.limits);
    const source = [...descendants(root)].find(({ key }) => key === 'x:cacheSource');
    return (
      relationships.some(({ external }) => external) ||
      /external|scenario/.test(attribute(source ?? root, 'type') ?? '')
    );
  }
  return hasForeignCache(rebuild, entry, contentType);
}

/** Removes a pivot table with its cache, because it cannot be opened without it. */
async function hasForeignCache(rebuild: Rebuild, entry: PackageEntry, contentType: string): Promise<boolean> {
  if (!/pivotTable\+xml|slicerCache\+xml|timelineCache\+xml/i.test(contentType)) return false;
  for (const each of await readRelationships(rebuild.container, entry.name, rebuild.limits)) {
    const target = entryOf(rebuild, entry.name, each);
    const rule = ruleFor(shortType(each.type));
    if (shortType(each.type) !== 'pivotCacheDefinition' || rule === null) continue;
    if (target === null || (await isForeign(rebuild, target, rule, rebuild.contentTypes.of(target.name)))) return true;
  }
  return false;
}
