/** Inspects Office Open XML packages: every member is searched, and the shown members are counted. */

import type { Findings, Units } from '../fact.ts';
import { oneOf } from '../fact.ts';
import { readSvg } from '../markup.ts';
import { inspectPicture } from '../picture/picture.ts';
import { openTally, type WordTally } from '../word-tally.ts';
import { hasForeignEncoding } from '../xml/encoding.ts';
import { xmlPlan } from '../xml/plan.ts';
import { scanXml } from '../xml/scan.ts';
import {
  type InflateBudget,
  isSameMember,
  layoutFaults,
  openZip,
  readMember,
  type ZipArchive,
  type ZipMember,
} from '../zip-scan.ts';
import { isDrawingPart, readDrawingPart } from './drawing.ts';
import { relationshipFault } from './facts.ts';
import { targetsElsewhere } from './linked-targets.ts';
import { countPart, rowsBy, searchPart } from './part.ts';

const RELATIONSHIPS = rowsBy('relationship');
const CONTENT_TYPES = rowsBy('contentType');
const PATHS = rowsBy('path');

const ROWS = xmlPlan({ watched: 'Relationship Default Override' });

/** Parts with text that readers see, by content type. */
const SHOWN = new RegExp(
  String.raw`${oneOf(String.raw`
    wordprocessingml\.(?:document|template|header|footer|footnotes|endnotes|comments)
    ms-word\.(?:document|template)\.macroEnabled\w*
    spreadsheetml\.(?:worksheet|chartsheet|sharedStrings|comments)
    presentationml\.(?:slide|notesSlide)
    drawingml\.(?:chart|diagramData)
    ms-visio\.page
  `)}(?:\.main)?\+xml$`,
  'i',
);
const SHEET = /spreadsheetml\.(?:worksheet|chartsheet)\+xml$/i;
const DRAWING_PAGE = /ms-visio\.page\+xml$/i;
const SLIDE = /presentationml\.slide\+xml$/i;

export interface PackageCount {
  readonly units: Units | null;
}

/** Counts the words of the shown parts and the sheets or slides. Returns null when the archive cannot be read. */
export function countPackage(bytes: Uint8Array, tally: WordTally, budget: InflateBudget): PackageCount | null {
  const archive = openZip(bytes);
  if (archive === null) return null;
  const shown = shownParts(archive, budget);
  for (const { member } of shown) countMember(archive, member, tally, budget);
  return { units: unitsOf(shown) };
}

function countMember(archive: ZipArchive, member: ZipMember, tally: WordTally, budget: InflateBudget): void {
  const content = readMember(archive, member, budget);
  if (isDrawingPart(member.name)) readDrawingPart(content, member.name, tally, null);
  else countPart(content, tally);
}

/** Searches every member, and counts like `countPackage`. */
export function inspectPackage(
  bytes: Uint8Array,
  tally: WordTally,
  budget: InflateBudget,
  findings: Findings,
): PackageCount {
  const archive = openOutput(bytes, findings);
  if (archive === null) return { units: null };
  const shown = shownParts(archive, budget);
  const names = new Set(shown.map(({ member }) => member.name));
  searchPackage(archive, ({ name }) => (names.has(name) ? tally : null), budget, findings);
  return { units: unitsOf(shown) };
}

export interface PackageComparison {
  readonly output: PackageCount;
  /** Null when the original cannot be read. */
  readonly original: PackageCount | null;
}

/**
 * Searches and counts an original and its output. A part that is in both, packed in the very same bytes, has the same words and is counted
 * once for both.
 */
export function comparePackages(
  original: Uint8Array,
  output: Uint8Array,
  tallies: { readonly before: WordTally; readonly after: WordTally; readonly same: WordTally },
  inflatedBytes: number,
  findings: Findings,
): PackageComparison {
  const archive = openOutput(output, findings);
  if (archive === null) return { output: { units: null }, original: null };
  const budget = { left: inflatedBytes };
  const shown = shownParts(archive, budget);
  const before = readOriginal(original, inflatedBytes);
  const same = before === null ? new Set<string>() : sameParts(archive, shown, before);
  const names = new Set(shown.map(({ member }) => member.name));
  const tallyOf = ({ name }: ZipMember) => (same.has(name) ? tallies.same : names.has(name) ? tallies.after : null);
  searchPackage(archive, tallyOf, budget, findings);
  return {
    output: { units: unitsOf(shown) },
    original: before === null ? null : countOriginal(before, same, tallies.before),
  };
}

