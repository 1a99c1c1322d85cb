/**
 * Applies the style sheets of a drawing to its elements. Drawing programs put every colour into a style sheet, and without it
 * all shapes would be black. Only plain rules are read; no style sheet reaches the output.
 */
import type { SvgElement } from './tree.ts';

/** The most rules of one drawing. Programs write one per colour and line. */
const MAX_RULES = 5_000;
/** The most characters of all style sheets together, because they are read for every element. */
const MAX_SHEET_LENGTH = 500_000;
/** The most selectors before one rule. */
const MAX_SELECTORS_LENGTH = 2_000;
/** The most pairs of elements and rules, because each pair is compared. */
const MAX_COMPARISONS = 5_000_000;
/** The most characters added to all elements together. One rule for every element makes gigabytes out of a small drawing. */
const MAX_ADDED_LENGTH = 20_000_000;

interface Rule {
  readonly tag: string | null;
  readonly id: string | null;
  readonly className: string | null;
  readonly declarations: string;
}

/** The declarations that style sheets add to an element, weakest first, '' for none. */
export type StyleOf = (element: SvgElement) => string;

/** Reads the `style` elements of a drawing. Style that is not plain (media, imports, nested selectors) is left out. */
export function styleSheetOf(root: SvgElement): StyleOf {
  const sheet = sheetText(root);
  if (sheet === '' || sheet.length > MAX_SHEET_LENGTH) return () => '';
  const rules = readRules(sheet);
  let comparisons = 0;
  let added = 0;
  return (element) => {
    comparisons += rules.length;
    if (comparisons > MAX_COMPARISONS) return '';
    const applying = rules.filter((rule) => applies(rule, element)).map(({ declarations }) => declarations);
    added += applying.reduce((sum, { length }) => sum + length, 0);
    return added > MAX_ADDED_LENGTH ? '' : applying.join(';');
  };
}

function sheetText(element: SvgElement): string {
  if (element.name === 'style') return element.children.filter((child) => typeof child === 'string').join('');
  return element.children.map((child) => (typeof child === 'string' ? '' : sheetText(child))).join('\n');
}

function readRules(sheet: string): readonly Rule[] {
  const rules: Rule[] = [];
  const plain = withoutComments(sheet);
  let [last, isOpen] = [-1, false];
  let selectors = '';
  for (const { 0: brace, index } of plain.matchAll(/[{}]/g)) {
    const between = plain.slice(last + 1, index);
    if (brace === '{') selectors = between.slice(-MAX_SELECTORS_LENGTH);
    else if (isOpen) takeRule(rules, selectors, between);
    [last, isOpen] = [index, brace === '{'];
  }
  // The rule with the id has priority, then the one with the class, then the later one.
  const weight = ({ id, className, tag }: Rule) =>
    Number(id !== null) * 4 + Number(className !== null) * 2 + Number(tag !== null);
  return rules.sort((one, other) => weight(one) - weight(other));
}

function takeRule(rules: Rule[], selectors: string, declarations: string): void {
  for (const selector of selectors.split(',')) {
    const match = /^\s*([A-Za-z]+|\*)?(?:#([\w-]+))?(?:\.([\w-]+))?\s*$/.exec(selector);
    if (match === null || selector.trim() === '' || rules.length >= MAX_RULES) continue;
    const [, tag = '*', id = null, className = null] = match;
    rules.push({ tag: tag === '*' ? null : tag, id, className, declarations });
  }
}

/** Removes comments piece by piece, because an expression for comments takes quadratic time on a flood of openings. */
function withoutComments(sheet: string): string {
  const [first = '', ...commented] = sheet.split('/*');
  const behind = (piece: string) => (piece.includes('*/') ? piece.slice(piece.indexOf('*/') + 2) : '');
  return [first, ...commented.map(behind)].join(' ').replace(/<!--|-->/g, ' ');
}

function applies({ tag, id, className }: Rule, element: SvgElement): boolean {
  const textAt = (name: string) => element.attributes.find((each) => each.name === name)?.value ?? '';
  if (tag !== null && tag !== element.name) return false;
  if (id !== null && id !== textAt('id')) return false;
  return className === null || textAt('class').split(/\s+/).includes(className);
}
