/** Checks whether a value has the type that its key requires, also behind references and in arrays. */
import {
  PdfArray,
  PdfBool,
  PdfDict,
  PdfName,
  PdfNull,
  PdfNumber,
  type PdfObject,
  PdfStream,
  PdfString,
} from '@libpdf/core';
import { follow, nameAt, type Resolve } from './judge.ts';
import { isCharacterMap, isFontProgram } from './programs.ts';
import type { ValueType } from './value-types.ts';

/** The greatest depth of colour spaces in colour spaces and arrays in arrays. Real ones have three levels. */
const MAX_DEPTH = 8;

/** Returns whether the value has the type. A missing value has every type, because readers treat it as absent. */
export function isOfType(value: PdfObject | undefined, type: ValueType, resolve: Resolve): boolean {
  const object = follow(value, resolve);
  if (object === null || object instanceof PdfNull) return true;
  if (object instanceof PdfArray && type.items !== null) {
    const isLength = type.lengths.length === 0 || type.lengths.includes(object.length);
    if (isLength && areItems(object, type.items, type.isNested, resolve, 0)) return true;
  }
  return isOneOf(object, type.own, resolve, 0);
}

function areItems(array: PdfArray, kinds: string, isNested: boolean, resolve: Resolve, depth: number): boolean {
  if (depth > MAX_DEPTH) return false;
  const hasNumbers = kinds.includes('n');
  // This loop uses an index, because the library iterates by a generator, and most values by far are coordinates and widths.
  for (let index = 0; index < array.length; index += 1) {
    const each = array.at(index);
    if (hasNumbers && each instanceof PdfNumber) continue;
    const item = follow(each, resolve);
    if (item === null || item instanceof PdfNull) continue;
    const isItem =
      item instanceof PdfArray && isNested
        ? areItems(item, kinds, true, resolve, depth + 1)
        : isOneOf(item, kinds, resolve, depth);
    if (!isItem) return false;
  }
  return true;
}

function isOneOf(object: PdfObject, kinds: string, resolve: Resolve, depth: number): boolean {
  for (const kind of kinds) if (isKind(object, kind, resolve, depth)) return true;
  return false;
}

function isKind(object: PdfObject, kind: string, resolve: Resolve, depth: number): boolean {
  switch (kind) {
    case 'b':
      return object instanceof PdfBool;
    case 'n':
      return object instanceof PdfNumber;
    case 'N':
      return object instanceof PdfName;
    case 's':
      return object instanceof PdfString;
    case 'd':
      return object instanceof PdfDict && !(object instanceof PdfStream);
    case 'S':
      return object instanceof PdfStream;
    case 'p':
      return object instanceof PdfStream && nameAt(object, 'Subtype', resolve) === 'Image';
    case 'm':
      return object instanceof PdfDict && /^(?:Alpha|Luminosity)$/.test(nameAt(object, 'S', resolve));
    case 'C':
      return isColourSpace(object, resolve, depth);
    case 'F':
      return object instanceof PdfDict && isFunction(object, resolve);
    case 'M':
      return object instanceof PdfStream && isCharacterMap(object);
    case 'T':
      return object instanceof PdfStream && isFontProgram(object);
    default:
      return false;
  }
}

/** Checks functions of types 0, 2, 3 and 4 (ISO 32000-2, 7.10). A program, type 4, is refused as a stream when it is invalid. */
function isFunction(dict: PdfDict, resolve: Resolve): boolean {
  const type = follow(dict.get('FunctionType'), resolve);
  if (!(type instanceof PdfNumber)) return false;
  return dict instanceof PdfStream ? type.value === 0 || type.value === 4 : type.value === 2 || type.value === 3;
}

/** The values after the name in the array of a family of colour spaces (ISO 32000-2, 8.6), by the letters of value-types. */
const FAMILIES: Readonly<Record<string, readonly string[]>> = {
  DeviceGray: [],
  DeviceRGB: [],
  DeviceCMYK: [],
  G: [],
  RGB: [],
  CMYK: [],
  CalGray: ['d'],
  CalRGB: ['d'],
  CalCMYK: ['d'],
  Lab: ['d'],
  ICCBased: ['S'],
  Indexed: ['C', 'n', 'sS'],
  I: ['C', 'n', 'sS'],
  Pattern: ['C'],
  Separation: ['N', 'C', 'F'],
  DeviceN: ['L', 'C', 'F', 'd'],
};

function isColourSpace(object: PdfObject, resolve: Resolve, depth: number): boolean {
  if (object instanceof PdfName) return true;
  if (!(object instanceof PdfArray) || depth > MAX_DEPTH) return false;
  const [family, ...rest] = [...object].map((each) => follow(each, resolve));
  const kinds = family instanceof PdfName ? FAMILIES[family.value] : undefined;
  if (kinds === undefined || rest.length > kinds.length) return false;
  return rest.every((item, index) => {
    if (item === null || item instanceof PdfNull) return true;
    const kind = kinds[index] ?? '';
    if (kind === 'L') return item instanceof PdfArray && areItems(item, 'N', false, resolve, depth + 1);
    return isOneOf(item, kind, resolve, depth + 1);
  });
}
