/** Inspection of Word, Excel and PowerPoint 97-2003 files: streams by name, then the records of the main stream. */
import { type CompoundFile, openCompound } from './compound.ts';
import type { Fact, Findings, Units } from './fact.ts';
import { readSlides } from './legacy-slides.ts';
import { readDocument } from './legacy-word.ts';
import { readWorkbook } from './legacy-workbook.ts';
import type { WordTally } from './word-tally.ts';

const stream = (id: string, pattern: RegExp): Fact => ({ id, families: ['ole'], find: { by: 'path', path: pattern } });

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

/** Counts a document; with findings it is searched too. Null when it cannot be counted: it is encrypted, or no such document. */
export function readLegacyOffice(
  bytes: Uint8Array,
  tally: WordTally,
  findings: Findings | null,
): { readonly units: Units | null } | null {
  const file = openCompound(bytes);
  if (file === null) {
    findings?.add('ole-unreadable', 'file');
    return null;
  }
  if (findings !== null) {
    for (const { path } of file.entries) {
      for (const { id, find } of LEGACY_FACTS) if (find.by === 'path' && find.path.test(path)) findings.add(id, path);
    }
  }
  const workbook = file.read('Workbook');
  if (workbook !== null) return readWorkbook(workbook, tally, findings);
  const slides = file.read('PowerPoint Document');
  if (slides !== null) return isLocked(file) ? null : readSlides(slides, tally, findings);
  const document = file.read('WordDocument');
  if (document !== null) return readDocument(document, file, tally, findings);
  findings?.add('ole-unreadable', 'main stream');
  return null;
}

/** The token of an encrypted presentation ([MS-PPT] 2.3.2): its records are noise then. */
function isLocked(file: CompoundFile): boolean {
  const user = file.read('Current User');
  return user !== null && user.length >= 16 && Buffer.from(user).readUInt32LE(12) === 0xf3d1c4df;
}
