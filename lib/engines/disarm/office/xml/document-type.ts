/**
 * Removes the document type declaration of a part (XML 1.0, 2.8). No Office program writes or needs one. With it, a document can request
 * files of the reader's computer (XXE), or repeat a text a billion times. Nothing in it is followed.
 */
import { EngineError } from '../../../engine.ts';
import { utf8Xml } from './bytes.ts';
import { malformed } from './scan.ts';

/** The text that may precede the declaration. */
const PROLOG = /^(?:\s|<\?[^>]{0,1000}\?>|<!--(?:(?!-->)[\s\S]){0,4000}-->)*<!DOCTYPE\s/;
const HEAD_BYTES = 8_192;
/** A text, a comment and an instruction within the declaration, in which its marks mean nothing; then its marks. */
const PIECE = /"[^"]*"|'[^']*'|<!--[\s\S]*?-->|<\?[\s\S]*?\?>|[[\]<>]/g;
/** An entity that a document can use by its name. Entities of the declaration itself have a percent sign before it. */
const ENTITY = /<!ENTITY\s+([A-Za-z_:][\w.:-]{0,200})\s/g;
/** The use of an entity in the text of the document. */
const REFERENCE = /&([A-Za-z_:][\w.:-]{0,200});/g;

/**
 * Returns the part in UTF-8 without the declaration and without the references to what it declares; null when it has none. Throws
 * EngineError `unreadable` when the declaration does not end.
 */
export function withoutDocumentType(bytes: Uint8Array): Buffer | null {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, 2 * HEAD_BYTES));
  // Nearly no part has one, so this comes first. In UTF-16 every other byte is zero.
  if (!head.toString('latin1').replaceAll('\0', '').includes('<!DOCTYPE')) return null;
  const utf8 = utf8Xml(bytes);
  const start = PROLOG.exec(utf8.toString('latin1', 0, HEAD_BYTES));
  if (start === null) return null;
  // One byte is one character, so that positions are those of the bytes.
  const text = utf8.toString('latin1');
  const from = start[0].lastIndexOf('<!DOCTYPE');
  const end = endOf(text, from);
  const declared = new Set(Array.from(text.slice(from, end).matchAll(ENTITY), ([, name]) => name ?? ''));
  const rest = text.slice(end).replace(REFERENCE, (reference, name: string) => (declared.has(name) ? '' : reference));
  const result = Buffer.from(text.slice(0, from) + rest, 'latin1');
  if (PROLOG.test(result.toString('latin1', 0, HEAD_BYTES)))
    throw new EngineError('unreadable', 'a part of the document has two document types');
  return result;
}

/** Returns the position behind the declaration that begins at `from`. */
function endOf(text: string, from: number): number {
  let depth = 0;
  const pieces = new RegExp(PIECE);
  pieces.lastIndex = from + 1;
  for (let piece = pieces.exec(text); piece !== null; piece = pieces.exec(text)) {
    const [mark] = piece;
    if (mark === '<' || mark === '[') depth += 1;
    else if (mark === '>' && depth === 0) return pieces.lastIndex;
    else if (mark === '>' || mark === ']') depth -= 1;
  }
  throw malformed();
}
