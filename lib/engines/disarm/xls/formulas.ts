/**
 * Formulas of Excel 97 to 2003 as tokens ([MS-XLS] 2.2.2). A formula may stay when all of its tokens are known and none reaches out
 * of the workbook. Its functions must be on an allow-list of those that calculate, which has no macro commands and no calls into programs.
 */
import { isOutsideReference } from '../office/formula-texts.ts';
import { isSafeLink } from '../safe-links.ts';

/** The targets that a formula may refer to; indexes come from the file. */
export interface FormulaScope {
  /** Returns whether an entry of the sheet table points into this workbook. */
  readonly isInternalSheet: (index: number) => boolean;
  /** Whether a name of an external book, at a sheet table entry, is a harmless function of an add-in. */
  readonly isSafeExternalName: (sheetIndex: number, nameIndex: number) => boolean;
}

/** Numbers of worksheet functions ([MS-XLS] 2.5.198.17). 304 is left out, because public lists disagree about its function. */
const FUNCTIONS = rangesOf(
  '0-52 56-78 82-83 86 97-102 105 109 111-121 124-131 140-144 148 162-165 167-169 183-184 189-190 193-199 204-216 219-222 ' +
    '227-235 244 247 252 261 269-303 305-332 336-337 342-347 350-354 358 360-378',
);
const HYPERLINK = 359;
const INDIRECT = 148;
/** The first argument names the function. */
const USER_DEFINED = 255;
const COMMAND = 0x8000;

/** The length in bytes of each token of fixed size, including its first byte. */
const SIZES: Readonly<Record<number, number>> = {
  1: 5,
  2: 5,
  21: 1,
  22: 1,
  28: 2,
  29: 2,
  30: 3,
  31: 9,
  32: 8,
  33: 3,
  34: 4,
  35: 5,
  36: 5,
  37: 9,
  38: 7,
  39: 7,
  40: 7,
  41: 3,
  42: 5,
  43: 9,
  44: 5,
  45: 9,
  46: 3,
  47: 3,
  57: 7,
  58: 7,
  59: 11,
  60: 7,
  61: 11,
};
const STRING = 0x17;
const ATTRIBUTE = 0x19;
const CHOOSE = 0x04;

function rangesOf(list: string): ReadonlySet<number> {
  const found = new Set<number>();
  for (const range of list.split(' ')) {
    const [first = 0, last = first] = range.split('-').map(Number);
    for (let number = first; number <= last; number++) found.add(number);
  }
  return found;
}

interface Token {
  readonly kind: number;
  readonly at: number;
  readonly size: number;
}

/** Returns whether a formula may stay a formula. */
export function isSafeFormula(code: Buffer, scope: FormulaScope): boolean {
  const tokens: Token[] = [];
  const kinds = new Set<number>();
  for (let at = 0; at < code.length; ) {
    const token = tokenAt(code, at);
    if (token === null) return false;
    if (!isSafeToken(code, token, { tokens, kinds }, scope)) return false;
    tokens.push(token);
    kinds.add(token.kind);
    at += token.size;
  }
  return true;
}

function tokenAt(code: Buffer, at: number): Token | null {
  const id = code[at] ?? 0;
  // Operands come in three classes (reference, value, array) with one meaning.
  const kind = id >= 0x20 && id < 0x80 ? (id & 0x1f) | 0x20 : id;
  const size = sizeOf(code, at, kind);
  return size === null || at + size > code.length ? null : { kind, at, size };
}

function sizeOf(code: Buffer, at: number, kind: number): number | null {
  if (kind >= 0x03 && kind <= 0x14) return 1;
  if (kind === STRING) return 3 + (code[at + 1] ?? 0) * (((code[at + 2] ?? 0) & 1) + 1);
  if (kind === ATTRIBUTE) {
    if (at + 4 > code.length) return null;
    return (code[at + 1] ?? 0) & CHOOSE ? 4 + (code.readUInt16LE(at + 2) + 1) * 2 : 4;
  }
  return SIZES[kind] ?? null;
}

/** The tokens in front of one, and their kinds. */
interface Before {
  readonly tokens: readonly Token[];
  readonly kinds: ReadonlySet<number>;
}

function isSafeToken(code: Buffer, { kind, at }: Token, before: Before, scope: FormulaScope): boolean {
  switch (kind) {
    case 0x21:
      return isSafeFunction(code.readUInt16LE(at + 1));
    case 0x22: {
      const id = code.readUInt16LE(at + 2);
      if (id === INDIRECT) return !before.tokens.some((token) => isOutsideReference(textOf(code, token)));
      if (id === HYPERLINK) return isSafeLinkCall(code, before.tokens);
      // The first argument names the called function. Only names of add-ins that calculate can be distinguished from macros.
      if (id === USER_DEFINED) return before.kinds.has(0x39) && !before.kinds.has(0x23);
      return (id & COMMAND) === 0 && isSafeFunction(id);
    }
    case 0x39:
      return scope.isSafeExternalName(code.readUInt16LE(at + 1), code.readUInt16LE(at + 3));
    case 0x3a:
    case 0x3b:
    case 0x3c:
    case 0x3d:
      return scope.isInternalSheet(code.readUInt16LE(at + 1));
    default:
      return true;
  }
}

const isSafeFunction = (id: number): boolean => FUNCTIONS.has(id);

/** Keeps HYPERLINK only as `HYPERLINK("safe target", one operand)`, because anything computed could become a path. */
function isSafeLinkCall(code: Buffer, before: readonly Token[]): boolean {
  const operands = before.filter(({ kind }) => kind !== ATTRIBUTE);
  const [target] = operands;
  if (target === undefined || target.kind !== STRING || operands.length > 2) return false;
  const text = textOf(code, target);
  return text.startsWith('#') || isSafeLink(text);
}

/** Returns the text of a token, which is empty unless the token is one. */
function textOf(code: Buffer, { kind, at, size }: Token): string {
  if (kind !== STRING) return '';
  const isWide = ((code[at + 2] ?? 0) & 1) === 1;
  return code.toString(isWide ? 'utf16le' : 'latin1', at + 3, at + size);
}
