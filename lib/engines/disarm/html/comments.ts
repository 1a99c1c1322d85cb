/**
 * Comments and declarations of a page. Browsers ignore them. Outlook reads the content of conditional comments as a part of the page, and
 * programs do not agree on where a comment ends. So the content of every comment is judged as a separate page.
 */

import { isKnownCharset } from '../../../formats/charsets/page-readings.ts';
import type { EngineLimits } from '../../engine.ts';
import { UNLISTED } from './listed.ts';
import type { Comment, Doctype } from './tree.ts';

/** The greatest depth at which comments within comments are searched. No program writes more than one level. */
const DEPTH = 3;

/** A condition of features, numbers and brackets: `[if gte mso 9]`, `[if !supportLists]`, `[if (gte mso 9)|(IE)]`. */
const CONDITION = /^\[\s*if\s[\w\s.()!&|]{1,100}\]$/i;
const OPENING = /^\s*(\[\s*if\b[^\]>]{0,200}\])\s*>/i;
const CLOSING = /<!\s*\[\s*endif\s*\]\s*(?:--)?\s*$/i;
/** The start of a conditional comment, at any place and in any spelling. */
const CONDITIONAL = /\[\s*(?:if\b|endif\b)/i;
const DECLARATIONS = [
  /^$/,
  CONDITION,
  /^\[\s*endif\s*\]\s*(?:--)?$/i,
  /^\?xml\s+version\s*=\s*["']1\.\d["'](?:\s+encoding\s*=\s*["'][\w.-]{1,40}["'])?(?:\s+standalone\s*=\s*["'](?:yes|no)["'])?\s*\??$/i,
  /^\?xml:namespace\s+prefix\s*=\s*["']?[\w-]{1,20}["']?\s+ns\s*=\s*["']urn:schemas-microsoft-com:[\w:.-]{1,80}["']\s*\/?\s*\??$/i,
  // A comment that starts with one dash instead of two.
  /^-[^<>&\\]{0,1000}$/,
];
const PUBLIC_NAME = /^-\/\/(?:w3c|ietf)\/\/dtd [\w .-]{1,80}\/\/[a-z]{2}(?:\/\/[\w .-]{1,40})?$/i;
const SYSTEM_NAME = /^(?:about:legacy-compat|https?:\/\/www\.w3\.org\/[\w./-]{1,200})$/i;

/** The findings in the page inside a comment. */
export type InspectPage = (html: string, limits: EngineLimits, depth: number) => readonly string[];

/** Returns the kinds of content in a comment that may not stay in a body. Throws EngineError `oversize`. */
export function inspectComment(
  { data, isDeclaration }: Comment,
  limits: EngineLimits,
  depth: number,
  inspectPage: InspectPage,
): readonly string[] {
  const text = data.trim();
  if (isDeclaration || text.startsWith('?')) return inspectDeclaration(text);
  const opening = OPENING.exec(data);
  const inner = (opening === null ? data : data.slice(opening[0].length)).replace(CLOSING, '').replace(/<!\s*$/, '');
  const isMalformed = opening === null ? CONDITIONAL.test(inner) && !isBare(text) : !CONDITION.test(opening[1] ?? '');
  const kinds = isMalformed ? [UNLISTED.comment] : [];
  if (!inner.includes('<')) return kinds;
  const found = depth >= DEPTH ? [UNLISTED.comment] : inspectPage(inner, limits, depth + 1);
  const isConditional = opening !== null || CONDITIONAL.test(data);
  return found.length === 0
    ? kinds
    : [...kinds, isConditional ? 'conditional comment with active content' : 'comment with active content'];
}

/** Returns true when a comment contains only a condition, or the end of one. */
const isBare = (text: string) => CONDITION.test(text) || /^(?:<!)?\s*\[\s*endif\s*\]>?$/i.test(text);

/** Returns the kinds of a declaration's effects. By `<?import`, old versions of Internet Explorer add elements that run scripts. */
function inspectDeclaration(text: string): readonly string[] {
  if (/^\?import\b/i.test(text)) return ['element behaviour'];
  // HTML takes an XML declaration for a comment. Other programs take the charset from it.
  const label = /^\?xml\b[^>]{0,200}\bencoding\s*=\s*["']?\s*([^\s"'?>]+)/i.exec(text.slice(0, 500))?.[1];
  if (label !== undefined && !isKnownCharset(label)) return ['charset that programs read differently'];
  return DECLARATIONS.some((pattern) => pattern.test(text)) ? [] : [UNLISTED.declaration];
}

/** Returns true for the document types that browsers know, without declarations of their own. */
export function isKnownDoctype({ name, publicId, systemId, forceQuirks }: Doctype): boolean {
  // Browsers give up on a damaged document type. After its name there may be declarations that other programs read.
  return (
    !(forceQuirks && name !== null) &&
    /^html$/i.test(name ?? 'html') &&
    (publicId === null || publicId === '' || PUBLIC_NAME.test(publicId)) &&
    (systemId === null || systemId === '' || SYSTEM_NAME.test(systemId))
  );
}
