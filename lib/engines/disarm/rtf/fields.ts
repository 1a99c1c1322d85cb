/** The codes of RTF fields. The list that judges the fields of Word documents judges them, too. */
import { isSafeFieldCode } from '../office/fields.ts';
import type { RemovalLog } from '../removals.ts';
import { escapeText, type RtfWriter } from './writer.ts';

/** A link that names a bookmark of the document and nothing else. */
const BOOKMARK = /^HYPERLINK "#([^"\\#/:]{1,200})"$/i;

/** The code of a field, put together from its groups. `hasField` is true when another field computes a part of it. */
export interface FieldCode {
  text: string;
  hasField: boolean;
}

type JudgedCode =
  /** Nothing to write and nothing to report. */
  | { readonly outcome: 'empty' }
  | { readonly outcome: 'kept'; readonly text: string }
  /** `kind` and `keyword` are for the report. */
  | { readonly outcome: 'denied'; readonly kind: string; readonly keyword: string };

/** Decides about a code. A code that another field computes is denied, because its text is not known yet. */
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

/**
 * Returns the label of a button, which is part of its code. A reader sees nothing else of a button without a result. '' for other codes.
 */
export function labelOf({ text, hasField }: FieldCode): string {
  if (hasField) return '';
  return /^\s*(?:MACROBUTTON|GOTOBUTTON)\s+[^\s"]+\s+([^\p{Cc}]*)$/iu.exec(text)?.[1]?.trim() ?? '';
}

/** Returns the code with a bookmark, if a program other than Word wrote a place in the document as an address. */
function withBookmark(code: string): string {
  const name = BOOKMARK.exec(code)?.[1];
  return name === undefined ? code : `HYPERLINK \\l "${name}"`;
}
