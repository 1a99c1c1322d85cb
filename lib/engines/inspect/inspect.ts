/**
 * The last look at a disarmed file, by code that shares nothing with the code that made it. Readers of its own (second-look.ts) search for
 * content that must be gone. They also count content that must be kept, in the original and in the result.
 */
import type { DetectedType } from '../../formats/detection/detected-type.ts';
import type { SecondLookName } from '../../formats/type-table.ts';
import type { EngineLimits } from '../engine.ts';
import { type Findings, InspectionError, type Leftover, oneOf, openFindings, type Units } from './fact.ts';
import { comparePackages } from './office/office.ts';
import { readPdfObjects } from './pdf/objects.ts';
import { searchPdf } from './pdf/pdf.ts';
import { comparePdf } from './pdf/text.ts';
import { inspectPicture } from './picture/picture.ts';
import { type PictureShape, pictureShape } from './picture/shape.ts';
import { picturesInPackage, picturesInPdf } from './picture-count.ts';
import { type Count, type Member, SECOND_LOOKS } from './second-look.ts';
import { keptWords, openCount, openTally, type WordTally } from './word-tally.ts';

/** How deep archives and messages may be nested. The disarm allows as much. */
const MAX_DEPTH = 9;

/** A file and its type. */
export interface Inspected {
  readonly bytes: Uint8Array;
  /** The name under which programs know it. It is used only for files that have no name inside. @default unknown */
  readonly untrustedName?: string;
  readonly type: DetectedType;
}

/** The knowledge about types. The caller provides it, because this folder has no detector and no table of types. */
export interface KnownTypes {
  readonly detectType: (bytes: Uint8Array, untrustedName: string) => Promise<DetectedType>;
  readonly secondLookOf: (type: string) => { readonly reader: SecondLookName; readonly isWritten: boolean } | null;
}

interface BeforeAndAfter {
  readonly before: number;
  readonly after: number;
}

/** The leftovers in the output, and the counts of the content that was kept. Null means that it was not counted. */
export interface Inspection {
  readonly leftovers: readonly Leftover[];
  /**
   * Words of the original, how many of them the output has, and the number of all its words. Null when no reader here can read the
   * original.
   */
  readonly words: { readonly before: number; readonly kept: number; readonly after: number } | null;
  readonly units: (BeforeAndAfter & { readonly kind: Units['kind'] }) | null;
  /** Pictures in a document. Null where they are not counted. */
  readonly pictures: BeforeAndAfter | null;
  /** Files in a container. */
  readonly members: BeforeAndAfter | null;
  /** The shape of a picture. `before` is null when the original could not be measured. */
  readonly shape: { readonly before: PictureShape | null; readonly after: PictureShape } | null;
  /** True when nothing of the original could be counted, and there is nothing in the result. */
  readonly isEmptyOfUnknown: boolean;
}

/** The reader of files that hold one file. */
const PACKED: SecondLookName = 'packed-file';

const NOT_COUNTED = { words: null, units: null, pictures: null, members: null, shape: null, isEmptyOfUnknown: true };

/** Searches the output and compares it with the original. Never throws for any bytes. */
export async function inspectOutput(
  original: Inspected,
  output: Inspected,
  limits: EngineLimits,
  types: KnownTypes,
): Promise<Inspection> {
  const findings = openFindings();
  const search: Search = { limits, findings, types };
  const reader = types.secondLookOf(output.type.type)?.reader;
  if (reader === 'picture') return inspectRaster(original, output, findings);
  if (reader === 'pdf') return inspectPdfFile(original, output, limits, findings);
  const counter = types.secondLookOf(original.type.type)?.reader ?? null;
  if (reader === 'office' && counter === 'office') return inspectOffice(original, output, search);
  const [before, after] = [openTally(), openTally()];
  const found = await guarded(findings, () => searchFile(output, after, search, 0));
  const isSame = Buffer.compare(original.bytes, output.bytes) === 0;
  const isPacked = reader === PACKED && counter === PACKED;
  const counting = () => (isPacked ? countPacked : countOriginal)(original, counter, before, search);
  const counted = isSame ? found : await counting();
  return {
    leftovers: findings.list,
    words: counted === null ? null : wordsOf(isSame ? after : before, after),
    ...compared(counted, found),
    shape: null,
    isEmptyOfUnknown: counted === null && isEmpty(after, found),
  };
}

function wordsOf(before: WordTally, after: WordTally): NonNullable<Inspection['words']> {
  return { before: before.words, kept: keptWords(before, after), after: after.words };
}

function compared(before: Count | null, after: Count | null): Pick<Inspection, 'units' | 'pictures' | 'members'> {
  const both = (one: number | undefined | null, other: number | undefined | null) =>
    one === null || one === undefined || other === null || other === undefined ? null : { before: one, after: other };
  return {
    units: unitsOf(before?.units ?? null, after?.units ?? null),
    pictures: both(before?.pictures, after?.pictures),
    members: both(before?.members?.length, after?.members?.length),
  };
}

const isEmpty = (words: WordTally, count: Count | null) =>
  words.words === 0 && (count?.pictures ?? 0) === 0 && (count?.members?.length ?? 0) === 0;

