/**
 * Fields of Word without a name that is one word in their code. Word composes the name from the result of another field, or omits a part in
 * it, such as a deletion. So nobody can tell the kind of such a field. No program writes such fields.
 */
import { isNameOpen } from './active-fields.ts';
import { unescapeXml } from './xml-escapes.ts';

const PIECE =
  /<(?:\w+:)?(?:fldChar\b[^<>]*?\bfldCharType\s*=\s*["'](begin|separate|end)|instrText\b[^<>]*>([^<]*)<|(?:delInstrText|AlternateContent|t)[\s>])/g;
/** The deepest fields in fields that are followed. Word has a limit of its own. */
const MAX_DEPTH = 100;

interface Field {
  code: string;
  isCode: boolean;
  /** Whether the name holds something other than code. */
  isMixed: boolean;
}

/** Returns true when a part of a document, as `plainXml` spells it, has such a field. */
export function hasComputedField(text: string): boolean {
  if (!text.includes('fldChar')) return false;
  const fields: Field[] = [];
  return [...text.matchAll(PIECE)].some(([, mark, code]) =>
    mark === undefined ? isPutTogether(fields.at(-1), code) : isInName(fields, mark),
  );
}

/** Follows a mark of a field. Returns true for the beginning of a field in the name of another. */
function isInName(fields: Field[], mark: string): boolean {
  const field = fields.at(-1);
  if (mark === 'end') fields.pop();
  else if (mark === 'separate' && field !== undefined) field.isCode = false;
  else if (mark === 'begin') {
    if (field?.isCode === true && isNameOpen(field.code)) return true;
    if (fields.length < MAX_DEPTH) fields.push({ code: '', isCode: true, isMixed: false });
  }
  return false;
}

/** Adds code to a field, or other content, for which `code` is undefined. Returns true for a name that continues behind other content. */
function isPutTogether(field: Field | undefined, code: string | undefined): boolean {
  if (field?.isCode !== true) return false;
  const isOpen = isNameOpen(field.code);
  if (code === undefined) field.isMixed ||= isOpen;
  else if (isOpen && field.isMixed && code.trim() !== '') return true;
  else field.code += unescapeXml(code);
  return false;
}

const [BEGIN, SEPARATOR, END] = [0x13, 0x14, 0x15].map((code) => String.fromCharCode(code));
/** A field in the name of another one, in the text of a document of Word 97-2003 ([MS-DOC] 2.8.25). Its other bytes may look like marks. */
const IN_NAME = new RegExp(
  `${BEGIN} {0,20}[A-Za-z]{0,14}${BEGIN}[ ${BEGIN}]{0,20}(?:IF|EQ|[A-Za-z]{3,14})[ ${SEPARATOR}${END}]`,
);

/** Does the same for the text of a document of Word 97-2003. */
export const hasComputedFieldInText = (text: string): boolean => IN_NAME.test(text);

const FIELD_CODE = /\\fldinst(?![a-z])-?\d{0,10} ?/gi;
const NESTED = /\\field(?![a-z])/i;
const MAX_NAME = 2_000;

/** Does the same for rich text. `readable` is the text of a group without its control words. */
export function hasComputedFieldInRichText(text: string, readable: (group: string) => string): boolean {
  return [...text.matchAll(FIELD_CODE)].some(({ 0: found, index }) => {
    const code = text.slice(index + found.length, index + found.length + MAX_NAME);
    const nested = code.search(NESTED);
    const end = code.indexOf('fldrslt');
    return (
      nested !== -1 && (end === -1 || nested < end) && isNameOpen(readable(code.slice(0, nested)).replace(/[{}]/g, ''))
    );
  });
}
