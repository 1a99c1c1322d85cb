/**
 * The rule for each OpenDocument element: it is written, it is left out with its content, or only its content is written. In the large
 * vocabularies, the elements that load, run, embed or bind are named here. In the small ones, only named elements are written.
 */

import { anyOf } from '../../../formats/patterns.ts';
import { hasSafeTexts } from '../office/formula-texts.ts';
import { isSafeCode, readingsOf } from '../office/formulas.ts';
import { isSafeLink } from '../safe-links.ts';

/** Vocabularies whose elements lay out text, tables and drawings. */
const LAYOUT = new Set(
  'office style text table draw presentation dr3d number config loext calcext tableooo drawooo officeooo'.split(' '),
);

/** The elements of other vocabularies that are written. */
const NAMED = new Set(
  (
    'svg:title svg:desc svg:linearGradient svg:radialGradient svg:stop dc:creator dc:date dc:title dc:subject dc:description ' +
    'dc:language meta:date-string meta:generator meta:document-statistic meta:creator-initials meta:initial-creator ' +
    'meta:creation-date meta:keyword meta:editing-cycles meta:editing-duration meta:print-date meta:printed-by ' +
    'anim:par anim:seq anim:iterate anim:animate anim:set anim:animateMotion anim:animateColor anim:animateTransform ' +
    'anim:transitionFilter anim:param'
  ).split(' '),
);

/** Elements that are left out with their content, and the kinds under which they are reported. */
const DROPPED = new Map<string, string>();
const drop = (kind: string, keys: string) => {
  for (const key of keys.split(' ')) DROPPED.set(key, kind);
};
// A refused value of a cell starts this macro. It can be one of the program, whose address stands in the title of the message.
drop('macro', 'office:scripts office:script text:script table:error-macro');
drop('event', 'office:event-listeners presentation:event-listener presentation:sound anim:audio anim:command');
drop('embedded object', 'draw:object draw:object-ole draw:applet draw:plugin draw:param');
drop('frame', 'draw:floating-frame');
drop('DDE link', 'office:dde-source text:dde-connection-decls text:dde-connection-decl table:dde-links table:dde-link');
drop('form', 'office:forms draw:control');
drop(
  'linked content',
  'text:section-source table:table-source table:cell-range-source text:alphabetical-index-auto-mark-file',
);
drop(
  'data connection',
  'office:database text:database-next text:database-row-select table:database-source-sql table:database-source-table ' +
    'table:database-source-query table:source-service',
);
drop('external template', 'meta:template meta:auto-reload meta:hyperlink-behaviour');
drop('embedded font', 'svg:font-face-src svg:definition-src');
drop('chart', 'office:chart office:image');

/** Fields that lose their program or source and keep their text, and fields with metadata, which are removed. */
const UNWRAPPED = new Map<string, string | null>();
const unwrap = (kind: string | null, keys: string) => {
  for (const key of keys.split(' ')) UNWRAPPED.set(key, kind);
};
unwrap('macro', 'text:execute-macro');
unwrap('DDE link', 'text:dde-connection');
unwrap('data connection', 'text:database-display text:database-name text:database-row-number');
unwrap(
  null,
  'text:initial-creator text:creator text:author-name text:author-initials text:printed-by text:title text:subject ' +
    'text:keywords text:description text:user-defined text:editing-cycles text:editing-duration text:creation-date ' +
    'text:creation-time text:modification-date text:modification-time text:print-date text:print-time text:template-name ' +
    'text:file-name text:sender-firstname text:sender-lastname text:sender-initials text:sender-title text:sender-position ' +
    'text:sender-email text:sender-phone-private text:sender-fax text:sender-company text:sender-phone-work text:sender-street ' +
    'text:sender-city text:sender-postal-code text:sender-country text:sender-state-or-province',
);

export type ElementRule =
  | { readonly action: 'keep' }
  | { readonly action: 'drop' | 'unwrap'; readonly kind: string | null };

const KEEP: ElementRule = { action: 'keep' };

/** Returns the rule for an element that is neither a link nor a picture. */
export function ruleOf(key: string | null): ElementRule {
  if (key === null) return { action: 'drop', kind: 'unknown markup' };
  const dropped = DROPPED.get(key);
  if (dropped !== undefined) return { action: 'drop', kind: dropped };
  const unwrapped = UNWRAPPED.get(key);
  if (unwrapped !== undefined) return { action: 'unwrap', kind: unwrapped };
  const prefix = key.slice(0, key.indexOf(':'));
  if (LAYOUT.has(prefix) || NAMED.has(key)) return KEEP;
  return { action: 'drop', kind: KINDS[prefix] ?? 'unknown markup' };
}

