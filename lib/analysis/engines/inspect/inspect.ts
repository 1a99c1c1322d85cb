/**
 * The last look at a disarmed file, by code that shares nothing with the code that made it: what must be gone is searched for
 * again, by readers written for that alone, and what must be kept is counted in the original and in the result.
 */
import { detectType } from '../detect.ts';
import type { DetectedType, EngineLimits } from '../engine.ts';
import { type Findings, InspectionError, type Leftover, openFindings, type Units } from './fact.ts';
import { decodePage, readPage } from './html.ts';
import { readLegacyOffice } from './legacy-office.ts';
import { readMessage } from './mail.ts';
import { readOpenDocument, readSvg, readXmlData } from './markup.ts';
import { comparePackages, countPackage, inspectPackage } from './office.ts';
import { searchPdf } from './pdf.ts';
import { readPdfObjects } from './pdf-objects.ts';
import { comparePdf } from './pdf-text.ts';
import { inspectPicture, pictureSize } from './picture.ts';
import { decodeLines, readCalendar, readTable } from './plain-formats.ts';
import { readRtf } from './rtf.ts';
import { keptWords, openCount, openTally, type WordTally } from './word-tally.ts';
import { layoutFaults, openZip, readMember } from './zip-scan.ts';

/** Archives in messages in archives, as the disarm itself allows them. */
const MAX_DEPTH = 9;

/** One file and what it is. */
export interface Inspected {
  readonly bytes: Uint8Array;
  readonly type: DetectedType;
}

export interface Inspection {
  readonly leftovers: readonly Leftover[];
  /** Words of the original and of the output; `before` and `kept` are null when the original cannot be read here. */
  readonly words: { readonly before: number; readonly kept: number } | null;
  readonly units: { readonly kind: Units['kind'] | 'pixels'; readonly before: number; readonly after: number } | null;
}

interface Count {
  readonly units: Units | null;
}

/** Searches the output and compares it with the original. Never throws for any bytes. */
export async function inspectOutput(original: Inspected, output: Inspected, limits: EngineLimits): Promise<Inspection> {
  const findings = openFindings();
  if (/^image\/(?!svg)/.test(output.type.type)) return inspectRaster(original, output, findings);
  if (output.type.type === 'application/pdf') return inspectPdfFile(original, output, limits, findings);
  if (OOXML.test(output.type.type) && OOXML.test(original.type.type)) {
    return inspectOffice(original, output, limits, findings);
  }
  const [before, after] = [openTally(), openTally()];
  const found = await guarded(findings, () => searchFile(output, after, limits, findings, 0));
  const isSame = Buffer.compare(original.bytes, output.bytes) === 0;
  const counted = isSame ? found : await countOriginal(original, before, limits);
  const words = counted === null ? null : wordsOf(isSame ? after : before, after);
  return { leftovers: findings.list, words, units: unitsOf(counted?.units ?? null, found?.units ?? null) };
}

function wordsOf(before: WordTally, after: WordTally): NonNullable<Inspection['words']> {
  return { before: before.words, kept: keptWords(before, after) };
}

