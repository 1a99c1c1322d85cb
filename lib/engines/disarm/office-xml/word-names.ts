/**
 * The different names in Word 2003 and Word 2007: `w:sz-cs` is `w:szCs`, `next-page` is `nextPage`, and some have completely different
 * names.
 */

/** Elements with another name in the newer format. */
const ELEMENTS: Readonly<Record<string, string>> = {
  'w:vmerge': 'w:vMerge',
  'w:hmerge': 'w:hMerge',
  'w:supressLineNumbers': 'w:suppressLineNumbers',
  'w:suppressLineNumbers': 'w:suppressLineNumbers',
  'w:asianLayout': 'w:eastAsianLayout',
  'w:rtl': 'w:rtl',
};
const ATTRIBUTES: Readonly<Record<string, string>> = {
  'w:h-ansi': 'w:hAnsi',
  'w:fareast': 'w:eastAsia',
  'w:hint': 'w:hint',
  'w:fldCharType': 'w:fldCharType',
  'w:bottom-from-text': 'w:bottomFromText',
  'w:h-rule': 'w:hRule',
  'w:h-space': 'w:hSpace',
  'w:v-space': 'w:vSpace',
};
/** Elements whose values are names or texts. A hyphen in them stays. */
const NAMING =
  /^w:(?:pStyle|rStyle|tblStyle|style|name|basedOn|next|link|aliases|lvlText|lang|font|rFonts|bookmarkStart|sym|fldSimple|color|shd|nsid|tmpl|lsid)$/;
/** Word 2003 accepts fractions of its units, which later versions call damaged. */
const FRACTION = /^-?\d{1,9}\.\d+$/;
const KEBAB = /^[a-z]+(?:-[a-z0-9]+)+$/;

const camel = (text: string): string => text.replace(/-([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());

/** Returns the name of an element in the newer format. */
export function elementName(key: string): string {
  return Object.hasOwn(ELEMENTS, key) ? (ELEMENTS[key] ?? key) : camel(key);
}

/** Returns an attribute in the newer format. */
export function attributeOf(element: string, key: string, value: string): readonly [string, string] {
  const name = Object.hasOwn(ATTRIBUTES, key) ? (ATTRIBUTES[key] ?? key) : camel(key);
  if (element === 'w:shd' && name === 'w:val') return [name, shading(value)];
  if (element === 'w:tblLayout') return [name, value.toLowerCase()];
  if (element === 'w:tab' && value === 'list') return [name, 'num'];
  if (NAMING.test(element)) return [name, value];
  if (FRACTION.test(value)) return [name, String(Math.round(Number(value)))];
  return [name, KEBAB.test(value) ? camel(value) : value];
}

/** Converts `pct-15` to `pct15`, and `horz-stripe` to `horzStripe`. */
const shading = (value: string) => (KEBAB.test(value) ? camel(value) : value);

/** Formats of the numbers of a list, by their old number. */
const NUMBER_FORMATS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    0: 'decimal',
    1: 'upperRoman',
    2: 'lowerRoman',
    3: 'upperLetter',
    4: 'lowerLetter',
    5: 'ordinal',
    6: 'cardinalText',
    7: 'ordinalText',
    22: 'decimalZero',
    23: 'bullet',
    255: 'none',
  }),
);

/** Returns the name of the format of a list's numbers. */
export const numberFormat = (old: string): string => NUMBER_FORMATS.get(old) ?? 'decimal';
