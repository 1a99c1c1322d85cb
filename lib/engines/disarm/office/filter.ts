/**
 * Filters the element tree of one Office part. It keeps known vocabularies only and removes denied elements. An element that pointed at a
 * dropped relationship is removed or unwrapped; formulas and actions are judged. Both branches of alternate content pass through here.
 */

import { isSafeFieldCode } from './fields.ts';
import { isSafeFormula } from './formulas.ts';
import { isKeptReference, isOneOfSeveral, type PartReferences } from './references.ts';
import {
  DROPPED_ATTRIBUTES,
  DROPPED_ELEMENTS,
  DROPPED_METADATA,
  DROPPED_WHEN_EMPTIED,
  FORMULA_ATTRIBUTES,
  FORMULA_ELEMENTS,
  FORMULA_OWNERS,
  isReference,
  isSafeSlideAction,
  isVmlScript,
  REQUIRED_CHILDREN,
  WORKS_WITHOUT_REFERENCE,
} from './rules.ts';
import { carryNamespaces, findWithin } from './unwrap.ts';
import { droppedDrawingElement, judgeCell, judgeForeignData } from './visio.ts';
import { isUnknownVml, safeVmlAttribute } from './vml.ts';
import {
  attribute,
  descendants,
  isElement,
  textOf,
  type XmlAttribute,
  type XmlElement,
  type XmlNode,
} from './xml/element.ts';

export interface FilterContext extends PartReferences {
  /** Groups of shared formulas (`si`) whose first formula was safe. Cells of any other group keep their values only. */
  readonly safeSharedFormulas: Set<string>;
  /** The number of denied formulas so far. A rule compares it before and after its children. */
  deniedFormulas: number;
}

export function filterContext(
  relationships: ReadonlySet<string>,
  links: ReadonlySet<string>,
  report: PartReferences['report'],
): FilterContext {
  return { relationships, links, report, safeSharedFormulas: new Set(), deniedFormulas: 0 };
}

type Handler = (element: XmlElement, context: FilterContext) => readonly XmlNode[];

/** Returns the output for one element of the input: the filtered element, its children, or nothing. */
export function filterElement(element: XmlElement, context: FilterContext): readonly XmlNode[] {
  const { key } = element;
  if (key === null) {
    context.report('unknown markup');
    return [];
  }
  const kind = DROPPED_ELEMENTS.get(key) ?? (isVmlScript(key) ? 'macro' : undefined);
  if (kind !== undefined) {
    context.report(kind);
    return [];
  }
  if (isUnknownVml(key)) {
    context.report('unknown markup');
    return [];
  }
  if (DROPPED_METADATA.has(key)) return [];
  const drawn = key.startsWith('vis:') ? droppedDrawingElement(key) : null;
  if (drawn !== null) {
    context.report(drawn);
    return [];
  }
  if (FORMULA_ELEMENTS.has(key)) return filterFormula(element, context);
  return (HANDLERS[key] ?? filterPlain)(element, context);
}

function filterPlain(element: XmlElement, context: FilterContext): readonly XmlNode[] {
  if (!filterAttributes(element, context)) return [];
  return keepWithChildren(element, context);
}

function keepWithChildren(element: XmlElement, context: FilterContext): readonly XmlNode[] {
  const key = element.key ?? '';
  const deniedBefore = context.deniedFormulas;
  const before = element.children.filter(isElement);
  element.children = filterChildren(element, context);
  const required = REQUIRED_CHILDREN.get(key);
  if (required !== undefined && isLost(required, before, element)) return [];
  if (FORMULA_OWNERS.has(key) && context.deniedFormulas > deniedBefore) return [];
  if (before.length > 0 && DROPPED_WHEN_EMPTIED.has(key) && !element.children.some(hasContent)) return [];
  return [element];
}

/** Returns whether an element has lost a child that it needs. */
function isLost(required: ReadonlySet<string>, before: readonly XmlElement[], element: XmlElement): boolean {
  const isRequired = (node: XmlNode) => isElement(node) && required.has(node.key ?? '');
  return before.some(isRequired) && !element.children.some(isRequired);
}

function filterChildren(element: XmlElement, context: FilterContext): XmlNode[] {
  const kept: XmlNode[] = [];
  for (const child of element.children) {
    if (isElement(child)) kept.push(...filterElement(child, context));
    else kept.push(child);
  }
  return kept;
}

