/** The closed list of the types that each type may become. A result of any other type was not made from its input. */
import { type DisarmedType, disarmOf, isDisarmedType } from '../../formats/file-types.ts';
import type { DisarmName } from '../../formats/type-table.ts';

const OFFICE_FAMILY =
  /^application\/vnd\.(?:openxmlformats-officedocument\.|ms-)(word|spreadsheet|excel|presentation|powerpoint|visio)/;

/** The output types of each module that writes another type than it takes. */
const CONVERSIONS: Readonly<Partial<Record<DisarmName, DisarmedType>>> = {
  source: 'text/plain',
  msg: 'message/rfc822',
  tnef: 'message/rfc822',
  mht: 'text/html',
  'spreadsheet-xml': 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  xhtml: 'text/html',
  archive: 'application/zip',
  gzip: 'application/zip',
  // One of Excel 5 or 95.
  xls: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  'word-xml': 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  'binary-workbook': 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
};
const SAME_PROGRAM: Readonly<Record<string, string>> = { excel: 'spreadsheet', powerpoint: 'presentation' };

/** Returns whether a disarm of one type can give the other type. */
export function canBecome(original: string, result: string): boolean {
  if (!isDisarmedType(result)) return false;
  if (original === result) return true;
  const module = disarmOf(original);
  if (module === 'image') return disarmOf(result) === 'image';
  if (module === 'office') return programOf(original) === programOf(result);
  if (module === 'iwork')
    return original === 'application/vnd.apple.iwork.pdf' ? result === 'application/pdf' : disarmOf(result) === 'image';
  // An encrypted file, and a package in XML, can contain a document of any program.
  if (module === 'encrypted' || module === 'flat-package') return programOf(result) !== null;
  return module !== null && CONVERSIONS[module] === result;
}

/** Returns the program of an Office Open XML type, with or without macros. */
function programOf(type: string): string | null {
  const word = disarmOf(type) === 'office' ? (OFFICE_FAMILY.exec(type)?.[1] ?? null) : null;
  return word === null ? null : (SAME_PROGRAM[word] ?? word);
}