interface OriginalPackage {
  readonly archive: ZipArchive;
  readonly shown: readonly ShownPart[];
  readonly budget: InflateBudget;
}

/** Reads the original. A fault of the original is not a fault of the output. */
function readOriginal(bytes: Uint8Array, inflatedBytes: number): OriginalPackage | null {
  try {
    const archive = openZip(bytes);
    const budget = { left: inflatedBytes };
    return archive === null ? null : { archive, shown: shownParts(archive, budget), budget };
  } catch {
    return null;
  }
}

/** Returns the names of the shown parts that are in both. A name that the original has twice is left out. */
function sameParts(archive: ZipArchive, shown: readonly ShownPart[], original: OriginalPackage): ReadonlySet<string> {
  const originals = new Map<string, ZipMember | null>();
  for (const { member } of original.shown) originals.set(member.name, originals.has(member.name) ? null : member);
  const same = new Set<string>();
  for (const { member } of shown) {
    const other = originals.get(member.name) ?? null;
    if (other !== null && isSameMember(archive, member, original.archive, other)) same.add(member.name);
  }
  return same;
}

function countOriginal(
  { archive, shown, budget }: OriginalPackage,
  same: ReadonlySet<string>,
  tally: WordTally,
): PackageCount | null {
  try {
    for (const { member } of shown) {
      if (!same.has(member.name)) countMember(archive, member, tally, budget);
    }
    return { units: unitsOf(shown) };
  } catch {
    // A damaged part of the original is no fault of the output. Its words are not counted.
    return null;
  }
}

function openOutput(bytes: Uint8Array, findings: Findings): ZipArchive | null {
  const archive = openZip(bytes);
  if (archive === null) findings.add('zip-unreadable', 'archive');
  else for (const id of layoutFaults(archive)) findings.add(id, 'archive');
  return archive;
}

function searchPackage(
  archive: ZipArchive,
  tallyOf: (member: ZipMember) => WordTally | null,
  budget: InflateBudget,
  findings: Findings,
): void {
  checkContentTypes(archive, budget, findings);
  searchUnreached(archive, budget, findings);
  const elsewhereOf = targetsElsewhere(archive, budget);
  for (const member of archive.members) {
    for (const { id, find } of PATHS) if (find.path.test(member.name)) findings.add(id, member.name);
    const content = readMember(archive, member, budget);
    if (/\.(?:xml|vml|rels|svg)$/i.test(member.name) && hasForeignEncoding(content))
      findings.add('xml-encoding', member.name);
    if (isDrawingPart(member.name)) readDrawingPart(content, member.name, tallyOf(member), findings);
    else if (/\.rels$/i.test(member.name)) searchRelationships(content, member.name, findings);
    else if (/\.(?:xml|vml)$/i.test(member.name)) {
      const place = { where: member.name, elsewhere: elsewhereOf(member.name) };
      searchPart(content, place, tallyOf(member), findings);
    } else if (/\.svg$/i.test(member.name)) readSvg(content, openTally(), findings);
    else if (!inspectPicture(content, findings, member.name)) findings.add('office-foreign-part', member.name);
  }
}

/** Searches the parts of a drawing to which nothing points. Programs that list the parts would find them. */
function searchUnreached(archive: ZipArchive, budget: InflateBudget, findings: Findings): void {
  const parts = archive.members.filter(({ name }) => isDrawingPart(name));
  const targets = parts.length === 0 ? new Set<string>() : targetNames(archive, budget);
  for (const { name } of parts)
    if (!targets.has(name.slice(name.lastIndexOf('/') + 1).toLowerCase())) findings.add('drawing-unreached-part', name);
}

/** Returns whether readers see the text of a part of this content type. */
export const isShownPart = (type: string): boolean => SHOWN.test(type);

