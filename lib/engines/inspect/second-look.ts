/**
 * The readers of the second look: a closed table. A name of the table of types that has no reader here does not compile. The table of types
 * says for which types a reader is. It is a parameter, because this folder runs nothing of `formats`.
 */
import type { SecondLookName } from '../../formats/type-table.ts';
import { type ArchiveFile, readArchive } from './archive.ts';
import type { Findings, Units } from './fact.ts';
import { decodePage, readPage } from './html.ts';
import { countArchivedPages, readMessage } from './mail.ts';
import { readMap, readPackedMap } from './map.ts';
import { readOpenDocument, readSvg, readXmlData } from './markup.ts';
import { countMedia } from './media/count.ts';
import { inspectMedia } from './media/media.ts';
import { countBinaryWorkbook } from './office/binary-workbook.ts';
import { readBook } from './office/book.ts';
import { readFixedPages } from './office/fixed-pages.ts';
import { countFlatPackage } from './office/flat-package.ts';
import { readLegacyOffice } from './office/legacy-office.ts';
import { countPackage, inspectPackage } from './office/office.ts';
import { readRtf } from './office/rtf.ts';
import { countWordInXml } from './office/word-xml.ts';
import { countOutlookMessage } from './outlook-message.ts';
import { readPackedFile } from './packed-file.ts';
import { readPdfObjects } from './pdf/objects.ts';
import { searchPdf } from './pdf/pdf.ts';
import { countMarks } from './picture/metafile-marks.ts';
import { inspectPicture } from './picture/picture.ts';
import { picturesInPackage, picturesInPage } from './picture-count.ts';
import { decodeLines, readCalendar, readPlainText, readTable } from './plain-formats.ts';
import type { WordTally } from './word-tally.ts';
import { countWorkbookInXml } from './xml/workbook.ts';
import type { InflateBudget } from './zip-scan.ts';

/** A file in a container. Its name is untrusted. */
export type Member = ArchiveFile;

export interface Count {
  readonly units: Units | null;
  /** Null for a format that holds no files. */
  readonly pictures: number | null;
  /** The files of a container; null for everything else. */
  readonly members: readonly Member[] | null;
}

export interface Reading {
  readonly bytes: Uint8Array;
  /** Empty when it is unknown. */
  readonly untrustedName: string;
  /** Takes the words that readers see. */
  readonly tally: WordTally;
  readonly budget: InflateBudget;
  /** Null to count only, tolerantly. Else every leftover is added. */
  readonly findings: Findings | null;
}

/** Counts a file. Returns null when the file cannot be counted: it is encrypted, damaged, or something else. */
type SecondLook = (reading: Reading) => Count | null;

const NOTHING: Count = { units: null, pictures: null, members: null };
type Reader = (bytes: Uint8Array, tally: WordTally, findings: Findings | null) => void;

const words =
  (read: Reader): SecondLook =>
  ({ bytes, tally, findings }) => {
    read(bytes, tally, findings);
    return NOTHING;
  };
const page: SecondLook = ({ bytes, tally, findings }) => {
  const html = decodePage(bytes);
  readPage(html, tally, findings);
  return { ...NOTHING, pictures: picturesInPage(html) };
};

const metafile: SecondLook = ({ bytes, tally, findings }) => {
  if (findings !== null && !inspectPicture(bytes, findings, 'drawing')) findings.add('picture-damaged', 'drawing');
  const marks = countMarks(bytes, tally);
  return marks === null ? null : { ...NOTHING, units: { kind: 'marks', count: marks } };
};

const richText: SecondLook = ({ bytes, tally, findings }) => ({
  ...NOTHING,
  pictures: readRtf(bytes, tally, findings),
});

const picture: SecondLook = ({ bytes, findings }) => {
  if (findings !== null && !inspectPicture(bytes, findings, 'picture')) findings.add('picture-damaged', 'picture');
  return NOTHING;
};

const officePackage: SecondLook = ({ bytes, tally, budget, findings }) => {
  const count = findings === null ? countPackage(bytes, tally, budget) : inspectPackage(bytes, tally, budget, findings);
  return count === null ? null : { ...NOTHING, units: count.units, pictures: picturesInPackage(bytes) };
};

const openDocument: SecondLook = ({ bytes, tally, budget, findings }) => {
  const count = readOpenDocument(bytes, tally, budget, findings);
  return count === null ? null : { ...NOTHING, units: count.units, pictures: picturesInPackage(bytes) };
};

