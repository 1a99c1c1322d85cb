/**
 * Word fields. A field is code with a cached result. DDE, INCLUDE… and similar fields run or fetch when the document opens. Codes are
 * judged by an allow-list of keywords. A denied code is removed, and its result stays as plain text.
 */
import { EngineError } from '../../engine.ts';
import { isSafeLink } from '../safe-links.ts';
import { attribute, isElement, type XmlElement, type XmlNode } from './xml/element.ts';

/**
 * Keywords that only lay out, number or look up things inside the document (ECMA-376 part 1, 17.16.5). The list leaves out keywords
 * that show the document's properties: these are removed, so the next update would empty what the reader sees.
 */
const SAFE_KEYWORDS = new Set(
  (
    'PAGE NUMPAGES SECTION SECTIONPAGES DATE TIME TOC TC REF PAGEREF NOTEREF SEQ STYLEREF ' +
    'HYPERLINK XE INDEX TA TOA CITATION BIBLIOGRAPHY FORMTEXT FORMCHECKBOX FORMDROPDOWN MERGEFIELD SYMBOL EQ ADVANCE LISTNUM ' +
    'AUTONUM AUTONUMLGL AUTONUMOUT NUMWORDS NUMCHARS ='
  ).split(' '),
);

/** Returns whether a field code may stay. `hasNestedCode`: other fields build its text when it is updated. */
export function isSafeFieldCode(code: string, hasNestedCode = false): boolean {
  const text = code.replace(/[\p{Cf}\u00a0]/gu, ' ').trim();
  const keyword = /^(=|[A-Za-z]+)(?![\w])/.exec(text)?.[1]?.toUpperCase() ?? (text.startsWith('=') ? '=' : '');
  if (!SAFE_KEYWORDS.has(keyword)) return false;
  if (keyword !== 'HYPERLINK') return true;
  return !hasNestedCode && hasSafeTarget(text.slice('HYPERLINK'.length));
}

/** Judges HYPERLINK "target" \l "bookmark" \o "tip" \t "frame" \n \m: no target, or a safe one. */
function hasSafeTarget(args: string): boolean {
  const tokens = [...args.matchAll(/"((?:[^"\\]|\\.)*)"?|\\([a-z*@#!])|(\S+)/gi)];
  for (let index = 0; index < tokens.length; index += 1) {
    const token = tokens[index];
    const letter = token?.[2];
    if (letter !== undefined) {
      // \l, \o, \t and the general switches take one argument.
      if (/[lot*@#]/i.test(letter)) index += 1;
      continue;
    }
    const target = (token?.[1] ?? token?.[3] ?? '').replace(/\\(.)/g, '$1');
    if (!isSafeLink(target)) return false;
  }
  return true;
}

/** A keyword, and what ends it. */
const WHOLE_KEYWORD = /^\s*(?:=|[A-Za-z]+\W)/;

/** The greatest depth of fields inside each other. Word opens twenty. Text inside belongs to the code of each. */
const MAX_NESTED = 200;

interface OpenField {
  code: string;
  inCode: boolean;
  hasNestedCode: boolean;
  /** Whether another field is in the place of the keyword. Its result would be the keyword. */
  hasNestedKeyword: boolean;
  /** Everything that is removed with a denied code: markers, code text, and results that were part of the code. */
  readonly nodes: XmlElement[];
}

/**
 * Finds the complex fields of one story (fldChar begin, separate, end over any number of runs and paragraphs, nested) and removes
 * the denied ones from the tree in place. Returns the keywords it removed. Throws EngineError `oversize` for fields nested too deep.
 */
export function removeDeniedFields(root: XmlElement): readonly string[] {
  const doomed = new Set<XmlElement>();
  const removed: string[] = [];
  const open: OpenField[] = [];
  const close = (field: OpenField, isWhole: boolean) => {
    if (isWhole && !field.hasNestedKeyword && isSafeFieldCode(field.code, field.hasNestedCode)) return;
    for (const node of field.nodes) doomed.add(node);
    removed.push(/^\W*([A-Za-z]{1,20})/.exec(field.code)?.[1]?.toUpperCase() ?? 'unnamed');
  };
  visit(root, (element) => collect(element, open, close, doomed));
  // A field that never ends. Word and other programs disagree about the end of its code.
  for (const field of open) close(field, false);
  if (doomed.size > 0) {
    prune(root, doomed);
    if (removed.length === 0) removed.push('stray');
  }
  return removed;
}

function visit(element: XmlElement, use: (element: XmlElement) => void): void {
  for (const child of element.children) {
    if (!isElement(child)) continue;
    use(child);
    visit(child, use);
  }
}

type Close = (field: OpenField, isWhole: boolean) => void;

function collect(element: XmlElement, open: OpenField[], close: Close, doomed: Set<XmlElement>): void {
  if (element.key === 'w:fldChar') {
    const kind = attribute(element, 'w:fldCharType');
    if (kind === 'begin') begin(element, open);
    else if (open.length === 0) doomed.add(element);
    else goOn(element, kind === 'end', open, close);
  } else if (element.key === 'w:fldSimple') {
    markNested(open);
  } else if (element.key !== null && /^w:(instrText|delInstrText|t|delText)$/.test(element.key)) {
    addText(element, open, doomed);
  }
}

function begin(element: XmlElement, open: OpenField[]): void {
  if (open.length >= MAX_NESTED) throw new EngineError('oversize', `fields are nested more than ${MAX_NESTED} deep`);
  markNested(open);
  open.push({ code: '', inCode: true, hasNestedCode: false, hasNestedKeyword: false, nodes: [element] });
}

function markNested(open: readonly OpenField[]): void {
  for (const outer of open) {
    if (!outer.inCode) continue;
    outer.hasNestedCode = true;
    outer.hasNestedKeyword ||= !WHOLE_KEYWORD.test(outer.code);
  }
}

function goOn(element: XmlElement, isEnd: boolean, open: OpenField[], close: Close): void {
  const field = open.at(-1);
  field?.nodes.push(element);
  if (field !== undefined) field.inCode = false;
  if (isEnd) closeInnermost(open, close);
}

function closeInnermost(open: OpenField[], close: Close): void {
  const ended = open.pop();
  if (ended === undefined) return;
  close(ended, true);
  // Everything inside the code of an outer field is removed with that code. The outer field passes it on in turn. If each passed it to all,
  // it would double with every outer field.
  const outer = innermostCode(open);
  if (outer !== undefined) for (const node of ended.nodes) outer.nodes.push(node);
}

/** Returns the field whose code the reader is in. A field stays in its code while inner fields are open. */
const innermostCode = (open: readonly OpenField[]): OpenField | undefined => open.findLast(({ inCode }) => inCode);

function addText(element: XmlElement, open: readonly OpenField[], doomed: Set<XmlElement>): void {
  const isCode = element.key === 'w:instrText' || element.key === 'w:delInstrText';
  if (isCode && !open.some((field) => field.inCode)) {
    // Code outside of any field's code. Nothing shows it, and nothing needs it.
    doomed.add(element);
    return;
  }
  const text = element.children.filter((child) => typeof child === 'string').join('');
  for (const field of open) if (field.inCode) field.code += text;
  innermostCode(open)?.nodes.push(element);
}

function prune(element: XmlElement, doomed: ReadonlySet<XmlElement>): void {
  element.children = element.children.filter((child: XmlNode) => !isElement(child) || !doomed.has(child));
  for (const child of element.children) if (isElement(child)) prune(child, doomed);
}
