/** Inspects Word, Excel and PowerPoint 97-2003 files: streams by name, then the records of the main stream. */

import type { Fact, Findings, Units } from '../fact.ts';
import type { WordTally } from '../word-tally.ts';
import { type CompoundFile, openCompound } from './compound.ts';
import { readSlides } from './legacy-slides.ts';
import { readDocument } from './legacy-word.ts';
import { readWorkbook } from './legacy-workbook.ts';
import { countOldWorkbook } from './old-workbook.ts';

const stream = (id: string, pattern: RegExp): Fact => ({ id, find: { by: 'path', path: pattern } });

export const LEGACY_FACTS: readonly Fact[] = [
  stream('ole-macro', /(?:^|\/)(?:Macros|_VBA_PROJECT_CUR|VBA|_VBA_PROJECT|PROJECT|PROJECTwm|dir)(?:\/|$)/i),
  stream(
    'ole-object',
    /(?:^|\/)(?:ObjectPool|MBD[0-9A-F]+|Ole10Native|\^1Ole10Native|\^1Ole10ItemName|\^1Ole|Package)(?:\/|$)/i,
  ),
  stream('ole-control', /(?:^|\/)(?:Ctls|\^3[^/]*)(?:\/|$)/),
  stream('ole-equation', /Equation Native/i),
  stream('ole-data-store', /(?:^|\/)MsoDataStore(?:\/|$)/i),
  stream('ole-signature', /(?:^|\/)(?:_xmlsignatures|_signatures)(?:\/|$)/i),
  stream('ole-properties', /\^5[^/]*SummaryInformation$/i),
  stream('ole-encryption', /\^6DataSpaces|EncryptionInfo|EncryptedPackage/i),
];

/** The streams that a document consists of. Any other stream could hide something. */
const STREAMS =
  /^(?:WordDocument|[01]Table|Data|Workbook|_SX_DB_CUR\/[0-9A-F]{4}|PowerPoint Document|Current User|Pictures|\^5SummaryInformation)$/;
/** Class ids of the three programs, in file order. A root with any other id opens in another program. */
const ROOT_CLASSES = new Set([
  '0609020000000000c000000000000046',
  '2008020000000000c000000000000046',
  '108d81649b4fcf1186ea00aa00b929e8',
  '0'.repeat(32),
]);
/** A Word document that is a template ([MS-DOC] 2.5.2, fDot): new documents get its text. */
const TEMPLATE_FLAG_AT = 10;

/** Counts a document. With findings it also searches it. Returns null when it is encrypted or not such a document. */
export function readLegacyOffice(
  bytes: Uint8Array,
  tally: WordTally,
  findings: Findings | null,
): { readonly units: Units | null; readonly pictures: number | null } | null {
  const file = openCompound(bytes);
  if (file === null) {
    findings?.add('ole-unreadable', 'file');
    return null;
  }
  if (findings !== null) searchStreams(file, findings);
  const workbook = file.read('Workbook');
  if (workbook !== null) return readWorkbook(workbook, tally, findings);
  const old = file.read('Book');
  if (old !== null) return withoutPictures(countOldWorkbook(old, tally));
  const slides = file.read('PowerPoint Document');
  const user = file.read('Current User');
  if (slides !== null && user !== null) {
    const presentation = { slides, user, pictures: file.read('Pictures') };
    return isLocked(user) ? null : readSlides(presentation, tally, findings);
  }
  const document = file.read('WordDocument');
  if (document !== null) return readDocument(document, file, tally, findings);
  findings?.add('ole-unreadable', 'main stream');
  return null;
}

/**
 * Returns the counts without pictures. Pictures of Excel 5 and 95 are drawn by records that no reader here knows. The disarm reports their
 * removal.
 */
const withoutPictures = (count: { readonly units: Units } | null) =>
  count === null ? null : { ...count, pictures: null };

function searchStreams(file: CompoundFile, findings: Findings): void {
  for (const { path, isStream } of file.entries) {
    for (const { id, find } of LEGACY_FACTS) if (find.by === 'path' && find.path.test(path)) findings.add(id, path);
    if (isStream && !STREAMS.test(path)) findings.add('ole-foreign-stream', path);
  }
  if (!ROOT_CLASSES.has(file.entries[0]?.clsid ?? '')) findings.add('ole-root-class', file.entries[0]?.clsid ?? '');
  const word = file.read('WordDocument');
  if (word !== null && ((word[TEMPLATE_FLAG_AT] ?? 0) & 1) === 1) findings.add('doc-template', 'WordDocument');
}

/** Returns whether a presentation has the token of encryption ([MS-PPT] 2.3.2). Its records cannot be read. */
function isLocked(user: Uint8Array): boolean {
  return user.length >= 16 && Buffer.from(user).readUInt32LE(12) === 0xf3d1c4df;
}