/** Searches and counts the parts. Unchanged parts are recognised by their bytes, and searched and counted once. */
async function inspectOffice(original: Inspected, output: Inspected, search: Search): Promise<Inspection> {
  const { limits, findings, types } = search;
  const tallies = { before: openTally(), after: openTally(), same: openCount() };
  const compare = () => comparePackages(original.bytes, output.bytes, tallies, limits.inflatedBytes, findings);
  const counts = await guarded(findings, compare);
  if (readerOf(output, types) === null) findings.add('no-second-look', output.type.type);
  if (counts === null) return { leftovers: findings.list, ...NOT_COUNTED };
  const same = tallies.same.words;
  const { before, kept, after } = wordsOf(tallies.before, tallies.after);
  const pictures = { before: picturesInPackage(original.bytes), after: picturesInPackage(output.bytes) };
  const isEmptyNow = same + tallies.after.words + pictures.after === 0;
  return {
    leftovers: findings.list,
    words: counts.original === null ? null : { before: before + same, kept: kept + same, after: after + same },
    units: unitsOf(counts.original?.units ?? null, counts.output.units),
    pictures,
    members: null,
    shape: null,
    isEmptyOfUnknown: counts.original === null && isEmptyNow,
  };
}

function unitsOf(before: Units | null, after: Units | null): Inspection['units'] {
  if (before === null || after === null) return null;
  return { kind: after.kind, before: before.count, after: after.count };
}

async function guarded<T>(findings: Findings, work: () => T | Promise<T>): Promise<T | null> {
  try {
    return await work();
  } catch (error) {
    const isOurs = error instanceof InspectionError;
    findings.add(isOurs ? error.id : 'unreadable-output', isOurs ? error.where : 'file');
    return null;
  }
}

/** Counts the original. Returns null when no reader here can read it. */
async function countOriginal(
  { bytes, untrustedName = '' }: Inspected,
  reader: SecondLookName | null,
  tally: WordTally,
  { limits }: Search,
): Promise<Count | null> {
  if (reader === null) return null;
  try {
    return SECOND_LOOKS[reader]({
      bytes,
      untrustedName,
      tally,
      budget: { left: limits.inflatedBytes },
      findings: null,
    });
  } catch {
    // A damaged original is no fault of the output. The caller then asks for something in the output.
    return null;
  }
}

/** Counts a packed file: its words are those of the file in it. */
async function countPacked(
  original: Inspected,
  reader: SecondLookName | null,
  tally: WordTally,
  search: Search,
): Promise<Count | null> {
  const count = await countOriginal(original, reader, tally, search);
  const [member] = count?.members ?? [];
  if (count === null || member === undefined) return null;
  const type = await search.types.detectType(member.bytes, member.name);
  const inner = search.types.secondLookOf(type.type)?.reader ?? null;
  await countOriginal({ bytes: member.bytes, untrustedName: member.name, type }, inner, tally, search);
  return count;
}

/** Returns the reader for a file that a disarm wrote. Returns null when no disarm writes such files, or there is no reader. */
function readerOf({ type }: Inspected, types: KnownTypes): SecondLookName | null {
  const look = types.secondLookOf(type.type);
  return look?.isWritten === true ? look.reader : null;
}

interface Search {
  readonly limits: EngineLimits;
  readonly findings: Findings;
  readonly types: KnownTypes;
}

/** Searches and counts one output. A file without a reader is a finding. */
async function searchFile(output: Inspected, tally: WordTally, search: Search, depth: number): Promise<Count | null> {
  const { bytes, untrustedName = '', type } = output;
  const { findings, limits, types } = search;
  const reader = readerOf(output, types);
  if (reader === null) {
    findings.add('no-second-look', type.type);
    return null;
  }
  const count = SECOND_LOOKS[reader]({ bytes, untrustedName, tally, budget: { left: limits.inflatedBytes }, findings });
  // The words of attached files do not belong to the email.
  const words = reader === PACKED ? tally : openTally();
  if (count !== null && count.members !== null) await searchMembers(count.members, words, search, depth);
  return count;
}

/** Types that no disarmed container may hold. */
const LIVE_MEMBER = new RegExp(
  oneOf(String.raw`
    executable dosexec x-mach java- android javascript vbscript powershell msdos-batch application\/hta x-wsf scriptlet
    shellscript mswinurl ms-shortcut iqy regedit macroenabled iso9660 x-vhd x-msi onenote htmlhelp x-sylk
  `),
);

async function searchMembers(
  members: readonly Member[],
  words: WordTally,
  search: Search,
  depth: number,
): Promise<void> {
  if (depth >= MAX_DEPTH) search.findings.add('nesting', `depth ${depth}`);
  else
    for (const { name, bytes } of members) {
      const type = await search.types.detectType(bytes, name);
      if (LIVE_MEMBER.test(type.type)) search.findings.add('live-member', name);
      await searchFile({ bytes, untrustedName: name, type }, words, search, depth + 1);
    }
}

function inspectRaster(original: Inspected, output: Inspected, findings: Findings): Inspection {
  if (!inspectPicture(output.bytes, findings, 'picture')) findings.add('picture-damaged', 'picture');
  const after = pictureShape(output.bytes);
  const shape = after === null ? null : { before: pictureShape(original.bytes), after };
  return { leftovers: findings.list, ...NOT_COUNTED, shape, isEmptyOfUnknown: false };
}

async function inspectPdfFile(
  original: Inspected,
  output: Inspected,
  limits: EngineLimits,
  findings: Findings,
): Promise<Inspection> {
  const file = readPdfObjects(output.bytes);
  await guarded(findings, () => searchPdf(file, output.bytes, findings));
  const source = original.type.type === 'application/pdf' ? original.bytes : null;
  const counts = await guarded(findings, () => comparePdf(source, file, limits.inflatedBytes));
  if (counts === null) return { leftovers: findings.list, ...NOT_COUNTED };
  const { words, pages } = counts;
  return {
    leftovers: findings.list,
    words: words.before === null ? null : { ...words, before: words.before },
    units: pages.before === null ? null : { kind: 'pages', before: pages.before, after: pages.after },
    pictures: counts.pictures.before === null ? null : { ...counts.pictures, before: counts.pictures.before },
    members: null,
    shape: null,
    isEmptyOfUnknown: words.before === null && counts.isBlank && picturesInPdf(file) === 0,
  };
}
