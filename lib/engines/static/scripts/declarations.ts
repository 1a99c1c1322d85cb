/** Entities, attributes and style sheets that are declared in front of the elements of a page. */
import { anyOf } from '../../../formats/patterns.ts';
import type { Finding } from '../../engine.ts';
import { finding } from '../findings/findings.ts';
import type { StaticFile } from '../findings/module.ts';

/** A handler or a link that elements have without showing it. */
const HIDDEN_VALUE =
  /<!ATTLIST\s(?:[^<>]*[\s:])?(?:on[a-z]+|href|src|action|formaction|data|to|from|values)\s[^<>]*["']/i;
/** The same in data, whose attributes mean nothing to a browser: a script, or a name space of pages and drawings. */
const HIDDEN_IN_DATA = anyOf(
  [
    /<!ATTLIST\s(?:[^<>]*[\s:])?(?:on[a-z]+\s+CDATA\s[^<>]*["'][^"'<>]+["']|[^<>]*["']\s*(?:javascript|vbscript|data|file):)/,
    /<!ATTLIST\s[^<>]*\sxmlns(?::[^\s<>]+)?\s[^<>]*["'](?:http:\/\/www\.w3\.org\/(?:1999|2000)\/|[^"'<>]*&)/,
  ],
  'i',
);
/** Entities that fetch something, that grow, or that hold markup. */
const ATTACKING_ENTITY = anyOf(
  [/<!ENTITY\s+(?:%|[^\s"'<>]+\s+(?:SYSTEM|PUBLIC)\b)/, /<!ENTITY\s+[^\s"'<>]+\s+(?:"[^"&%<]*[&%<]|'[^'&%<]*[&%<])/],
  'i',
);

/** A sheet that is no plain style. Browsers run those of XSLT. */
const OTHER_SHEET = /<\?xml-stylesheet(?![^<>]*\stype\s*=\s*["']text\/css["'])/;

/** Judges the DTD and the style sheets that a page, a drawing or a file of data names in front of its elements. */
export function judgeDeclarations({ type }: StaticFile, text: string): Finding[] {
  const isPage = type.type === 'text/html' || type.type === 'application/xhtml+xml';
  // Drawing programs declare entities as short names of namespaces. Attacks need entities that fetch something, or that grow.
  const hasEntity = isPage ? /<!ENTITY/i.test(text) : ATTACKING_ENTITY.test(text);
  const isHidden = type.type === 'text/xml' ? HIDDEN_IN_DATA : HIDDEN_VALUE;
  const hasDeclaration = text.includes('<!') && (hasEntity || isHidden.test(text));
  const hasSheet = text.includes('<?xml-stylesheet') && (!isPage || OTHER_SHEET.test(text));
  return [
    ...(hasDeclaration ? [finding('xml-doctype')] : []),
    ...(hasSheet ? [finding('html-active-element', 'xml-stylesheet')] : []),
  ];
}
