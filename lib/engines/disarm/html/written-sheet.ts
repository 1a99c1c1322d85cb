/**
 * Writes a style sheet anew: rules of listed declarations, and conditions on the medium around them. Imports, fonts, movements and every
 * other kind of block are left out.
 */
import type { CSSToken } from '@csstools/css-tokenizer';
import { isActiveCss } from './css.ts';
import { type CssTokens, cssTokens, piecesOf, TokenType } from './css-tokens.ts';
import { writtenSelectors } from './written-selector.ts';
import { writtenDeclarations, writtenValue } from './written-style.ts';
import { MEDIA_FEATURES, MEDIA_WORDS } from './written-style-names.ts';

/** The most characters of all style sheets of a page together. Real ones have up to a hundred thousand; megabytes keep a processor busy. */
export const SHEETS_LENGTH = 256 * 1024;

/**
 * Returns the rules of a style sheet that may stay, each on its own line; empty when none may stay. `media` is the condition of its
 * element.
 */
export function writtenSheet(sheet: string, media: string): string {
  const css = cssTokens(sheet);
  const rules = writtenRules(css, { from: 0, to: css.tokens.length }, true).join('\n');
  if (rules === '' || /^\s*(?:all\s*)?$/i.test(media)) return rules;
  const query = cssTokens(media.slice(0, QUERY_LENGTH));
  const condition = writtenQuery(query, { from: 0, to: query.tokens.length });
  return condition === '' || rules.includes('@media') ? '' : `@media ${condition} {\n${rules}\n}`;
}

/** The most characters of the condition of a style element. */
const QUERY_LENGTH = 1_000;

interface Range {
  readonly from: number;
  readonly to: number;
}

/** Writes rules. `isOutermost`: conditions may occur among the rules. Conditions within conditions are left out. */
function writtenRules(css: CssTokens, { from, to }: Range, isOutermost: boolean): string[] {
  const rules: string[] = [];
  for (let at = from; at < to; ) {
    const token = css.tokens[at];
    // Blanks and the marks of a comment in HTML are allowed between rules.
    if (isBetween(token)) {
      at++;
      continue;
    }
    const isAt = token?.[0] === TokenType.AtKeyword;
    const head = { from: at, to: headEnd(css, { from: at, to }, isAt) };
    const body = { from: head.to + 1, to: Math.min(css.closing.get(head.to) ?? head.to, to) };
    if (css.tokens[head.to]?.[0] === TokenType.OpenCurly && head.to < to)
      rules.push(isAt ? writtenBlock(css, head, body, isOutermost) : writtenRule(css, head, body));
    at = body.to + 1;
  }
  return rules.filter((rule) => rule !== '');
}

/** Returns where the block of a rule opens, or where a statement without a block ends. */
function headEnd(css: CssTokens, { from, to }: Range, isAt: boolean): number {
  let at = from;
  while (at < to && css.tokens[at]?.[0] !== TokenType.OpenCurly && !(isAt && isSemicolon(css.tokens[at])))
    at = (css.closing.get(at) ?? at) + 1;
  return at;
}

const isSemicolon = (token: CSSToken | undefined) => token?.[0] === TokenType.Semicolon;
const BETWEEN: ReadonlySet<TokenType> = new Set([
  TokenType.Whitespace,
  TokenType.Comment,
  TokenType.CDO,
  TokenType.CDC,
]);
const isBetween = (token: CSSToken | undefined) => token !== undefined && BETWEEN.has(token[0]);

function writtenRule(css: CssTokens, head: Range, body: Range): string {
  const selectors = writtenSelectors(css, head.from, head.to);
  const declarations = selectors === '' ? '' : writtenDeclarations(css, body.from, body.to);
  const rule = `${selectors} { ${declarations} }`;
  // A name of the sender can look like something that old programs run: `.behavior:hover`.
  return declarations === '' || isActiveCss(rule) ? '' : rule;
}

function writtenBlock(css: CssTokens, head: Range, body: Range, isOutermost: boolean): string {
  if (!isOutermost || css.tokens[head.from]?.[1].toLowerCase() !== '@media') return '';
  const query = writtenQuery(css, { from: head.from + 1, to: head.to });
  const rules = query === '' ? [] : writtenRules(css, body, false);
  return rules.length === 0 ? '' : `@media ${query} {\n${rules.join('\n')}\n}`;
}

/** Returns the conditions of a list that may stay; empty when none may stay. */
function writtenQuery(css: CssTokens, { from, to }: Range): string {
  const pieces = piecesOf(css, { from, to, separator: TokenType.Comma });
  return pieces.flatMap((piece) => writtenCondition(css, piece) ?? []).join(', ');
}

function writtenCondition(css: CssTokens, { from, to }: Range): string | null {
  const written: string[] = [];
  for (let at = from; at < to; at++) {
    const [type, text] = css.tokens[at] ?? [TokenType.EOF, ''];
    if (type === TokenType.Whitespace || type === TokenType.Comment) continue;
    if (type === TokenType.Ident && MEDIA_WORDS.has(text.toLowerCase())) written.push(text.toLowerCase());
    else if (type === TokenType.OpenParen) {
      const end = Math.min(css.closing.get(at) ?? to, to);
      const feature = writtenFeature(css.tokens.slice(at + 1, end));
      if (feature === null) return null;
      written.push(feature);
      at = end;
    } else return null;
  }
  return written.length === 0 ? null : written.join(' ');
}

function writtenFeature(tokens: readonly CSSToken[]): string | null {
  const [name, colon, ...value] = tokens.filter(
    ([type]) => type !== TokenType.Whitespace && type !== TokenType.Comment,
  );
  const feature = name?.[1].toLowerCase() ?? '';
  if (name?.[0] !== TokenType.Ident || !MEDIA_FEATURES.has(feature)) return null;
  if (colon === undefined) return `(${feature})`;
  const written = colon[0] === TokenType.Colon ? writtenValue(value) : null;
  return written === null || !/^[\w./-]+$/.test(written) ? null : `(${feature}: ${written})`;
}
