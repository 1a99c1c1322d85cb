/** Reads and writes relationship parts and the content type list of an Office package (ECMA-376 part 2). */
import { EngineError, type EngineLimits } from '../../../engine.ts';
import { escapeValue } from '../../xml-escape.ts';
import { attribute, isElement } from '../xml/element.ts';
import { parseXml } from '../xml/parse.ts';
import type { PackageContainer } from './container.ts';

export interface Relationship {
  readonly id: string;
  readonly type: string;
  readonly target: string;
  readonly external: boolean;
}

/** Name of the part that holds the relationships of a part; the package itself is ''. */
export function relationshipsPartOf(partName: string): string {
  const slash = partName.lastIndexOf('/');
  return `${partName.slice(0, slash + 1)}_rels/${partName.slice(slash + 1)}.rels`;
}

/** Returns the relationships of a part, in order; none when it has no relationship part. Throws like `parseXml`. */
export async function readRelationships(
  container: PackageContainer,
  partName: string,
  limits: EngineLimits,
): Promise<readonly Relationship[]> {
  const entry = container.entries.get(relationshipsPartOf(partName).toLowerCase());
  if (entry === undefined) return [];
  const found = new Map<string, Relationship>();
  for (const child of parseXml(await entry.read(), limits).children) {
    if (!isElement(child) || child.key !== 'rel:Relationship') continue;
    const id = attribute(child, 'Id') ?? '';
    // Two relationships have the same id. The program decides which one it follows.
    if (found.has(id)) throw new EngineError('unreadable', 'the document holds two relationships of one id');
    found.set(id, {
      id,
      type: attribute(child, 'Type') ?? '',
      target: attribute(child, 'Target') ?? '',
      external: attribute(child, 'TargetMode')?.toLowerCase() === 'external',
    });
  }
  return [...found.values()];
}

/** Returns the part of a relationship, as an absolute name without leading slash; null when it leads outside the package. */
export function resolveTarget(partName: string, target: string): string | null {
  if (/^[a-z][a-z0-9+.-]*:/i.test(target) || target.startsWith('//') || /[\\\p{Cc}]/u.test(target)) return null;
  const path = target.split('#')[0] ?? '';
  const segments = path.startsWith('/') ? [] : partName.split('/').slice(0, -1);
  for (const segment of path.split('/')) {
    if (segment === '' || segment === '.') continue;
    if (segment !== '..') segments.push(segment);
    else if (segments.pop() === undefined) return null;
  }
  return segments.length === 0 ? null : segments.join('/');
}

/** Returns the address of a part, seen from another one. Foreign programs for drawings do not know the absolute form. */
export function relativeTarget(fromPart: string, absolute: string): string {
  const from = fromPart.split('/').slice(0, -1);
  const to = absolute.replace(/^\//, '').split('/');
  let same = 0;
  while (same < from.length && same < to.length - 1 && from[same] === to[same]) same += 1;
  return [...from.slice(same).map(() => '..'), ...to.slice(same)].join('/');
}

/** Markup of a relationship part. */
export function serializeRelationships(relationships: readonly Relationship[]): Uint8Array {
  const rows = relationships.map(
    ({ id, type, target, external }) =>
      `<Relationship Id="${escapeValue(id)}" Type="${escapeValue(type)}" Target="${escapeValue(target)}"${external ? ' TargetMode="External"' : ''}/>`,
  );
  return Buffer.from(
    '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n' +
      `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${rows.join('')}</Relationships>`,
    'utf8',
  );
}

export interface ContentTypes {
  /** Returns the declared content type of a part, '' when there is none. */
  of(partName: string): string;
}

/** Reads `[Content_Types].xml`. Throws EngineError `unreadable` when it is missing or not XML. */
export async function readContentTypes(container: PackageContainer, limits: EngineLimits): Promise<ContentTypes> {
  const entry = container.entries.get('[content_types].xml');
  if (entry === undefined) throw new EngineError('unreadable', 'the document has no list of content types');
  const defaults = new Map<string, string>();
  const overrides = new Map<string, string>();
  for (const child of parseXml(await entry.read(), limits).children) {
    if (!isElement(child)) continue;
    const contentType = attribute(child, 'ContentType') ?? '';
    if (child.key === 'ct:Default') defaults.set((attribute(child, 'Extension') ?? '').toLowerCase(), contentType);
    if (child.key === 'ct:Override') {
      overrides.set((attribute(child, 'PartName') ?? '').replace(/^\//, '').toLowerCase(), contentType);
    }
  }
  return {
    of(partName) {
      const name = partName.toLowerCase();
      return overrides.get(name) ?? defaults.get(name.slice(name.lastIndexOf('.') + 1)) ?? '';
    },
  };
}

/** Extensions whose content type is declared once for all; every other part gets its own row. */
const DEFAULTS: Readonly<Record<string, string>> = {
  rels: 'application/vnd.openxmlformats-package.relationships+xml',
  vml: 'application/vnd.openxmlformats-officedocument.vmlDrawing',
  png: 'image/png',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
};

/** Writes the content type list from scratch, for exactly the parts of the output. */
export function serializeContentTypes(contentTypes: ReadonlyMap<string, string>): Uint8Array {
  const rows = Object.entries(DEFAULTS).map(
    ([extension, contentType]) => `<Default Extension="${extension}" ContentType="${contentType}"/>`,
  );
  for (const name of [...contentTypes.keys()].sort()) {
    const contentType = contentTypes.get(name) ?? '';
    if (DEFAULTS[name.slice(name.lastIndexOf('.') + 1)] === contentType) continue;
    rows.push(`<Override PartName="/${escapeValue(name)}" ContentType="${escapeValue(contentType)}"/>`);
  }
  return Buffer.from(
    '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n' +
      `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">${rows.join('')}</Types>`,
    'utf8',
  );
}