const legacyOffice: SecondLook = ({ bytes, tally, findings }) => {
  const count = readLegacyOffice(bytes, tally, findings);
  return count === null ? null : { ...NOTHING, ...count };
};

/** A reader of two files at once (inspect.ts) compares pages and words. */
const pdf: SecondLook = ({ bytes, findings }) => {
  if (findings !== null) searchPdf(readPdfObjects(bytes), bytes, findings);
  return NOTHING;
};

const mail: SecondLook = ({ bytes, tally, findings }) => ({
  ...NOTHING,
  members: readMessage(bytes, tally, findings),
});

/** A web archive is only counted: its disarm writes a page. */
const archivedPages: SecondLook = ({ bytes, tally, findings }) => {
  findings?.add('no-second-look', 'web archive');
  countArchivedPages(bytes, tally);
  return NOTHING;
};

const map: SecondLook = ({ bytes, tally, findings }) => ({ ...NOTHING, units: readMap(bytes, tally, findings) });

const book: SecondLook = ({ bytes, tally, budget, findings }) => {
  const count = readBook(bytes, tally, budget, findings);
  return count === null ? null : { ...NOTHING, ...count };
};

const fixedPages: SecondLook = ({ bytes, tally, budget, findings }) => {
  const count = readFixedPages(bytes, tally, budget, findings);
  return count === null ? null : { ...NOTHING, ...count };
};

/** It is only counted: its disarm writes a package. */
const flatPackage: SecondLook = ({ bytes, tally, findings }) => {
  findings?.add('no-second-look', 'package in XML');
  const count = countFlatPackage(bytes, tally);
  return count === null ? null : { ...NOTHING, ...count };
};

/** It is only counted: its disarm writes xlsx. */
const binaryWorkbook: SecondLook = ({ bytes, tally, budget, findings }) => {
  findings?.add('no-second-look', 'binary workbook');
  const count = countBinaryWorkbook(bytes, tally, budget);
  return count === null ? null : { ...NOTHING, ...count };
};

/** It is only counted: its disarm writes xlsx. */
const workbookInXml: SecondLook = ({ bytes, tally, findings }) => {
  findings?.add('no-second-look', 'workbook in XML');
  return { ...NOTHING, units: countWorkbookInXml(bytes, tally) };
};

/** It is only counted: its disarm writes docx. */
const documentInXml: SecondLook = ({ bytes, tally, findings }) => {
  findings?.add('no-second-look', 'document in XML');
  return { ...NOTHING, pictures: countWordInXml(bytes, tally) };
};

/** It is only counted: its disarm writes an email. */
const outlookMessage: SecondLook = ({ bytes, tally, findings }) => {
  findings?.add('no-second-look', 'Outlook message');
  return countOutlookMessage(bytes, tally) ? NOTHING : null;
};

const packedMap: SecondLook = ({ bytes, tally, budget, findings }) => {
  const count = readPackedMap(bytes, tally, budget, findings);
  return count === null ? null : { ...NOTHING, ...count };
};

const archive: SecondLook = ({ bytes, budget, findings }) => {
  const members = readArchive(bytes, budget, findings);
  return members === null ? null : { ...NOTHING, members };
};

const packedFile: SecondLook = ({ bytes, untrustedName, budget, findings }) => ({
  ...NOTHING,
  members: readPackedFile(bytes, untrustedName, budget, findings),
});

const media: SecondLook = ({ bytes, findings }) => {
  if (findings !== null) inspectMedia(bytes, findings);
  return { ...NOTHING, units: { kind: 'samples', count: countMedia(bytes) } };
};

export const SECOND_LOOKS: Readonly<Record<SecondLookName, SecondLook>> = {
  text: words((bytes, tally, findings) => readPlainText(decodeLines(bytes), tally, findings)),
  page,
  svg: words(readSvg),
  table: words((bytes, tally, findings) => readTable(decodeLines(bytes), tally, findings)),
  calendar: words((bytes, tally, findings) => readCalendar(decodeLines(bytes), tally, findings)),
  xml: words(readXmlData),
  picture,
  pdf,
  'rich-text': richText,
  office: officePackage,
  'legacy-office': legacyOffice,
  'open-document': openDocument,
  mail,
  'archived-pages': archivedPages,
  archive,
  media,
  map,
  'packed-map': packedMap,
  book,
  'fixed-pages': fixedPages,
  'packed-file': packedFile,
  metafile,
  'flat-package': flatPackage,
  'binary-workbook': binaryWorkbook,
  'spreadsheet-xml': workbookInXml,
  'word-xml': documentInXml,
  'outlook-message': outlookMessage,
};
