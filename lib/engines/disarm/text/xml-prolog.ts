/** The content before an XML document: style sheets that a browser runs, and document types that a parser fetches. */
import type { Removal } from '../../engine.ts';

/** The most bytes of a prolog. A prolog of megabytes is left to the strict reading, which refuses it. */
const MAX_PROLOG_BYTES = 64 * 1024;
const DECLARATION = /^(?:\xef\xbb\xbf)?(?:<\?xml\s[^>]{0,1000}\?>)?/;
const SPACE = /\s*/y;
const STYLE_SHEET = /<\?xml-stylesheet\s[^<>]{0,2000}\?>/y;
/** A declaration that only names its type, and the address of its description. Entities are declared in brackets, which do not match. */
const DOCUMENT_TYPE = /<!DOCTYPE\s(?:[^<>"'[\]]|"[^"<>[\]]*"|'[^'<>[\]]*')*>/y;

const CUTS = [
  [STYLE_SHEET, 'style sheet'],
  [DOCUMENT_TYPE, 'document type declaration'],
] as const;

/** Returns the document without them, and the removed pieces; the same bytes when there are none. Never throws. */
export function withoutProlog(bytes: Uint8Array): { readonly bytes: Uint8Array; readonly details: readonly Removal[] } {
  const head = Buffer.from(bytes.subarray(0, MAX_PROLOG_BYTES)).toString('latin1');
  const details: Removal[] = [];
  const kept: Uint8Array[] = [];
  let from = 0;
  let at = DECLARATION.exec(head)?.[0].length ?? 0;
  for (;;) {
    at = endOf(SPACE, head, at) ?? at;
    const comment = head.startsWith('<!--', at) ? head.indexOf('-->', at + 4) : -1;
    const cut = CUTS.find(([pattern]) => endOf(pattern, head, at) !== null);
    if (cut !== undefined) {
      const [pattern, kind] = cut;
      kept.push(bytes.subarray(from, at));
      from = endOf(pattern, head, at) ?? at;
      at = from;
      details.push({ kind, action: 'removed', where: 'start of the document' });
    } else if (comment === -1) break;
    else at = comment + 3;
  }
  if (details.length === 0) return { bytes, details };
  return { bytes: new Uint8Array(Buffer.concat([...kept, bytes.subarray(from)])), details };
}

function endOf(pattern: RegExp, text: string, at: number): number | null {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : null;
}
