/**
 * Collects the macros, objects, controls and other workbooks of an Office package, and decides whether all of a kind are ordinary. Then
 * their findings are facts. The disarm removes them anyway.
 */

import { decodeMarked } from '../../../formats/charsets/text-encoding.ts';
import { isCompoundFile } from '../../../formats/compound/compound-file.ts';
import type { EngineLimits } from '../../engine.ts';
import { type Compound, readCompound } from '../compound-streams.ts';
import type { FindingId } from '../findings/findings.ts';
import { isNearFile } from '../findings/link-target.ts';
import { areOrdinaryKeys } from './key-maps.ts';
import { areNearConnections, placeOfLetters } from './near-connections.ts';
import { isFormClass } from './object-classes.ts';
import { isFormData, isOrdinaryObject } from './ordinary-objects.ts';
import { type OpenPackage, type Relationship, targetOf } from './package-parts.ts';
import { holdQueries } from './power-query/mashup.ts';
import { holdsReachingText } from './reaching-text.ts';
import { readVba, type VbaProject } from './vba.ts';

/** The compound files of a package: projects of macros, and objects. */
export interface BinaryParts {
  readonly projects: ReadonlyMap<string, VbaProject>;
  readonly objects: ReadonlyMap<string, Compound>;
}

const MACROS = /(?:^|\/)vba\//i;

/** Reads all compound files of a package, under any name. Throws EngineError like `readCompound`. */
export function readBinaryParts({ parts }: OpenPackage, limits: EngineLimits): BinaryParts {
  const projects = new Map<string, VbaProject>();
  const objects = new Map<string, Compound>();
  for (const [name, content] of parts) {
    if (!isCompoundFile(content)) continue;
    const compound = readCompound(content, limits);
    if (compound.streams.some(({ path }) => MACROS.test(path))) {
      projects.set(name, readVba(compound, limits.inflatedBytes));
    } else objects.set(name, compound);
  }
  return { projects, objects };
}

/** Kinds of relationships to files with data, beside the path of another workbook. */
const LETTERS = new Set(['mailmergesource', 'mailmergeheadersource']);
/** Kinds that start something of elsewhere. */
const STARTED = new Set(['xlstartup', 'xlalternatestartup', 'xllibrary']);

/** Returns the findings that are facts in this package. */
export function factsOf(opened: OpenPackage, binary: BinaryParts): ReadonlySet<FindingId> {
  const of = (kind: string) => opened.relationships.filter((one) => one.kind === kind);
  const facts: FindingId[] = [];
  const arePlain = hasPlainMacros(opened, binary);
  if (arePlain) facts.push('office-macro');
  if (areOrdinaryKeys(opened, !arePlain && binary.projects.size + of('vbaproject').length > 0))
    facts.push('office-add-in');
  const isForm = hasFormControls(opened, of('control'), binary);
  if (isForm) facts.push('office-activex');
  // The data of a control of a form may be in a compound file of its own.
  const ofControls = new Set(isForm ? of('activexcontrolbinary').map(targetOf) : []);
  const objects = new Map([...binary.objects].filter(([name]) => !ofControls.has(name)));
  if (hasOrdinaryObjects(opened, of('oleobject'), objects, isForm)) facts.push('office-embedded-object');
  if (hasNearData(opened)) facts.push('office-data-connection');
  return new Set(facts);
}

/** Other workbooks, letters and connections are near by, and nothing of elsewhere is started. Binary connections are not read. */
function hasNearData(opened: OpenPackage): boolean {
  const { relationships, parts, contentTypes } = opened;
  const files = relationships.filter(
    ({ kind }) => /^(?:externallinkpath|xlpathmissing)$/.test(kind) || LETTERS.has(kind),
  );
  const connections = relationships.filter(({ kind }) => kind === 'connections');
  const hasQueries = connections.length > 0 && holdQueries(opened);
  const isNearConnection = (one: Relationship) => {
    const content = one.isExternal ? undefined : parts.get(targetOf(one));
    return content !== undefined && areNearConnections(content, hasQueries);
  };
  const letters = placeOfLetters(opened);
  const hasOthers = [...contentTypes].some((type) => /externallink(?:\+xml)?$/.test(type));
  return (
    (files.length + connections.length > 0 || (letters === 'named' && !hasOthers)) &&
    files.every(isNear) &&
    connections.every(isNearConnection) &&
    relationships.every(({ kind, isExternal }) => !STARTED.has(kind) && !(kind === 'querytable' && isExternal)) &&
    (connections.length > 0 || ![...contentTypes].some((type) => /(?:connections|querytable)(?:\+xml)?$/.test(type))) &&
    letters !== 'far'
  );
}

const isNear = ({ isExternal, untrustedTarget }: Relationship) => isExternal && isNearFile(untrustedTarget);

/** Checks a relationship to macros. If the macros were not found and read, it may lead to others. */
function hasPlainMacros(opened: OpenPackage, { projects }: BinaryParts): boolean {
  const named = opened.relationships.filter(({ kind }) => kind === 'vbaproject');
  return (
    projects.size > 0 &&
    [...projects.values()].every(({ isPlain }) => isPlain) &&
    named.every((one) => projects.has(targetOf(one))) &&
    ![...opened.parts].some(([name, content]) => name.endsWith('.xml') && holdsReachingText(decodeMarked(content)))
  );
}

/** Checks objects. They are compound files, or whole packages, which are judged by themselves. Charts and links name a file near by. */
function hasOrdinaryObjects(
  { parts }: OpenPackage,
  named: readonly Relationship[],
  objects: BinaryParts['objects'],
  isForm: boolean,
): boolean {
  const isPackage = (name: string) => startsLikeZip(parts.get(name));
  const isKnown = (one: Relationship) =>
    one.isExternal ? isNear(one) : objects.has(targetOf(one)) || isPackage(targetOf(one));
  return (
    (isForm || objects.size > 0 || named.length > 0 || [...parts.keys()].some(isPackage)) &&
    named.every(isKnown) &&
    [...objects.values()].every((compound) => isOrdinaryObject(compound, ''))
  );
}

const startsLikeZip = (content: Uint8Array | undefined) => content?.[0] === 0x50 && content[1] === 0x4b;

const CLASS_ID = /\sax:classid\s*=\s*["']([^"']*)["']/;

/** Checks that each relationship to a control leads to a part that names the class of a form, as must each part that names a class. */
function hasFormControls(
  { parts, relationships }: OpenPackage,
  named: readonly Relationship[],
  { objects }: BinaryParts,
): boolean {
  const classes = new Map<string, string>();
  for (const [name, content] of parts) {
    if (!name.endsWith('.xml') || !/activex/.test(name)) continue;
    const classId = CLASS_ID.exec(decodeMarked(content))?.[1];
    if (classId !== undefined) classes.set(name, classId);
  }
  const data = relationships.filter(({ kind }) => kind === 'activexcontrolbinary');
  return (
    named.length > 0 &&
    named.every((one) => !one.isExternal && classes.has(targetOf(one))) &&
    [...classes.values()].every(isFormClass) &&
    data.every((one) => {
      const object = objects.get(targetOf(one));
      return !one.isExternal && parts.has(targetOf(one)) && (object === undefined || isFormData(object));
    })
  );
}
