/**
 * Decides which markup of a part the filter does not have to see, because `filterElement` would return it unchanged. The filter sees
 * everything that a rule names. A name that no rule knows is plain only in a known vocabulary.
 */

import { type FilterContext, filterElement, HANDLERS } from './filter.ts';
import { isSafeFormula } from './formulas.ts';
import { behindPlainCells } from './plain-cells.ts';
import {
  DROPPED_ATTRIBUTES,
  DROPPED_ELEMENTS,
  DROPPED_METADATA,
  DROPPED_WHEN_EMPTIED,
  FORMULA_ATTRIBUTES,
  FORMULA_ELEMENTS,
  FORMULA_OWNERS,
  isReference,
  REQUIRED_CHILDREN,
} from './rules.ts';
import type { XmlSkip, XmlSkipRules } from './xml/skipping.ts';

/** The elements that large parts consist of: rows of a sheet, shared strings. */
const ROWS: ReadonlySet<string> = new Set(['x:row', 'x:si']);
/** Drawings whose attributes load, link or run. They are judged one by one. */
const JUDGED_FAMILIES: ReadonlySet<string> = new Set(['v', 'o', 'xdr', 'xvml', 'pvml', 'w10', 'vis']);
/** Read with their whole content: the sheet list is repaired, and a field's code is put together from its text. */
const WHOLE: ReadonlySet<string> = new Set(['x:workbook', 'w:instrText', 'w:delInstrText']);
/** Keys that other code looks for among the nodes. */
const LOOKED_FOR: ReadonlySet<string> = new Set(['mc:Choice', 'mc:Fallback', 'p:pic', 'w:fldChar']);
/** The only rule for a cell is about its formula, and the filter sees the formula. */
const SEEN_BY_CONTENT: ReadonlySet<string> = new Set(['x:c']);

const LOCAL_NAMES_OF_DROPPED_ATTRIBUTES: ReadonlySet<string> = new Set(
  [...DROPPED_ATTRIBUTES].map((each) => each.slice(each.indexOf('@') + 1)),
);

const WITH_FORMULA_ATTRIBUTES: ReadonlySet<string> = new Set(
  [...FORMULA_ATTRIBUTES].map((each) => each.slice(0, each.indexOf('@'))),
);

export function skipRulesFor(context: FilterContext): XmlSkipRules {
  return {
    ofElement: skipOf,
    isPlainAttribute,
    isSafe: isSafeFormula,
    rows: ROWS,
    reduce: (row) => filterElement(row, context),
    passOver: { inside: 'x:row', behind: behindPlainCells },
  };
}

function skipOf(key: string | null): XmlSkip {
  if (key === null) return 'node';
  if (WHOLE.has(key)) return 'whole';
  if (key === 'x:f' || FORMULA_ELEMENTS.has(key)) return 'formula';
  if (key === 'w:t' || key === 'w:delText') return 'story';
  return isNamedByRule(key) ? 'node' : 'plain';
}

function isNamedByRule(key: string): boolean {
  // Without a namespace it is HTML in a text box.
  if (!key.includes(':') || JUDGED_FAMILIES.has(key.slice(0, key.indexOf(':'))) || LOOKED_FOR.has(key)) return true;
  if (SEEN_BY_CONTENT.has(key)) return false;
  return (
    Object.hasOwn(HANDLERS, key) ||
    [
      WITH_FORMULA_ATTRIBUTES,
      DROPPED_ELEMENTS,
      DROPPED_METADATA,
      DROPPED_WHEN_EMPTIED,
      FORMULA_OWNERS,
      REQUIRED_CHILDREN,
    ].some((rule) => rule.has(key))
  );
}

/**
 * Returns whether an attribute is plain. An attribute that some rule could remove or judge, in any element, is not. `cm` is removed with a
 * formula.
 */
function isPlainAttribute(key: string | null): boolean {
  if (key === null || isReference(key) || key === 'xml:base' || key === 'cm') return false;
  return !LOCAL_NAMES_OF_DROPPED_ATTRIBUTES.has(key);
}
