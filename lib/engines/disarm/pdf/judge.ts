/**
 * Judges one PDF object by its content, never by the object that points at it. It can be reached over several keys, and an attacker chooses
 * the first one. Everything that refers to a refused object is treated as if the object were absent.
 */
import { PdfArray, PdfDict, PdfName, PdfNumber, type PdfObject, PdfRef, PdfStream, PdfString } from '@libpdf/core';
import { isSafeLink } from '../safe-links.ts';
import { isCalculatorProgram } from './programs.ts';
import { ACTION_KEYS, ANNOTATIONS, DENIED_ACTIONS, DENIED_ANNOTATIONS, FILTERS, NAMED_ACTIONS } from './rules.ts';

/** A limit against endless chains of references to references. */
const MAX_REFERENCE_CHAIN = 16;

/** Keys under which a file specification holds its file, one per operating system (ISO 32000-2, 7.11.4). */
const FILE_KEYS = ['F', 'UF', 'DOS', 'Mac', 'Unix'];

export type Resolve = (ref: PdfRef) => PdfObject | null;

/** Returns the object at the end of a chain of references; null when there is none. */
export function follow(object: PdfObject | undefined, resolve: Resolve): PdfObject | null {
  let current: PdfObject | null = object ?? null;
  for (let step = 0; current instanceof PdfRef; step += 1) {
    if (step === MAX_REFERENCE_CHAIN) return null;
    current = resolve(current);
  }
  return current;
}

/** Returns the name under a key of a dictionary, '' when there is none. */
export function nameAt(dict: PdfDict, key: string, resolve: Resolve): string {
  const value = follow(dict.get(key), resolve);
  return value instanceof PdfName ? value.value : '';
}

/** Returns the reason why an object must not be in the output, in the report's words; null when it may be. */
export function refusal(object: PdfObject, resolve: Resolve): string | null {
  if (!(object instanceof PdfDict)) return null;
  if (object instanceof PdfStream) {
    const kind = streamRefusal(object, resolve);
    if (kind !== null) return kind;
  }
  return actionRefusal(object, resolve) ?? annotationRefusal(object, resolve) ?? fileRefusal(object, resolve);
}

function streamRefusal(stream: PdfStream, resolve: Resolve): string | null {
  // The bytes of such a stream are in another file, which the reader would fetch.
  if (stream.has('F') || stream.has('FFilter') || stream.has('FDecodeParms')) return 'external stream';
  if (nameAt(stream, 'Subtype', resolve) === 'PS' || nameAt(stream, 'Subtype2', resolve) === 'PS') return 'PostScript';
  const functionType = follow(stream.get('FunctionType'), resolve);
  if (functionType instanceof PdfNumber && functionType.value === 4 && !isCalculatorProgram(stream))
    return 'PostScript';
  if (/^(ObjStm|XRef|EmbeddedFile|Metadata)$/.test(nameAt(stream, 'Type', resolve))) return 'misplaced stream';
  return filterNames(stream, resolve).every((name) => FILTERS.has(name)) ? null : 'stream with an unknown filter';
}

/** Returns the filters of a stream, in order. An odd entry gives ''. */
export function filterNames(stream: PdfStream, resolve: Resolve): readonly string[] {
  const filter = follow(stream.get('Filter'), resolve);
  if (filter === null || filter.type === 'null') return [];
  const all = filter instanceof PdfArray ? filter.toArray() : [filter];
  return all.map((each) => {
    const name = follow(each, resolve);
    return name instanceof PdfName ? name.value : '';
  });
}

/** Returns whether the dictionary is an action: by its own type, or because /S names one of the standard actions. */
export function isAction(dict: PdfDict, resolve: Resolve): boolean {
  const kind = nameAt(dict, 'S', resolve);
  return nameAt(dict, 'Type', resolve) === 'Action' || ACTION_KEYS.has(kind) || DENIED_ACTIONS.has(kind);
}

function actionRefusal(dict: PdfDict, resolve: Resolve): string | null {
  if (!isAction(dict, resolve)) return null;
  const kind = nameAt(dict, 'S', resolve);
  if (!ACTION_KEYS.has(kind)) return DENIED_ACTIONS.get(kind) ?? 'unknown action';
  if (kind === 'Named' && !NAMED_ACTIONS.has(nameAt(dict, 'N', resolve))) return 'unknown action';
  if (kind !== 'URI') return null;
  const target = follow(dict.get('URI'), resolve);
  return target instanceof PdfString && isSafeLink(target.asString()) ? null : 'unsafe link';
}

function annotationRefusal(dict: PdfDict, resolve: Resolve): string | null {
  const subtype = nameAt(dict, 'Subtype', resolve);
  const isAnnotation = nameAt(dict, 'Type', resolve) === 'Annot' || (dict.has('Rect') && subtype !== '');
  const denied = DENIED_ANNOTATIONS.get(subtype);
  if (denied !== undefined && (isAnnotation || dict.has('Rect'))) return denied;
  return isAnnotation && !ANNOTATIONS.has(subtype) ? 'unknown annotation' : null;
}

function fileRefusal(dict: PdfDict, resolve: Resolve): string | null {
  const type = nameAt(dict, 'Type', resolve);
  if (/^(Filespec|F|EmbeddedFile)$/.test(type) || holdsFiles(follow(dict.get('EF'), resolve), resolve)) {
    return 'embedded file';
  }
  const isSigned = follow(dict.get('ByteRange'), resolve) instanceof PdfArray;
  return type === 'Sig' || type === 'DocTimeStamp' || isSigned ? 'digital signature' : null;
}

/**
 * Returns true when the value under /EF of a file specification contains files. A font or a colour may have that name, too, so the key
 * alone says nothing.
 */
function holdsFiles(value: PdfObject | null, resolve: Resolve): boolean {
  if (!(value instanceof PdfDict) || value instanceof PdfStream) return false;
  return FILE_KEYS.some((key) => follow(value.get(key), resolve) instanceof PdfStream);
}