/** Returns whether there is anything except white space and empty branches. */
function hasContent(node: XmlNode): boolean {
  if (!isElement(node)) return typeof node !== 'string';
  return !(node.key === 'mc:Choice' || node.key === 'mc:Fallback') || node.children.some(isMarkup);
}

/** Filters the attributes in place. Returns false when a removed attribute is one that the element needs. */
function filterAttributes(element: XmlElement, context: FilterContext): boolean {
  const key = element.key ?? '';
  const kept: XmlAttribute[] = [];
  for (const each of element.attributes) {
    if (each.key === null) {
      context.report('unknown markup');
    } else if (isReference(each.key)) {
      if (isKeptReference(key, each, context)) kept.push(each);
      else if (!WORKS_WITHOUT_REFERENCE.has(key) && !isOneOfSeveral(element, each.key)) return false;
    } else if (!DROPPED_ATTRIBUTES.has(`${key}@${each.key}`)) {
      const safe = safeAttribute(element, each, context);
      if (safe !== null) kept.push(safe);
    }
  }
  // The same list when nothing was changed, so that the tag is written as it was read.
  const isChanged = kept.length < element.attributes.length || kept.some((each, at) => each !== element.attributes[at]);
  if (isChanged) element.attributes = kept;
  return true;
}

/** Returns an attribute as it may stay, or null when it may not. Removals are reported. */
function safeAttribute(element: XmlElement, each: XmlAttribute, context: FilterContext): XmlAttribute | null {
  if (FORMULA_ATTRIBUTES.has(`${element.key}@${each.key}`)) {
    if (isSafeFormula(each.value)) return each;
    context.report('live formula', 'sanitized');
    context.deniedFormulas += 1;
    return { ...each, value: '0' };
  }
  const safe = safeDrawingAttribute(element, each);
  if (safe !== each) context.report('active attribute');
  return safe;
}

/** Returns true for anything but text. */
function isMarkup(node: XmlNode): boolean {
  return typeof node !== 'string';
}

/** Judges attributes of drawings that load, link or run. `xdr` shapes name the macro that a click starts. */
function safeDrawingAttribute(element: XmlElement, each: XmlAttribute): XmlAttribute | null {
  const { key, value } = each;
  const [family] = (element.key ?? '').split(':');
  if (family === 'v' || family === 'o' || family === element.key) return safeVmlAttribute(element, each);
  const isLive =
    family === 'xdr'
      ? (key === 'macro' && value !== '') || (key === 'textlink' && !isSafeFormula(value))
      : key === 'xml:base';
  return isLive ? null : each;
}

function filterFormula(element: XmlElement, context: FilterContext): readonly XmlNode[] {
  if (isSafeFormula(textOf(element))) return filterPlain(element, context);
  context.report('live formula', 'sanitized');
  context.deniedFormulas += 1;
  // A chart series must name some range; its cached points stay.
  if (/^c(?:x|15)?:/.test(element.key ?? '')) return [{ ...element, children: ['#REF!'] }];
  return [];
}

