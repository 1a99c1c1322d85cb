/** The actions that may happen when a PDF opens, and when somebody clicks. */
import { PdfArray, PdfDict, PdfName, PdfNull, PdfNumber, type PdfObject } from '@libpdf/core';
import { follow, isAction, nameAt, type Resolve } from './judge.ts';

/** Judges the action when a document opens. It may jump to a place in the document, and nothing else. */
export function isQuietOpening(value: PdfObject, resolve: Resolve): boolean {
  const target = follow(value, resolve);
  if (target instanceof PdfArray) return isPlace(target, resolve);
  return target instanceof PdfDict && nameAt(target, 'S', resolve) === 'GoTo';
}

/** Judges an explicit destination (ISO 32000-2, 12.3.2.2): a page, then a name and numbers. */
function isPlace(list: PdfArray, resolve: Resolve): boolean {
  const [page, ...view] = [...list].map((item) => follow(item, resolve));
  const isView = view.every(
    (item) => item === null || item instanceof PdfName || item instanceof PdfNumber || item instanceof PdfNull,
  );
  return isView && (page instanceof PdfNumber || (page instanceof PdfDict && !isAction(page, resolve)));
}

/**
 * Returns whether /A is an action. In an annotation or outline entry it is one. A structure element keeps its attributes there, and these
 * have an owner (/O).
 */
export function isQuietActivation(dict: PdfDict, value: PdfObject, resolve: Resolve): boolean {
  const target = follow(value, resolve);
  if (!(target instanceof PdfDict) || isAction(target, resolve)) return true;
  return !dict.has('Rect') && !dict.has('Title') && !target.has('S');
}
