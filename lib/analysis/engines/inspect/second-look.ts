/**
 * Which reader looks at which type a second time: a closed table. A type that a disarm can write and that has no row here does not
 * compile; a file of any other type, handed out or in a container, is the finding `no-second-look`.
 */
import { type DisarmedType, isDisarmedType } from '../../../formats/disarmed-types.ts';
import { type ArchiveFile, readArchive } from './archive.ts';
import type { Findings, Units } from './fact.ts';
import { decodePage, readPage } from './html.ts';
import { readLegacyOffice } from './legacy-office.ts';
import { readMessage } from './mail.ts';
import { readOpenDocument, readSvg, readXmlData } from './markup.ts';
import { countPackage, inspectPackage } from './office.ts';
import { searchPdf } from './pdf.ts';
import { readPdfObjects } from './pdf-objects.ts';
import { inspectPicture } from './picture.ts';
import { picturesInPackage, picturesInPage, picturesInRichText } from './picture-count.ts';
import { decodeLines, readCalendar, readPlainText, readTable } from './plain-formats.ts';
import { readRtf } from './rtf.ts';
import type { WordTally } from './word-tally.ts';
import type { InflateBudget } from './zip-scan.ts';

/** A file in a container. Its name is untrusted. */
export type Member = ArchiveFile;

export interface Count {
  readonly units: Units | null;
  /** Null for what holds none by its format. */
  readonly pictures: number | null;
  /** The files of a container; null for everything else. */
  readonly members: readonly Member[] | null;
}

export interface Reading {
  readonly bytes: Uint8Array;
  /** Takes the words that readers see. */
  readonly tally: WordTally;
  readonly budget: InflateBudget;
  /** Null to count only, and tolerantly; else what must not be there is added. */
  readonly findings: Findings | null;
}

/** Null when the file cannot be counted: it is encrypted, damaged, or something else. */
type SecondLook = (reading: Reading) => Count | null;

const NOTHING: Count = { units: null, pictures: null, members: null };
type Reader = (bytes: Uint8Array, tally: WordTally, findings: Findings | null) => void;

const words =
  (read: Reader): SecondLook =>
  ({ bytes, tally, findings }) => {
    read(bytes, tally, findings);
    return NOTHING;
  };
const text = words((bytes, tally, findings) => readPlainText(decodeLines(bytes), tally, findings));
const calendar = words((bytes, tally, findings) => readCalendar(decodeLines(bytes), tally, findings));

const page: SecondLook = ({ bytes, tally, findings }) => {
  const html = decodePage(bytes);
  readPage(html, tally, findings);
  return { ...NOTHING, pictures: picturesInPage(html) };
};

const richText: SecondLook = ({ bytes, tally, findings }) => {
  readRtf(bytes, tally, findings);
  return { ...NOTHING, pictures: picturesInRichText(bytes) };
};

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
  return count === null ? null : { ...NOTHING, units: count.units };
};

/** Pages and words are compared by a reader of two files at once (inspect.ts). */
const pdf: SecondLook = ({ bytes, findings }) => {
  if (findings !== null) searchPdf(readPdfObjects(bytes), bytes, findings);
  return NOTHING;
};

const mail: SecondLook = ({ bytes, tally, findings }) => ({
  ...NOTHING,
  members: readMessage(bytes, tally, findings),
});

const archive: SecondLook = ({ bytes, budget, findings }) => {
  const members = readArchive(bytes, budget, findings);
  return members === null ? null : { ...NOTHING, members };
};

const SECOND_LOOKS = {
  'text/plain': text,
  'application/json': text,
  'text/html': page,
  'application/xhtml+xml': page,
  'text/xml': words(readXmlData),
  'text/csv': words((bytes, tally, findings) => readTable(decodeLines(bytes), tally, findings)),
  'text/calendar': calendar,
  'text/vcard': calendar,
  'image/svg+xml': words(readSvg),
  'image/png': picture,
  'image/jpeg': picture,
  'image/gif': picture,
  'image/webp': picture,
  'image/tiff': picture,
  'image/bmp': picture,
  'application/pdf': pdf,
  'application/rtf': richText,
  'application/msword': legacyOffice,
  'application/vnd.ms-excel': legacyOffice,
  'application/vnd.ms-powerpoint': legacyOffice,
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': officePackage,
  'application/vnd.openxmlformats-officedocument.wordprocessingml.template': officePackage,
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': officePackage,
  'application/vnd.openxmlformats-officedocument.spreadsheetml.template': officePackage,
  'application/vnd.openxmlformats-officedocument.presentationml.presentation': officePackage,
  'application/vnd.openxmlformats-officedocument.presentationml.slideshow': officePackage,
  'application/vnd.openxmlformats-officedocument.presentationml.template': officePackage,
  'application/vnd.oasis.opendocument.text': openDocument,
  'application/vnd.oasis.opendocument.text-template': openDocument,
  'application/vnd.oasis.opendocument.text-master': openDocument,
  'application/vnd.oasis.opendocument.spreadsheet': openDocument,
  'application/vnd.oasis.opendocument.spreadsheet-template': openDocument,
  'application/vnd.oasis.opendocument.presentation': openDocument,
  'application/vnd.oasis.opendocument.presentation-template': openDocument,
  'application/vnd.oasis.opendocument.graphics': openDocument,
  'application/vnd.oasis.opendocument.graphics-template': openDocument,
  'application/vnd.oasis.opendocument.text-flat-xml': openDocument,
  'application/vnd.oasis.opendocument.spreadsheet-flat-xml': openDocument,
  'application/vnd.oasis.opendocument.presentation-flat-xml': openDocument,
  'application/vnd.oasis.opendocument.graphics-flat-xml': openDocument,
  'message/rfc822': mail,
  'application/zip': archive,
} as const satisfies Record<DisarmedType, SecondLook>;

/** Types that are read like one of the table when they are an original; they are never written. */
const READ_LIKE: readonly (readonly [RegExp, SecondLook])[] = [
  [/^application\/vnd\.ms-(?:word|excel|powerpoint)\..*macroenabled/, officePackage],
  [/^multipart\/related$/, mail],
  [/^application\/x-spreadsheetml$/, words(readXmlData)],
];

/** The reader for a file that a disarm wrote; null when there is none. */
export function secondLookOf(type: string): SecondLook | null {
  return isDisarmedType(type) ? SECOND_LOOKS[type] : null;
}

/** The reader that counts an original; null when there is none. */
export function countOf(type: string): SecondLook | null {
  return secondLookOf(type) ?? READ_LIKE.find(([pattern]) => pattern.test(type))?.[1] ?? null;
}
