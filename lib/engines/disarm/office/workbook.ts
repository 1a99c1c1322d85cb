/** Repairs the sheet list of a workbook after sheets were removed: indexes, names and the visible sheet must fit again. */

import { EngineError } from '../../engine.ts';
import { isAutoRunName, isSafeFormula } from './formulas.ts';
import { attribute, descendants, isElement, textOf, type XmlAttribute, type XmlElement } from './xml/element.ts';

/**
 * Edits the workbook element in place. It removes sheets without a relationship and the names that mention them, and auto-run and
 * macro names. It renumbers local sheet ids and the active tab. Throws EngineError `unreadable` when no sheet is left.
 */
export function repairWorkbook(
  workbook: XmlElement,
  relationships: ReadonlySet<string>,
  report: (kind: string) => void,
): void {
  const list = childOf(workbook, 'x:sheets');
  if (list === null) return;
  const sheets = list.children.filter(isElement).filter(({ key }) => key === 'x:sheet');
  const isKept = (sheet: XmlElement) => relationships.has(attribute(sheet, 'r:id') ?? '');
  const kept = sheets.filter(isKept);
  if (kept.length === 0) throw new EngineError('unreadable', 'no sheet of the workbook can be kept');
  const newIndex = new Map<number, number>();
  for (const [index, sheet] of sheets.entries()) if (isKept(sheet)) newIndex.set(index, newIndex.size);
  list.children = kept;
  showOne(kept);
  const goneNames = sheets
    .filter((sheet) => !isKept(sheet))
    .map((sheet) => (attribute(sheet, 'name') ?? '').toLowerCase());
  repairNames(workbook, { goneNames, newIndex, report });
  repairViews(workbook, newIndex);
}

/** Excel refuses a workbook whose sheets are all hidden. */
function showOne(sheets: readonly XmlElement[]): void {
  const first = sheets[0];
  const isHidden = (sheet: XmlElement) => /hidden/i.test(attribute(sheet, 'state') ?? '');
  if (first !== undefined && sheets.every(isHidden))
    first.attributes = first.attributes.filter(({ key }) => key !== 'state');
}

interface SheetChanges {
  /** Lower case. */
  readonly goneNames: readonly string[];
  readonly newIndex: ReadonlyMap<number, number>;
  readonly report: (kind: string) => void;
}

function repairNames(workbook: XmlElement, changes: SheetChanges): void {
  const names = childOf(workbook, 'x:definedNames');
  if (names === null) return;
  names.children = names.children.filter((child) => {
    if (!isElement(child)) return true;
    const scope = attribute(child, 'localSheetId');
    const index = scope === null ? null : changes.newIndex.get(Number(scope));
    if (isLiveName(child) || mentions(textOf(child), changes.goneNames) || index === undefined) {
      changes.report('defined name');
      return false;
    }
    if (index !== null) setAttribute(child, 'localSheetId', String(index));
    return true;
  });
  if (!names.children.some(isElement)) workbook.children = workbook.children.filter((child) => child !== names);
}

const isOn = (value: string | null): boolean => value !== null && value !== '0' && value !== 'false';

function isLiveName(name: XmlElement): boolean {
  const isMacro = ['function', 'vbProcedure', 'xlm'].some((key) => isOn(attribute(name, key)));
  return (
    isMacro ||
    attribute(name, 'macro') !== null ||
    isAutoRunName(attribute(name, 'name') ?? '') ||
    !isSafeFormula(textOf(name))
  );
}

function mentions(formula: string, sheetNames: readonly string[]): boolean {
  const text = formula.toLowerCase();
  return sheetNames.some((name) => text.includes(`${name}!`) || text.includes(`${name.replaceAll("'", "''")}'!`));
}

function repairViews(workbook: XmlElement, newIndex: ReadonlyMap<number, number>): void {
  for (const view of descendants(workbook)) {
    if (view.key !== 'x:workbookView') continue;
    for (const key of ['activeTab', 'firstSheet']) {
      const index = attribute(view, key);
      if (index !== null) setAttribute(view, key, String(newIndex.get(Number(index)) ?? 0));
    }
  }
}

function childOf(element: XmlElement, key: string): XmlElement | null {
  return element.children.filter(isElement).find((child) => child.key === key) ?? null;
}

function setAttribute(element: XmlElement, key: string, value: string): void {
  element.attributes = element.attributes.map((each): XmlAttribute => (each.key === key ? { ...each, value } : each));
}
