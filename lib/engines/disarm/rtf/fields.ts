/** The codes of RTF fields, judged by the same list as Word's own. */
import { isSafeFieldCode } from '../office/fields.ts';
import type { RemovalLog } from '../removals.ts';
import { escapeText, type RtfWriter } from './writer.ts';

/** A link that names a bookmark of the document and nothing else. */
const BOOKMARK = /^HYPERLINK "#([^"\\#/:]{1,200})"$/i;

/** A field's code as it was put together. `hasField`: another field computes part of it. */
export interface FieldCode {
  text: string;
  hasField: boolean;
}

type JudgedCode =
  /** Nothing to write and nothing to report. */
  | { readonly outcome: 'empty' }
  | { readonly outcome: 'kept'; readonly text: string }
  /** `kind` and `keyword` are words for the report. */
  | { readonly outcome: 'denied'; readonly kind: string; readonly keyword: string };

/** The decision about a code. A code that another field computes is denied, because its text is not known yet. */
function judgeFieldCode({ text: untrustedText, hasField }: FieldCode): JudgedCode {
  const text = untrustedText.replace(/[\s\p{Cc}]+/gu, ' ').trim();
  if (text === '') return { outcome: 'empty' };
  if (!hasField && (isSafeFieldCode(text) || BOOKMARK.test(text))) return { outcome: 'kept', text };
  const keyword = /^\W*([A-Za-z]{1,20})/.exec(text)?.[1]?.toUpperCase() ?? 'unnamed';
  const kind = keyword.startsWith('DDE') ? 'DDE field' : keyword === 'HYPERLINK' ? 'unsafe link' : 'field code';
  return { outcome: 'denied', kind, keyword };
}

/** Writes a code that may stay, as the beginning of its field; false when it was denied or there is none. */
export function placeFieldCode(code: FieldCode, writer: RtfWriter, log: RemovalLog): boolean {
  const judged = judgeFieldCode(code);
  if (judged.outcome === 'denied') log.note(judged.kind, judged.keyword);
  if (judged.outcome !== 'kept' || !writer.rename('{\\field')) return false;
  writer.raw(`{\\*\\fldinst ${escapeText(withBookmark(judged.text))}}`);
  return true;
}

/** A button's label is part of its code, and all that a reader sees of a button without a result; '' for other codes. */
export function labelOf({ text, hasField }: FieldCode): string {
  if (hasField) return '';
  return /^\s*(?:MACROBUTTON|GOTOBUTTON)\s+[^\s"]+\s+([^\p{Cc}]*)$/iu.exec(text)?.[1]?.trim() ?? '';
}

/** Other programs than Word write a place in the document itself as an address. */
function withBookmark(code: string): string {
  const name = BOOKMARK.exec(code)?.[1];
  return name === undefined ? code : `HYPERLINK \\l "${name}"`;
}
