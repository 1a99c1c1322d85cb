/**
 * Detects the type of a file for policy, from its bytes, its declared type and all of its claimed names. Gives a group that policy may keep
 * only when nothing contradicts it.
 */
import { readZipDirectory, readZipMember } from '../archives/zip-directory.ts';
import { END_BYTES, endRecords, METHOD } from '../archives/zip-records.ts';
import { asBuffer } from '../byte-scan.ts';
import { deliveredText } from '../charsets/stained-text.ts';
import type { FileGroup } from '../file-groups.ts';
import { hasPdfHeader, latin1 } from '../signatures.ts';
import { COMPOUND_MAGIC, typeOfCompoundFile, typeOfZip } from './file-containers.ts';
import { typeOfData } from './file-data.ts';
import { dangerOfDeclared, dangerOfHeader, saysNothing } from './file-declared.ts';
import { type FileHints, type FileType, PDF, typeBySignature, UNKNOWN } from './file-magic.ts';
import { areAllCalled, dangerOfNames, hasExtension } from './file-names.ts';
import { typeOfSource } from './file-source.ts';
import { asText, isCalledPage, typeOfText } from './file-text.ts';

/** Extensions that a rich text document may have. Programs for other names may read its lines as settings. */
const RICH_TEXT_NAMES = /^(?:|rtf|docx?|dot|wri|txt|text|bin|dat|tmp)$/;

/** Groups whose disarm builds the file anew, so that a second format in it is lost. */
const REBUILT: ReadonlySet<FileGroup> = new Set(['pdf', 'image', 'office']);
/** This type is also rebuilt, but it is text, so bytes after its end would not be lost. */
const KEEPS_ITS_END = 'image/svg+xml';

/** Their disarm always writes a new zip of their members. A second format therefore belongs to a member, or is lost. */
const WRITTEN_AS_ZIP = /^application\/(?:x-tar|x-7z-compressed|vnd\.rar|x-bzip2|x-xz)$/;

/** Bytes in which PDF readers look for the header, and more members than can begin in them. */
const NEAR_BYTES = 1_024;
const NEAR_MEMBERS = 40;

/** Types that are a zip by themselves. */
const ZIPS = /^application\/(?:zip|vnd\.google-earth\.kmz)$/;

/** Groups of files that are run, or that a program acts on, the most dangerous first. */
const DANGERS: readonly FileGroup[] = ['executable', 'script', 'other'];

/**
 * Identifies a file. `detectedType` is a MIME type and `extension` one to eight of [a-z0-9], both from closed lists. A dangerous name or
 * declared type forces `executable`, `script` or `other`, for any bytes. The most dangerous of several types counts.
 */
export function identifyFile(bytes: Uint8Array, hints: FileHints): FileType {
  const data = typeOfData(bytes, hints) ?? sourceOfOneFormat(bytes, hints);
  const found = data === null ? typeOfContent(bytes, hints) : withoutPolyglots(data, bytes, hints);
  const header = dangerOfHeader(hints.untrustedHeader ?? '');
  const claimed =
    data === null ? [header, dangerOfNames(hints.untrustedNames), dangerOfDeclared(hints.declaredType)] : [header];
  const danger = DANGERS.find((group) => found.typeGroup === group || claimed.includes(group));
  // The file has the name of the file beside it (`._a.csv`), but no program for such files can read it.
  if (danger === 'other' && isBesideFile(found)) return found;
  return danger === undefined ? found : { ...found, typeGroup: danger };
}

/**
 * Identifies a part of a message. A text with a few control bytes counts as the text that is delivered for it (`deliveredText`), if that is
 * plain text by its content, its names and its header. Any other result is that of `identifyFile`.
 */
export function identifyPart(bytes: Uint8Array, hints: FileHints): FileType {
  const found = identifyFile(bytes, hints);
  if (found.detectedType !== UNKNOWN.detectedType) return found;
  const text = deliveredText(bytes);
  const type = text === null ? found : identifyFile(text, hints);
  return type.detectedType === 'text/plain' && type.typeGroup === 'text' ? type : found;
}

/** Source code of two formats is judged by its name, as if it were none. */
function sourceOfOneFormat(bytes: Uint8Array, hints: FileHints): FileType | null {
  const found = typeOfSource(bytes, hints);
  return found !== null && withoutPolyglots(found, bytes, hints) === found ? found : null;
}

function typeOfContent(bytes: Uint8Array, hints: FileHints): FileType {
  if (bytes.length === 0) return typeOfNothing(hints);
  // A body is shown and never opened by its first bytes, so a text that starts with `MZ` is a text.
  if (hints.role === 'body' && asText(bytes) !== null) return typeOfText(bytes, hints);
  const found = typeOfBytes(bytes, hints);
  if (found === null) return withoutPolyglots(typeOfText(bytes, hints), bytes, hints);
  // A browser opens the file by its name, and an engine by its bytes. If they disagree, the file does not count as a picture.
  return isCalledPage(hints) && found.typeGroup !== 'executable'
    ? { ...found, typeGroup: 'other' }
    : withoutPolyglots(found, bytes, hints);
}

