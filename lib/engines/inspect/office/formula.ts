/** A quick answer for nearly all formulas of a workbook: nothing in their bytes could make them live. */
import { stepHash } from '../xml/plan.ts';

/** Functions that only calculate. Any other takes the closer look. */
const CALCULATING =
  'ABS AND AVERAGE AVERAGEIF AVERAGEIFS CEILING CHOOSE COLUMN COUNT COUNTA COUNTBLANK COUNTIF COUNTIFS DATE DAY DAYS EDATE ' +
  'EOMONTH EXP FLOOR HLOOKUP IF IFERROR IFNA IFS INDEX INT ISBLANK ISERROR ISNA ISNUMBER LARGE LEFT LEN LN LOG LOOKUP LOWER ' +
  'MATCH MAX MAXIFS MEDIAN MID MIN MINIFS MOD MONTH NETWORKDAYS NOT NOW NPV OFFSET OR PI PMT POWER PROPER QUARTILE RANK ' +
  'RATE RIGHT ROUND ROUNDDOWN ROUNDUP ROW ROWS SIGN SMALL SQRT STDEV SUBTOTAL SUM SUMIF SUMIFS SUMPRODUCT TEXT TODAY TRIM ' +
  'UPPER VALUE VAR VLOOKUP WEEKDAY WEEKNUM WORKDAY XLOOKUP YEAR';

const NAMES: ReadonlyMap<number, Uint8Array> = new Map(
  CALCULATING.split(' ').map((name) => {
    const bytes = Buffer.from(name);
    return [bytes.reduce(stepHash, 0), bytes];
  }),
);

const OTHER = 0;
const PART_OF_NAME = 1;
const SIGN = 2;
/** No quotes, brackets, bars, backslashes and `&`, which starts a reference in XML. */
const KINDS = Uint8Array.from({ length: 256 }, (_, byte) => {
  const character = String.fromCharCode(byte);
  if (byte < 0x80 && /[\w.]/.test(character)) return PART_OF_NAME;
  return /[$+\-*/^=<>(),;%!: ]/.test(character) ? SIGN : OTHER;
});

/** Returns true when a formula between two offsets of a part consists of references, numbers and calls that only calculate. */
export function isSafeFormula(bytes: Uint8Array, from: number, to: number): boolean {
  let start = from;
  let hash = 0;
  for (let at = from; at < to; at++) {
    const byte = bytes[at] as number;
    const kind = KINDS[byte];
    if (kind === PART_OF_NAME) {
      hash = stepHash(hash, byte);
      continue;
    }
    if (kind !== SIGN || (at > start && !isSafeEnd(bytes, start, at, hash))) return false;
    start = at + 1;
    hash = 0;
  }
  return true;
}

/**
 * Returns whether the text behind a name leaves it harmless: there is no unknown call, with or without a space before its bracket, and no
 * scheme.
 */
function isSafeEnd(bytes: Uint8Array, start: number, end: number, hash: number): boolean {
  const sign = bytes[end];
  if (sign === 0x3a) return ((bytes[end - 1] as number) | 0x20) !== 0x65;
  if (sign !== 0x28) return sign !== 0x20 || !isBracketNext(bytes, end);
  const name = NAMES.get(hash);
  if (name === undefined || name.length !== end - start) return false;
  for (let at = start; at < end; at++) if (((bytes[at] as number) & 0xdf) !== name[at - start]) return false;
  return true;
}

function isBracketNext(bytes: Uint8Array, from: number): boolean {
  let at = from;
  while (bytes[at] === 0x20) at++;
  return bytes[at] === 0x28;
}