const KINDS: Readonly<Record<string, string>> = {
  script: 'macro',
  form: 'form',
  xforms: 'form',
  db: 'data connection',
  field: 'field code',
  math: 'embedded object',
  chart: 'chart',
  meta: 'document properties',
  dc: 'document properties',
};

/** Elements that contain or name a picture inside the package. */
export const PICTURE_ELEMENTS: ReadonlySet<string> = new Set([
  'draw:image',
  'draw:fill-image',
  'style:background-image',
  'text:list-level-style-image',
]);

/** Links that a person follows. Without a safe target, only their content is written. */
export const LINK_ELEMENTS: ReadonlySet<string> = new Set(['text:a', 'draw:a']);
/** Links without content of their own. */
export const AREA_ELEMENTS: ReadonlySet<string> = new Set([
  'draw:area-rectangle',
  'draw:area-circle',
  'draw:area-polygon',
]);

const ATTRIBUTES_OF_NO_USE = anyOf([
  /^(?:script|form|db|chart|math|xforms|manifest|field|grddl|xhtml|xml):/,
  /:(?:protection-key|protection-key-digest-algorithm|filter-name|code-base|mime-type)$/,
  /:(?:macro-name|event-name|password|connection-name|database-name)$/,
  // The part of the program that draws a shape, and the data for it. Without a name it is the usual one.
  /^draw:(?:engine|data)$/,
]);
const SPACE_OR_LANGUAGE = /^xml:(?:space|lang|id)$/;
/** Values that lead out of the document in any attribute. Values of cells are excepted, because they are text. */
const LEADS_OUT = /^[\p{Cc}\p{Cf}\s'"]*(?:file:|smb:|javascript:|vbscript:|\\\\)/iu;
const FORMULA = /^(?:table|text|style|calcext|loext):(?:formula|condition|expression)$|^calcext:value$/;

/**
 * Says whether an attribute stays as it is (`keep`), goes without a word (`drop`), or goes with a report, and then as what. The attributes
 * of xlink are judged with their element.
 */
export function judgeAttribute(
  key: string,
  value: string,
): 'keep' | 'drop' | 'external reference' | 'live formula' | 'unsafe link' {
  if (ATTRIBUTES_OF_NO_USE.test(key) && !SPACE_OR_LANGUAGE.test(key)) return 'drop';
  if (FORMULA.test(key)) return isSafeOdfFormula(value) ? 'keep' : 'live formula';
  if (key === 'table:message-type' && value === 'macro') return 'drop';
  if (key.startsWith('office:')) return 'keep';
  // These attributes hold the web address of a source in a bibliography.
  if (/:(?:url|local-url)$/.test(key) && value !== '' && !isSafeLink(value)) return 'unsafe link';
  return LEADS_OUT.test(value) || (key.startsWith('table:') && /'#/.test(value)) ? 'external reference' : 'keep';
}

/** The most characters of a formula. A longer one would attack the regular expressions below. */
const MAX_FORMULA_LENGTH = 8_192;

/**
 * Returns true when a formula or condition only calculates with the content of the document. The separators, function names and references
 * of OpenFormula are first changed into the form that the rules for Excel read.
 */
export function isSafeOdfFormula(untrustedFormula: string): boolean {
  if (untrustedFormula.length > MAX_FORMULA_LENGTH) return false;
  const formula = untrustedFormula.replace(/^\s*(?:of|oooc|ooow|msoxl):/, '');
  if (/^[\w.-]+:=/.test(formula)) return false;
  for (const code of readingsOf(formula)) if (!isSafeOdfCode(code)) return false;
  return hasSafeTexts(formula);
}

function isSafeOdfCode(code: string): boolean {
  // `'file:///a.ods'#$Sheet1.A1` is another document.
  if (/'#|:\/\/|\bfile:/i.test(code)) return false;
  const rewritten = code
    .replace(/;/g, ',')
    .replace(/\b(?:COM\.MICROSOFT|ORG\.LIBREOFFICE|ORG\.OPENOFFICE)\./gi, '')
    // This function shows the formula of a cell, or begins a condition. It is a macro command only in Excel.
    .replace(/\b(?:is-true-)?FORMULA\s*\(/gi, '(')
    // `{1;2|3;4}` are the rows of an array. In Excel, the bar would mean DDE.
    .replace(/\{[^{}|"]{0,2000}(?:\|[^{}|"]{0,2000}){1,200}\}/g, '{}');
  return isSafeCode(rewritten);
}