/** Parts that came out as they went in are told by their bytes, and searched and counted once. */
async function inspectOffice(
  original: Inspected,
  output: Inspected,
  limits: EngineLimits,
  findings: Findings,
): Promise<Inspection> {
  const tallies = { before: openTally(), after: openTally(), same: openCount() };
  const compare = () => comparePackages(original.bytes, output.bytes, tallies, limits.inflatedBytes, findings);
  const compared = await guarded(findings, compare);
  if (compared === null) return { leftovers: findings.list, words: null, units: null };
  const same = tallies.same.words;
  const { before, kept } = wordsOf(tallies.before, tallies.after);
  const words = compared.original === null ? null : { before: before + same, kept: kept + same };
  return { leftovers: findings.list, words, units: unitsOf(compared.original?.units ?? null, compared.output.units) };
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

/** Null when the original has no reader here, or none that gets through it. */
async function countOriginal(original: Inspected, tally: WordTally, limits: EngineLimits): Promise<Count | null> {
  try {
    return countFile(original, tally, limits);
  } catch {
    return null;
  }
}

const OOXML = /^application\/vnd\.(?:openxmlformats-officedocument\.|ms-(?:word|excel|powerpoint)\..*macroenabled)/;
const LEGACY = /^application\/(?:msword|vnd\.ms-excel|vnd\.ms-powerpoint)$/;

type Reader = (bytes: Uint8Array, tally: WordTally, findings: Findings | null) => void;

/** Formats that one reader both counts and searches. */
const READERS: Readonly<Record<string, Reader>> = {
  'text/html': (bytes, tally, findings) => readPage(decodePage(bytes), tally, findings),
  'application/xhtml+xml': (bytes, tally, findings) => readPage(decodePage(bytes), tally, findings),
  'image/svg+xml': readSvg,
  'text/xml': readXmlData,
  'application/rtf': readRtf,
  'text/csv': (bytes, tally, findings) => readTable(decodeLines(bytes), tally, findings),
  'text/calendar': (bytes, tally, findings) => readCalendar(decodeLines(bytes), tally, findings),
  'text/vcard': (bytes, tally, findings) => readCalendar(decodeLines(bytes), tally, findings),
};

/** Reads tolerantly, and only to count. */
function countFile({ bytes, type: { type } }: Inspected, tally: WordTally, limits: EngineLimits): Count | null {
  const budget = { left: limits.inflatedBytes };
  if (OOXML.test(type)) return countPackage(bytes, tally, budget);
  if (/opendocument/.test(type)) return readOpenDocument(bytes, tally, budget, null);
  if (LEGACY.test(type)) return readLegacyOffice(bytes, tally, null);
  if (type === 'message/rfc822') readMessage(bytes, tally, null);
  const read = READERS[type];
  if (read === undefined && type !== 'message/rfc822') return null;
  read?.(bytes, tally, null);
  return { units: null };
}

/** Searches one output of any type, and counts it. */
async function searchFile(
  output: Inspected,
  tally: WordTally,
  limits: EngineLimits,
  findings: Findings,
  depth: number,
): Promise<Count | null> {
  const { bytes, type } = output;
  const budget = { left: limits.inflatedBytes };
  if (OOXML.test(type.type)) return inspectPackage(bytes, tally, budget, findings);
  if (/opendocument/.test(type.type)) return readOpenDocument(bytes, tally, budget, findings);
  if (LEGACY.test(type.type)) return readLegacyOffice(bytes, tally, findings);
  READERS[type.type]?.(bytes, tally, findings);
  if (type.type === 'message/rfc822') {
    await searchMembers(readMessage(bytes, tally, findings), limits, findings, depth);
  } else if (type.type === 'application/zip') {
    await searchMembers(zipMembers(bytes, limits, findings), limits, findings, depth);
  } else if (type.type === 'application/pdf') {
    searchPdf(readPdfObjects(bytes), bytes, findings);
  } else if (/^image\/(?!svg)/.test(type.type) && !inspectPicture(bytes, findings, 'picture')) {
    findings.add('picture-damaged', 'picture');
  }
  return { units: null };
}

interface Member {
  readonly name: string;
  readonly bytes: Uint8Array;
}

function zipMembers(bytes: Uint8Array, limits: EngineLimits, findings: Findings): readonly Member[] {
  const archive = openZip(bytes);
  if (archive === null) {
    findings.add('zip-unreadable', 'archive');
    return [];
  }
  for (const id of layoutFaults(archive)) findings.add(id, 'archive');
  const budget = { left: limits.inflatedBytes };
  const files = archive.members.filter(({ name }) => !name.endsWith('/'));
  return files.map((member) => ({ name: member.name, bytes: readMember(archive, member, budget) }));
}

/** Types that no disarmed container may hold. */
const LIVE_MEMBER =
  /executable|dosexec|x-mach|java-|android|javascript|vbscript|powershell|msdos-batch|application\/hta|x-wsf|scriptlet|shellscript|mswinurl|ms-shortcut|iqy|regedit|macroenabled|iso9660|x-vhd|x-msi|onenote|htmlhelp|x-sylk/;

async function searchMembers(
  members: readonly Member[],
  limits: EngineLimits,
  findings: Findings,
  depth: number,
): Promise<void> {
  const unused = openTally();
  if (depth >= MAX_DEPTH) findings.add('nesting', `depth ${depth}`);
  else
    for (const { name, bytes } of members) {
      const type = await detectType(bytes, name);
      if (LIVE_MEMBER.test(type.type)) findings.add('live-member', name);
      // Words of attached files are not those of the letter.
      await searchFile({ bytes, type }, unused, limits, findings, depth + 1);
    }
}

function inspectRaster(original: Inspected, output: Inspected, findings: Findings): Inspection {
  if (!inspectPicture(output.bytes, findings, 'picture')) findings.add('picture-damaged', 'picture');
  const before = pictureSize(original.bytes);
  const after = pictureSize(output.bytes);
  const units =
    before === null || after === null
      ? null
      : { kind: 'pixels' as const, before: before.width * before.height, after: after.width * after.height };
  return { leftovers: findings.list, words: null, units };
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
  const compared = await guarded(findings, () => comparePdf(source, file, limits.inflatedBytes));
  if (compared === null) return { leftovers: findings.list, words: null, units: null };
  const { words, pages } = compared;
  return {
    leftovers: findings.list,
    words: words.before === null ? null : { before: words.before, kept: words.kept },
    units: pages.before === null ? null : { kind: 'pages', before: pages.before, after: pages.after },
  };
}