/** Returns the number of sheets, slides or pages, by the content types of the shown parts. */
export function unitsOf(shown: readonly { readonly type: string }[]): Units | null {
  const sheets = shown.filter(({ type }) => SHEET.test(type)).length;
  const slides = shown.filter(({ type }) => SLIDE.test(type)).length;
  const pages = shown.filter(({ type }) => DRAWING_PAGE.test(type)).length;
  if (pages > 0) return { kind: 'pages', count: pages };
  if (sheets > 0) return { kind: 'sheets', count: sheets };
  return slides > 0 ? { kind: 'slides', count: slides } : null;
}

interface ContentTypeRow {
  readonly kind: string;
  readonly key: string;
  readonly type: string;
}

interface ShownPart {
  readonly member: ZipMember;
  readonly type: string;
}

/** Returns the members of a shown content type to which a relationship of the package points. No reader sees the others. */
function shownParts(archive: ZipArchive, budget: InflateBudget): readonly ShownPart[] {
  const rows = contentTypeRows(archive, budget);
  const overrides = new Map(rows.filter(({ kind }) => kind === 'override').map(({ key, type }) => [key, type]));
  const defaults = new Map(rows.filter(({ kind }) => kind === 'default').map(({ key, type }) => [key, type]));
  const targets = targetNames(archive, budget);
  return archive.members.flatMap((member) => {
    const name = member.name.toLowerCase();
    const type = overrides.get(name) ?? defaults.get(name.slice(name.lastIndexOf('.') + 1)) ?? '';
    return SHOWN.test(type) && targets.has(name.slice(name.lastIndexOf('/') + 1)) ? [{ member, type }] : [];
  });
}

function contentTypeRows(archive: ZipArchive, budget: InflateBudget): readonly ContentTypeRow[] {
  const member = archive.members.find(({ name }) => /^\[content_types\]\.xml$/i.test(name));
  if (member === undefined) return [];
  const rows: ContentTypeRow[] = [];
  scanXml(readMember(archive, member, budget), ROWS, {
    tally: null,
    element: (kind, attributes) => {
      const key = attributes.get('partname') ?? attributes.get('extension') ?? '';
      rows.push({ kind, key: key.replace(/^\//, '').toLowerCase(), type: attributes.get('contenttype') ?? '' });
    },
  });
  return rows;
}

function targetNames(archive: ZipArchive, budget: InflateBudget): ReadonlySet<string> {
  const targets = new Set<string>();
  for (const member of archive.members) {
    if (!/\.rels$/i.test(member.name)) continue;
    scanXml(readMember(archive, member, budget), ROWS, {
      tally: null,
      element: (_, attributes) => {
        const target = attributes.get('target') ?? '';
        targets.add(target.slice(target.lastIndexOf('/') + 1).toLowerCase());
      },
    });
  }
  return targets;
}

function checkContentTypes(archive: ZipArchive, budget: InflateBudget, findings: Findings): void {
  const extensions = new Set(archive.members.map(({ name }) => name.slice(name.lastIndexOf('.') + 1).toLowerCase()));
  for (const { kind, key, type } of contentTypeRows(archive, budget)) {
    // A default for an extension that no part has names nothing.
    if (kind === 'default' && !extensions.has(key)) continue;
    for (const { id, find } of CONTENT_TYPES) if (find.type.test(type)) findings.add(id, key);
  }
}

/** A relationship of the package to its document: of Word, Excel and PowerPoint, and of Visio. */
const MAIN_DOCUMENT = /(?:\/officeDocument|visio\/2010\/relationships\/document)$/i;

function searchRelationships(content: Uint8Array, where: string, findings: Findings): void {
  let documents = 0;
  scanXml(content, ROWS, {
    tally: null,
    declaration: () => findings.add('xml-declaration', where),
    element: (_, attributes) => {
      const type = attributes.get('type') ?? '';
      // Programs differ in which of two documents they show.
      if (where === '_rels/.rels' && MAIN_DOCUMENT.test(type) && ++documents > 1)
        findings.add('office-two-documents', where);
      const place = `${where} ${attributes.get('id') ?? ''}`;
      for (const { id, find } of RELATIONSHIPS) if (find.type.test(type)) findings.add(id, place);
      const fault = relationshipFault(attributes);
      if (fault !== null) findings.add(fault, place);
    },
  });
}
