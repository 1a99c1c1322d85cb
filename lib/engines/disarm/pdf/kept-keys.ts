/** Decides by key and value which entries of a dictionary are copied. */
import { PdfArray, PdfDict, type PdfObject, PdfString } from '@libpdf/core';
import { follow, nameAt, type Resolve } from './judge.ts';
import { DENIED_KEYS, METADATA_KEYS } from './rules.ts';
import { isOfType } from './value-check.ts';
import { MAP_VALUE_TYPES, NAMED_VALUE_TYPES, STATE_VALUE_TYPES, VALUE_TYPES, type ValueType } from './value-types.ts';

const UNKNOWN = 'unknown entry';

/** Returns true when an entry is copied, its word in the report when it is removed, and false when it is removed without a report. */
export function keyVerdict(
  dict: PdfDict,
  key: string,
  value: PdfObject,
  allowed: ReadonlySet<string> | null,
  resolve: Resolve,
): true | false | string {
  if (METADATA_KEYS.has(key)) return false;
  const kind = DENIED_KEYS.get(key);
  if (kind !== undefined) return kind;
  if (allowed !== null && !allowed.has(key)) return UNKNOWN;
  const type = typeOf(dict, key, resolve);
  const isKept = type === undefined ? !canCarry(value, resolve) : isOfType(value, type, resolve);
  return isKept || UNKNOWN;
}

/** Judges keys with several meanings, which depend on the kind of dictionary. */
function typeOf(dict: PdfDict, key: string, resolve: Resolve): ValueType | undefined {
  const isState = nameAt(dict, 'Type', resolve) === 'ExtGState';
  const precise = isState ? STATE_VALUE_TYPES : dict.has('Subtype') ? NAMED_VALUE_TYPES : null;
  return precise?.get(key) ?? VALUE_TYPES.get(key);
}

/** Does the same for a dictionary under `mapKey`, whose keys the author chose. */
export function mapVerdict(mapKey: string, value: PdfObject, resolve: Resolve): true | string {
  const type = MAP_VALUE_TYPES.get(mapKey);
  return type === undefined || isOfType(value, type, resolve) || UNKNOWN;
}

/** Returns true for numbers, names and booleans, which contain no content. Programs write many of them for their own use. */
function canCarry(value: PdfObject, resolve: Resolve): boolean {
  const target = follow(value, resolve);
  return target instanceof PdfDict || target instanceof PdfArray || target instanceof PdfString;
}
