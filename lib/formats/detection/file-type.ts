/**
 * What a file is, for policy: decided from the bytes and every claimed name together. Fails closed: a group that is kept or
 * disarmed lightly is only given when nothing contradicts it.
 */

import { END_BYTES, endRecords } from '../archives/zip-records.ts';
import { asBuffer } from '../byte-scan.ts';
import type { FileGroup } from '../file-groups.ts';
import { hasPdfHeader, latin1 } from '../signatures.ts';
import { COMPOUND_MAGIC, typeOfCompoundFile, typeOfZip } from './file-containers.ts';
import { typeOfData } from './file-data.ts';
import { dangerOfDeclared, dangerOfHeader, saysNothing } from './file-declared.ts';
import { type FileHints, type FileType, PDF, typeBySignature } from './file-magic.ts';
import { areAllCalled, dangerOfNames, hasExtension } from './file-names.ts';
import { asText, isCalledPage, typeOfText } from './file-text.ts';

/** What a rich text document may be called, so that nobody takes it for lines of settings. */
const RICH_TEXT_NAMES = /^(?:|rtf|docx?|dot|wri|txt|text|bin|dat|tmp)$/;

/** Groups whose disarm builds the file anew, so that a second format hidden in it is lost. */
const REBUILT: ReadonlySet<FileGroup> = new Set(['pdf', 'image', 'office']);
/** Rebuilt as well, but text all the same: what is appended to it would not be lost. */
const KEEPS_ITS_END = 'image/svg+xml';

/** Groups of files that are run or opened by something that acts, the worst first. */
const DANGERS: readonly FileGroup[] = ['executable', 'script', 'other'];

/**
 * Identifies a file. `detectedType` is a MIME type and `extension` one to eight of [a-z0-9], both from closed lists. A dangerous
 * name or declared type forces `executable`, `script` or `other` whatever the bytes say; of several the most dangerous counts.
 */
export function identifyFile(bytes: Uint8Array, hints: FileHints): FileType {
  const data = typeOfData(bytes, hints);
  const found = data === null ? typeOfContent(bytes, hints) : withoutPolyglots(data, bytes);
  const header = dangerOfHeader(hints.untrustedHeader ?? '');
  const claimed =
    data === null ? [header, dangerOfNames(hints.untrustedNames), dangerOfDeclared(hints.declaredType)] : [header];
  const danger = DANGERS.find((group) => found.typeGroup === group || claimed.includes(group));
  // Named after the file it stands beside (`._a.csv`), and nothing that a program for such files could read.
  if (danger === 'other' && isBesideFile(found)) return found;
  return danger === undefined ? found : { ...found, typeGroup: danger };
}

function typeOfContent(bytes: Uint8Array, hints: FileHints): FileType {
  if (bytes.length === 0) return typeOfNothing(hints);
  // A body is shown, never opened by its first bytes: a text that starts with `MZ` is a text.
  if (hints.role === 'body' && asText(bytes) !== null) return typeOfText(bytes, hints);
  const found = typeOfBytes(bytes, hints);
  if (found === null) return withoutPolyglots(typeOfText(bytes, hints), bytes);
  // A browser opens by name what an engine would take for a picture: the two must not disagree.
  return isCalledPage(hints) && found.typeGroup !== 'executable'
    ? { ...found, typeGroup: 'other' }
    : withoutPolyglots(found, bytes);
}

/** By its signature, which no text begins with. */
const isBesideFile = ({ detectedType }: FileType) => detectedType === 'application/applefile';

/** What an empty file may be called to be one of a group. */
const EMPTY_KINDS: readonly { readonly typeGroup: FileGroup; readonly names: RegExp; readonly declared: RegExp }[] = [
  { typeGroup: 'pdf', names: /^pdf$/, declared: /^application\/(?:x-)?pdf$/ },
  {
    typeGroup: 'image',
    names: /^(?:png|jpe?g|gif|webp|tiff?|bmp)$/,
    declared: /^image\/(?:png|jpe?g|gif|webp|tiff|bmp)$/,
  },
  {
    typeGroup: 'office',
    names: /^(?:doc|xls|ppt)x?$/,
    declared: /^application\/(?:msword|vnd\.(?:ms-(?:excel|powerpoint|word)|openxmlformats-officedocument)(?:\..*)?)$/,
  },
];

/** An empty file is nothing but its name and its declared type. */
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
  if (signed?.detectedType === 'application/zip') return typeOfZip(bytes);
  // It is text in every byte: what is not called a document is read by its program line by line.
  if (signed?.detectedType === 'application/rtf' && !areAllCalled(hints.untrustedNames, RICH_TEXT_NAMES))
    return { ...signed, typeGroup: 'other' };
  if (!hasPdfHeader(bytes)) return signed;
  // Behind the first bytes of a picture, a PDF is opened as what it is called.
  const isCalledPdf = hints.declaredType === PDF.detectedType || hasExtension(hints.untrustedNames, 'pdf');
  return signed === null || (isCalledPdf && signed.typeGroup === 'image') ? PDF : signed;
}

/** A file of two formats is what its reader takes it for. Only a disarm that builds anew makes it one. */
function withoutPolyglots(found: FileType, bytes: Uint8Array): FileType {
  const isRebuilt = REBUILT.has(found.typeGroup) && found.detectedType !== KEEPS_ITS_END;
  if (isRebuilt || found.typeGroup === 'executable') return found;
  // A message ends with its last attachment, which may well be a zip.
  if (found.typeGroup === 'email') return found;
  const isZip = found.typeGroup === 'archive' && /^PK/.test(latin1(bytes, 0, 2));
  const hasSecond = (found !== PDF && hasPdfHeader(bytes)) || (!isZip && hasZipEnd(bytes));
  return hasSecond ? { ...found, typeGroup: 'other' } : found;
}

/** An end record that is followed by nothing but its comment, as archive programs ask for; prose about zips has none. */
function hasZipEnd(bytes: Uint8Array): boolean {
  return [...endRecords(asBuffer(bytes))].some(
    ({ at, commentLength }) => at + END_BYTES + commentLength <= bytes.length,
  );
}
