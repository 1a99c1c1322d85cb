/**
 * Decides whether the documents that a PDF opens lie beside it: a manual of several files has such links (ISO 32000-1, 12.6.4.3 and
 * 12.6.4.5). A path to another machine makes Windows send its password there.
 */
import { decodeText } from './scripts.ts';
import {
  dictionariesIn,
  entriesOf,
  type NumberedObject,
  ObjectValues,
  OncePerReference,
  type PdfDictionary,
  type PdfValue,
  valuesOf,
} from './values.ts';

/** A relative path to a PDF: no drive, no machine, no scheme, no root, and no byte order mark in front of one. */
const NEAR_DOCUMENT = /^(?![/\s]|ï»¿)(?:[^\\:%\p{Cc}]|%(?!\w)){1,400}\.pdf$/iu;
const FILE_KEYS = ['F', 'UF', 'DOS', 'Mac', 'Unix'];

/** Returns true when each action that opens another document names a PDF that lies beside this one. */
export function opensOnlyNearDocuments(objects: readonly NumberedObject[]): boolean {
  const all = new ObjectValues(objects);
  const judged = new OncePerReference<boolean>();
  return objects.every((object) => {
    if (!/GoToR|Launch|#/.test(object.text)) return true;
    const values = valuesOf(object);
    if (values === null) return false;
    const actions = dictionariesIn(values).filter((one) => entriesOf(one, 'S').some(isOpening));
    return values.every((one) => !isOpening(one)) && actions.every((action) => opensNear(action, all, judged));
  });
}

const isOpening = (value: PdfValue): boolean =>
  value.kind === 'name' && (value.value === 'GoToR' || value.value === 'Launch');

function opensNear(action: PdfDictionary, all: ObjectValues, judged: OncePerReference<boolean>): boolean {
  const files = entriesOf(action, 'F');
  const hasCommand = ['Win', 'Mac', 'Unix'].some((key) => entriesOf(action, key).length > 0);
  return !hasCommand && files.length > 0 && files.every((file) => judged.once(file, () => areNear(all.resolve(file))));
}

/** Returns true when all versions of a file specification are near. There is at least one. */
function areNear(versions: readonly PdfValue[] | null): boolean {
  if (versions === null || versions.length === 0) return false;
  return versions.every((file) => (file.kind === 'dictionary' ? isNearFile(file) : isNearPath(file)));
}

function isNearFile(file: PdfDictionary): boolean {
  const paths = FILE_KEYS.flatMap((key) => entriesOf(file, key));
  return paths.length > 0 && paths.every(isNearPath) && entriesOf(file, 'FS').length === 0;
}

const isNearPath = (value: PdfValue): boolean => value.kind === 'string' && NEAR_DOCUMENT.test(decodeText(value.value));