/** Returns true for a resource fork of macOS. No text begins with its signature. */
const isBesideFile = ({ detectedType }: FileType) => detectedType === 'application/applefile';

/** Names and declared types by which an empty file belongs to a group. */
const EMPTY_KINDS: readonly { readonly typeGroup: FileGroup; readonly names: RegExp; readonly declared: RegExp }[] = [
  { typeGroup: 'pdf', names: /^pdf$/, declared: /^application\/(?:x-)?pdf$/ },
  {
    typeGroup: 'image',
    names: /^(?:a?png|jpe?g|gif|webp|tiff?|bmp)$/,
    declared: /^image\/(?:a?png|jpe?g|gif|webp|tiff|bmp)$/,
  },
  {
    typeGroup: 'office',
    names: /^(?:doc|xls|ppt)x?$/,
    declared: /^application\/(?:msword|vnd\.(?:ms-(?:excel|powerpoint|word)|openxmlformats-officedocument)(?:\..*)?)$/,
  },
];

/** Returns the type of an empty file, by its name and its declared type. */
function typeOfNothing(hints: FileHints): FileType {
  const { untrustedNames, declaredType } = hints;
  const isNamed = saysNothing(declaredType) && untrustedNames.length > 0;
  const kind = EMPTY_KINDS.find(
    ({ names, declared }) => (isNamed || declared.test(declaredType)) && areAllCalled(untrustedNames, names),
  );
  return kind === undefined
    ? typeOfText(new Uint8Array(), hints)
    : { detectedType: 'application/x-empty', extension: 'bin', typeGroup: kind.typeGroup };
}

function typeOfBytes(bytes: Uint8Array, hints: FileHints): FileType | null {
  if (latin1(bytes, 0, 8) === COMPOUND_MAGIC) return typeOfCompoundFile(bytes);
  const signed = typeBySignature(bytes);
  if (signed?.detectedType === 'application/zip') return typeOfZip(bytes, hints);
  // RTF is text. A program for another name may read it line by line.
  if (signed?.detectedType === 'application/rtf' && !areAllCalled(hints.untrustedNames, RICH_TEXT_NAMES))
    return { ...signed, typeGroup: 'other' };
  if (!hasPdfHeader(bytes)) return signed;
  // A PDF after the first bytes of a picture is opened as PDF if its name says so.
  const isCalledPdf = hints.declaredType === PDF.detectedType || hasExtension(hints.untrustedNames, 'pdf');
  return signed === null || (isCalledPdf && signed.typeGroup === 'image') ? PDF : signed;
}

/**
 * Returns the type of a file, or the group `other` for a file of two formats. Only a disarm that builds the file anew removes the second
 * format.
 */
function withoutPolyglots(found: FileType, bytes: Uint8Array, hints: FileHints): FileType {
  const isRebuilt =
    (REBUILT.has(found.typeGroup) && found.detectedType !== KEEPS_ITS_END) || WRITTEN_AS_ZIP.test(found.detectedType);
  if (isRebuilt || found.typeGroup === 'executable') return found;
  // A message ends with its last attachment, which may be a zip.
  if (found.typeGroup === 'email') return found;
  const isZip = ZIPS.test(found.detectedType) && /^PK/.test(latin1(bytes, 0, 2));
  const hasPdf = found !== PDF && hasPdfHeader(bytes) && !(isZip && isPdfOfMember(bytes, hints));
  const hasSecond = hasPdf || (!isZip && hasZipEnd(bytes));
  return hasSecond ? { ...found, typeGroup: 'other' } : found;
}

/**
 * Returns true for a zip by its names whose only PDF header near the start begins a member that is stored as it is. Programs open such a
 * file as the archive that its name says, and the PDF in it is judged as a member.
 */
function isPdfOfMember(bytes: Uint8Array, { untrustedNames, declaredType }: FileHints): boolean {
  if (declaredType === PDF.detectedType || !areAllCalled(untrustedNames, /^zip$/)) return false;
  const headers = [...latin1(bytes, 0, NEAR_BYTES).matchAll(/%PDF-/g)];
  const members = readZipDirectory(bytes, NEAR_MEMBERS)?.members ?? [];
  const stored = members.filter(({ method }) => method === METHOD.stored);
  const contents = stored.map((member) => readZipMember(bytes, member, bytes.length) ?? new Uint8Array());
  const pdfs = contents.filter((content) => latin1(content, 0, 5) === '%PDF-');
  return headers.every(({ index }) => pdfs.some(({ byteOffset }) => byteOffset === bytes.byteOffset + index));
}

/** Returns true for an end record whose comment ends within the file. Prose about zips has none. */
function hasZipEnd(bytes: Uint8Array): boolean {
  return [...endRecords(asBuffer(bytes))].some(
    ({ at, commentLength }) => at + END_BYTES + commentLength <= bytes.length,
  );
}
