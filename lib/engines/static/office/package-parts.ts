/** Reads the parts, relationships and content types of an Office Open XML package ([ECMA-376] part 2), under one budget. */
import { SaxesParser } from 'saxes';
import { readZipMember } from '../../../formats/archives/zip-directory.ts';
import { decodeMarked } from '../../../formats/charsets/text-encoding.ts';
import { readFlatPackage } from '../../../formats/office/flat-package.ts';
import { EngineError, type EngineLimits, type Finding } from '../../engine.ts';
import { openZip } from '../archives/zip-integrity.ts';
import { finding } from '../findings/findings.ts';

export interface Relationship {
  readonly id: string;
  /** The last segment of the relationship type in lower case: `attachedtemplate`. */
  readonly kind: string;
  readonly untrustedTarget: string;
  readonly isExternal: boolean;
  /** The name of the .rels part in lower case. */
  readonly from: string;
}

export interface OpenPackage {
  /** The content of the parts by their names, in lower case and without a leading slash. */
  readonly parts: ReadonlyMap<string, Uint8Array>;
  readonly relationships: readonly Relationship[];
  /** The content types on the package's list, in lower case. */
  readonly contentTypes: ReadonlySet<string>;
  /** Findings about the container itself. */
  readonly findings: readonly Finding[];
}

/** Returns the name of the part to which a relationship leads, in the form of the names of parts. */
export function targetOf({ from, untrustedTarget }: Relationship): string {
  const folder = from.replace(/(?:^|\/)_rels\/[^/]*$/, '');
  const path = untrustedTarget.startsWith('/') ? untrustedTarget : `${folder}/${untrustedTarget}`;
  const names: string[] = [];
  for (const name of path.toLowerCase().split('/')) {
    if (name === '..') names.pop();
    else if (name !== '' && name !== '.') names.push(name);
  }
  return names.join('/');
}

/**
 * Opens a package. Throws EngineError: `encrypted`, `unreadable` (a part that does not unpack, XML that is not well-formed) or `oversize`.
 */
export function openPackage(bytes: Uint8Array, limits: EngineLimits): OpenPackage {
  const { members, findings } = openZip({ bytes, limits });
  if (findings.some(({ id }) => id === 'archive-bomb'))
    throw new EngineError('oversize', 'the package expands without end');
  const parts = new Map<string, Uint8Array>();
  let left = limits.inflatedBytes;
  for (const member of members) {
    if (member.untrustedName.endsWith('/')) continue;
    if (member.size > left)
      throw new EngineError('oversize', `the package inflates to more than ${limits.inflatedBytes} bytes`);
    const content = readZipMember(bytes, member, Math.max(1, left));
    if (content === null) throw new EngineError('unreadable', 'a part of the package cannot be unpacked');
    left -= content.length;
    parts.set(member.untrustedName.toLowerCase().replace(/^\/+/, ''), content);
  }
  return { parts, findings: [...findings, ...doctypes(parts)], ...readLists(parts) };
}

/**
 * Opens a package that is one XML file (Flat OPC). Throws EngineError `unreadable`.
 */
export function openFlatPackage(bytes: Uint8Array, limits: EngineLimits): OpenPackage {
  const flat = readFlatPackage(decodeMarked(bytes), limits.entries, limits.depth);
  if (flat === null) throw new EngineError('unreadable', 'the package in XML is not well-formed');
  const parts = new Map<string, Uint8Array>();
  for (const { name, bytes: content } of flat.parts) parts.set(freeName(name.toLowerCase(), parts), content);
  const contentTypes = new Set(flat.parts.map(({ contentType }) => contentType.toLowerCase()));
  const outer = [
    ...(flat.hasDoctype ? [finding('xml-doctype', 'package')] : []),
    ...(flat.isAmbiguous ? [finding('archive-ambiguous', 'package')] : []),
  ];
  return { parts, findings: [...outer, ...doctypes(parts)], relationships: relationshipsOf(parts), contentTypes };
}

/** Returns a name that no part has. Several contents of one name are judged one by one. */
function freeName(name: string, parts: ReadonlyMap<string, Uint8Array>): string {
  return parts.has(name) ? `${parts.size}/${name}` : name;
}

/** Finds DTDs, which no part of a package may hold ([ECMA-376] part 2, 10.1.1). Their entities attack XML readers. */
function doctypes(parts: ReadonlyMap<string, Uint8Array>): Finding[] {
  for (const [name, content] of parts) {
    if (/\.(?:xml|rels|vml)$/.test(name) && /<!doctype/i.test(decodeMarked(content.subarray(0, 4_096)))) {
      return [finding('xml-doctype', name)];
    }
  }
  return [];
}

function readLists(parts: ReadonlyMap<string, Uint8Array>): Pick<OpenPackage, 'relationships' | 'contentTypes'> {
  const relationships = relationshipsOf(parts);
  const contentTypes = new Set<string>();
  const list = parts.get('[content_types].xml');
  if (list === undefined) throw new EngineError('unreadable', 'the package has no list of content types');
  forEachElement(list, (_name, attributes) => {
    if (attributes.ContentType !== undefined) contentTypes.add(attributes.ContentType.toLowerCase());
  });
  return { relationships, contentTypes };
}

function relationshipsOf(parts: ReadonlyMap<string, Uint8Array>): Relationship[] {
  return [...parts].flatMap(([name, content]) => (name.endsWith('.rels') ? readRelationships(name, content) : []));
}

function readRelationships(from: string, content: Uint8Array): Relationship[] {
  const found: Relationship[] = [];
  forEachElement(content, (name, { Id = '', Type = '', Target = '', TargetMode = '' }) => {
    if (!/(?:^|:)relationship$/i.test(name)) return;
    const kind = Type.slice(Type.lastIndexOf('/') + 1).toLowerCase();
    found.push({ id: Id, kind, untrustedTarget: Target, isExternal: TargetMode.toLowerCase() === 'external', from });
  });
  return found;
}

function forEachElement(
  content: Uint8Array,
  visit: (name: string, attributes: Readonly<Record<string, string | undefined>>) => void,
): void {
  const parser = new SaxesParser();
  parser.on('error', () => {
    throw new EngineError('unreadable', 'an XML part of the package is not well-formed');
  });
  parser.on('opentag', (tag) => visit(tag.name, tag.attributes));
  parser.write(decodeMarked(content)).close();
}
