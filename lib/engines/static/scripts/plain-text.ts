/** Plain text and formats made of its lines: tables, calendar entries, contact cards, data. */

import { decodeCharset } from '../../../formats/charsets/decode-charset.ts';
import { withoutStains } from '../../../formats/charsets/stained-text.ts';
import { textEncoding } from '../../../formats/charsets/text-encoding.ts';
import { anyOf } from '../../../formats/patterns.ts';
import type { Finding } from '../../engine.ts';
import { asFact, finding } from '../findings/findings.ts';
import type { StaticModule } from '../findings/module.ts';
import { isSheetFunction } from '../findings/sheet-functions.ts';

const TEXTS = new Set([
  'text/plain',
  'text/csv',
  'text/css',
  'text/calendar',
  'text/vcard',
  'application/json',
  'application/x-sylk',
]);

/** A cell that a spreadsheet takes for a formula. Signed numbers, percentages, telephone numbers and `+/-` are not formulas. */
const FORMULA_CELL = /^[\s"'\u00a0\ufeff]*[=+\-@\uff1d\uff0b\uff0d\uff20]/;
const NUMBER_CELL = anyOf(
  [
    /^[\s"']*[+-]?\(?[$\u20ac\u00a3\u00a5]?[\d\s.,/()-]*(?:\de[+-]?\d{1,4})?%?[\s"']*$/,
    /^[\s"']*[-+@\s"']*$/,
    /^[\s"']*[+-](?:inf|nan)[\s"']*$/,
    /^[\s"']*\+\/-/,
  ],
  'i',
);
const DDE_CELL = /^[^\n]{0,200}\|\s{0,9}['"]?[^|\n]{1,200}!/;
/** Where cells are split. A separator inside of quotes only makes more cells, so that nothing is missed. */
const SEPARATORS = /[,;\t|]/;
const MAX_CELL_LENGTH = 32_768;

const CALENDAR_ACTIVE = anyOf(
  [
    /^ACTION[;:].*PROCEDURE/,
    /^ATTACH[^:\r\n]*(?:ENCODING=BASE64|VALUE=BINARY)/,
    /^ATTACH[^:\r\n]*:\s*(?:file:|\\\\|\/\/)/,
    /^(?:X-ALT-DESC)[^:]*:.*(?:<script|javascript:|\son\w+\s*=|<iframe|<object)/,
  ],
  'im',
);
const CARD_ACTIVE = anyOf(
  [
    /^(?:item\d+\.)?(?:PHOTO|LOGO|SOUND|KEY|URL|IMPP)[^:\r\n]*:\s*(?!(?:https:|http:|mailto:|tel:|data:image\/))[a-z][\w+.-]{1,30}:/,
    /^(?:PHOTO|LOGO|SOUND)[^:\r\n]*:\s*(?:https?:|\\\\|\/\/)/,
  ],
  'im',
);
const SYLK_MACRO = /^(?:O;E|NN;NAuto_open|C;.*;E(?:EXEC|CALL|REGISTER|HALT))/im;

export const plainTextModule: StaticModule = {
  name: 'plain text',
  accepts: (type) => TEXTS.has(type),
  run: ({ bytes, type }) => {
    const encoding = textEncoding(withoutStains(bytes) ?? bytes);
    const text = decodeCharset(bytes, encoding ?? 'windows-1252');
    const views =
      encoding !== null && /^utf-(?:16|32)/.test(encoding) ? [{ where: 'text', bytes: Buffer.from(text) }] : [];
    return {
      findings: judge(type.type, text),
      views,
      understood: encoding !== null && type.type !== 'application/x-sylk',
    };
  },
};

function judge(type: string, text: string): Finding[] {
  switch (type) {
    case 'text/csv':
      return judgeTable(text);
    case 'text/calendar':
      return CALENDAR_ACTIVE.test(unfold(text)) ? [finding('calendar-active')] : [];
    case 'text/vcard':
      return CARD_ACTIVE.test(unfold(text)) ? [finding('calendar-active')] : [];
    case 'application/x-sylk':
      return SYLK_MACRO.test(text) ? [finding('office-xlm-macro')] : [];
    default:
      return [];
  }
}

function judgeTable(text: string): Finding[] {
  const found = finding('text-formula');
  let hasFormula = false;
  for (const line of text.split(/\r\n|\r|\n/)) {
    if (DDE_CELL.test(line)) return [found];
    for (const cell of line.split(SEPARATORS)) {
      const start = cell.slice(0, MAX_CELL_LENGTH);
      if (!FORMULA_CELL.test(start) || NUMBER_CELL.test(start)) continue;
      if (!hasOnlyKnownWords(start)) return [found];
      hasFormula = true;
    }
  }
  if (!hasFormula) return [];
  return [onlyCalculates(text) ? asFact(found) : found];
}

/** Other workbooks, programs, addresses, and lists that are written out. */
const BEYOND_SHEET = /[|![\]{}\\#\uff5c\uff01]|\/\//;
const CALL = /([\p{L}_][\p{L}\p{N}_.]*)\s*\(/gu;

const TEXT = /"[^"]*"/g;
const WORD = /(?<![\p{L}\p{N}_.])[\p{L}_$][\p{L}\p{N}_.$]*/gu;
const CELL = /^\$?[a-z]{1,3}\$?\d{1,7}$/i;

/** Returns whether the words of a formula are cells, and functions that calculate. */
const hasOnlyKnownWords = (formula: string) =>
  [...formula.replace(TEXT, '').matchAll(WORD)].every(
    ([word]) => CELL.test(word) || isSheetFunction(word.toLowerCase()),
  );

/** Returns whether nothing in a table that has formulas can do more than calculate, in any cell. A formula can go over several lines. */
function onlyCalculates(text: string): boolean {
  return (
    !BEYOND_SHEET.test(text) && [...text.matchAll(CALL)].every(([, name = '']) => isSheetFunction(name.toLowerCase()))
  );
}

/** Joins folded lines: a long line continues behind a line break and a blank (RFC 5545 3.1). */
function unfold(text: string): string {
  return text.replace(/\r?\n[ \t]/g, '');
}
