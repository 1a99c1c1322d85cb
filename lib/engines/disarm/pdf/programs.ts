/** The little programs that a PDF holds besides its scripts: calculator functions, tables of characters, Type 1 fonts. */
import type { PdfStream } from '@libpdf/core';
import { oneOf } from '../../../formats/patterns.ts';
import { decodePdfStream } from '../../pdf-filters.ts';

/** Real ones are a few kilobytes; a font is some hundred. */
const MAX_BYTES = 16 * 1024 * 1024;

const CALCULATOR = new RegExp(
  `^${oneOf(String.raw`
    [{}] [+-]?(?:\d+\.?\d*|\.\d+)
    abs add atan ceiling cos cvi cvr div exp floor idiv ln log mod mul neg round sin sqrt sub truncate
    and bitshift eq false ge gt le lt ne not or true xor if ifelse copy dup exch index pop roll
  `)}$`,
);

/** Returns whether a function of type 4 contains only numbers, braces and the operators of ISO 32000-2, table 42. */
export function isCalculatorProgram(stream: PdfStream): boolean {
  const tokens = textOf(stream)?.match(/[{}]|[^\s\0{}]+/g);
  return tokens?.every((token) => CALCULATOR.test(token)) ?? false;
}

/** Without strings, names, numbers and comments, because no program of it runs them. */
const DATA = /%[^\r\n]*|\((?:[^\\()]|\\[\s\S]|\([^()]*\))*\)|<[0-9A-Fa-f\s]*>|\/[^\s\0()<>[\]{}/%]*|<<|>>|[[\]]/g;
const CHARACTER_MAP = new RegExp(
  `^${oneOf(String.raw`
    [+-]?[\d.]+ begin end def dict dup findresource defineresource pop currentdict true false null
    usecmap usefont bind put CMapName
    (?:begin|end)(?:cmap|codespacerange|(?:bf|cid|notdef)(?:range|char)|rearrangedfont|usematrix)
  `)}$`,
);

/** Returns whether a table of characters (Adobe technical note 5014) contains only what belongs in one. */
export function isCharacterMap(stream: PdfStream): boolean {
  const words = textOf(stream)
    ?.replace(DATA, ' ')
    .match(/[^\s\0]+/g);
  return words?.every((word) => CHARACTER_MAP.test(word)) ?? true;
}

/** The most bytes of a Type 1 font before its encrypted part. A font has a few kilobytes there. */
const CLEAR_TEXT_CHARS = 256 * 1024;

/** Returns whether the matrix and the box of a Type 1 font are numbers, if they are in clear text. */
export function isFontProgram(stream: PdfStream): boolean {
  const clear = (textOf(stream) ?? '').slice(0, CLEAR_TEXT_CHARS).split('eexec', 1)[0] ?? '';
  return [...clear.matchAll(/\/Font(?:Matrix|BBox)\s*([\s\S]{0,400})/g)].every(([, value = '']) =>
    /^[[{][\s\d.eE+-]*[\]}]/.test(value),
  );
}

/** Returns the decoded text of a stream, one character per byte; null when it cannot be decoded. */
function textOf(stream: PdfStream): string | null {
  try {
    const bytes = decodePdfStream(stream, MAX_BYTES);
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  } catch {
    // A stream that cannot be decoded is no function. As a table or a font it has no effect, and its callers let it pass.
    return null;
  }
}
