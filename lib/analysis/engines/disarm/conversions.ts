/** Which type may come out of which: a closed list. A result of any other type was not made of what went in. */
import { type DisarmedType, isDisarmedType } from '../../../formats/disarmed-types.ts';

const RASTER = /^image\/(?!svg)/;
const OFFICE_FAMILY =
  /^application\/vnd\.(?:openxmlformats-officedocument\.|ms-)(word|spreadsheet|excel|presentation|powerpoint)/;

/** What each type that is never written comes out as. */
const CONVERSIONS: readonly (readonly [RegExp, DisarmedType])[] = [
  [/^application\/(?:vnd\.ms-outlook|vnd\.ms-tnef)$/, 'message/rfc822'],
  [/^(?:multipart\/related|application\/(?:x-spreadsheetml|xhtml\+xml))$/, 'text/html'],
  [/^application\/(?:x-7z-compressed|vnd\.rar|x-tar|gzip|x-bzip2|x-xz)$/, 'application/zip'],
];
const SAME_PROGRAM: Readonly<Record<string, string>> = { excel: 'spreadsheet', powerpoint: 'presentation' };

/** Whether a disarm of one type can have the other as its result. */
export function canBecome(original: string, result: string): boolean {
  if (!isDisarmedType(result)) return false;
  if (original === result) return true;
  if (RASTER.test(original)) return RASTER.test(result);
  const program = programOf(result);
  if (program !== null && OFFICE_FAMILY.test(original)) return programOf(original) === program;
  // What is encrypted is a document of any program.
  if (original === 'application/encrypted') return program !== null;
  return CONVERSIONS.some(([pattern, type]) => pattern.test(original) && type === result);
}

/** The program of an Office Open XML type, with or without macros. */
function programOf(type: string): string | null {
  const isPackage = /openxmlformats|macroenabled/.test(type);
  const word = isPackage ? (OFFICE_FAMILY.exec(type)?.[1] ?? null) : null;
  return word === null ? null : (SAME_PROGRAM[word] ?? word);
}