export const HANDLERS: Readonly<Record<string, Handler>> = {
  'w:hyperlink': (element, context) => {
    const isLost = hasLostReference(element, context);
    if (!isLost) return filterPlain(element, context);
    const children = filterChildren(element, context);
    if (attribute(element, 'w:anchor') === null) return carryNamespaces([element], children);
    element.attributes = element.attributes.filter(({ key }) => key === null || !isReference(key));
    element.children = children;
    return filterAttributes(element, context) ? [element] : carryNamespaces([element], children);
  },
  'w:fldSimple': (element, context) => {
    const nested = [...descendants(element)].some(({ key }) => key === 'w:instrText');
    if (isSafeFieldCode(attribute(element, 'w:instr') ?? '', nested)) return filterPlain(element, context);
    context.report('field code');
    return carryNamespaces([element], filterChildren(element, context));
  },
  // It is a plain picture once its object is gone, and then it must have that name.
  'w:object': (element, context) => {
    const hadObject = [...descendants(element)].some(({ key }) => key === 'o:OLEObject' || key === 'w:control');
    const hasDrawing = [...descendants(element)].some(({ key }) => key === 'w:drawing');
    const [kept] = filterPlain(element, context);
    if (kept === undefined || !isElement(kept) || !hadObject || hasDrawing) return kept === undefined ? [] : [kept];
    const name = kept.name.replace(/object$/, 'pict');
    return [
      { ...kept, key: 'w:pict', name, attributes: kept.attributes.filter(({ key }) => key?.startsWith('xmlns:')) },
    ];
  },
  'vis:Cell': (element, context) => {
    judgeCell(element, context);
    return filterPlain(element, context);
  },
  'vis:ForeignData': (element, context) => {
    judgeForeignData(element, context);
    return filterPlain(element, context);
  },
  'x:c': filterCell,
  'x:hyperlink': (element, context) => {
    const location = attribute(element, 'location') ?? '';
    const isLost = hasLostReference(element, context);
    if (!/[\\[]|\/\/|:\//.test(location) && !(isLost && location === '')) {
      if (isLost) element.attributes = element.attributes.filter(({ key }) => key === null || !isReference(key));
      return filterPlain(element, context);
    }
    if (!isLost) context.report('unsafe link');
    return [];
  },
  'x:sheet': (element, context) => {
    // Only a macro can show this sheet. The reader should know that it exists.
    if (attribute(element, 'state') === 'veryHidden') {
      context.report('very hidden sheet', 'sanitized');
      element.attributes = element.attributes.map((each) =>
        each.key === 'state' ? { ...each, value: 'hidden' } : each,
      );
    }
    return filterPlain(element, context);
  },
  'a:hlinkClick': filterSlideAction,
  'a:hlinkHover': filterSlideAction,
  'a:hlinkMouseOver': filterSlideAction,
  // An emptied branch would still be chosen, and show nothing while the other branch has a picture.
  'mc:AlternateContent': (element, context) => {
    const emptied = (branch: XmlElement) => {
      const hadContent = branch.children.some(isMarkup);
      return (
        hadContent && !filterElement(branch, context).some((node) => isElement(node) && node.children.some(isMarkup))
      );
    };
    element.children = element.children.filter((child) => !isElement(child) || !emptied(child));
    if (!element.children.some(isElement)) return [];
    return filterAttributes(element, context) ? [element] : [];
  },
  'p:graphicFrame': (element, context) => {
    const inside = [...descendants(element)];
    if (!inside.some(({ key }) => key === 'p:oleObj')) return filterPlain(element, context);
    context.report('embedded object');
    const path = findWithin(element, 'p:pic');
    const preview = path?.at(-1);
    if (path === null || preview === undefined) return [];
    return carryNamespaces(path.slice(0, -1), filterElement(preview, context));
  },
};

function hasLostReference(element: XmlElement, context: FilterContext): boolean {
  return element.attributes.some(
    ({ key, value }) => key !== null && isReference(key) && value !== '' && !context.relationships.has(value),
  );
}

function filterSlideAction(element: XmlElement, context: FilterContext): readonly XmlNode[] {
  if (isSafeSlideAction(attribute(element, 'action') ?? '')) return filterPlain(element, context);
  context.report('slide action');
  return [];
}

/** Filters a cell. It keeps its cached value even when its formula is removed. */
function filterCell(cell: XmlElement, context: FilterContext): readonly XmlNode[] {
  const formulas = cell.children.filter((child) => isElement(child) && child.key === 'x:f');
  if (formulas.some((formula) => isElement(formula) && !isSafeCellFormula(formula, context))) {
    context.report('live formula', 'sanitized');
    cell.children = cell.children.filter((child) => !formulas.includes(child));
    // Marks of a dynamic array: the cell no longer is one.
    cell.attributes = cell.attributes.filter(({ key }) => key !== 'cm');
  }
  return filterPlain(cell, context);
}

function isSafeCellFormula(formula: XmlElement, context: FilterContext): boolean {
  const text = textOf(formula);
  const group = attribute(formula, 't') === 'shared' ? attribute(formula, 'si') : null;
  if (group === null) return isSafeFormula(text);
  if (text === '') return context.safeSharedFormulas.has(group);
  if (!isSafeFormula(text)) {
    context.safeSharedFormulas.delete(group);
    return false;
  }
  context.safeSharedFormulas.add(group);
  return true;
}
